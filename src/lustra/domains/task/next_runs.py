"""What robots will start next by their schedules: what a list says of one that stands idle."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from lustra.core.db import Connection, now
from lustra.core.scope import Scope
from lustra.domains.device.api import Where
from lustra.domains.task import queries
from lustra.domains.task.calendar import Entry, Plan, expect_occurrences

AHEAD = timedelta(days=8)  # a weekly schedule comes within it


@dataclass(frozen=True, slots=True)
class NextRun:
    device_id: int
    start: datetime
    zone: str
    schedule: str
    tasks: list[str]


async def load_next_runs(db: Connection, scope: Scope, robots: Sequence[int]) -> list[NextRun]:
    """At most one of each robot; none of one whose schedules start nothing within AHEAD."""
    where = Where.of_stamped(scope, "p")
    where.add("d.deleted_at is null")
    where.add("p.device_id = any({}::bigint[])", list(robots))
    plans = [Plan(**row) for row in await db.fetch(where.sql(queries.SCHEDULES), *where.values)]
    return [_write(entry) for entry in _earliest(plans)]


def _earliest(plans: Iterable[Plan]) -> list[Entry]:
    at = now()
    first: dict[int, Entry] = {}
    for plan in plans:
        coming = (entry for entry in expect_occurrences(plan, at, at + AHEAD, at) if entry.state == "planned")
        entry = next(coming, None)
        if entry and (entry.device_id not in first or entry.start < first[entry.device_id].start):
            first[entry.device_id] = entry
    return list(first.values())


def _write(entry: Entry) -> NextRun:
    return NextRun(entry.device_id, entry.start, entry.zone, entry.schedule, [unit["task"] for unit in entry.units])
