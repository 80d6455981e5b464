"""The server's copy of groups and schedules that robots own, and of what became of occurrences.

Rules: it moves forward only, by the robot's own clock; what the payload's rules or the zones of the world do not know
is not kept; an occurrence belongs to who owned the robot when it should have begun.
"""

from datetime import date
from typing import Any

import msgspec
from pydantic import ValidationError

from lustra.core.db import Connection
from lustra.protocol.bus import Event, Occurrence
from lustra.protocol.payloads.groups import TaskGroup
from lustra.protocol.payloads.schedules import ElevatorTimeTask, TimeTask
from lustra.protocol.recurrence import zone

MODELS = {"group": TaskGroup, "timetask": TimeTask, "elevator_timetask": ElevatorTimeTask}
SCHEDULES = ("timetask", "elevator_timetask")
LATEST_AT = 4_102_444_800_000  # ms: beyond is no clock

KEEP = """
insert into robot_plan (device_id, owner_id, owner_path, kind, name, revision, at, content)
select d.id, o.owner_id, o.owner_path, $2, $3, $4, $5, $6::text::jsonb from device d, owner_at(d.id, $5) o
where d.serial_number = $1 and d.deleted_at is null
on conflict (device_id, owner_id, kind, name) do update set
  (revision, at, content) = (excluded.revision, excluded.at, excluded.content), updated_at = now(), deleted_at = null
where robot_plan.at < excluded.at"""
DROP = """
insert into robot_plan (device_id, owner_id, owner_path, kind, name, revision, at, content, deleted_at)
select d.id, o.owner_id, o.owner_path, $2, $3, $4, $5, '{}', now() from device d, owner_at(d.id, $5) o
where d.serial_number = $1 and d.deleted_at is null
on conflict (device_id, owner_id, kind, name) do update set
  (revision, at) = (excluded.revision, excluded.at), updated_at = now(), deleted_at = now()
where robot_plan.at < excluded.at"""
KEEP_OCCURRENCE = """
insert into robot_occurrence
  (device_id, owner_id, owner_path, kind, schedule, start, ends, day, state, reason, units, at)
select d.id, o.owner_id, o.owner_path, $2, $3, to_timestamp($4 / 1000.0),
  to_timestamp(nullif($5::bigint, 0) / 1000.0), $6, $7, $8, $9::text::jsonb, $10
from device d, owner_at(d.id, $4) o where d.serial_number = $1 and d.deleted_at is null
on conflict (device_id, owner_id, kind, schedule, start) do update set
  (ends, day, state, reason, units, at) =
  (excluded.ends, excluded.day, excluded.state, excluded.reason, excluded.units, excluded.at), updated_at = now()
where robot_occurrence.at < excluded.at"""


class Unreadable(Exception):
    """What cannot be kept, now or ever."""


def read(kind: str, content: Any) -> dict[str, Any]:
    """The content as it was told, once its rules hold."""
    if kind not in MODELS or not isinstance(content, dict):
        raise Unreadable
    try:
        MODELS[kind].model_validate(content)
    except ValidationError as why:
        raise Unreadable from why
    if not isinstance(content.get("zone"), str) or zone(content["zone"]) is None:
        raise Unreadable
    return content


async def keep(db: Connection, sn: str, event: Event) -> None:
    """A group by its name, a schedule by "kind/name". Unscoped: the robot tells of its own."""
    kind, name = ("group", event.name) if event.kind == "group" else event.name.partition("/")[::2]
    if event.deleted:
        if kind in MODELS:
            await db.execute(DROP, sn, kind, name, event.revision, event.at)
        return
    content = msgspec.json.encode(read(kind, event.content)).decode()
    await db.execute(KEEP, sn, kind, name, event.revision, event.at, content)


async def keep_occurrence(db: Connection, sn: str, event: Event) -> None:
    """Unscoped: the robot tells of its own."""
    try:
        occurrence = msgspec.convert(event.content, Occurrence)
        day = date.fromisoformat(occurrence.day)
    except (msgspec.ValidationError, ValueError) as why:
        raise Unreadable from why
    if not (0 < occurrence.start < LATEST_AT and 0 <= occurrence.end < LATEST_AT):
        raise Unreadable
    units = msgspec.json.encode(occurrence.units).decode()
    await db.execute(
        KEEP_OCCURRENCE,
        sn,
        occurrence.kind,
        occurrence.schedule,
        occurrence.start,
        occurrence.end,
        day,
        occurrence.state,
        occurrence.reason,
        units,
        event.at,
    )
