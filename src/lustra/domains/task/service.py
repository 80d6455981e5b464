"""What the mirror answers about groups, schedules and their calendar."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import func

from lustra.core.context import Ctx
from lustra.core.db import Connection, now
from lustra.core.errors import Code, Refusal
from lustra.domains.device.api import Where
from lustra.domains.elevator.api import Elevator, load_ride_durations, visible_elevators
from lustra.domains.task import rides
from lustra.domains.task.calendar import Entry, Plan, build_calendar
from lustra.protocol.recurrence import DAY, instant

Reports = dict[tuple[int, str], tuple[int, float | None, float]]  # report, coverage and s, by robot and run
LONGEST = timedelta(days=42)  # six weeks: a month as a sheet shows it

PLANS = """
select p.kind, p.name, p.revision, p.content, p.updated_at as "updateTime" from robot_plan p
where {where} and p.deleted_at is null
order by p.kind, (p.content ->> 'top')::numeric desc nulls last, p.name"""
SCHEDULES = """
select p.device_id, p.kind, p.content, p.updated_at as known
from robot_plan p join device d on d.id = p.device_id
where {where} and p.kind <> 'group' and p.deleted_at is null and p.owner_id = d.owner_id"""
OCCURRENCES = """
select p.device_id, p.kind, p.schedule, p.start, p.ends, p.day, p.state, p.reason, p.units
from robot_occurrence p join device d on d.id = p.device_id
where {where} and p.start >= {since} and p.start < {until}"""
TASKS = """
select t.device_id, t.map_name, t.content ->> 'name' as name, t.content ->> 'seconds' as seconds
from robot_task t where {where} and t.device_id = any({robots}) and t.deleted_at is null
  and jsonb_typeof(t.content -> 'seconds') = 'number'"""
DEVICES = "select d.id, d.name, d.address, d.address1 from device d where d.id = any($1)"
REPORTS = """
select r.id, r.device_id, r.run, r.coverage, extract(epoch from r.ended - r.started)::float8 as took
from task_report r where {where} and r.run = any({runs})"""
FLOORS = """
select m.device_id, m.name, m.floor from floor_map m
where {where} and m.device_id = any({robots}) and m.deleted_at is null"""
NEIGHBOURS = "select h.address from device h where h.id = any({}) and h.address <> ''"
ROBOTS = """
select d.id as "deviceId", d.name as "deviceCode", t.name as "typeName", d.address as building, d.zone
from device d join device_type t on t.id = d.type_id where {where} order by d.name, d.id limit 1000"""
BUILDINGS = """
select d.address as building, count(*) as robots, mode() within group (order by d.zone) as zone
from device d where {where} and d.address <> '' group by d.address order by d.address limit 1000"""


def parse_window(first: date, last: date, zone: str) -> tuple[datetime, datetime]:
    if last < first:
        raise Refusal(Code.BAD_INPUT, "endDate", reason="date_order")
    if last - first >= LONGEST:
        raise Refusal(Code.BAD_INPUT, "endDate", reason="too_big", limit=LONGEST.days)
    where = ZoneInfo(zone)
    return instant(first, time.min, where), instant(last + DAY, time.min, where)


def narrowed(ctx: Ctx, robots: Sequence[int], building: str) -> Where:
    where = Where()
    where.stamped(ctx.actor.path, "p")
    where.add("d.deleted_at is null")
    if robots:  # with all of their buildings: they may want the same elevators
        ids = list(robots)
        where.add(f"(d.id = any({{}}) or d.address in ({NEIGHBOURS}))", ids, ids)
    if building:
        where.add("d.address = {}", building)
    return where


async def list_plans(ctx: Ctx, device_id: int) -> list[dict[str, Any]]:
    where = Where()
    where.stamped(ctx.actor.path, "p")
    where.add("p.device_id = {}", device_id)
    async with ctx.app.pool.acquire() as db:
        return [dict(row) for row in await db.fetch(PLANS.format(where=where), *where.values)]


async def load_calendar(
    ctx: Ctx, span: tuple[datetime, datetime], robots: Sequence[int], building: str
) -> dict[str, list[dict[str, Any]]]:
    async with ctx.app.pool.acquire() as db:
        where = narrowed(ctx, robots, building)
        schedules = [Plan(**row) for row in await db.fetch(SCHEDULES.format(where=where), *where.values)]
        since, until = (where.value(at) for at in span)
        rows = await db.fetch(OCCURRENCES.format(where=where, since=since, until=until), *where.values)
        contents = {(plan.device_id, plan.kind, str(plan.content["name"])): plan.content for plan in schedules}
        occurrences = [
            parse_occurrence(row, contents.get((row["device_id"], row["kind"], row["schedule"]), {})) for row in rows
        ]
        ids = list({item.device_id for item in (*schedules, *occurrences)})
        entries = build_calendar(occurrences, schedules, await load_durations(ctx, db, ids), span, now())
        devices = {row["id"]: row for row in await db.fetch(DEVICES, ids)}
        reports_by_run = await load_reports(
            ctx, db, [unit["run"] for entry in entries for unit in entry.units if unit.get("run")]
        )
        places = await load_places(ctx, db, devices)
    elevator_list = await load_elevators(ctx, {place.building for place in places.values()})
    planned_rides = rides.plan_rides(entries, elevator_list, places)
    chosen = set(robots)
    return {
        "list": [
            write_entry(entry, devices[entry.device_id], reports_by_run)
            for entry in entries
            if not chosen or entry.device_id in chosen
        ],
        "rides": [
            write_ride(
                ride,
                devices,
                rides.find_free_start(ride, planned_rides, elevator_list, places[ride.entry.device_id])
                if ride.other
                else None,
            )
            for ride in planned_rides
        ],
    }


def parse_occurrence(row: Any, content: dict[str, Any]) -> Entry:
    """What a robot told of an occurrence; `content`: of its schedule, if that is still there."""
    return Entry(
        row["device_id"],
        row["kind"],
        row["schedule"],
        row["start"],
        row["day"],
        row["ends"],
        row["state"],
        str(content.get("zone", "")),
        row["reason"],
        row["units"],
        str(content.get("elevator_id", "")),
    )


async def load_places(ctx: Ctx, db: Connection, devices: dict[int, Any]) -> dict[int, rides.Place]:
    """By robot: its building, its floor there, and the floors of its maps."""
    where = Where()
    where.stamped(ctx.actor.path, "m")
    floors: dict[int, dict[str, str]] = {device: {} for device in devices}
    for row in await db.fetch(FLOORS.format(where=where, robots=where.value(list(devices))), *where.values):
        floors[row["device_id"]][row["name"]] = normalize_name(row["floor"])
    return {
        d: rides.Place(normalize_name(row["address"]), normalize_name(row["address1"]), floors[d])
        for d, row in devices.items()
    }


def normalize_name(name: str) -> str:
    """Buildings and floors by any spelling, as the elevators themselves compare them."""
    return name.strip().casefold()


async def load_elevators(ctx: Ctx, buildings: set[str]) -> list[rides.Elevator]:
    rows = visible_elevators(ctx.actor).where(
        func.lower(Elevator.building_name).in_({building.lower() for building in buildings - {""}})
    )
    elevators = (await ctx.db.scalars(rows.order_by(Elevator.elevator_name, Elevator.id))).all()
    durations = await load_ride_durations(ctx, [elevator.id for elevator in elevators])
    return [
        rides.Elevator(
            elevator.code,
            elevator.elevator_name,
            normalize_name(elevator.building_name),
            frozenset(map(normalize_name, elevator.floor.split(","))),
            durations.get(elevator.id, rides.RIDE),
        )
        for elevator in elevators
    ]


def write_ride(ride: rides.Ride, devices: dict[int, Any], start: datetime | None) -> dict[str, Any]:
    entry, other = ride.entry, ride.other
    zone = ZoneInfo(entry.zone) if entry.zone else None
    return {
        "deviceId": entry.device_id,
        "deviceCode": devices[entry.device_id]["name"],
        "kind": entry.kind,
        "schedule": entry.schedule,
        "occurrence": entry.start,
        "elevatorName": ride.elevator.name,
        "start": ride.start,
        "until": ride.until,
        "wait": ride.wait.total_seconds(),
        "otherId": other.device_id if other else None,
        "otherCode": devices[other.device_id]["name"] if other else "",
        "moveTo": start.astimezone(zone).strftime("%H-%M") if other and start and zone else "",
    }


async def list_robots(ctx: Ctx, device_ids: Sequence[int], building: str) -> list[dict[str, Any]]:
    """The robots whose calendar is asked for, by name, also those that do nothing in that time."""
    where = Where()
    where.seen(ctx.actor.path)
    if device_ids:
        where.add("d.id = any({})", list(device_ids))
    if building:
        where.add("d.address = {}", building)
    async with ctx.app.pool.acquire() as db:
        return [dict(row) for row in await db.fetch(ROBOTS.format(where=where), *where.values)]


async def list_buildings(ctx: Ctx) -> list[dict[str, Any]]:
    where = Where()
    where.seen(ctx.actor.path)
    async with ctx.app.pool.acquire() as db:
        return [dict(row) for row in await db.fetch(BUILDINGS.format(where=where), *where.values)]


async def list_elevators(ctx: Ctx, building: str) -> Sequence[Elevator]:
    rows = visible_elevators(ctx.actor).where(Elevator.building_name == building, Elevator.code != "")
    return (await ctx.db.scalars(rows.order_by(Elevator.elevator_name, Elevator.id).limit(100))).all()


async def load_durations(ctx: Ctx, db: Connection, robots: list[int]) -> dict[tuple[int, str, str], float]:
    where = Where()
    where.stamped(ctx.actor.path, "t")
    rows = await db.fetch(TASKS.format(where=where, robots=where.value(robots)), *where.values)
    return {(row["device_id"], row["map_name"], row["name"]): float(row["seconds"]) for row in rows}


async def load_reports(ctx: Ctx, db: Connection, runs: list[str]) -> Reports:
    if not runs:
        return {}
    where = Where()
    where.stamped(ctx.actor.path, "r")
    rows = await db.fetch(REPORTS.format(where=where, runs=where.value(runs)), *where.values)
    return {(row["device_id"], row["run"]): (row["id"], row["coverage"], row["took"]) for row in rows}


def write_entry(entry: Entry, robot: Any, reports_by_run: Reports) -> dict[str, Any]:
    def write_unit(unit: dict[str, Any]) -> dict[str, Any]:
        report, coverage, _ = reports_by_run.get((entry.device_id, unit.get("run", "")), (None, None, 0.0))
        return {
            "mapName": unit.get("map", ""),
            "task": unit.get("task", ""),
            "run": unit.get("run", ""),
            "reason": unit.get("reason", ""),
            "taskReportId": report,
            "coverage": coverage,
        }

    durations = [
        reports_by_run.get((entry.device_id, unit.get("run", "")), (None, None, 0.0))[2] for unit in entry.units
    ]
    seconds = sum(durations) if entry.over and any(durations) else entry.seconds
    return {
        "deviceId": entry.device_id,
        "deviceCode": robot["name"],
        "building": robot["address"],
        "kind": entry.kind,
        "schedule": entry.schedule,
        "day": entry.day,
        "start": entry.start,
        "end": entry.end,
        "zone": entry.zone,
        "state": entry.state,
        "reason": entry.reason,
        "seconds": round(seconds, 1),
        "conflict": entry.conflict,
        "units": [write_unit(unit) for unit in entry.units],
    }
