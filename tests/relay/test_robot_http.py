"""HTTP to robots as it may come from anybody's server: whole answers in every form, and none that is another call's."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from itertools import pairwise
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import ClientDisconnect

from lustra.relay import robot_http
from lustra.relay.robot_http import Call, Connection, RobotHttp
from tests.relay.conftest import HOST, MakeRobot, Robot, World

BODY = b'{"code": 0}'
PLAIN = b"HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n" + BODY
CLOSING = b"HTTP/1.1 200 OK\r\ncontent-length: 11\r\nconnection: close\r\n\r\n" + BODY
UNTIL_THE_END = b"HTTP/1.0 200 OK\r\n\r\n" + BODY
WHOLE = {
    "plain": PLAIN,
    "in chunks": b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n"
    + BODY[:4]
    + b"\r\n7;x=y\r\n"
    + BODY[4:]
    + b"\r\n0\r\na: b\r\n\r\n",
    "after a word of patience": b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n" + PLAIN,
    "the last": CLOSING,
    "until the end": UNTIL_THE_END,
}
BROKEN = {
    "another protocol": b"SSH-2.0-OpenSSH_9.2\r\n",
    "half of a head": b"HTTP/1.1 200 OK\r\ncontent-le",
    "half of a body": PLAIN[:-1],
    "half of a chunk": b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nb\r\n" + BODY[:5],
    "two lengths": b"HTTP/1.1 200 OK\r\ncontent-length: 11\r\ncontent-length: 5\r\n\r\n" + BODY,
    "another protocol from here": b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
    "a head without end": b"HTTP/1.1 200 OK\r\n" + b"x: yyyyyyyyyyyyyyyyyyyyy\r\n" * 10_000,
    "a header without end": b"HTTP/1.1 200 OK\r\nx: " + b"y" * 200_000,
    "nothing": b"",
}


@dataclass
class Server:
    """Answers each request with these very bytes."""

    robot: Robot
    answer: bytes = PLAIN
    closes: bool = False  # after each answer
    connections: int = 0
    writers: list[asyncio.StreamWriter] = field(default_factory=list[asyncio.StreamWriter])

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.writers.append(writer)
        with contextlib.closing(writer), contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                await reader.readuntil(b"\r\n\r\n")
                await reader.readexactly(2)  # the body "{}"
                writer.write(self.answer)
                await writer.drain()
                if self.closes:
                    return


@pytest.fixture
async def server(world: World, robots: MakeRobot) -> AsyncIterator[Server]:
    server = Server(await robots())
    async with await asyncio.start_server(server.serve, HOST, 0) as listening:
        server.robot.local = listening.sockets[0].getsockname()[1]
        async with world.tunnel(server.robot):
            yield server


@pytest.mark.parametrize("name", WHOLE)
async def test_pass_on_an_answer_in_each_form_that_http_has(world: World, server: Server, name: str):
    server.answer, server.closes = WHOLE[name], name in ("the last", "until the end")
    for _ in range(2):
        assert await world.call(server.robot, "api1/task_list") == {"code": 0}
    assert server.connections == (2 if server.closes else 1)


@pytest.mark.parametrize("name", BROKEN)
async def test_refuse_an_answer_that_breaks_off_or_is_no_http(world: World, server: Server, name: str):
    server.answer, server.closes = BROKEN[name], True
    answer = await world.call(server.robot, "api1/task_list")
    assert (answer["code"], answer["reason"]) == (502, "robot_unreachable")
    server.answer, server.closes = PLAIN, False
    assert await world.call(server.robot, "api1/task_list") == {"code": 0}


async def test_a_connection_that_the_robot_has_closed_is_not_used_again(world: World, server: Server):
    assert (await world.call(server.robot, "api1/task_list"))["code"] == 0
    (pool,) = world.running.relay.robots.pools.values()
    server.writers[0].close()
    await world.until(lambda: not any(connection.usable for connection in pool.idle))
    assert (await world.call(server.robot, "api1/task_list"))["code"] == 0
    assert server.connections == 2


async def test_bytes_that_a_robot_sends_unasked_are_nobodys_answer(world: World, server: Server):
    assert (await world.call(server.robot, "api1/task_list"))["code"] == 0
    (pool,) = world.running.relay.robots.pools.values()
    server.writers[0].write(PLAIN.replace(b"0}", b"9}"))
    await world.until(lambda: not any(connection.usable for connection in pool.idle))
    assert (await world.call(server.robot, "api1/task_list"))["code"] == 0


async def test_close_a_connection_that_no_call_uses(world: World, server: Server, monkeypatch: pytest.MonkeyPatch):
    assert robot_http.KEEP_S == 15
    monkeypatch.setattr(robot_http, "KEEP_S", 0.05)
    assert (await world.call(server.robot, "api1/task_list"))["code"] == 0
    (pool,) = world.running.relay.robots.pools.values()
    await world.until(lambda: not pool.idle)
    await world.until(server.writers[0].is_closing)


class Answering(RobotHttp):
    """Its robot says nothing by itself; what was sent is in no tunnel."""

    async def connect(self, port: int) -> Connection:  # noqa: ARG002  RobotHttp's signature
        self.connection = Connection()
        self.connection.transport = Mock()
        return self.connection


async def test_a_connection_is_not_used_again_where_its_request_broke_off():
    robots = Answering(Mock())

    async def parts() -> AsyncIterator[bytes]:
        yield b"half"
        robots.connection.data_received(PLAIN)
        raise ClientDisconnect

    call = Call("POST", "/api2/map/Upload", "multipart/form-data", 0, parts(), length=100)
    assert (await robots.send(20000, call, 100)).body == BODY
    assert robots.pools[20000].idle == []


def cuts(data: bytes) -> st.SearchStrategy[list[bytes]]:
    def cut(places: set[int]) -> list[bytes]:
        ends = sorted({0, len(data), *places})
        return [data[start:end] for start, end in pairwise(ends)]

    return st.sets(st.integers(1, len(data) - 1)).map(cut)


def received(parts: list[bytes]) -> bytes:
    async def receive() -> bytes:
        connection = Connection()
        answer = connection.expect(100)
        for part in parts:
            connection.data_received(part)
        connection.eof_received()
        return (await answer).body

    return asyncio.run(receive())


@given(st.sampled_from(sorted(WHOLE)).flatmap(lambda name: cuts(WHOLE[name])))
def test_an_answer_is_the_same_wherever_it_is_cut(parts: list[bytes]):
    assert received(parts) == BODY
