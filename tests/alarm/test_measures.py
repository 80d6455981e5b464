"""Whether the alarms of a fleet are any good is measured, of what is in scope."""

from typing import Any

import pytest

from lustra.core.errors import Code
from tests.alarm.test_alarms import alarm_message, say
from tests.world import World, world

__all__ = ["world"]


async def measure(world: World, account: str = "user", **more: Any) -> dict[str, tuple[float | None, bool]]:
    rows = (await world.call(account, "/warn/measures", **more))["list"]
    return {row["name"]: (row["value"], row["met"]) for row in rows}


@pytest.fixture
async def flooded(world: World) -> World:
    """Twelve alarms within ten minutes, one of them for the fifth time."""
    await say(world, alarm_message("raised", *((f"a{n}", f"0x{n:04}") for n in range(12))))
    await world.pool.execute(
        """update alarm set raised_at = date_trunc('hour', now()) - interval '25 hours' + interval '1 minute',
          state = 2, resolved_at = date_trunc('hour', now())"""
    )
    await world.pool.execute("update alarm set count = 5, taken_at = raised_at + interval '20 minutes' where id = 1")
    await world.pool.execute("update alarm set state = 1, resolved_at = null where id = 2")
    return world


async def test_many_alarms_at_once_that_nobody_takes_miss_their_targets(flooded: World):
    assert await measure(flooded, days=5) == {
        "perHour": (0.1, True),
        "peak": (12, False),
        "flood": (600 / (5 * 86_400), True),
        "standing": (1, True),
        "chattering": (1, False),
        "take": (1200.0, False),
        "resolve": (25 * 3600 - 60.0, False),
    }
    assert (await measure(flooded, days=1))["peak"] == (0, True)
    assert (await measure(flooded, days=1))["standing"] == (1, True)  # whenever it was raised


async def test_count_measures_without_data_as_met(world: World):
    measures = await measure(world)
    assert {met for _, met in measures.values()} == {True}
    assert (measures["take"], measures["perHour"]) == ((None, True), (0.0, True))


async def test_measures_are_of_the_robots_in_scope_that_are_asked_for(flooded: World):
    assert (await measure(flooded, "rivaluser"))["peak"] == (0, True)
    assert (await measure(flooded, "admin", deviceIds=[flooded.devices["SC0001"]]))["peak"] == (12, False)
    assert (await measure(flooded, "admin", deviceIds=[flooded.devices["SC0002"]]))["peak"] == (0, True)
    assert (await flooded.raw("user", "/warn/measures", days=91))[0] == Code.BAD_INPUT
