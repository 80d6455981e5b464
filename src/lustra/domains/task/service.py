"""What the mirror answers about groups, schedules and their calendar."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import func

from lustra.core import events
from lustra.core.context import Ctx
from lustra.core.db import Connection, now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import system
from lustra.domains.device.api import Where
from lustra.domains.elevator.api import Elevator, load_ride_durations
from lustra.domains.task import queries, rides
from lustra.domains.task.calendar import Entry, Plan, build_calendar, parse_occurrences
from lustra.domains.task.events import OtherRuns, Reports, RunsReported
from lustra.protocol.recurrence import DAY, instant

LONGEST = timedelta(days=42)  # six weeks: a month as a sheet shows it


def parse_window(first: date, last: date, zone: str) -> tuple[datetime, datetime]:
    if last - first >= LONGEST:
        raise Refusal(Code.BAD_INPUT, "endDate", reason="too_big", limit=LONGEST.days)
    where = ZoneInfo(zone)
    return instant(first, time.min, where), instant(last + DAY, time.min, where)


def _where_of_calendar(ctx: Ctx, robots: Sequence[int], building: str) -> Where:
    where = Where.of_stamped(ctx.scope, "p")
    where.add("d.deleted_at is null")
    if robots:
        where.add(queries.NEIGHBOURS, list(robots), list(robots))
    if building:
        where.add("d.address = {}", building)
    return where


async def list_plans(ctx: Ctx, device_id: int) -> list[dict[str, Any]]:
    where = Where.of_stamped(ctx.scope, "p")
    where.add("p.device_id = {}", device_id)
    async with ctx.app.pool.acquire() as db:
        return [dict(row) for row in await db.fetch(where.sql(queries.PLANS), *where.values)]


async def load_calendar(
    ctx: Ctx, span: tuple[datetime, datetime], robots: Sequence[int], building: str
) -> dict[str, list[dict[str, Any]]]:
    async with ctx.app.pool.acquire() as db:
        where = _where_of_calendar(ctx, robots, building)
        schedules = [Plan(**row) for row in await db.fetch(where.sql(queries.SCHEDULES), *where.values)]
        since, until = (where.value(at) for at in span)
        rows = await db.fetch(where.sql(queries.OCCURRENCES, since=since, until=until), *where.values)
        occurrences = parse_occurrences(rows, schedules)
        ids = list({item.device_id for item in (*schedules, *occurrences)})
        entries = build_calendar(occurrences, schedules, await load_durations(ctx, db, ids), span, now())
        devices = {row["id"]: row for row in await db.fetch(system("of occurrences in scope").sql(queries.ROBOTS), ids)}
        places = await load_places(ctx, db, devices)
    runs = RunsReported(ctx.scope, [unit["run"] for entry in entries for unit in entry.units if unit.get("run")])
    await events.emit(ctx.db, runs)
    reports_by_run = runs.reports
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


async def load_other_runs(
    ctx: Ctx, span: tuple[datetime, datetime], robots: Sequence[int], entries: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """What these robots cleaned beside what their schedules began."""
    known = {unit["run"] for entry in entries for unit in entry["units"] if unit["run"]}
    runs = OtherRuns(ctx.scope, robots, *span, known)
    await events.emit(ctx.db, runs)
    return runs.runs


async def load_places(ctx: Ctx, db: Connection, devices: dict[int, Any]) -> dict[int, rides.Place]:
    """By robot: its building, its floor there, and the floors of its maps."""
    where = Where.of_stamped(ctx.scope, "m")
    floors: dict[int, dict[str, str]] = {device: {} for device in devices}
    for row in await db.fetch(where.sql(queries.FLOORS, robots=where.value(list(devices))), *where.values):
        floors[row["device_id"]][row["name"]] = normalize_name(row["floor"])
    return {
        d: rides.Place(normalize_name(row["address"]), normalize_name(row["address1"]), floors[d])
        for d, row in devices.items()
    }


def normalize_name(name: str) -> str:
    """Buildings and floors by any spelling, as the elevators themselves compare them."""
    return name.strip().casefold()


async def load_elevators(ctx: Ctx, buildings: set[str]) -> list[rides.Elevator]:
    rows = ctx.scope.select(Elevator).where(
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
    where = Where.of_robots(ctx.scope)
    if device_ids:
        where.add("d.id = any({})", list(device_ids))
    if building:
        where.add("d.address = {}", building)
    async with ctx.app.pool.acquire() as db:
        return [dict(row) for row in await db.fetch(where.sql(queries.CALENDAR_ROBOTS), *where.values)]


async def list_buildings(ctx: Ctx) -> list[dict[str, Any]]:
    where = Where.of_robots(ctx.scope)
    async with ctx.app.pool.acquire() as db:
        return [dict(row) for row in await db.fetch(where.sql(queries.BUILDINGS), *where.values)]


async def list_elevators(ctx: Ctx, building: str) -> Sequence[Elevator]:
    rows = ctx.scope.select(Elevator).where(Elevator.building_name == building, Elevator.code != "")
    return (await ctx.db.scalars(rows.order_by(Elevator.elevator_name, Elevator.id).limit(100))).all()


async def load_durations(ctx: Ctx, db: Connection, robots: list[int]) -> dict[tuple[int, str, str], float]:
    where = Where.of_stamped(ctx.scope, "t")
    rows = await db.fetch(where.sql(queries.TASK_SECONDS, robots=where.value(robots)), *where.values)
    return {(row["device_id"], row["map_name"], row["name"]): float(row["seconds"]) for row in rows}


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
