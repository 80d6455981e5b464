"""Looks that tests give tablets, with pictures of the right sizes."""

import io
from typing import Any

from PIL import Image

from lustra.domains.tablet import pictures
from tests.world import World

SIZES: dict[Any, Any] = dict(pictures.SIZES)


def drawn(picture: str, kind: str = "PNG", size: tuple[int, int] | None = None, **more: Any) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size or SIZES[picture], (0, 90, 80)).save(out, kind, **more)
    return out.getvalue()


async def upload(world: World, account: str, picture: str, *contents: bytes, language: str = "en") -> tuple[Any, Any]:
    files = [("file", ("any.name", content)) for content in contents]
    headers = {"token": await world.token(account), "accept-language": language}
    answer = await world.http.post(
        "/api/user/uploadPadPicture", data={"picture": picture}, files=files or None, headers=headers
    )
    return answer.json()["message"], answer.json()["data"]


async def url_of(world: World, account: str, picture: str, *content: bytes) -> str:
    message, data = await upload(world, account, picture, *(content or [drawn(picture)]))
    assert message["code"] == 0, message
    return data["url"]


async def chosen(world: World, account: str = "dealer", **fields: Any) -> dict[str, Any]:
    """A whole look."""
    urls = {picture: await url_of(world, account, picture) for picture in SIZES}
    tiles = [urls.pop("homeTile")] * 6
    return urls | {"homeTiles": tiles, "aboutUs": "We clean.", "themeColor": "#1D3F94"} | fields
