"""Alarms as robots tell them.

Rules: an alarm of a robot counts once, by its id; what is gone may come before what is there; a snapshot takes the
place of all that the robot had open. What is older than three days is taken to be of when it came.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from lustra.core.db import Connection
from lustra.core.scope import system
from lustra.domains.alarm import queries
from lustra.protocol.bus import Alarm, OpenAlarm
from lustra.protocol.flaws import LATEST_AT, Flawed, read_whole

OLDEST_MS = 72 * 3_600_000
READ = msgspec.json.Decoder(Alarm)
AS_ROBOTS = system("robots say what is wrong with them")


def read(data: bytes) -> Alarm:
    """The message. Raises Flawed where it never can be stored."""
    message = read_whole(READ, data)
    if not 0 < message.at < LATEST_AT:
        raise Flawed("at", "out_of_range")
    return message


def shift(message: Alarm, at: int, received: int) -> Alarm:
    """With the time that counts, `at`, in place of the robot's own; what is too old is of when it was received."""
    off = at - message.at

    def believed(moment: int) -> int:
        return moment if received - OLDEST_MS <= moment <= max(at, received) else received

    alarms = [msgspec.structs.replace(alarm, since=believed(alarm.since + off)) for alarm in message.alarms]
    return msgspec.structs.replace(message, at=believed(at), alarms=alarms)


class CauseRow(NamedTuple):
    """What a robot says of one thing."""

    robot: int
    cause: str
    code: str
    at: datetime
    level: int
    detail: str


@dataclass(frozen=True, slots=True)
class Round:
    """What may be stored together: of each robot one kind of message. `snapshots`: when a robot said what is open."""

    snapshots: dict[int, datetime] = field(default_factory=dict[int, datetime])
    raised: list[CauseRow] = field(default_factory=list[CauseRow])
    cleared: list[CauseRow] = field(default_factory=list[CauseRow])


async def keep(db: Connection, messages: Sequence[tuple[str, Alarm]]) -> dict[str, list[str]]:
    """In one transaction, the messages of a robot in their order. Whose messages stand now, by their ids: a robot that
    there is not gets no receipt."""
    stored: defaultdict[str, list[str]] = defaultdict(list)
    async with db.transaction():
        robots = await db.fetch(AS_ROBOTS.sql(queries.ROBOTS), [sn for sn, _ in messages])
        known = {row["sn"]: row["id"] for row in robots}
        present = [(known[sn], message) for sn, message in messages if sn in known]
        for part in divide(present):
            await _store(db, part)
        for sn, message in messages:
            if sn in known:
                stored[sn].append(message.id)
    return stored


def divide(messages: Iterable[tuple[int, Alarm]]) -> list[Round]:
    """Into rounds, one after the other: what one robot says in a row and alike is of one."""
    rounds: list[Round] = []
    last: dict[int, tuple[int, str]] = {}
    for robot, message in messages:
        place, kind = last.get(robot, (-1, ""))
        if kind != message.kind or message.kind == "snapshot":
            place += 1
        last[robot] = (place, message.kind)
        if place == len(rounds):
            rounds.append(Round())
        if message.kind == "snapshot":
            rounds[place].snapshots[robot] = _moment(message.at)
        rows = rounds[place].cleared if message.kind == "cleared" else rounds[place].raised
        rows += (_read_row(robot, message, alarm) for alarm in message.alarms)
    return rounds


def _read_row(robot: int, message: Alarm, alarm: OpenAlarm) -> CauseRow:
    at = _moment(message.at if message.kind == "cleared" else alarm.since)
    return CauseRow(robot, f"robot {alarm.id}", alarm.code, at, alarm.level, alarm.detail)


def _moment(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC)


async def _store(db: Connection, part: Round) -> None:
    raised = part.raised
    if part.snapshots:
        own = [row for row in raised if row.robot in part.snapshots]
        columns = ([row.robot for row in own], [row.cause for row in own])
        newest = await db.fetch(
            AS_ROBOTS.sql(queries.RESYNC), list(part.snapshots), list(part.snapshots.values()), *columns
        )
        outdated = part.snapshots.keys() - {row[0] for row in newest}
        raised = [row for row in raised if row.robot not in outdated]
    if raised:
        await db.execute(AS_ROBOTS.sql(queries.RAISE), *map(list, zip(*raised, strict=True)))
    if part.cleared:
        *columns, _, _ = map(list, zip(*part.cleared, strict=True))
        await db.execute(AS_ROBOTS.sql(queries.CLEAR), *columns)
