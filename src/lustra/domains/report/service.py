"""The list of runs and one run whole, in plain SQL; names are the wire's.

Coverage is given in thousandths, efficiency in hundredths of m²/h (specification 1.190). A run that is known from
states alone has no reachable area, so its coverage is of the planned one.
"""

from collections.abc import AsyncIterator, Sequence
from datetime import date, datetime
from typing import Any

from lustra.core.context import Ctx
from lustra.core.db import Connection
from lustra.core.errors import Code, Refusal
from lustra.core.query import SortOrder
from lustra.core.scope import Scope
from lustra.domains.account.api import support
from lustra.domains.device.api import Where
from lustra.domains.map.api import load_version
from lustra.domains.report import queries
from lustra.domains.report.sums.figures import DAY

MOST_OF_GROUP = 1000  # runs
AT_ONCE = 500  # rows of an export in memory
MAP = ("map_revision", "resolution", "origin_x", "origin_y", "origin_yaw", "width", "height")  # of a report's row


def build_where(
    scope: Scope,
    *,
    device_ids: list[int] | None = None,
    since: date | None = None,
    until: date | None = None,
    map_name: str = "",
    task_name: str = "",
    text: str = "",
    end: str | None = None,
    gid: str = "",
) -> Where:
    """Dates are whole days in the zone of the robot's site, both included."""
    where = Where.of_stamped(scope, "r")
    if device_ids is not None:
        where.add("r.device_id = any({}::bigint[])", device_ids)
    if since is not None:
        where.add(f"{DAY} >= {{}}", since)
    if until is not None:
        where.add(f"{DAY} <= {{}}", until)
    for column, words in (("map_name", map_name), ("task_name", task_name)):
        if words.strip():
            where.add(queries.PART.format(column), words.strip())
    if text.strip():
        where.add(f"strpos({queries.WORDS}, lower(normalize({{}}, nfkc))) > 0", text.strip())
    if end:
        where.add('r."end" = {}', end)
    if gid:
        where.add("(r.gid = {} or (r.gid = '' and r.run = {}))", gid, gid)
    return where


def sort_order(column: str | None, *, descending: bool) -> SortOrder | None:
    return SortOrder(queries.SORTS[column], descending) if column else None


def _sorted_by(order: SortOrder | None) -> str:
    """Without one the newest stand first."""
    return f"{order.sql}, {queries.ORDER}" if order else queries.ORDER


async def sum_reports(db: Connection, where: Where) -> dict[str, Any]:
    """Of all runs that match: how many, how long, and what they were to clean and cleaned."""
    row = await db.fetchrow(where.sql(queries.SUMS), *where.values)
    return dict(row or {})


async def load_page(
    db: Connection, where: Where, size: int, number: int, order: SortOrder | None = None
) -> list[dict[str, Any]]:
    query = where.sql(queries.PAGE, **where.page(size, number), order=_sorted_by(order))
    return [dict(row) for row in await db.fetch(query, *where.values)]


async def load_group(scope: Scope, db: Connection, gid: str) -> list[dict[str, Any]]:
    """The runs of one group, in the order in which they began."""
    where = build_where(scope, gid=gid)
    return (await load_page(db, where, MOST_OF_GROUP, 1))[::-1]


async def load_neighbours(ctx: Ctx, report_id: int) -> dict[str, Any]:
    """The robot's runs before and after, and its run of the same task on the same map before."""
    async with ctx.app.pool.acquire() as db:
        where = Where.of_stamped(ctx.scope, "r")
        where.add("r.id = {}", report_id)
        [run] = await load_page(db, where, 1, 1) or [None]
        if run is None:
            raise Refusal(Code.NOT_FOUND, "taskReportId")

        async def load_next(direction: str, *conditions: tuple[str, str]) -> dict[str, Any] | None:
            near = build_where(ctx.scope, device_ids=[run["deviceId"]])
            near.add(f"(r.started, r.id) {direction} ({{}}, {{}})", run["startTime"], report_id)
            for column, value in conditions:
                near.add(f"{column} = {{}}", value)
            order = SortOrder("r.started", descending=direction == "<")
            return next(iter(await load_page(db, near, 1, 1, order)), None)

        same = (("r.task_name", run["taskName"]), ("r.map_name", run["mapName"]))
        earlier, later = await load_next("<"), await load_next(">")
        return {
            "earlierId": earlier and earlier["taskReportId"],
            "laterId": later and later["taskReportId"],
            "before": await load_next("<", *same),
        }


async def read_all(db: Connection, where: Where, order: SortOrder | None) -> AsyncIterator[list[dict[str, Any]]]:
    """All rows of a filter, AT_ONCE at a time, read by a cursor within the caller's transaction."""
    cursor = await db.cursor(where.sql(queries.EXPORT, order=_sorted_by(order)), *where.values)
    while rows := await cursor.fetch(AT_ONCE):
        yield [dict(row) for row in rows]


async def load_report(ctx: Ctx, report_id: int) -> dict[str, Any]:
    """Without its picture for support, while the customer's support access is closed."""
    where = Where.of_stamped(ctx.scope, "r")
    where.add("r.id = {}", report_id)
    row = await ctx.app.pool.fetchrow(where.sql(queries.DETAIL), *where.values)
    if row is None:
        raise Refusal(Code.NOT_FOUND, "taskReportId")
    report = {name: value for name, value in row.items() if name not in MAP}
    report["original"] = _original_values(report["original"])
    look = support.Look("report", report_id, report["mapName"], report["deviceId"])
    if not await support.may_look(ctx, look, report.pop("owner_path")):
        return report | {"map": None, "cells": None, "driven": [], "closed": True}
    return report | {"map": render_map(row, row["mapId"]), "closed": False}


def render_map(row: Any, map_id: int | None) -> dict[str, Any] | None:
    """The frame of a map's version; None: it is gone."""
    if row["map_revision"] is None:
        return None
    return {
        "mapId": map_id,
        "revision": row["map_revision"],
        "resolution": row["resolution"],
        "origin": [row["origin_x"], row["origin_y"], row["origin_yaw"]],
        "width": row["width"],
        "height": row["height"],
    }


async def load_alarms(ctx: Ctx, device_id: int, run: str) -> Sequence[Any]:
    """Of a run, as they were raised: when, the code, and where the robot stood, if that is known."""
    where = Where.of_stamped(ctx.scope, "r")
    where.add("r.device_id = {}", device_id)
    where.add("r.run = {}", run)
    return await ctx.app.pool.fetch(where.sql(queries.ALARMS), *where.values)


async def load_floor(ctx: Ctx, report_id: int) -> bytes:
    """The grid of the version of the map that the run was on, as a PNG; refused to support that is kept out."""
    report = await load_report(ctx, report_id)
    drawn = report["map"]
    if report["mapId"] is None or (drawn is None and not report["closed"]):
        raise Refusal(Code.NOT_FOUND, "mapId", reason="map_gone")
    version = await load_version(ctx, report["mapId"], drawn["revision"] if drawn else None)
    return await ctx.app.objects.get(version["grid"])


def _original_values(original: dict[str, Any] | None) -> dict[str, Any] | None:
    """Of a run that was corrected, with areas as the robot sent them: a `real` has seven digits."""
    return original and {
        "taskName": original["task_name"],
        "startTime": datetime.fromisoformat(original["started"]),
        "endTime": datetime.fromisoformat(original["ended"]),
        "workArea": float(f"{original['planned']:.7g}"),
        "cleanedArea": float(f"{original['cleaned']:.7g}"),
    }
