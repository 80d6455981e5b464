"""States come to the same rows however they are cut into batches, doubled and mixed up."""

import random
from datetime import datetime, timezone
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lustra.live.ingest import state as hot
from lustra.live.ingest.fold import Standing, fold
from lustra.protocol.telemetry import State
from tests.live.test_ingest_state import AT
from tests.world import World, state

ROWS = """select robot, at, stream, seq, x, battery, run, run_since, run_battery, mode, mode_since, total, software
  from robot_state order by robot"""
AREAS = "select robot, hour, owner_id, round(area::numeric, 6) as area from area_hour order by 1, 2"
POINTS = "select robot, slot, at, x from point order by 1, 2"
SPANS = "select robot, began, ended from online_span order by 1, 2"
KEYS = ("at", "stream", "seq", "total", "run", "run_since", "run_battery", "run_liquid", "mode", "help", "mode_since")
UNKNOWN: dict[str, Any] = dict.fromkeys((*KEYS, "x", "y", "yaw", "battery"))

step = st.fixed_dictionaries(
    {
        "pause": st.integers(1, 90_000),
        "grown": st.integers(0, 5),
        "mode": st.sampled_from(["cleaning", "paused", "idle"]),
        "run": st.sampled_from(["", "r1", "r2"]),
        "restart": st.integers(0, 9).map(lambda n: n == 0),
        "software": st.sampled_from(["", "4.2", "4.3"]),
    }
)


def say(steps: list[dict[str, Any]]) -> list[State]:
    """What one robot says as time goes by; its program starts anew at times."""
    states: list[State] = []
    at, total, stream, seq = AT, 100.0, 0, 0
    for each in steps:
        stream, seq = (stream + 1, 1) if each["restart"] else (stream, seq + 1)
        at, total = at + each["pause"], total + each["grown"]
        fields = {name: each[name] for name in ("mode", "run", "software")}
        states.append(state(at, stream=f"s{stream}", seq=seq, total=total, x=float(len(states)), **fields))
    return states


def hear(sn: str, stated: State, at: int = 0) -> hot.Row:
    return hot.row(sn, datetime.fromtimestamp((at or stated.at) / 1000, timezone.utc), stated)


def take(before: dict[str, Any], states: list[State], at: int = 0) -> tuple[dict[str, Any], Standing]:
    """As the row stands afterwards."""
    standing, _ = fold(before, [hear("SC0001", each, at) for each in states])
    if standing.newest is None:
        return before, standing
    newest = standing.build_newest()
    known = {name: getattr(standing, name) for name in KEYS} | {
        name: getattr(newest, name) for name in ("x", "y", "yaw", "battery")
    }
    return known | {"software": newest.software or before.get("software", "")}, standing


@given(st.lists(step, min_size=1, max_size=30), st.lists(st.integers(1, 8), min_size=30, max_size=30), st.randoms())
@settings(max_examples=200, deadline=None)
def test_doubled_and_mixed_up_batches_come_to_the_same_as_one_by_one(
    steps: list[dict[str, Any]], sizes: list[int], dice: random.Random
):
    states = say(steps)
    one_by_one, grown_one_by_one = UNKNOWN, 0.0
    for each in states:
        one_by_one, standing = take(one_by_one, [each])
        grown_one_by_one += sum(area for _, area in standing.grown)
    batched, grown, place = UNKNOWN, 0.0, 0
    for size in sizes:
        batch = states[max(0, place - 2) : place + size]  # the last two come a second time
        dice.shuffle(batch)
        if batch:
            batched, standing = take(batched, batch)
            grown += sum(area for _, area in standing.grown)
        place += size
    assert batched == one_by_one
    assert grown == grown_one_by_one == states[-1].total - states[0].total


@given(st.lists(step, min_size=2, max_size=30), st.randoms())
@settings(max_examples=100, deadline=None)
def test_store_the_newest_state_and_count_each_area_once_in_any_sequence(
    steps: list[dict[str, Any]], dice: random.Random
):
    states = say([each | {"restart": False} for each in steps])
    mixed = states[1:]
    dice.shuffle(mixed)
    row, _ = take(UNKNOWN, states[:1])
    grown = 0.0
    for each in mixed:
        row, standing = take(row, [each], states[-1].at)
        grown += sum(area for _, area in standing.grown)
    assert (row["at"], row["seq"], row["x"]) == (states[-1].at, states[-1].seq, len(states) - 1)
    assert grown == states[-1].total - states[0].total


async def test_a_fleet_in_batches_leaves_the_rows_that_it_leaves_one_by_one(world: World):
    dice = random.Random(22)
    spoken: list[tuple[str, State]] = []
    for sn in ("SC0001", "SC0002", "SC0010"):
        steps = [
            {
                "pause": dice.choice([200, 1000, 50_000]),
                "grown": dice.randrange(4),
                "mode": dice.choice(["cleaning", "paused", "idle"]),
                "run": dice.choice(["r1", "r2"]),
                "restart": dice.random() < 0.1,
                "software": dice.choice(["", "4.2"]),
            }
            for _ in range(40)
        ]
        spoken += [(sn, each) for each in say(steps)]
    spoken.sort(key=lambda each: each[1].at)
    rows = [hear(sn, each) for sn, each in spoken]

    async def all_rows() -> list[Any]:
        return [[tuple(row) for row in await world.pool.fetch(query)] for query in (ROWS, AREAS, POINTS, SPANS)]

    async with world.as_ingest() as db:
        for each in rows:
            await hot.store(db, [each])
        one_by_one = await all_rows()
        await world.pool.execute("truncate robot_state, area_hour, point, online_span")
        await world.pool.execute("update presence set online = false")
        place = 0
        while place < len(rows):
            size = dice.randrange(1, 30)
            batch = rows[max(0, place - 5) : place + size]
            dice.shuffle(batch)
            await hot.store(db, batch)
            place += size
    assert await all_rows() == one_by_one
