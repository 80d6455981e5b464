"""The status page's sums. Today is the day at the robot's site, whatever the viewer's zone.

m² come from the roll-up by hour, plans and coverage from the runs, running ones included.
"""

from collections import defaultdict
from typing import Any

from lustra.core.db import Connection
from lustra.core.scope import Scope, Statement, system
from lustra.domains.board import queries
from lustra.domains.device.api import Where

HOURS = 24


async def load_overview(db: Connection, scope: Scope) -> dict[str, Any]:
    where = Where.of_robots(scope)
    devices = await db.fetch(where.sql(queries.DEVICES), *where.values)
    swept = await _fetch_stamped(db, queries.SWEPT, scope, "h")
    runs = await _fetch_stamped(db, queries.RUNS, scope, "r")
    [history] = await db.fetch(system("the demo's own, numbers alone").sql(queries.HISTORY))
    hours = [0.0] * HOURS
    for row in swept:
        hours[row["hour"]] += row["area"]
    planned, generated = history["planned"], history["made"]
    return {
        "cleanedToday": round_area(sum(hours)),
        "plannedToday": round_area(sum(row["planned"] for row in runs if row["ago"] == 0)),
        "hours": [round_area(area) for area in hours],
        "history": {"progress": generated / planned if planned else 1.0, "done": generated == planned},
        "sites": _sum_sites(devices, swept, runs),
        "floors": _sum_floors(devices, runs),
    }


def round_area(area: float) -> float:
    """A sum in m², to the square centimetre."""
    return round(float(area), 4)


async def _fetch_stamped(db: Connection, statement: Statement, scope: Scope, row: str) -> list[Any]:
    where = Where.of_stamped(scope, row)
    return await db.fetch(where.sql(statement), *where.values)


def _sum_sites(devices: list[Any], swept: list[Any], runs: list[Any]) -> list[dict[str, Any]]:
    sites: dict[tuple[str, str], dict[str, Any]] = {}
    for device in devices:
        new = {
            "site": device["site"],
            "zone": device["zone"],
            "area": device["area"],
            "deviceIds": [],
            "cleanedToday": 0.0,
            "plannedToday": 0.0,
            "week": [None] * queries.DAYS,
        }
        sites.setdefault((device["site"], device["zone"]), new)["deviceIds"].append(device["id"])
    for row in swept:
        if site := sites.get((row["site"], row["zone"])):
            site["cleanedToday"] += row["area"]
    days: defaultdict[tuple[str, str, int], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for row in runs:
        if site := sites.get((row["site"], row["zone"])):
            site["plannedToday"] += row["planned"] if row["ago"] == 0 else 0
            day = days[row["site"], row["zone"], row["ago"]]
            day[0] += row["cleaned"]
            day[1] += row["planned"]
    for (site, zone, ago), (cleaned, planned) in days.items():
        if planned > 0 and 0 <= ago < queries.DAYS:
            sites[site, zone]["week"][queries.DAYS - 1 - ago] = min(1.0, cleaned / planned)
    return [_rounded(site, "cleanedToday", "plannedToday") for site in sites.values()]


def _rounded(row: dict[str, Any], *areas: str) -> dict[str, Any]:
    return row | {name: round_area(row[name]) for name in areas}


def _sum_floors(devices: list[Any], runs: list[Any]) -> list[dict[str, Any]]:
    """One line for each floor that a robot has loaded; each robot has a mirror of its own of one and the same floor."""
    floors: dict[tuple[str, str], dict[str, Any]] = {}
    for device in devices:
        if device["map_id"] is not None:
            new = {
                "mapId": device["map_id"],
                "building": device["building"],
                "floor": device["floor"],
                "deviceIds": [],
                "mapIds": [],
                "cleaned": 0.0,
                "planned": 0.0,
            }
            floor = floors.setdefault((device["building"], device["floor"]), new)
            floor["deviceIds"].append(device["id"])
            floor["mapIds"].append(device["map_id"])
    for row in runs:
        if row["ago"] == 0 and (floor := floors.get((row["building"], row["floor"]))):
            floor["cleaned"] += row["cleaned"]
            floor["planned"] += row["planned"]
    return [_rounded(floors[key], "cleaned", "planned") for key in sorted(floors)]
