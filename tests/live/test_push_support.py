"""Lidar, path and cells go to support only while the customer's support access is open; a closing bites at once."""

import asyncio
import json
import time
from typing import Any

from lustra.protocol import bus
from tests.live.tabs import serving, tab
from tests.world import World, until


async def scan(world: World) -> None:
    lidar = bus.Lidar(at=7, x=1, y=2, yaw=0, first=0, step=0.1, ranges=[1.5])
    await world.services.bus.publish(bus.live("SC0001", "lidar"), bus.encode(lidar))


async def test_closing_ends_an_open_picture_within_a_second_and_opening_brings_it_back(world: World):
    device = world.devices["SC0001"]
    await world.call("user", "/support/open", hours=1)
    async with serving(world) as url, tab(world, url, "dealer") as view, tab(world, url) as owner:
        await view.show(robots=[device], detail=device)
        await owner.show(robots=[device], detail=device)
        assert (await view.next("support"))["data"]
        await scan(world)
        await view.next("lidar")
        await owner.next("lidar")
        began = time.monotonic()
        await world.call("user", "/support/close")
        while (await view.next("support"))["data"]:
            pass
        assert time.monotonic() - began < 1
        await scan(world)
        await owner.next("lidar")  # it went to whom it may
        await world.call("user", "/support/open", hours=1)
        kinds = []
        while "support" not in kinds:
            kinds.append(json.loads(await asyncio.wait_for(view.link.recv(), 20))["kind"])
        assert "lidar" not in kinds
        await scan(world)
        await view.next("lidar")

        async def recorded():
            return [row["what"] for row in (await world.call("user", "/support/looks"))["list"]]

        assert "live" in await until(recorded)


async def test_hours_that_end_while_somebody_looks_end_the_picture(world: World):
    device = world.devices["SC0001"]
    await world.call("user", "/support/close")
    await world.services.bus.put("support", str(world.accounts["user"]), {"until": int(time.time() * 1000) + 1500})
    async with serving(world) as url, tab(world, url, "dealer") as view:
        await view.show(robots=[device], detail=device)
        while (await view.next("support"))["data"]:
            pass


async def test_a_robot_is_not_asked_to_show_itself_to_support_that_is_kept_out(world: World):
    watches: list[dict] = []

    async def robot(message: Any):
        watches.append(json.loads(message.data))

    await world.services.bus.subscribe(bus.cmd("SC0001", "watch"), robot)
    device = world.devices["SC0001"]
    await world.call("user", "/support/close")
    async with serving(world) as url, tab(world, url, "dealer") as view:
        await view.show(robots=[device], detail=device)
        assert not (await view.next("support"))["data"]
        assert not watches
        await world.call("user", "/support/open", hours=1)

        async def watched():
            return watches

        await until(watched)
