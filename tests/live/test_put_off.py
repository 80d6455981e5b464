"""What the server cannot keep yet comes again ever later, and what it never can is told to its robot."""

import contextlib
import json
from typing import Any

import pytest
from nats.js.errors import NotFoundError

from lustra.core.db import Connection
from lustra.live.ingest import events, main, source, writer
from lustra.protocol import bus
from tests.live.test_ingest_bus import announced, count, ingesting, tell
from tests.world import World, until


async def refusals_of(world: World, sn: str) -> list[dict[str, Any]]:
    refusals: list[dict[str, Any]] = []

    async def robot(message: Any):
        refusals.append(json.loads(message.data))

    await world.services.bus.subscribe(bus.cmd(sn, "refused"), robot)
    return refusals


def planned(event_id: str) -> bus.Event:
    """A group of tasks whose zone the world does not know."""
    content = {"name": "Night", "tasks": [{"map_name": "Ground", "task": "Lobby"}], "zone": "Moon/Sea"}
    return bus.Event(at=5, id=event_id, kind="group", name="Night", revision=1, content=content)


async def test_notify_a_robot_of_its_unreadable_reports_and_events(world: World):
    refusals = await refusals_of(world, "SC0001")
    async with ingesting(world):
        await world.services.bus.publish(bus.report("SC0001"), b'{"id": "r1", "started": "yesterday"}')
        await world.services.bus.publish(bus.event("SC0001"), b'{"id": "e1", "kind": 7}')
        await world.services.bus.publish(bus.report("SC0001"), b"\x00 no report")

        await world.services.bus.publish(bus.event("SC0001"), bus.encode(content := planned("e2")))

        async def all_came():
            return len(refusals) == 4

        await until(all_came)
    assert {(each.get("id", ""), each.get("field", ""), each["reason"]) for each in refusals} == {
        ("r1", "started", "wrong_type"),
        ("e1", "kind", "wrong_type"),
        ("", "", "unreadable"),
        (content.id, "content.zone", "unknown_value"),
    }


async def test_an_event_that_fails_delays_its_robot_alone_and_is_given_up(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(source, "LATER_S", 0.02)
    monkeypatch.setattr(writer, "MOST_FAULTS", 4)
    refusals, store, tries = await refusals_of(world, "SC0001"), events.KEEPERS["task"], []

    async def fails(db: Connection, sn: str, event: bus.Event):
        if event.name == "poison":
            tries.append(event.id)
            raise KeyError("a fault of ours")
        await store(db, sn, event)

    monkeypatch.setitem(events.KEEPERS, "task", fails)
    async with ingesting(world):
        await tell(world, bus.event("SC0001"), bus.Event(at=1, id="bad", kind="task", name="poison", content={}))
        await tell(world, bus.event("SC0002"), bus.Event(at=1, id="good", kind="task", name="A", content={}))

        async def done():
            return await count(world, "robot_task") == 1 and refusals != []

        await until(done, seconds=10)
    assert refusals == [{"id": "bad", "reason": "content_missing"}]
    assert len(tries) == 4


async def test_tries_are_counted_over_restarts_of_ingest(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(source, "LATER_S", 0.02)
    monkeypatch.setattr(source, "LONGEST_LATER_S", 0.1)
    monkeypatch.setattr(main, "EVENT_S", 2.0)  # what the bus handed over to a request that was over comes after this
    monkeypatch.setattr(events, "MOST_TRIES", 10_000)  # the first one gives nothing up, however long it runs
    monkeypatch.setattr(events, "OWN_TRIES", 1)
    refusals = await refusals_of(world, "SC0001")

    async def given_up():
        return refusals != []

    async with ingesting(world):
        await tell(world, bus.event("SC0001"), announced("gone"))

        async def came_again():
            with contextlib.suppress(NotFoundError):
                return (await world.services.bus.js.consumer_info("EVENT", "ingest")).num_redelivered
            return False

        await until(came_again, seconds=60)
    assert refusals == []
    monkeypatch.setattr(events, "MOST_TRIES", 5)
    counted: list[int] = []
    count_try = events.Keeper.count_try

    def note(self: Any, sn: Any, event_id: Any, deliveries: Any):
        counted.append(deliveries)
        count_try(self, sn, event_id, deliveries)

    monkeypatch.setattr(events.Keeper, "count_try", note)
    async with ingesting(world):
        await until(given_up, seconds=60)
    assert counted[0] > 1  # it went on counting where the other stopped
    assert counted[-1] >= 5
    assert refusals == [{"id": "gone", "reason": "content_missing"}]


@pytest.mark.parametrize(("deliveries", "wait_s"), [(1, 10), (2, 20), (5, 160), (6, 300), (1000, 300)])
def test_deliver_again_after_growing_pauses_up_to_five_minutes(deliveries: int, wait_s: int):
    assert source.delay_s(deliveries) == wait_s
