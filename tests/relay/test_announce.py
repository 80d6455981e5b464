"""A relay says on the bus that it is there, since when, with how many tunnels; and that it goes."""

import time

from lustra.core.http.addresses import relay_key
from tests.relay.conftest import MakeRobot, World

URL = "http://relay.test"  # conftest


async def test_a_relay_tells_of_itself_and_of_its_tunnels(world: World, robots: MakeRobot):
    robot = await robots()
    began = time.time() * 1000

    async def entry() -> dict:
        await world.running.announcer.announce(up=True)
        return await world.bus.get("relays", relay_key(URL))

    first = await entry()
    assert (first["url"], first["up"], first["tunnels"]) == (URL, True, 0)
    assert first["since"] <= began <= first["at"] + 1
    async with world.tunnel(robot):
        assert (await entry())["tunnels"] == 1
    await world.until(lambda: not world.running.tunnel_server.tunnels)
    assert (await entry())["tunnels"] == 0


async def test_a_relay_that_ends_says_so(world: World):
    await world.running.announcer.announce(up=False)
    assert (await world.bus.get("relays", relay_key(URL)))["up"] is False
