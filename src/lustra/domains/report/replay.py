"""A run, or the seconds around an alarm, as they went: where the robot was at each time, what it did, and what happened
on the way, from the stored history.

Rules: of more than MOST points each second, third … stays, and the last; commands are those that the robot obeyed
meanwhile, with the name of who is in scope; modes are of when the server received them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.domains.account.api import action_title, load_commands
from lustra.domains.alarm.api import name_alarm
from lustra.domains.change.api import load_modes
from lustra.domains.device.api import Where
from lustra.domains.map.api import load_version
from lustra.domains.report import queries
from lustra.domains.report.service import load_alarms, load_report
from lustra.domains.telemetry.api import load_points

MOST = 7200
PAUSE_S = 15.0  # a robot that stands for longer has halted
STOOD_M = 0.05
MS = 1000
COLUMNS = ("x", "y", "yaw", "battery", "liquid")


@dataclass(frozen=True, slots=True)
class Span:
    """Of a robot, while it was of one owner. `rest_ms`: how old the place of one that stood may be as it begins."""

    device_id: int
    owner_id: int
    start: datetime
    end: datetime
    rest_ms: int = 0


async def load_replay(ctx: Ctx, report_id: int) -> dict[str, Any]:
    """Refused where the report is not in scope; without its way while support is kept out."""
    report = await load_report(ctx, report_id)
    span = Span(report["deviceId"], report["ownerUserId"], report["startTime"], report["endTime"])
    alarms = await load_alarms(ctx, report["deviceId"], report["run"])
    return await build(ctx, span, alarms, closed=report["closed"])


async def build(ctx: Ctx, span: Span, alarms: Sequence[Any], *, closed: bool) -> dict[str, Any]:
    """The caller judges whether the span is in scope; `closed`: without its way."""
    start = _ms(span.start)
    points: list[Any] = []
    if not closed:
        async with ctx.app.pool.acquire() as db:
            stored = await load_points(db, ctx.scope, span.device_id, start - span.rest_ms, _ms(span.end))
        points = thin(begin_at(stored, start))
    columns = list(zip(*points, strict=True)) or [()] * (len(COLUMNS) + 1)
    marks = [*_list_alarms(ctx, alarms), *await _list_commands(ctx, span), *list_halts(points)]
    return {
        "time": [round(at - start) for at in columns[0]],
        **{name: list(column) for name, column in zip(COLUMNS, columns[1:], strict=False)},
        "modes": [] if closed else await _load_modes(ctx, span),
        "marks": sorted(marks, key=lambda mark: mark["time"]),
    }


async def load_alarms_within(ctx: Ctx, span: Span) -> list[Any]:
    """Those of the robot while the span's owner had it."""
    where = Where.of_stamped(ctx.scope, "r")
    where.add("r.device_id = {} and r.owner_id = {}", span.device_id, span.owner_id)
    where.add("r.raised_at between {} and {}", span.start, span.end)
    return await ctx.app.pool.fetch(where.sql(queries.ALARMS), *where.values)


async def load_floor(ctx: Ctx, row: Any, field: str) -> bytes:
    """The grid of the map that a row names, as a PNG; refused to support that is kept out. `field`: names the row."""
    if row["map_id"] is None:
        raise Refusal(Code.NOT_FOUND, field)
    version = await load_version(ctx, row["map_id"], row["map_revision"])
    return await ctx.app.objects.get(version["grid"])


def _ms(at: datetime) -> int:
    return round(at.timestamp() * MS)


def begin_at(points: list[Any], start: float) -> list[Any]:
    """What is older than the start counts as its newest place then."""
    older = [point for point in points if point[0] < start]
    newer = points[len(older) :]
    return [(start, *older[-1][1:]), *newer] if older and (not newer or newer[0][0] > start) else newer


def thin(points: list[Any]) -> list[Any]:
    step = -(-len(points) // MOST)
    return points[::step] + points[-1:] if step > 1 else points


def list_halts(points: list[Any]) -> list[dict[str, Any]]:
    """Where it stood for PAUSE_S or longer, from when until when."""
    if not points:
        return []
    halts: list[dict[str, Any]] = []
    since = points[0]
    for before, point in pairwise(points):
        if abs(point[1] - since[1]) + abs(point[2] - since[2]) < STOOD_M:
            continue
        halts += _halt(since, before)
        since = point
    return halts + _halt(since, points[-1])


def _halt(since: Any, until: Any) -> list[dict[str, Any]]:
    seconds = (until[0] - since[0]) / MS
    if seconds < PAUSE_S:
        return []
    return [{"kind": "halt", "time": datetime.fromtimestamp(since[0] / MS, UTC), "seconds": seconds, "text": ""}]


def _list_alarms(ctx: Ctx, alarms: Sequence[Any]) -> list[dict[str, Any]]:
    return [
        {"kind": "alarm", "time": row["raised_at"], "text": name_alarm(row["code"], ctx.language), "seconds": 0.0}
        for row in alarms
    ]


async def _list_commands(ctx: Ctx, span: Span) -> list[dict[str, Any]]:
    """A command that came again and again stands once."""
    commands = await load_commands(ctx, span.device_id, span.start, span.end)
    entries = [(at, action_title(action, ctx.language).rpartition(": ")[2], name) for at, action, name in commands]
    firsts = [entry for before, entry in pairwise([(None, "", ""), *entries]) if entry[1:] != before[1:]]
    return [
        {"kind": "command", "time": at, "text": " · ".join(filter(None, (title, name))), "seconds": 0.0}
        for at, title, name in firsts
    ]


async def _load_modes(ctx: Ctx, span: Span) -> list[dict[str, Any]]:
    """Beginning with the one as the span began, where that is known."""
    changes = await load_modes(ctx, span.device_id, span.owner_id, span.start, span.end)
    first = [{"time": 0, "mode": changes[0].data["before"]}] if changes and changes[0].created_at > span.start else []
    start = _ms(span.start)
    return first + [{"time": max(0, _ms(row.created_at) - start), "mode": row.data["mode"]} for row in changes]
