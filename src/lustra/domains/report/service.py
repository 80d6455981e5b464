"""The list of runs and one run whole, in plain SQL; names are the wire's.

Coverage is told in thousandths, efficiency in hundredths of m²/h (specification 1.190). A run that is known from
states alone has no reachable area, so its coverage is of the planned one.
"""

from collections.abc import AsyncIterator
from datetime import date
from typing import Any

from lustra.core.context import Ctx
from lustra.core.db import Connection
from lustra.core.errors import Code, Refusal
from lustra.domains.account.api import support
from lustra.domains.device.api import Where
from lustra.domains.map.api import load_version

AT_ONCE = 500  # rows of an export in memory
SECONDS = "extract(epoch from r.ended - r.started)::float8"
ROW = f"""
  r.id as "taskReportId", r.run as gid, r.device_id as "deviceId", d.name as "deviceCode",
  d.serial_number as "deviceSerialNumber", coalesce(nullif(d.customer_name, ''), a.name) as "customerName",
  r.building, r.floor, r.map_id as "mapId", r.map_name as "mapName", r.task_name as "taskName",
  r.started as "startTime", r.ended as "endTime", {SECONDS} as seconds, r."end", r.planned as "workArea",
  r.reachable as "reachableArea", r.cleaned as "cleanedArea",
  round(least(1000, 1000 * coalesce(r.coverage, r.cleaned / nullif(r.planned, 0), 0)))::int as coverage,
  round(least(1e9, coalesce(r.cleaned / nullif({SECONDS}, 0) * 3600 * 100, 0)))::int as efficiency,
  r.battery_from as "batteryFrom", r.battery_to as "batteryTo", r.liquid_ml as "liquidMl", r.distance, r.pauses,
  cardinality(r.faults) as "warnCount", r.clean_mode as "cleanMode", r.route, r.speed, r.factor"""
FROM = "task_report r join device d on d.id = r.device_id join account a on a.id = r.owner_id"
WORDS = """lower(normalize(r.task_name || ' ' || r.map_name || ' ' || r.building || ' ' || r.floor || ' ' || d.name
  || ' ' || d.serial_number, nfkc))"""
PART = "strpos(lower(normalize(r.{}, nfkc)), lower(normalize({{}}, nfkc))) > 0"
ORDER = "r.started desc, r.id desc"
DETAIL = f"""
select {ROW}, r.owner_path::text as owner_path,
  r.owner_id as "ownerUserId", r.cells, r.driven, v.revision as map_revision,
  v.resolution, v.origin_x, v.origin_y, v.origin_yaw,
  v.width, v.height
from {FROM} left join map_version v on v.map_id = r.map_id and v.revision = coalesce(
  (select max(w.revision) from map_version w where w.map_id = r.map_id and w.revision <= r.map_revision),
  (select min(w.revision) from map_version w where w.map_id = r.map_id))"""


def build_where(
    path: str,
    *,
    device_ids: list[int] | None = None,
    since: date | None = None,
    until: date | None = None,
    map_name: str = "",
    task_name: str = "",
    text: str = "",
    end: str | None = None,
) -> Where:
    """Dates are whole days in the zone of the robot's site, both included."""
    where = Where()
    where.stamped(path, "r")
    if device_ids is not None:
        where.add("r.device_id = any({}::bigint[])", device_ids)
    if since is not None:
        where.add("(r.started at time zone d.zone)::date >= {}", since)
    if until is not None:
        where.add("(r.started at time zone d.zone)::date <= {}", until)
    for column, words in (("map_name", map_name), ("task_name", task_name)):
        if words.strip():
            where.add(PART.format(column), words.strip())
    if text.strip():
        where.add(f"strpos({WORDS}, lower(normalize({{}}, nfkc))) > 0", text.strip())
    if end:
        where.add('r."end" = {}', end)
    return where


async def count_reports(db: Connection, where: Where) -> int:
    return await db.fetchval(f"select count(*) from {FROM} where {where}", *where.values) or 0


async def load_page(db: Connection, where: Where, size: int, number: int) -> list[dict[str, Any]]:
    values = [*where.values, size, (number - 1) * size]
    keys = f"select r.id from {FROM} where {where} order by {ORDER} limit ${len(values) - 1} offset ${len(values)}"
    query = f"select {ROW} from {FROM} where r.id in ({keys}) order by {ORDER}"
    return [dict(row) for row in await db.fetch(query, *values)]


async def read_all(db: Connection, where: Where) -> AsyncIterator[list[dict[str, Any]]]:
    """All rows of a filter, AT_ONCE at a time, read by a cursor within the caller's transaction."""
    cursor = await db.cursor(f"select {ROW}, d.zone from {FROM} where {where} order by {ORDER}", *where.values)
    while rows := await cursor.fetch(AT_ONCE):
        yield [dict(row) for row in rows]


async def load_report(ctx: Ctx, report_id: int) -> dict[str, Any]:
    """Without its picture for support, while the customer's support access is closed."""
    where = Where()
    where.stamped(ctx.actor.path, "r")
    where.add("r.id = {}", report_id)
    row = await ctx.app.pool.fetchrow(f"{DETAIL} where {where}", *where.values)
    if row is None:
        raise Refusal(Code.NOT_FOUND, "taskReportId")
    report = dict(row)
    width, height = report.pop("width"), report.pop("height")
    revision, resolution = report.pop("map_revision"), report.pop("resolution")
    origin = [report.pop("origin_x"), report.pop("origin_y"), report.pop("origin_yaw")]
    drawn = {
        "mapId": report["mapId"],
        "revision": revision,
        "resolution": resolution,
        "origin": origin,
        "width": width,
        "height": height,
    }
    look = support.Look("report", report_id, report["mapName"], report["deviceId"])
    if not await support.may_look(ctx, look, report.pop("owner_path")):
        return report | {"map": None, "cells": None, "driven": [], "closed": True}
    return report | {"map": drawn if revision is not None else None, "closed": False}


async def load_floor(ctx: Ctx, report_id: int) -> bytes:
    """The grid of the version of the map that the run was on, as a PNG; refused to support that is kept out."""
    report = await load_report(ctx, report_id)
    drawn = report["map"]
    if report["mapId"] is None or (drawn is None and not report["closed"]):
        raise Refusal(Code.NOT_FOUND, "taskReportId")
    version = await load_version(ctx, report["mapId"], drawn["revision"] if drawn else None)
    return await ctx.app.objects.get(version["grid"])
