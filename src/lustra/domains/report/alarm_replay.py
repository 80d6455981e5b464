"""What a robot did around an alarm: from 30 s before to 10 s after it was raised, on the floor as it was.

Rules: whose alarm it is sees it, also when the robot is another's by now; without its way and floor while support is
kept out.
"""

from datetime import timedelta
from typing import Any

from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.domains.account.api import support
from lustra.domains.device.api import Where
from lustra.domains.report import queries
from lustra.domains.report.replay import Span, build, load_alarms_within, load_floor
from lustra.domains.report.service import render_map

BEFORE = timedelta(seconds=30)
AFTER = timedelta(seconds=10)
MOST_RECORDINGS = 20
REST_MS = 120_000  # a robot at rest stores one point a minute, under the minute's first second


async def load_alarm_replay(ctx: Ctx, alarm_id: int) -> dict[str, Any]:
    alarm = await _load(ctx, alarm_id)
    start, end = alarm["raised_at"] - BEFORE, alarm["raised_at"] + AFTER
    look = support.Look("robot", alarm["device_id"], alarm["device_name"], alarm["device_id"])
    closed = not await support.may_look(ctx, look, alarm["owner_path"])
    span = Span(alarm["device_id"], alarm["owner_id"], start, end, REST_MS)
    return await build(ctx, span, await load_alarms_within(ctx, span), closed=closed) | {
        "startTime": start,
        "endTime": end,
        "closed": closed,
        "ownerUserId": alarm["owner_id"],
        "map": None if closed else render_map(alarm, alarm["map_id"]),
    }


async def load_alarm_floor(ctx: Ctx, alarm_id: int) -> bytes:
    """The grid of the map as it was then, as a PNG; refused to support that is kept out."""
    return await load_floor(ctx, await _load(ctx, alarm_id), "warnId")


async def load_recordings(ctx: Ctx, alarm_id: int) -> list[dict[str, Any]]:
    """Recordings of the robot's sensors that have the alarm, the oldest first."""
    where = Where.of_stamped(ctx.scope, "r")
    where.add("r.id = {}", alarm_id)
    holes = {"before": BEFORE.seconds, "after": AFTER.seconds, "most": MOST_RECORDINGS}
    rows = await ctx.app.pool.fetch(where.sql(queries.RECORDINGS_OF_ALARM, **holes), *where.values)
    return [
        dict(row) | {"by": row["trigger"]["by"] if row["trigger"] else "", "ready": row["recordingState"] == "ready"}
        for row in rows
    ]


async def _load(ctx: Ctx, alarm_id: int) -> Any:
    where = Where.of_stamped(ctx.scope, "r")
    where.add("r.id = {}", alarm_id)
    row = await ctx.app.pool.fetchrow(where.sql(queries.ALARM), *where.values)
    if row is None:
        raise Refusal(Code.NOT_FOUND, "warnId")
    return row
