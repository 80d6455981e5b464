"""What the schedules of a day have planned that no run has begun of: with the runs of the day it is the day's plan.

Rules: the day is that of the robot's own clock; an occurrence that somebody skipped or cancelled is not planned any
more; one that was missed, or of which the robot has not reported, still is.
"""

from dataclasses import dataclass
from datetime import timedelta
from zoneinfo import ZoneInfo

from lustra.core.db import Connection, now
from lustra.core.scope import Scope
from lustra.domains.device.api import Where
from lustra.domains.task import queries
from lustra.domains.task.calendar import Entry, Plan, build_calendar, parse_occurrences

REACH = timedelta(hours=38)  # no zone's day begins earlier or ends later than that from now
PLANNED = {"planned", "waiting", "charging", "running", "missed", "unheard"}


@dataclass(frozen=True, slots=True)
class PlannedTask:
    """A task that a schedule starts today. `area` in m², 0 where the robot has not said what it can reach."""

    device_id: int
    building: str
    floor: str
    area: float


async def load_day_plan(db: Connection, scope: Scope) -> list[PlannedTask]:
    where = Where.of_stamped(scope, "p")
    where.add("d.deleted_at is null")
    schedules = [Plan(**row) for row in await db.fetch(where.sql(queries.SCHEDULES), *where.values)]
    if not schedules:
        return []
    at = now()
    window = at - REACH, at + REACH
    since, until = (where.value(moment) for moment in window)
    rows = await db.fetch(where.sql(queries.OCCURRENCES, since=since, until=until), *where.values)
    entries = build_calendar(parse_occurrences(rows, schedules), schedules, {}, window, at)
    tasks = Where.of_stamped(scope, "t")
    robots = tasks.value(list({entry.device_id for entry in entries}))
    areas = {
        (row["device_id"], row["map_name"], row["name"]): row
        for row in await db.fetch(tasks.sql(queries.TASK_AREAS, robots=robots), *tasks.values)
    }
    planned: list[PlannedTask] = []
    for entry in entries:
        if entry.state not in PLANNED or not is_today(entry):
            continue
        for unit in entry.units:
            row = areas.get((entry.device_id, unit.get("map", ""), unit.get("task", "")))
            if row and not unit.get("run"):
                planned.append(PlannedTask(entry.device_id, row["building"], row["floor"], float(row["area"])))
    return planned


def is_today(entry: Entry) -> bool:
    return bool(entry.zone) and entry.day == now().astimezone(ZoneInfo(entry.zone)).date()
