"""What a robot did, by its changes of mode; they are of when the server received them, and there for LIFETIME."""

from collections.abc import Sequence
from datetime import datetime

from lustra.core.context import Ctx
from lustra.domains.change.tables import ChangeEntry

MOST = 1000  # changes within a span


async def load_modes(
    ctx: Ctx, device_id: int, owner_id: int, since: datetime, until: datetime
) -> Sequence[ChangeEntry]:
    """The last before a span, and those within it, in order: of one owner's time with the robot, if in scope."""
    rows = ctx.scope.select(ChangeEntry).where(
        ChangeEntry.kind == "device.mode", ChangeEntry.device_id == device_id, ChangeEntry.owner_id == owner_id
    )
    last = rows.where(ChangeEntry.created_at <= since).order_by(ChangeEntry.entry.desc()).limit(1)
    within = rows.where(ChangeEntry.created_at > since, ChangeEntry.created_at <= until)
    before = (await ctx.db.scalars(last)).all()
    return [*before, *await ctx.db.scalars(within.order_by(ChangeEntry.entry).limit(MOST))]
