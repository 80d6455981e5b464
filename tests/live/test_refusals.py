"""What was not stored is said to the robot, counted, and the newest of it shown to those who see the robot."""

import json
from typing import Any

from prometheus_client import REGISTRY

from lustra.core.errors import Code
from lustra.live.ingest import refusals
from lustra.protocol import bus
from lustra.protocol.bus import Refused
from tests.live.test_ingest_bus import ingesting, tell
from tests.live.test_put_off import refusals_of
from tests.world import World, state, until

WRONG = {"at": 1_772_366_400_000, "mode": "idle", "x": 0, "y": 0, "yaw": 0, "battery": 140}


def counted() -> float:
    labels = {"sn": "SC0001", "reason": "out_of_range"}
    return REGISTRY.get_sample_value("lustra_ingest_refused_total", labels) or 0.0


async def test_notify_a_robot_of_a_wrong_field_once_a_minute(world: World):
    messages, now = await refusals_of(world, "SC0001"), 0.0
    service = refusals.Refusals(world.services.bus, world.pool, clock=lambda: now)
    for now in (0.0, 1.0, 59.0, 61.0):
        await service.add("SC0001", "state", Refused(at=int(now) + 1, field="battery", reason="out_of_range"))
    await service.add("SC0001", "state", Refused(at=70, field="x", reason="missing"))

    async def three_came():
        return len(messages) == 3

    await until(three_came)
    assert [(each["at"], each["field"]) for each in messages] == [(1, "battery"), (62, "battery"), (70, "x")]


async def test_each_report_and_event_that_is_refused_is_answered(world: World):
    messages = await refusals_of(world, "SC0001")
    service = refusals.Refusals(world.services.bus, world.pool)
    for id_ in ("a", "b", "c"):
        await service.add("SC0001", "report", Refused(id=id_, field="ended", reason="out_of_range"))

    async def three_came():
        return [each["id"] for each in messages] == ["a", "b", "c"]

    await until(three_came)


async def test_show_the_newest_refusal_of_a_robot_to_no_foreign_tenant(world: World):
    robot, messages = world.devices["SC0001"], await refusals_of(world, "SC0001")
    before = counted()
    nothing = await world.call("user", "/device/selectRefusal", deviceId=robot)
    assert nothing == {"time": None, "kind": None, "reference": "", "field": "", "reason": None}
    async with ingesting(world):
        await world.services.bus.publish(bus.state("SC0001"), json.dumps(WRONG).encode())
        await tell(world, bus.state("SC0001"), state())

        async def shown() -> Any:
            return (await world.call("user", "/device/selectRefusal", deviceId=robot))["kind"] is not None

        await until(shown)
    row = await world.call("user", "/device/selectRefusal", deviceId=robot)
    assert (row["kind"], row["reference"], row["field"], row["reason"]) == (
        "state",
        str(WRONG["at"]),
        "battery",
        "out_of_range",
    )
    assert messages == [{"at": WRONG["at"], "field": "battery", "reason": "out_of_range"}]
    assert counted() == before + 1
    assert (await world.raw("rival", "/device/selectRefusal", deviceId=robot))[0] == Code.NOT_FOUND


async def test_hide_from_a_new_owner_what_the_robot_sent_before(world: World):
    robot = world.devices["SC0001"]
    service = refusals.Refusals(world.services.bus, world.pool)
    await service.add("SC0001", "event", Refused(id="e", field="content.flags[0].name", reason="wrong_type"))
    assert await world.pool.fetchval("select count(*) from robot_refusal") == 1
    await world.call("dealer", "/device/updateDeviceUserInfo", deviceId=robot, ownerUserId=world.accounts["sub"])
    assert await world.pool.fetchval("select count(*) from robot_refusal") == 0
