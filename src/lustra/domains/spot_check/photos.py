"""Photos of spot checks.

Rules: what was uploaded is drawn anew, in at most EDGE pixels a side, and nothing else of it is kept: neither where it
was taken nor by what. It is seen by who sees the check, and may look at
the customer's floors. What no check took within a day is cleared away.
"""

import re
from datetime import timedelta
from uuid import uuid4

from lustra.core import quota
from lustra.core.context import Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.files import pictures
from lustra.domains.account.api import support
from lustra.domains.spot_check.tables import EVERY, SpotCheck

EDGE = 1600  # pixels
FOLDER = "spotcheck/"
NAME = re.compile("[0-9a-f]{32}")
UNUSED = timedelta(days=1)


async def store(ctx: Ctx, data: bytes) -> str:
    """The name of the new photo, under which a check takes it."""
    content = await ctx.app.intake.read(ctx.actor.real_id, pictures.redraw_photo, {"file": data}, EDGE)
    name = uuid4().hex
    await quota.hold(ctx, ctx.actor.acting_id, "pictures", FOLDER + name, len(content))
    await ctx.app.objects.put_bytes(FOLDER + name, content)
    return name


async def demand(ctx: Ctx, name: str) -> None:
    """Refused where no such photo was uploaded; that of another check is refused by the table."""
    if not NAME.fullmatch(name):
        raise Refusal(Code.NOT_FOUND, "photo", reason="file_unknown")
    await ctx.app.objects.demand(FOLDER + name, "photo")


async def read(ctx: Ctx, check: SpotCheck) -> bytes:
    """Refused to support that is kept out: it shows a customer's rooms."""
    look = support.Look("map", check.map_id or 0, check.map_name, check.device_id)
    await support.demand_access(ctx, look, check.owner_path, "id")
    if not check.photo:
        raise Refusal(Code.NOT_FOUND, "id", reason="file_unknown")
    return await ctx.app.objects.get(FOLDER + check.photo)


async def purge(app: Services) -> None:
    """Photos that no check has (any more). A nightly job."""
    async with app.sessions() as db:
        used = set(await db.scalars(EVERY.select(SpotCheck.photo)))
    async for paths in app.objects.older(FOLDER, now() - UNUSED):
        unused = [path for path in paths if path.removeprefix(FOLDER) not in used]
        for path in unused:
            await app.objects.delete(path)
        async with app.sessions.begin() as db:
            await quota.release(db, unused)
