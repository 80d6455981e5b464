"""States of robots into the database: a batch by a few statements over many rows, in one transaction.

Rules: batches of a partition go one after the other, so that the next sees what the one before wrote, whichever ingest
has them; one that is frozen within is cut off by the database after seconds. A message counts once: the point by its
slot (one a second at most, one a minute at rest), the m² by what `total` grew by since the newest state, in the
transaction that moves it. What comes late fills the points and counts nothing twice. A robot is online when it is heard
after its last good-bye.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from operator import attrgetter
from typing import Any

import asyncpg
import msgspec

from lustra.core.db import Connection
from lustra.live.clocks import LIMIT_MS, Clocks
from lustra.live.ingest import queries
from lustra.live.ingest.fold import Row, Standing, fold
from lustra.live.ingest.presence import ms
from lustra.live.ingest.queries import INGEST
from lustra.protocol import telemetry
from lustra.protocol.flaws import Reading
from lustra.protocol.subjects import PARTITIONS
from lustra.protocol.telemetry import State

REST = {"idle", "charging"}
HOUR_MS = 3_600_000
IN_ORDER = attrgetter(*telemetry.COLUMNS)
STATE_COLUMNS = ["robot", *telemetry.COLUMNS, "clock_off", "run_since", "run_battery", "run_liquid", "mode_since"]
POINT = attrgetter(*(field.name for field in telemetry.HISTORY))
POINT_COLUMNS = ["robot", "slot", "at", *(field.name for field in telemetry.HISTORY)]
Point = tuple[Any, ...]  # by POINT_COLUMNS
Former = dict[int, list[Any]]  # by robot, whose it was until when


def slot(state: State) -> int:
    """The second that the point stands for; a robot at rest has one a minute."""
    second = state.at // 1000
    return second // 60 * 60 if state.mode in REST and not state.help else second


def build_row(clocks: Clocks, sn: str, received: datetime, reading: Reading) -> Row:
    """The row of a message, by the time that counts."""
    state, received_ms = reading.state, ms(received)
    at, off = clocks.judge(sn, state.at, received_ms)
    counted = state if at == state.at else msgspec.structs.replace(state, at=at)
    return Row(sn, received, received_ms, counted, off, reading.unknown)


def row(sn: str, received: datetime, state: State, clock_off: int = 0) -> Row:
    return Row(sn, received, ms(received), state, clock_off)


async def store(db: Connection, rows: Iterable[Row], partitions: Collection[int] = range(PARTITIONS)) -> list[str]:
    """Who came back online. `partitions`: of their robots."""
    groups: defaultdict[str, list[Row]] = defaultdict(list)
    for each in rows:
        groups[each.sn].append(each)
    async with db.transaction():
        await db.execute(queries.END_WHEN_FROZEN)
        await db.execute(queries.SHARE_STATES)
        await db.execute(queries.LOCK_PARTITIONS, sorted(partitions))
        known = await db.fetch(INGEST.sql(queries.LOAD_KNOWN), list(groups))
        if not known:
            return []
        folded = [(before, *fold(before, groups[before["sn"]])) for before in known]
        await _move([(before["robot"], standing) for before, standing, _ in folded if standing.newest], db)
        await _add_areas([(before, standing.grown) for before, standing, _ in folded if standing.grown], db)
        await _store_points([(before, ordered) for before, _, ordered in folded], db)
        return await _hear([(before, ordered) for before, _, ordered in folded], db)


async def _move(moved: list[tuple[int, Standing]], db: Connection) -> None:
    if not moved:
        return
    await db.execute(queries.INCOMING)
    records = [build_record(robot, standing) for robot, standing in moved]
    await db.copy_records_to_table("incoming_state", records=records, columns=STATE_COLUMNS)
    await db.execute(INGEST.sql(queries.MOVE_STATES))


def build_record(robot: int, standing: Standing) -> tuple[Any, ...]:
    """By STATE_COLUMNS; only where a newest state was taken."""
    assert standing.newest is not None
    since = standing.newest.clock_off, standing.run_since, standing.run_battery, standing.run_liquid
    return (robot, *IN_ORDER(standing.build_newest()), *since, standing.mode_since)


async def _add_areas(swept: list[tuple[Mapping[str, Any], list[tuple[int, float]]]], db: Connection) -> None:
    """To whoever owned the robot at the time."""
    if not swept:
        return
    former: Former = defaultdict(list)
    for each in await db.fetch(INGEST.sql(queries.FORMER_OWNERS), [before["robot"] for before, _ in swept]):
        former[each["robot"]].append(each)
    sums: defaultdict[tuple[int, int, int, str], float] = defaultdict(float)
    for before, grown in swept:
        for at, area in grown:
            owner = next((f for f in former.get(before["robot"], ()) if f["until"] is None or at < f["until"]), before)
            sums[before["robot"], at // HOUR_MS * HOUR_MS, owner["owner_id"], owner["owner_path"]] += area
    keys = zip(*sums, strict=True)
    await db.execute(INGEST.sql(queries.ADD_AREAS), *keys, list(sums.values()))


async def _store_points(speakers: list[tuple[Mapping[str, Any], list[Row]]], db: Connection) -> None:
    """Of each slot the first. What is newer than the known state of its robot is new, unless a clock jumped."""
    new: list[Point] = []
    old: list[Point] = []
    for before, rows in speakers:
        known = -1 if before["at"] is None else before["at"] // 1000
        slots: dict[int, State] = {}
        for row in rows:
            state, place = row.state, slot(row.state)
            if place not in slots or state.at < slots[place].at:
                slots[place] = state
        for place, state in slots.items():
            (new if place > known else old).append(build_point(before["robot"], place, state))
    late_until = await db.fetchval(queries.LATE_UNTIL)
    if late := {(robot, place // 60) for robot, place, *_ in (*new, *old) if place < late_until}:
        await db.execute(INGEST.sql(queries.NOTE_LATE_MINUTES), *zip(*sorted(late), strict=True))
    try:
        async with db.transaction():
            await db.copy_records_to_table("point", records=new, columns=POINT_COLUMNS)
    except asyncpg.UniqueViolationError:
        old += new
    if old:
        await db.execute(INGEST.sql(queries.STORE_POINTS), *zip(*old, strict=True))


def build_point(robot: int, place: int, state: State) -> Point:
    if state.liquid is None:
        state = msgspec.structs.replace(state, liquid=queries.NO_LIQUID)
    return (robot, place, state.at, *POINT(state))


async def _hear(speakers: list[tuple[Mapping[str, Any], list[Row]]], db: Connection) -> list[str]:
    """Whoever was silent, and says something after its good-bye, is back."""
    newest = [max(row.received for row in rows) for _, rows in speakers]
    await db.execute(INGEST.sql(queries.HEAR), [before["robot"] for before, _ in speakers], newest)
    back: list[tuple[int, datetime]] = []
    for (before, rows), at in zip(speakers, newest, strict=True):
        off_at = 0 if before["off_at"] > ms(at) + LIMIT_MS else before["off_at"]
        times = [] if before["online"] else [row.received for row in rows if row.state.at > off_at]
        if times:
            back.append((before["robot"], min(times)))
    if not back:
        return []
    return [each["sn"] for each in await db.fetch(INGEST.sql(queries.COME_BACK), *zip(*back, strict=True))]


async def clocks_behind(db: Connection) -> list[tuple[str, int]]:
    """Robots whose clock was found behind, and by how many ms (below 0)."""
    rows = await db.fetch(INGEST.sql(queries.CLOCKS_BEHIND))
    return [(row["sn"], row["clock_off"]) for row in rows]
