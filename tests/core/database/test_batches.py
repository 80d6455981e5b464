"""Who asks the same at the same time shares one statement, and is answered what is his."""

import asyncio

import asyncpg
import pytest

from tests.world import World, world

__all__ = ["world"]

DOUBLE = """
select a.n, a.value * 2 as double, count(*) over () as together
from unnest($1::text[], $2::bigint[]) with ordinality as a(name, value, n) where a.value > 0"""
INVERT = "select a.n, 1 / a.value as inverse from unnest($1::bigint[]) with ordinality as a(value, n)"


async def test_share_a_statement_between_simultaneous_readers(world: World):
    pairs = [("a", 1), ("b", 2), ("c", 0)]
    rows = await asyncio.gather(*(world.services.batches.fetch_row(DOUBLE, *each) for each in pairs))
    assert [row and (row["double"], row["together"]) for row in rows] == [(2, 2), (4, 2), None]


async def test_of_the_same_first_value_one_goes_at_a_time_and_in_order(world: World):
    pairs = [("a", 1), ("b", 2), ("a", 3), ("a", 4)]
    rows = await asyncio.gather(*(world.services.batches.fetch_row(DOUBLE, *each) for each in pairs))
    assert [row and (row["double"], row["together"]) for row in rows] == [(2, 2), (4, 2), (6, 1), (8, 1)]


async def test_a_statement_that_fails_is_theirs_who_asked(world: World):
    batches = world.services.batches
    failed = await asyncio.gather(*(batches.fetch_row(INVERT, value) for value in (0, 1)), return_exceptions=True)
    assert [type(each) for each in failed] == [asyncpg.DivisionByZeroError] * 2
    row = await batches.fetch_row(INVERT, 1)
    assert row is not None
    assert row["inverse"] == 1


async def test_leave_other_readers_alone_when_one_goes_away(world: World):
    early, patient = [asyncio.create_task(world.services.batches.fetch_row(INVERT, value)) for value in (1, 2)]
    await asyncio.sleep(0)
    early.cancel()
    row = await patient
    assert row is not None
    with pytest.raises(asyncio.CancelledError):
        await early
