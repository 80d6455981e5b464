"""A database that is older than the bus gets again what it lost, and what it had stays as it was."""

import msgspec
import pytest
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from lustra.core.bus import PAST, Sent
from lustra.live.ingest import main
from lustra.live.ingest.positions import BUCKET, KEY, Positions, is_older
from lustra.protocol import bus
from tests.live.test_ingest_bus import count, ingesting, tell
from tests.world import World, report, state, until

TABLES = ("point", "task_report", "robot_task", "alarm where code = 'stuck'")
LATER = "SC0002"  # what it says, the database loses


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch):
    for name in ("DROP_S", "POSITIONS_S"):
        monkeypatch.setattr(main, name, 0.1)


async def speak(world: World, sn: str) -> None:
    await tell(world, bus.state(sn), state())
    await tell(world, bus.report(sn), report())
    await tell(world, bus.event(sn), bus.Event(at=7, id=f"t-{sn}", kind="task", name="Lobby", content={}))
    alarm = bus.OpenAlarm(id=f"brush-{sn}", code="stuck", since=8)
    await tell(world, bus.alarm(sn), bus.Alarm(at=8, id=f"a-{sn}", kind="raised", alarms=[alarm]))
    await tell(world, "audit.relay", msgspec.json.encode(Sent(at=1, sn=sn, command="task_start")))


async def counts(world: World) -> list[int]:
    return [await count(world, table) for table in TABLES]


async def positions(world: World) -> dict[str, int]:
    return {row["consumer"]: row["sequence"] for row in await world.pool.fetch("select * from stream_position")}


async def until_noted(world: World) -> dict[str, int]:
    """Both the database and the bus know that all is stored; the streams that refuse are empty."""
    watch = Positions(world.services.bus, world.pool, ["STATE", "ALARM", "REPORT", "EVENT", "AUDIT"])

    async def is_noted() -> bool:
        noted = await world.services.bus.get(BUCKET, KEY) or {}
        infos = {name: await world.services.bus.js.stream_info(name) for name in PAST}
        empty = all(not info.state.messages for info in infos.values())
        return empty and noted.get("positions") == await positions(world) == await watch.load()

    await until(is_noted)
    return await positions(world)


async def lose(world: World, sequences: dict[str, int]) -> None:
    """Whatever came after those positions, as a standby that lagged behind would lack it."""
    robot = world.devices[LATER]
    await world.pool.execute("delete from point where robot = $1", robot)
    await world.pool.execute("delete from robot_state where robot = $1", robot)
    await world.pool.execute("delete from task_report where device_id = $1", robot)
    await world.pool.execute("delete from robot_task where device_id = $1", robot)
    await world.pool.execute("delete from alarm_cause where device_id = $1", robot)
    await world.pool.execute("delete from alarm where device_id = $1", robot)
    await world.pool.executemany("update stream_position set sequence = $2 where consumer = $1", sequences.items())


async def until_read_again(world: World) -> None:
    async def is_read() -> bool:
        return await counts(world) == [2, 2, 2, 2] and not await past_consumers(world)

    await until(is_read)


def lags() -> list[float | None]:
    """What the alert of a late ingest reads."""
    return [REGISTRY.get_sample_value("lustra_ingest_lag_seconds", {"stream": name}) for name in PAST.values()]


async def past_consumers(world: World) -> list[str]:
    js = world.services.bus.js
    return [each.stream_name for name in PAST.values() for each in await js.consumers_info(name)]


async def test_read_again_what_a_database_lacks_that_is_older(world: World):
    async with ingesting(world):
        await speak(world, "SC0001")
        before = await until_noted(world)
        await speak(world, LATER)
        after = await until_noted(world)
        assert all(after[consumer] >= sequence for consumer, sequence in before.items())
        assert after != before
    assert await counts(world) == [2, 2, 2, 2]
    await lose(world, before)
    assert await counts(world) == [1, 1, 1, 1]
    async with ingesting(world):
        await until_read_again(world)
        assert await until_noted(world) == after
        assert lags() == [0.0] * len(PAST)


async def test_read_again_after_another_server_took_over_what_came_after_the_last_note(world: World):
    """The standby had the newest position and lacked what came within seconds after it."""
    async with ingesting(world):
        await speak(world, "SC0001")
        before = await until_noted(world)
    async with ingesting(world):
        await speak(world, LATER)
        await until_noted(world)
    await lose(world, before)
    await world.services.bus.put(BUCKET, KEY, {"server": "another", "positions": before})
    async with ingesting(world):
        await until_read_again(world)


async def test_read_nothing_again_while_the_database_is_as_new_as_the_bus(world: World):
    with capture_logs() as logs:
        for _ in range(2):
            async with ingesting(world):
                await speak(world, "SC0001")
                await until_noted(world)
    assert [entry for entry in logs if entry["event"] == "ingest.read_again"] == []


async def test_an_ingest_that_dies_while_it_reads_again_leaves_the_rest_to_the_next(world: World):
    async with ingesting(world):
        await speak(world, "SC0001")
        before = await until_noted(world)
        await speak(world, LATER)
        await until_noted(world)
    await lose(world, before)
    watch = Positions(world.services.bus, world.pool, ["STATE", "ALARM", "REPORT", "EVENT", "AUDIT"])
    await watch.follow()  # and it dies
    assert sorted(await past_consumers(world)) == sorted(PAST.values())
    assert await positions(world) == before
    async with ingesting(world):
        await until_read_again(world)


def test_a_database_is_older_that_knows_a_lower_position_or_none():
    assert is_older({"STATE ingest": 4}, {"STATE ingest": 5})
    assert is_older({}, {"STATE ingest": 5})
    assert not is_older({"STATE ingest": 6, "EVENT ingest": 1}, {"STATE ingest": 5})
