"""A robot's log as it writes it: for whom, for how long, and how much of it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

from lustra.live.push.outbox import MOST_LINES, Outbox
from lustra.protocol import bus
from lustra.protocol.files import LogLines
from tests.live.tabs import Tab, serving, tab
from tests.world import CLOCK, World, forget_logins, until


@pytest.fixture(autouse=True)
async def grant_key(world: World) -> None:
    await world.pool.execute("update role set keys = keys || '{device/log}'::text[]")


@dataclass
class Writer:
    """A robot that answers `cmd.followlog`, or refuses it."""

    world: World
    sn: str = "SC0001"
    code: int = 0
    commands: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    async def answer(self, message: Any) -> None:
        self.commands.append(json.loads(message.data))
        if message.reply:
            log = LogLines(at=next(CLOCK), kind=self.commands[-1]["kind"], stream="s", first=-1, lines=["a"])
            answer = {"code": self.code, "msg": "", "log": msgspec.to_builtins(log)}
            await message.respond(json.dumps(answer).encode())

    async def say(self, first: int, *lines: str, kind: Any = "device") -> None:
        message = LogLines(at=next(CLOCK), kind=kind, stream="s", first=first, lines=list(lines))
        await self.world.services.bus.publish(bus.live(self.sn, "log"), bus.encode(message))


@asynccontextmanager
async def writing(world: World, **more: Any) -> AsyncIterator[Writer]:
    writer = Writer(world, **more)
    subscription = await world.services.bus.subscribe(bus.cmd(writer.sn, "followlog"), writer.answer)
    yield writer
    await subscription.unsubscribe()


async def follow(view: Tab, device: int, kind: str = "device") -> dict[str, Any]:
    """The first that is said of it."""
    await view.show(log={"id": device, "kind": kind})
    return (await view.next("log"))["data"]


async def recorded(world: World) -> list[tuple[str, int, str]]:
    rows = await world.pool.fetch("select name, device_id, detail ->> 'kind' kind from audit where action = $1", FOLLOW)
    return [(row["name"], row["device_id"], row["kind"]) for row in rows]


FOLLOW = "device_log.follow"


async def test_begin_a_log_with_earlier_lines_then_new_ones_and_record_it(world: World):
    device = world.devices["SC0001"]
    async with writing(world) as robot, serving(world) as url, tab(world, url) as view:
        begin = await follow(view, device)
        assert begin == {"log": "device", "state": "following", "stream": "s", "first": -1, "lines": ["a"]}
        await view.show(log={"id": device, "kind": "device"}, counts=True)  # something else on the page changed
        await robot.say(0, "b", "c")
        await robot.say(0, "drive", kind="navlog")
        await robot.say(2, "d")
        seen = [(await view.next("log"))["data"] for _ in range(2)]
        assert [(part["first"], part["lines"]) for part in seen] == [(0, ["b", "c"]), (2, ["d"])]
        assert await recorded(world) == [("user", device, "device")]

        async def renewed() -> bool:
            """While somebody looks, without lines of before."""
            return any(not command.get("last") for command in robot.commands)

        await until(renewed)


async def test_a_tab_that_shows_the_log_no_more_gets_no_line(world: World):
    async with writing(world) as robot, serving(world) as url, tab(world, url) as view:
        await follow(view, world.devices["SC0001"])
        await view.show()
        await robot.say(0, "b")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(view.next("log"), 0.3)


@pytest.mark.parametrize(("account", "keys"), [("rivaluser", "device/log"), ("user", "")])
async def test_without_the_key_or_outside_of_the_scope_no_line_comes(world: World, account: str, keys: str):
    await world.pool.execute("update role set keys = array_remove(keys, 'device/log') where $1 = ''", keys)
    async with writing(world) as robot, serving(world) as url, tab(world, url, account) as view:
        await view.show(log={"id": world.devices["SC0001"], "kind": "device"}, counts=True)
        await robot.say(0, "b")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(view.next("log"), 0.3)
        assert not robot.commands
        assert not await recorded(world)


async def test_end_a_log_at_the_loss_of_the_right_and_say_so(world: World):
    async with writing(world) as robot, serving(world) as url, tab(world, url) as view:
        await follow(view, world.devices["SC0001"])
        await world.pool.execute("update role set keys = array_remove(keys, 'device/log')")
        forget_logins(world.services)
        while (await view.next("log"))["data"]["state"] != "ended":
            pass
        await robot.say(0, "b")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(view.next("log"), 0.3)


async def test_support_reads_it_while_its_customer_lets_it_and_the_customer_sees_it(world: World):
    device = world.devices["SC0001"]
    await world.call("user", "/support/close")
    async with writing(world) as robot, serving(world) as url, tab(world, url, "dealer") as view:
        assert (await follow(view, device))["state"] == "closed"
        assert not robot.commands
        await world.call("user", "/support/open", hours=1)
        assert (await view.next("log"))["data"]["lines"] == ["a"]
        await world.call("user", "/support/close")
        assert (await view.next("log"))["data"]["state"] == "closed"
        await robot.say(0, "secret")
        await world.call("user", "/support/open", hours=1)
        assert (await view.next("log"))["data"]["lines"] == ["a"]
    async with serving(world) as url, writing(world), tab(world, url, "dealer") as view:
        await follow(view, device)

        async def looks():
            return [row for row in (await world.call("user", "/support/looks"))["list"] if row["what"] == "live_log"]

        assert (await until(looks))[0]["deviceId"] == device


async def test_say_that_a_robot_is_silent_and_follow_its_log_when_it_is_back(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("lustra.live.push.log_tail.ANSWERS_IN_S", 0.3)
    device = world.devices["SC0001"]
    async with serving(world) as url, tab(world, url) as view:
        assert (await follow(view, device))["state"] == "silent"
        async with writing(world):
            assert (await view.next("log"))["data"]["lines"] == ["a"]
        async with writing(world, code=404):
            assert (await follow(view, device, "pad"))["state"] == "refused"


def test_of_too_many_lines_that_wait_for_a_slow_socket_the_oldest_are_left_out():
    outbox = Outbox()
    for first in range(0, 3 * MOST_LINES, 100):
        outbox.log(1, {"first": first}, 100)
    _, frames = outbox.take(1.0)
    assert [frame["first"] for _, _, frame in frames] == list(range(2 * MOST_LINES, 3 * MOST_LINES, 100))
