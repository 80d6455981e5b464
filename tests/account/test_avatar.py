"""Profile pictures: by content, of bounded size, cropped on the server; whose they are; what nobody took goes."""

import io
import os
import time
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.context import Services
from lustra.core.errors import Code
from lustra.core.files import pictures
from lustra.domains.account import avatars
from tests.clients import Console, LogIn


def picture(kind: str = "PNG", size: Any = (300, 200), **more: Any) -> bytes:
    """Green in its middle, red at its sides."""
    out, drawn = io.BytesIO(), Image.new("RGB", size, (200, 0, 0))
    edge = min(size)
    left, top = (size[0] - edge) // 2, (size[1] - edge) // 2
    drawn.paste((0, 200, 0), (left, top, left + edge, top + edge))
    drawn.save(out, kind, **more)
    return out.getvalue()


async def upload(client: Any, *contents: bytes, name: str = "me.png"):
    files = [("file", (name, content)) for content in contents]
    answer = (await client.http.post("/api/public/uploadAvatar", files=files or None)).json()
    return answer["message"], answer["data"]


@pytest.mark.spec(
    "call.user.avatarUpload", "rule.avatar.size", "const.avatar_size", "q.avatar_size", "conv.avatar_upload"
)
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
async def test_a_picture_is_cropped_to_a_square_in_two_sizes(console: LogIn, anonymous: Console, kind: str):
    message, data = await upload(await console("user"), picture(kind), name="any.name")
    assert message["code"] == 0
    for requested, size in ((60, 60), (120, 120), (100, 120), (500, 120)):
        answer = await anonymous.http.get(data["url"], params={"size": requested})
        shown = Image.open(io.BytesIO(answer.content)).convert("RGB")
        assert (answer.headers["content-type"], shown.size) == ("image/png", (size, size))
        pixel: Any = shown.getpixel((1, size // 2))
        red, green, _ = pixel
        assert (red < 60, green > 150) == (True, True)  # the middle square, nothing of the sides


async def test_store_no_metadata_of_a_picture(console: LogIn, anonymous: Console):
    exif = Image.Exif()
    exif[0x010E] = "at 48.1 N 11.5 E"
    _, data = await upload(await console("user"), picture("JPEG", exif=exif))
    content = (await anonymous.http.get(data["url"])).content
    assert b"48.1 N" not in content
    assert not Image.open(io.BytesIO(content)).getexif()


@pytest.mark.spec("rule.image.size", "rule.image.one", "rule.image.format", "rule.avatar.chosen")
async def test_refuse_a_file_that_is_no_picture_too_large_or_one_of_several(console: LogIn, tmp_path: Path):
    me = await console("user", language="en")
    assert (await upload(me))[0]["message"] == "File: Please select a picture"
    assert (await upload(me, b""))[0]["message"] == "File: Please select a picture"
    assert (await upload(me, b"MZ this is a program"))[0]["message"] == "File: File format not supported"
    assert (await upload(me, picture()[:100]))[0]["message"] == "File: File format not supported"
    assert (await upload(me, picture("BMP")))[0]["message"] == "File: File format not supported"
    assert (await upload(me, picture(), picture()))[0]["message"] == "File: One file at a time"
    full = picture() + bytes(pictures.LARGEST - len(picture()))
    assert (await upload(me, full))[0]["code"] == 0
    assert (await upload(me, full + b"x"))[0]["message"] == "The file is too large (limit 2 MB)"


async def test_a_small_file_that_unpacks_to_a_huge_picture_is_refused(console: LogIn):
    bomb = picture(size=(30_000, 4_000))
    assert len(bomb) < pictures.LARGEST
    assert (await upload(await console("user"), bomb))[0]["code"] == Code.BAD_INPUT


@pytest.mark.spec("call.user.updateHeadPicture")
async def test_the_own_account_takes_a_picture(console: LogIn, db: AsyncSession):
    me = await console("user")
    _, data = await upload(me, picture())
    assert await me("/user/updateHeadPicture", url=data["url"], account="user", userId=me.id) == data
    assert (await console("user")).session["url"] == data["url"]
    code, _ = await me.raw("/user/updateHeadPicture", url="https://example.org/me.png")
    assert code == Code.BAD_INPUT
    assert (await me.answer("/user/updateHeadPicture"))["message"]["message"] == "Web address: Please select a picture"
    assert (await me.raw("/user/updateHeadPicture", url=f"{avatars.ADDRESS}{'0' * 32}"))[0] == Code.NOT_FOUND


async def test_an_account_below_gets_a_picture_and_no_other_does(console: LogIn, db: AsyncSession):
    dealer, user, rivaluser = await console("dealer"), await console("user"), await console("rivaluser")
    _, data = await upload(dealer, picture())
    await dealer("/user/updateHeadPicture", url=data["url"], userId=user.id)
    assert (await dealer.raw("/user/updateHeadPicture", url=data["url"], userId=rivaluser.id))[0] == Code.NOT_FOUND
    urls = dict((await db.execute(text("select account, url from account"))).all())
    assert (urls["user"], urls["rivaluser"]) == (data["url"], "")


async def test_a_picture_needs_a_log_in_to_be_uploaded(anonymous: Console):
    assert (await upload(anonymous, picture()))[0]["code"] == Code.SESSION_INVALID


async def test_pictures_that_no_account_has_are_cleared_away_after_a_day(
    console: LogIn, services: Services, tmp_path: Path
):
    me = await console("user")
    urls = [(await upload(me, picture()))[1]["url"] for _ in range(3)]
    await me("/user/updateHeadPicture", url=urls[0])
    files = sorted((tmp_path / "objects" / "avatar").iterdir())
    before = time.time() - avatars.UNUSED.total_seconds() - 60
    for file in files:
        if urls[2].rsplit("/", 1)[-1] not in file.name:
            os.utime(file, (before, before))
    await avatars.purge(services)
    left = {file.name[:32] for file in (tmp_path / "objects" / "avatar").iterdir()}
    assert left == {url.rsplit("/", 1)[-1] for url in (urls[0], urls[2])}
