"""The status page's sums. Today is the day at the robot's site, whatever the viewer's zone.

m² come from the roll-up by hour, plans and coverage from the runs, running ones included.
"""

from collections import defaultdict
from typing import Any

from lustra.core.db import Connection
from lustra.domains.device.api import Where

DAYS = 7
HOURS = 24
TODAY = "(now() at time zone d.zone)::date"
DEVICES = """
select d.id, d.address as site, d.zone, d.area, m.id as map_id, m.building, m.floor
from device d left join robot_state s on s.robot = d.id
  left join floor_map m on m.device_id = d.id and m.owner_id = d.owner_id and m.name = s.map and m.deleted_at is null
where {} order by d.address, d.id"""
SWEPT = f"""
select d.address as site, d.zone, extract(hour from h.hour at time zone d.zone)::int as hour, sum(h.area) as area
from (select *, robot as device_id from area_hour) h join device d on d.id = h.device_id
where {{}} and h.hour > now() - interval '2 days' and (h.hour at time zone d.zone)::date = {TODAY} group by 1, 2, 3"""
RUNS = f"""
select d.address as site, d.zone, r.building, r.floor, {TODAY} - (r.started at time zone d.zone)::date as ago,
  sum(r.cleaned) as cleaned, sum(r.planned) as planned, sum(coalesce(r.reachable, r.planned)) as reachable
from task_report r join device d on d.id = r.device_id
where {{}} and r.started > now() - interval '9 days' and (r.started at time zone d.zone)::date > {TODAY} - {DAYS}
group by 1, 2, 3, 4, 5"""
HISTORY = "select count(*) filter (where made) as made, count(*) as planned from history_day"


async def load_overview(db: Connection, path: str) -> dict[str, Any]:
    where = Where()
    where.seen(path)
    devices = await db.fetch(DEVICES.format(where), *where.values)
    swept = await _fetch_stamped(db, SWEPT, path, "h")
    runs = await _fetch_stamped(db, RUNS, path, "r")
    [history] = await db.fetch(HISTORY)
    hours = [0.0] * HOURS
    for row in swept:
        hours[row["hour"]] += row["area"]
    planned, generated = history["planned"], history["made"]
    return {
        "cleanedToday": sum(hours),
        "plannedToday": float(sum(row["planned"] for row in runs if row["ago"] == 0)),
        "hours": hours,
        "history": {"progress": generated / planned if planned else 1.0, "done": generated == planned},
        "sites": _sum_sites(devices, swept, runs),
        "floors": _sum_floors(devices, runs),
    }


async def _fetch_stamped(db: Connection, query: str, path: str, row: str) -> list[Any]:
    where = Where()
    where.stamped(path, row)
    return await db.fetch(query.format(where), *where.values)


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
            "week": [None] * DAYS,
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
            day[1] += row["reachable"]
    for (site, zone, ago), (cleaned, reachable) in days.items():
        if reachable > 0 and 0 <= ago < DAYS:
            sites[site, zone]["week"][DAYS - 1 - ago] = min(1.0, cleaned / reachable)
    return list(sites.values())


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
    return [floors[key] for key in sorted(floors)]
