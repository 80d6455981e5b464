"""A lift at work, as people see and order it: its state, its rides, out of service, released."""

from typing import Any

import pytest

from lustra.core.errors import Code
from lustra.domains.account.data_protection import retention
from tests.elevator.test_elevators import add, info, keys
from tests.elevators.test_process import BUILDING, FLOORS, Rider, quick, rides, serving
from tests.world import World, until

__all__ = ["keys", "quick"]


async def lift(world: World, name: str = "Lift A") -> int:
    return await add(world, elevatorName=name, code="", buildingName=BUILDING, floor=FLOORS, provider=0, server="")


async def test_answer_an_elevators_state_and_its_rides(world: World):
    id_ = await lift(world)
    assert (await info(world, id_))["live"]["phase"] == ""
    rider = await Rider(world, "SC0001").listen()
    async with serving(world):
        await rider.reaches("r1", "open")
        await rider.reaches("r1", "arrived", "inside")

        async def shown():
            live = (await info(world, id_))["live"]
            return live if live["phase"] == "arrived" else None

        live = await until(shown)
        assert (live["floor"], live["door"], live["holder"], live["occupant"]) == (
            "floor 3",
            "open",
            "Robot 01 机器",
            "Robot 01 机器",
        )
        await rider.reaches("r1", "ended", "left")

        async def listed():
            page = await world.call("user", "/elevator/rides", elevatorId=id_)
            return page if page["list"] and page["list"][0]["endedAt"] else None

        page = await until(listed)
    (row,) = page["list"]
    assert (row["deviceCode"], row["fromFloor"], row["toFloor"], row["reason"]) == (
        "Robot 01 机器",
        "floor 1",
        "floor 3",
        "done",
    )
    assert row["askedAt"] <= row["boardedAt"] <= row["endedAt"]


async def test_out_of_service_it_is_taken_from_whoever_rides_and_given_back(world: World):
    id_ = await lift(world)
    rider = await Rider(world, "SC0001").listen()
    async with serving(world):
        await rider.reaches("r1", "open")
        await world.call("dealer", "/elevator/setService", elevatorId=id_, out=True, reason="Door is stuck")
        row = await info(world, id_)
        assert (row["outOfService"], row["outReason"]) == (True, "Door is stuck")
        assert (await rider.reaches("r1", "ended"))["reason"] == "lift_out_of_service"
        assert (await rider.reaches("r2", "ended"))["reason"] == "lift_out_of_service"
        await world.call("dealer", "/elevator/setService", elevatorId=id_, out=False, reason="Mended")
        await rider.reaches("r3", "open")
    row = await world.pool.fetchrow("select action, detail::text from audit where action = 'elevator.service' limit 1")
    assert "Door is stuck" in row["detail"]


async def test_a_stuck_ride_is_released_once_and_twice(world: World):
    id_ = await lift(world)
    rider, other = await Rider(world, "SC0001").listen(), await Rider(world, "SC0002").listen()
    async with serving(world):
        await rider.reaches("r1", "arrived", "inside")
        await other.reaches("r2", "waiting")
        for _ in range(2):
            await world.call("user", "/elevator/release", elevatorId=id_, reason="Carried out by hand")
        assert (await rider.reaches("r1", "ended"))["reason"] == "lift_released"
        assert (await other.reaches("r3", "open"))["lift"] == "Lift A"
    assert {row[0]: row[-2] for row in await rides(world)}["SC0001"] == "lift_released"


async def test_free_an_elevator_whose_robot_was_lost_inside_by_a_release(world: World):
    id_ = await lift(world)
    await world.pool.execute("""update elevator set live = '{"occupant": "SC0002"}'::jsonb""")
    rider = await Rider(world, "SC0001").listen()
    async with serving(world):
        await rider.reaches("r1", "waiting")
        await world.call("user", "/elevator/release", elevatorId=id_, reason="Nobody in it")
        await rider.reaches("r1", "open")


@pytest.mark.parametrize("reason", ["", "   ", None])
@pytest.mark.parametrize(("path", "more"), [("setService", {"out": True}), ("release", {})])
async def test_a_persons_word_wants_a_reason(world: World, path: str, more: dict[str, Any], reason: str | None):
    id_ = await lift(world)
    code, data = await world.raw("user", f"/elevator/{path}", elevatorId=id_, reason=reason, **more)
    assert (code, data["field"]) == (Code.BAD_INPUT, "reason")


@pytest.mark.parametrize("account", ["rivaluser", "sub"])
async def test_another_tenants_lift_is_neither_seen_nor_touched(world: World, account: str):
    id_ = await lift(world)
    before = await world.pool.fetchval("select row_to_json(e)::text from elevator e")
    for path, more in (
        ("rides", {}),
        ("setService", {"out": True, "reason": "x"}),
        ("release", {"reason": "x"}),
    ):
        assert (await world.raw(account, f"/elevator/{path}", elevatorId=id_, **more))[0] == Code.NOT_FOUND, path
    assert await world.pool.fetchval("select row_to_json(e)::text from elevator e") == before


async def test_rides_stay_with_whoever_owned_the_lift_then(world: World):
    id_ = await lift(world)
    rider = await Rider(world, "SC0001").listen()
    async with serving(world):
        await rider.reaches("r1", "open")
    await world.pool.execute("update lift_ride set account_id = $1", world.accounts["rivaluser"])
    assert (await world.call("user", "/elevator/rides", elevatorId=id_))["total"] == 0


async def test_old_rides_go_with_the_reports_of_their_time(world: World):
    object.__setattr__(world.services.settings, "retention", "report=30")
    id_ = await lift(world)
    rider = await Rider(world, "SC0001").listen()
    async with serving(world):
        for ride in ("old", "new", "under way"):
            await rider.reaches(ride, "open")  # a new one ends the former
    await world.pool.execute("update lift_ride set ended_at = now() - interval '31 days' where ride = 'old'")
    await world.pool.execute("update lift_ride set created_at = now() - interval '31 days'")
    await retention.purge(world.services)
    assert {row["ride"] for row in await world.pool.fetch("select ride from lift_ride")} == {"new", "under way"}
    assert (await world.call("user", "/elevator/rides", elevatorId=id_))["total"] == 2
