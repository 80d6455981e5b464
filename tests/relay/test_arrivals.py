"""Silent connections at the SSH door keep no robot out, and a robot takes few of its own."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lustra.relay.arrivals import OF_ADDRESS, OF_ROBOT, Arrivals
from lustra.relay.process import networks
from tests.relay.conftest import HOST, MakeRobot, World


class Link:
    cut = False

    def __init__(self, version: str = "") -> None:
        self.version = version

    def abort(self) -> None:
        self.cut = True

    def get_extra_info(self, name: str, default: object = None) -> object:
        return self.version if name == "client_version" else default


@contextlib.asynccontextmanager
async def silent_connections(port: int, count: int) -> AsyncIterator[list[asyncio.StreamReader]]:
    opened = [await asyncio.open_connection(HOST, port) for _ in range(count)]
    try:
        yield [read for read, _ in opened]
    finally:
        for _, write in opened:
            write.close()


async def test_two_hundred_silent_connections_keep_no_robot_out(world: World, robots: MakeRobot):
    robot = await robots()
    door = world.running.tunnel_server
    async with silent_connections(door.port, 200) as silent:
        await world.until(lambda: len(door.arrivals.waiting) == OF_ADDRESS)
        async with world.tunnel(robot):
            assert (await world.call(robot, "api1/task_state"))["code"] == 0
        assert len(door.arrivals.waiting) <= OF_ADDRESS
        first = silent[: 200 - OF_ADDRESS]
        ends = await asyncio.gather(*(read.read() for read in first), return_exceptions=True)
        assert len(ends) == len(first)  # each was ended
    await world.until(lambda: not door.arrivals.waiting)


async def test_a_robot_has_few_connections_and_its_tunnel_stays(world: World, robots: MakeRobot):
    robot = await robots()
    async with world.tunnel(robot) as tunnel, contextlib.AsyncExitStack() as stack:
        links = [await stack.enter_async_context(await world.client(robot)) for _ in range(5)]
        for link in links[: 5 - OF_ROBOT + 1]:
            await asyncio.wait_for(link.wait_closed(), 10)
        assert len(world.running.tunnel_server.arrivals.robots[robot.sn]) == OF_ROBOT
        assert (await world.call(robot, "api1/task_state"))["code"] == 0
        assert tunnel is not None
    await world.until(lambda: robot.sn not in world.running.tunnel_server.arrivals.robots)


ADDRESSES = st.sampled_from(["10.0.0.1", "10.0.0.2", "2001:db8::1", "2001:db8::2", "192.0.2.9"])


@given(st.lists(st.tuples(ADDRESSES, st.sampled_from(["", "OpenSSH"])), max_size=60))
def test_bound_connections_by_address_and_drop_silent_ones_first(comers: Any):
    arrivals = Arrivals(networks("192.0.2.0/24"), of_address=3, together=7, clock=lambda: 0.0)
    links: list[tuple[str, Link]] = []
    for address, version in comers:
        silent = [link for at, link in links if at == address and not link.version and not link.cut]
        room = len(arrivals.waiting) < 7
        links.append((address, Link(version)))
        arrivals.enter(links[-1][1], address)
        assert not (room and silent and links[-1][1].cut)
        assert len(arrivals.waiting) <= 7
        for own in (("10.0.0.1",), ("10.0.0.2",), ("2001:db8::1", "2001:db8::2")):
            assert sum(link in arrivals.waiting for at, link in links if at in own) <= 3
    for _, link in links:
        assert link.cut == (link not in arrivals.waiting)


def test_of_many_that_log_in_at_once_the_first_ones_stay_until_they_take_too_long():
    now = 0.0
    arrivals = Arrivals(of_address=3, clock=lambda: now)
    links = [Link("OpenSSH") for _ in range(5)]
    for link in links:
        arrivals.enter(link, "10.0.0.1")
    assert [link.cut for link in links] == [False, False, False, True, True]
    now = 3.0
    arrivals.enter(late := Link("OpenSSH"), "10.0.0.1")
    assert (links[0].cut, late.cut) == (True, False)
