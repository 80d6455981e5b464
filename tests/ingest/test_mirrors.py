"""What is stored stays in its stream until the mirror has it, so that an older database can read it again."""

import contextlib
from typing import Any

import pytest
from nats.js.errors import NotFoundError
from structlog.testing import capture_logs

from lustra.core.bus import PAST
from lustra.live.ingest import main, source
from lustra.protocol import bus
from tests.live.test_ingest_bus import ingesting, tell
from tests.world import World, report, until


@contextlib.asynccontextmanager
async def report_stored_beside_a_still_mirror(world: World, monkeypatch: pytest.MonkeyPatch):
    """A report that ingest has stored, and whose stream it has looked through since; gives how to mend the mirror."""
    js, name = world.services.bus.js, PAST["REPORT"]
    mirror, looked = (await js.stream_info(name)).config, list[str]()
    usual = source.Source.drop

    async def drop(self: source.Source, mirror: str) -> None:
        await usual(self, mirror)
        looked.append(mirror)

    async def replace(**config: Any) -> None:
        await js.delete_stream(name)
        await js.add_stream(**config)

    async def acknowledged() -> bool:
        with contextlib.suppress(NotFoundError):  # ingest has not begun to read
            floor = (await js.consumer_info("REPORT", "ingest")).ack_floor
            return floor is not None and floor.stream_seq > 0
        return False

    async def looked_twice() -> bool:
        return looked.count(name) > 1

    monkeypatch.setattr(main, "DROP_S", 0.1)
    monkeypatch.setattr(source.Source, "drop", drop)
    await replace(name=name)
    try:
        await tell(world, bus.report("SC0001"), report())
        async with ingesting(world):
            await until(acknowledged)
            looked.clear()
            await until(looked_twice)
            yield lambda: replace(config=mirror)
    finally:
        await replace(config=mirror)


async def left(world: World, name: str) -> int:
    return (await world.services.bus.js.stream_info(name)).state.messages


async def test_leave_what_is_stored_in_its_stream_until_the_mirror_has_it(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    async with report_stored_beside_a_still_mirror(world, monkeypatch) as mend:
        assert await left(world, "REPORT") == 1
        await mend()

        async def moved() -> bool:
            return (await left(world, "REPORT"), await left(world, PAST["REPORT"])) == (0, 1)

        await until(moved)


async def test_wait_for_no_mirror_that_stands_still_for_long(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(source, "MIRROR_S", 0.0)
    with capture_logs() as logs:
        async with report_stored_beside_a_still_mirror(world, monkeypatch):
            assert await left(world, "REPORT") == 0
    assert {"mirror": PAST["REPORT"], "messages": 1}.items() <= next(
        entry for entry in logs if entry["event"] == "ingest.mirror_behind"
    ).items()
