"""What a robot did while a recording of its sensors was made, on the floor as it was: beside the recording's own poses.

Rules: whose recording it is sees it; without its way and floor while support is kept out. The floor is the one that a
run or an alarm of that time names, else the one that the robot has loaded now, and the answer says which.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.domains.account.api import support
from lustra.domains.device.api import Where
from lustra.domains.report import queries
from lustra.domains.report.alarm_replay import REST_MS
from lustra.domains.report.replay import MS, Span, build, load_alarms_within, load_floor
from lustra.domains.report.service import render_map

LONGEST = timedelta(hours=24)  # of the way that is looked up


async def load_recording_replay(ctx: Ctx, log_id: int) -> dict[str, Any]:
    recording = await _load(ctx, log_id)
    start, end = (datetime.fromtimestamp(recording[name] / MS, UTC) for name in ("start", "end"))
    look = support.Look("log", log_id, recording["name"], recording["device_id"])
    closed = not await support.may_look(ctx, look, recording["owner_path"])
    span = Span(recording["device_id"], recording["owner_id"], start, min(end, start + LONGEST), REST_MS)
    return await build(ctx, span, await load_alarms_within(ctx, span), closed=closed) | {
        "startTime": start,
        "endTime": end,
        "closed": closed,
        "ownerUserId": recording["owner_id"],
        "map": None if closed else render_map(recording, recording["map_id"]),
        "mapName": "" if closed else recording["map_name"] or "",
        "mapKnown": recording["known"],
    }


async def load_recording_floor(ctx: Ctx, log_id: int) -> bytes:
    """The grid of that map, as a PNG; refused to support that is kept out."""
    return await load_floor(ctx, await _load(ctx, log_id), "id")


async def _load(ctx: Ctx, log_id: int) -> Any:
    where = Where.of_stamped(ctx.scope, "r")
    where.add("r.id = {}", log_id)
    row = await ctx.app.pool.fetchrow(where.sql(queries.RECORDING), *where.values)
    if row is None:
        raise Refusal(Code.NOT_FOUND, "id")
    if row["start"] is None:
        raise Refusal(Code.BAD_INPUT, "id", reason="recording_not_ready")
    return row
