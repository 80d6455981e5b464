"""The process that gives elevators to robots, on the bus: who may ride which, what is kept, and what a restart
leaves.
"""

import asyncio
import contextlib
import json
from typing import Any

import pytest

from lustra.elevators.main import Elevators
from lustra.protocol import bus, cabin
from tests.flush import flush
from tests.world import World, state, until

FLOORS = "floor 1,floor 2,floor 3"
BUILDING = "Kestrel Quay Hotel"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cabin, "FLOOR_S", 0.05)
    monkeypatch.setattr(cabin, "DOOR_S", 0.02)


async def elevator(world: World, name: str, account: str = "user", building: str = BUILDING, **more: Any) -> int:
    fields = {"provider": 0, "floor": FLOORS} | more
    return await world.pool.fetchval(
        "insert into elevator (account_id, elevator_name, building_name, floor, provider) values ($1, $2, $3, $4, $5)"
        " returning id",
        world.accounts[account],
        name,
        building,
        fields["floor"],
        fields["provider"],
    )


class Rider:
    """A robot's end of the bus."""

    def __init__(self, world: World, sn: str) -> None:
        self.world, self.sn, self.messages = world, sn, []

    async def listen(self) -> "Rider":
        async def collect(message: Any):
            self.messages.append(json.loads(message.data))

        await self.world.services.bus.subscribe(bus.cmd(self.sn, "lift"), collect)
        await flush(self.world.services.bus.link)
        return self

    async def say(self, ride: str, step: Any = "ask", **more: Any) -> None:
        wish = bus.ElevatorWish(
            at=1, ride=ride, step=step, **{"origin": "floor 1", "target": "floor 3", "building": BUILDING} | more
        )
        await self.world.services.bus.publish(bus.lift(self.sn), bus.encode(wish))

    async def reaches(self, ride: str, phase: str, step: Any = "ask", **more: Any) -> dict:
        async def so():
            await self.say(ride, step, **more)
            await asyncio.sleep(0.05)
            return next(
                (
                    message
                    for message in reversed(self.messages)
                    if (message["ride"], message["phase"]) == (ride, phase)
                ),
                None,
            )

        return await until(so)


@contextlib.asynccontextmanager
async def serving(world: World):
    work = asyncio.create_task(Elevators(world.pool, world.services.bus, world.services.settings).run())
    try:
        yield
    finally:
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)


async def rides(world: World) -> list[tuple]:
    rows = await world.pool.fetch(
        "select r.sn, e.elevator_name, r.from_floor, r.to_floor, r.phase, r.reason, r.boarded_at is not null as inside"
        " from lift_ride r join elevator e on e.id = r.elevator_id order by r.id"
    )
    return [tuple(row.values()) for row in rows]


async def live(world: World, id_: int) -> dict:
    return await world.pool.fetchval("select live from elevator where id = $1", id_)


async def test_a_robot_rides_its_owners_elevator_and_the_ride_is_stored(world: World):
    lift = await elevator(world, "Lift A")
    rider = await Rider(world, "SC0001").listen()
    async with serving(world):
        answer = await rider.reaches("r1", "open", origin=" Floor 2 ")
        assert (answer["lift"], answer["floor"]) == ("Lift A", "floor 2")
        await rider.reaches("r1", "arrived", "inside")
        assert (await live(world, lift))["occupant"] == "SC0001"
        assert (await rider.reaches("r1", "ended", "left"))["reason"] == "done"

        async def stored():
            return await rides(world) == [("SC0001", "Lift A", "floor 2", "floor 3", "ended", "done", True)]

        await until(stored)
        assert (await rider.reaches("r1", "ended", "left"))["reason"] == "done"
    assert len(await rides(world)) == 1


@pytest.mark.parametrize(
    ("sn", "wish", "reason"),
    [
        ("SC0010", {}, "lift_missing"),  # of another dealer's customer, in the same building
        ("SC0003", {}, "lift_missing"),  # of an account below: it has no lift, and is bound to none
        ("SC0001", {"building": "Elsewhere"}, "lift_missing"),
        ("SC0001", {"target": "floor 9"}, "lift_missing"),
        ("SC9999", {}, "lift_missing"),
    ],
)
async def test_refuse_a_ride_without_the_right_and_move_nothing(
    world: World, sn: str, wish: dict[str, Any], reason: str
):
    lift = await elevator(world, "Lift A")
    rider = await Rider(world, sn).listen()
    async with serving(world):
        for step in ("ask", "inside", "left"):
            assert (await rider.reaches(f"r-{step}", "ended", step, **wish))["reason"] == reason
    assert (await rides(world), await live(world, lift)) == ([], {})


async def test_a_robot_rides_what_it_is_bound_to_wherever_it_stands(world: World):
    bound = await elevator(world, "Bound", "dealer", "Elsewhere")
    await world.pool.execute("update device set elevator_id = $1 where serial_number = 'SC0003'", bound)
    rider = await Rider(world, "SC0003").listen()
    async with serving(world):
        assert (await rider.reaches("r1", "open"))["lift"] == "Bound"


async def test_of_two_lifts_the_second_robot_gets_the_free_one(world: World):
    await elevator(world, "Lift A")
    await elevator(world, "Lift B")
    first, second = await Rider(world, "SC0001").listen(), await Rider(world, "SC0002").listen()
    async with serving(world):
        assert (await first.reaches("r1", "open"))["lift"] == "Lift A"
        assert (await second.reaches("r2", "open"))["lift"] == "Lift B"


async def test_a_robot_waits_for_the_elevator_it_names_if_both_floors_are_served(world: World):
    await elevator(world, "Lift A")
    named = await elevator(world, "Lift B")
    await world.pool.execute("update elevator set code = 'B' where id = $1", named)
    first, second = await Rider(world, "SC0001").listen(), await Rider(world, "SC0002").listen()
    async with serving(world):
        assert (await first.reaches("r1", "open", lift="B"))["lift"] == "Lift B"
        assert (await second.reaches("r2", "waiting", lift="B"))["lift"] == "Lift B"
        assert (await second.reaches("r3", "open", lift="unknown"))["lift"] == "Lift A"


async def test_an_elevator_without_an_adapter_says_so(world: World):
    await elevator(world, "Lift A", provider=2)
    rider = await Rider(world, "SC0001").listen()
    async with serving(world):
        assert (await rider.reaches("r1", "ended"))["reason"] == "lift_no_adapter"


async def test_rides_go_on_when_the_process_starts_anew(world: World):
    lift = await elevator(world, "Lift A")
    first, second = await Rider(world, "SC0001").listen(), await Rider(world, "SC0002").listen()
    async with serving(world):
        await first.reaches("r1", "open")
        await second.reaches("r2", "waiting")
        await first.reaches("r1", "moving", "inside", target="floor 2")
    async with serving(world):
        assert (await live(world, lift))["occupant"] == "SC0001"
        await first.reaches("r1", "arrived", "inside")
        await first.reaches("r1", "ended", "left")
        await second.reaches("r2", "open")
    assert len(await rides(world)) == 2


async def test_after_a_restart_robots_wait_in_the_order_of_asking(world: World):
    lift = await elevator(world, "Lift A")
    order = ["SC0001", "SC0003", "SC0002"]
    await world.pool.execute("update elevator set account_id = $1 where id = $2", world.accounts["user"], lift)
    await world.pool.execute(
        "update device set owner_id = (select owner_id from device where id = $1)"
        ", owner_path = (select owner_path from device where id = $1) where serial_number = any($2)",
        world.devices["SC0001"],
        order,
    )
    riders = [await Rider(world, sn).listen() for sn in order]
    async with serving(world):
        for number, rider in enumerate(riders):
            await rider.reaches(f"r{number}", "waiting" if number else "open")
    await world.pool.execute("update elevator set live = '{}'")
    async with serving(world):

        async def queue_is_shown() -> bool:
            for number, rider in enumerate(riders):
                await rider.say(f"r{number}")
            return (await live(world, lift)).get("queue") == order[1:]

        await until(queue_is_shown)

        async def next_one_has_it() -> bool:
            await riders[0].say("r0", "cancel")
            await riders[1].say("r1")
            await riders[2].say("r2")
            return (await live(world, lift))["holder"] == order[1]

        await until(next_one_has_it)


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b"\xff", b'{"at":1,"ride":"","step":"ask","target":"x"}'])
async def test_ignore_an_invalid_request_for_a_ride(world: World, data: bytes):
    await elevator(world, "Lift A")
    rider = await Rider(world, "SC0001").listen()
    async with serving(world):
        await world.services.bus.publish(bus.lift("SC0001"), data)
        await rider.reaches("r1", "open")
    assert len(await rides(world)) == 1


def test_a_riding_robots_state_names_its_lift():
    answer = state(mode="riding", map="", lift="Lift A")
    assert json.loads(bus.encode(answer))["lift"] == "Lift A"
