"""Profile pictures: what was uploaded is cropped to a square and drawn anew in two sizes; nothing else of it is kept.

Whoever knows its address sees a picture: the address cannot be guessed, and a picture never changes under it.
"""

import re
from datetime import timedelta
from uuid import uuid4

from lustra.core import quota
from lustra.core.context import Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.files import pictures
from lustra.core.scope import system
from lustra.domains.account import granting, users
from lustra.domains.account.service import own
from lustra.domains.account.tables import Account

SIZES = (60, 120)  # pixels: as shown, and for screens that show two for one
FOLDER = "avatar/"
ADDRESS = "/api/public/avatar/"
URL = re.compile(rf"{ADDRESS}([0-9a-f]{{32}})")
UNUSED = timedelta(days=1)  # until an upload that nobody took is cleared away


def picture_path(name: str, size: int) -> str:
    return f"{FOLDER}{name}-{size}.png"


async def store_avatar(ctx: Ctx, data: bytes) -> str:
    """The address of the new picture. It stands when an account takes it."""
    name = uuid4().hex
    cropped = await ctx.app.intake.read(ctx.actor.real_id, pictures.crop_square, {"file": data}, list(SIZES))
    for size, content in cropped.items():
        await quota.hold(ctx, ctx.actor.real_id, "pictures", picture_path(name, size), len(content))
        await ctx.app.objects.put_bytes(picture_path(name, size), content)
    return f"{ADDRESS}{name}"


async def read_avatar(ctx: Ctx, name: str, size: int) -> bytes:
    """The picture as PNG: in the smallest stored size that is not below `size`, else the largest."""
    return await ctx.app.objects.get(
        picture_path(name, next((available for available in SIZES if available >= size), SIZES[-1]))
    )


async def assign_avatar(ctx: Ctx, user_id: int | None, url: str) -> None:
    """Gives the picture at `url` to the actor's own account, or to one below it."""
    if user_id in (None, ctx.actor.real_id):
        account = await own(ctx.db, ctx.actor, lock=True)
    else:
        granting.demand_key(ctx, "user/index/edit")
        account = await users.find_other(ctx, user_id, lock=True)
    match = URL.fullmatch(url)
    if match is None:
        raise Refusal(Code.BAD_INPUT, "url", reason="picture_chosen")
    await ctx.app.objects.get(picture_path(match[1], SIZES[0]))
    ctx.note(before={"url": account.url})
    account.url, account.updated_at = url, now()


async def purge(app: Services) -> None:
    """Pictures that no account has (any more). A nightly job."""
    async for paths in app.objects.older(FOLDER, now() - UNUSED):
        async with app.sessions() as db:
            urls = {path: ADDRESS + path.removeprefix(FOLDER)[:32] for path in paths}
            pictures_used = system("of all accounts").select(Account.url)
            used = set(await db.scalars(pictures_used.where(Account.url.in_(set(urls.values())))))
        unused = [path for path in paths if urls[path] not in used]
        for path in unused:
            await app.objects.delete(path)
        async with app.sessions.begin() as db:
            await quota.release(db, unused)
