"""Clearing old data: what is older than a year, within the actor's scope, and only once it was confirmed.

Each domain counts and removes its own, by the event OldData. Never accounts, robots, maps or tasks; and never the
audit, whose chain would break.
"""

from datetime import datetime, timedelta

from lustra.core import events
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.domains.account.events import OldData

AGE = timedelta(days=365)
KINDS = ("report", "warn", "message", "log", "video")


async def clean_old_data(ctx: Ctx, *, confirmed: bool) -> tuple[datetime, dict[str, int]]:
    """Before when, and how many there are of each kind; they are gone when it was confirmed."""
    before = now() - AGE
    old = OldData(ctx.actor.path, dict.fromkeys(KINDS, before), remove=confirmed)
    await events.emit(ctx.db, old)
    ctx.note(counts=old.counts)
    return before, old.counts
