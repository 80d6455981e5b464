"""What a dealer's tablets look like: every picture, a text about the dealer and a colour, or nothing at all.

Rules: only a dealer says it, for its own robots and those of its customers; no picture is left out, and each has the
size of its place.
"""

from datetime import datetime
from typing import Any

from lustra.core.context import Ctx
from lustra.core.database import edits
from lustra.core.errors import Code, Refusal
from lustra.domains.account.api import brands_tablets, own
from lustra.domains.tablet import delivery, pictures
from lustra.domains.tablet.tables import TabletBranding

HOME_TILES = 6
SHORTEST_ABOUT = 2  # characters
LONGEST_ABOUT = 2000
USUAL_COLOR = "#017465"
CHOICES = {  # white letters are read on each of them
    "deep blue": "#1D3F94",
    "sky blue": "#0B6A94",
    "blue": "#1B64C8",
    "green": "#2A6E1E",
    "purple": "#6B3FA0",
    "red": "#A63E12",
    "yellow": "#8A5A00",
}
ONE_EACH: dict[str, pictures.Picture] = {
    "login_background": "loginBackground",
    "boot_animation": "bootAnimation",
    "idle_animation": "idleAnimation",
    "login_logo": "loginLogo",
    "main_logo": "mainLogo",
}


async def demand_dealer(ctx: Ctx) -> None:
    if not brands_tablets(await own(ctx.db, ctx.actor)):
        raise Refusal(Code.FORBIDDEN)


async def load(ctx: Ctx, *, lock: bool = False) -> TabletBranding | None:
    """Of the acting dealer."""
    rows = ctx.scope.select(TabletBranding).where(TabletBranding.account_id == ctx.actor.acting_id)
    return await ctx.db.scalar(rows.with_for_update() if lock else rows)


async def change(ctx: Ctx, fields: dict[str, Any], since: datetime | None) -> None:
    await demand_dealer(ctx)
    for name, picture in ONE_EACH.items():
        await pictures.demand(ctx, picture, picture, fields[name])
    for url in fields["home_tiles"]:
        await pictures.demand(ctx, "homeTiles", "homeTile", url)
    row = await load(ctx, lock=True)
    if row is None:
        ctx.db.add(TabletBranding(account_id=ctx.actor.acting_id, **fields))
    else:
        ctx.note(before=edits.apply(row, fields, since))
    await ctx.db.flush()
    await delivery.plan_for_dealer(ctx.db, ctx.actor.acting_id)
