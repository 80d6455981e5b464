"""Pictures of tablets: each of its exact size, kept as it was uploaded, for an animation is more than its first frame.

Whoever knows its address sees a picture: the address cannot be guessed, and a picture never changes under it.
"""

import re
from datetime import timedelta
from typing import Literal
from uuid import uuid4

from lustra.core import quota
from lustra.core.context import Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.files import pictures
from lustra.core.files.objects import HEAD, kind_of
from lustra.domains.delivery.api import EVERY
from lustra.domains.tablet.tables import TabletBranding

Picture = Literal["loginBackground", "bootAnimation", "idleAnimation", "loginLogo", "mainLogo", "homeTile"]
SIZES: dict[Picture, tuple[int, int]] = {  # pixels
    "loginBackground": (1280, 800),
    "bootAnimation": (1280, 800),
    "idleAnimation": (1280, 800),
    "loginLogo": (800, 326),
    "mainLogo": (600, 270),
    "homeTile": (326, 343),
}
FOLDER = "tablet/"
ADDRESS = "/api/public/tabletPicture/"
NAME = r"[0-9a-f]{32}-[0-9]+x[0-9]+"
URL = re.compile(rf"{ADDRESS}({NAME})")
UNUSED = timedelta(days=1)  # until an upload that nobody took is cleared away


def _size_in_name(picture: Picture) -> str:
    width, height = SIZES[picture]
    return f"{width}x{height}"


async def store(ctx: Ctx, picture: Picture, data: bytes) -> str:
    """The address of the new picture. It stands when a dealer takes it."""
    size = await ctx.app.intake.read(ctx.actor.real_id, pictures.measure, {"file": data})
    if size != SIZES[picture]:
        width, height = SIZES[picture]
        raise Refusal(Code.BAD_INPUT, "file", reason="picture_size", width=width, height=height)
    name = f"{uuid4().hex}-{_size_in_name(picture)}"
    await quota.hold(ctx, ctx.actor.real_id, "pictures", FOLDER + name, len(data))
    await ctx.app.objects.put_bytes(FOLDER + name, data)
    return ADDRESS + name


async def read(ctx: Ctx, name: str) -> tuple[bytes, str]:
    """With its media type."""
    data = await ctx.app.objects.get(FOLDER + name)
    return data, kind_of(data[:HEAD])


async def demand(ctx: Ctx, field: str, picture: Picture, url: str) -> None:
    """Refused unless it is a stored picture of that size."""
    match = URL.fullmatch(url)
    if match is None:
        raise Refusal(Code.BAD_INPUT, field, reason="picture_chosen")
    if not match[1].endswith(f"-{_size_in_name(picture)}"):
        width, height = SIZES[picture]
        raise Refusal(Code.BAD_INPUT, field, reason="picture_size", width=width, height=height)
    await ctx.app.objects.demand(FOLDER + match[1], field)


def urls_of(row: TabletBranding) -> list[str]:
    return [
        row.login_background,
        row.boot_animation,
        row.idle_animation,
        row.login_logo,
        row.main_logo,
        *row.home_tiles,
    ]


async def purge(app: Services) -> None:
    """Pictures that no dealer has (any more). A nightly job."""
    async with app.sessions() as db:
        rows = await db.scalars(EVERY.select(TabletBranding))
        used = {url.removeprefix(ADDRESS) for row in rows for url in urls_of(row)}
    async for paths in app.objects.older(FOLDER, now() - UNUSED):
        unused = [path for path in paths if path.removeprefix(FOLDER) not in used]
        for path in unused:
            await app.objects.delete(path)
        async with app.sessions.begin() as db:
            await quota.release(db, unused)
