"""The commands that a robot says it has: stored, shown in its row, carried by the grant; the others are refused."""

from typing import Any

from lustra.core.errors import Code
from lustra.protocol import bus
from tests.live.test_ingest_bus import ingesting, tell
from tests.live.test_put_off import refusals_of
from tests.world import World, until

SN = "SC0001"


def announce(event_id: str, content: Any) -> bus.Event:
    return bus.Event(at=9, id=event_id, kind="commands", name="", content=content)


async def test_a_robot_says_which_commands_it_has_and_what_it_can_do(world: World):
    device = {"deviceId": world.devices[SN]}
    assert (await world.call("user", "/device/selectDeviceByDeviceId", **device))["commands"] is None
    refusals = await refusals_of(world, SN)
    async with ingesting(world):
        await tell(world, bus.event(SN), announce("bad", {"commands": []}))
        content = {"commands": ["robot_safe", "go_home"], "abilities": ["polish"]}
        await tell(world, bus.event(SN), announce("good", content))

        async def stored() -> bool:
            row = await world.call("user", "/device/selectDeviceByDeviceId", **device)
            return row["commands"] == ["go_home", "robot_safe"] and "polish" in row["abilities"]

        await until(stored)
    assert refusals == [{"id": "bad", "field": "content.commands", "reason": "out_of_range"}]
    assert (await world.raw("rival", "/device/selectDeviceByDeviceId", **device))[0] == Code.NOT_FOUND
