"""The server's copy of groups and schedules that robots own, and of what became of occurrences.

Rules: it moves forward only, by the robot's own clock; what the payload's rules or the zones of the world do not know
is not kept; an occurrence belongs to who owned the robot when it should have begun.
"""

from datetime import date
from typing import Any

import msgspec
from pydantic import ValidationError

from lustra.core.db import Connection
from lustra.core.scope import robots_own
from lustra.domains.task import queries
from lustra.protocol.bus import Event, Occurrence
from lustra.protocol.flaws import Flawed, flaw_of
from lustra.protocol.payloads.groups import TaskGroup
from lustra.protocol.payloads.schedules import ElevatorTimeTask, TimeTask
from lustra.protocol.recurrence import zone

MODELS = {"group": TaskGroup, "timetask": TimeTask, "elevator_timetask": ElevatorTimeTask}
SCHEDULES = ("timetask", "elevator_timetask")
LATEST_AT = 4_102_444_800_000  # ms: beyond is no clock


def read(kind: str, content: Any) -> dict[str, Any]:
    """The content of a group or schedule, checked. Raises where it breaks a rule."""
    if kind not in MODELS:
        raise Flawed("name", "unknown_value")
    if not isinstance(content, dict):
        raise Flawed("content", "wrong_type")
    try:
        MODELS[kind].model_validate(content)
    except ValidationError as why:
        raise Flawed(".".join(map(str, ("content", *why.errors()[0]["loc"]))), "out_of_range") from why
    if not isinstance(content.get("zone"), str) or zone(content["zone"]) is None:
        raise Flawed("content.zone", "unknown_value")
    return content


async def keep(db: Connection, sn: str, event: Event) -> None:
    """Stores what a robot says of a group (by its name) or of a schedule (by "kind/name")."""
    kind, name = ("group", event.name) if event.kind == "group" else event.name.partition("/")[::2]
    if event.deleted:
        if kind in MODELS:
            await db.execute(robots_own.sql(queries.DROP_PLAN), sn, kind, name, event.revision, event.at)
        return
    content = msgspec.json.encode(read(kind, event.content)).decode()
    await db.execute(robots_own.sql(queries.STORE_PLAN), sn, kind, name, event.revision, event.at, content)


async def keep_occurrence(db: Connection, sn: str, event: Event) -> None:
    try:
        occurrence = msgspec.convert(event.content, Occurrence)
        day = date.fromisoformat(occurrence.day)
    except msgspec.ValidationError as why:
        flaw = flaw_of(why)
        raise Flawed(f"content.{flaw.field}".rstrip("."), flaw.reason) from why
    except ValueError as why:
        raise Flawed("content.day", "out_of_range") from why
    for name, time in (("start", occurrence.start or -1), ("end", occurrence.end)):
        if not 0 <= time < LATEST_AT:
            raise Flawed(f"content.{name}", "out_of_range")
    units = msgspec.json.encode(occurrence.units).decode()
    await db.execute(
        robots_own.sql(queries.STORE_OCCURRENCE),
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
