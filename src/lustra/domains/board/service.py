"""The status page's sums, by the one definition of a run's figures (`report.sums.figures`): a tile, a site and the
whole are sums of the same reports, running ones included.

The plan of a day is what its runs can reach, and what its schedules have planned that has not begun. m² by hour are by
the clock, from the roll-up of states.
"""

from collections.abc import Sequence
from typing import Any

from lustra.core.db import Connection
from lustra.core.scope import Scope, Statement, system
from lustra.domains.board import queries
from lustra.domains.device.api import Where
from lustra.domains.report.api import coverage_of
from lustra.domains.task.api import PlannedTask, load_day_plan

HOURS = 24
Rows = Sequence[Any]


async def load_overview(db: Connection, scope: Scope) -> dict[str, Any]:
    where = Where.of_robots(scope)
    devices = await db.fetch(where.sql(queries.DEVICES), *where.values)
    hours = [0.0] * HOURS
    for row in await _fetch_stamped(db, queries.SWEPT, scope, "h"):
        hours[row["hour"]] += row["area"]
    runs = await _fetch_stamped(db, queries.RUNS, scope, "r")
    plan = await load_day_plan(db, scope)
    [history] = await db.fetch(system("the demo's own, numbers alone").sql(queries.HISTORY))
    planned, generated = history["planned"], history["made"]
    today = [row for row in runs if row["ago"] == 0]
    return {
        "cleanedToday": round_area(sum(row["cleaned"] for row in today)),
        "plannedToday": round_area(sum(row["planned"] for row in today) + sum(task.area for task in plan)),
        "hours": [round_area(area) for area in hours],
        "history": {"progress": generated / planned if planned else 1.0, "done": generated == planned},
        "sites": _sum_sites(devices, runs, plan),
        "floors": _sum_floors(devices, today, plan),
    }


def round_area(area: float) -> float:
    """A sum in m², to the square centimetre."""
    return round(float(area), 4)


async def _fetch_stamped(db: Connection, statement: Statement, scope: Scope, row: str) -> Rows:
    where = Where.of_stamped(scope, row)
    return await db.fetch(where.sql(statement), *where.values)


def _sum_sites(devices: Rows, runs: Rows, plan: Sequence[PlannedTask]) -> list[dict[str, Any]]:
    sites: dict[tuple[str, str], dict[str, Any]] = {}
    by_robot: dict[int, dict[str, Any]] = {}
    for device in devices:
        new = {
            "site": device["site"],
            "zone": device["zone"],
            "area": device["area"],
            "deviceIds": [],
            "cleanedToday": 0.0,
            "plannedToday": 0.0,
            "week": [None] * queries.DAYS,
            "weekCoverage": None,
        }
        site = sites.setdefault((device["site"], device["zone"]), new)
        site["deviceIds"].append(device["id"])
        by_robot[device["id"]] = site
    days: dict[tuple[str, str, int], list[float]] = {}
    for row in runs:
        site = sites.get((row["site"], row["zone"]))
        if site is None:
            continue
        if row["ago"] == 0:
            site["cleanedToday"] += row["cleaned"]
            site["plannedToday"] += row["planned"]
        day = days.setdefault((row["site"], row["zone"], row["ago"]), [0.0, 0.0])
        day[0] += row["cleaned"]
        day[1] += row["planned"]
    for task in (task for task in plan if task.device_id in by_robot):
        by_robot[task.device_id]["plannedToday"] += task.area
    weeks: dict[tuple[str, str], list[float]] = {}
    for (name, zone, ago), (cleaned, planned) in days.items():
        coverage = coverage_of(cleaned, planned)
        if coverage is not None and 0 <= ago < queries.DAYS:
            sites[name, zone]["week"][queries.DAYS - 1 - ago] = coverage
            week = weeks.setdefault((name, zone), [0.0, 0.0])
            week[0] += cleaned
            week[1] += planned
    for key, (cleaned, planned) in weeks.items():
        sites[key]["weekCoverage"] = coverage_of(cleaned, planned)
    return [_rounded(site, "cleanedToday", "plannedToday") for site in sites.values()]


def _rounded(row: dict[str, Any], *areas: str) -> dict[str, Any]:
    return row | {name: round_area(row[name]) for name in areas}


def _sum_floors(devices: Rows, today: Rows, plan: Sequence[PlannedTask]) -> list[dict[str, Any]]:
    """One line for each floor that a robot has loaded; each robot has a mirror of its own of one and the same floor."""
    floors: dict[tuple[str, str], dict[str, Any]] = {}
    for device in devices:
        if device["map_id"] is not None:
            new = {
                "mapId": device["map_id"],
                "building": device["building"],
                "floor": device["floor"],
                "deviceIds": [],
                "deviceNames": [],
                "mapIds": [],
                "cleaned": 0.0,
                "planned": 0.0,
            }
            floor = floors.setdefault((device["building"], device["floor"]), new)
            floor["deviceIds"].append(device["id"])
            floor["deviceNames"].append(device["name"])
            floor["mapIds"].append(device["map_id"])
    for row in today:
        if floor := floors.get((row["building"], row["floor"])):
            floor["cleaned"] += row["cleaned"]
            floor["planned"] += row["planned"]
    for task in plan:
        if floor := floors.get((task.building, task.floor)):
            floor["planned"] += task.area
    return [_rounded(floors[key], "cleaned", "planned") for key in sorted(floors)]
