"""What one peer may take of a server by HTTP, tried over real sockets."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import pytest
import structlog
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from websockets.asyncio.client import connect

from lustra.app.processes import server
from lustra.core.http import http_limits
from lustra.core.http.http_limits import LONGEST_HEAD, Limits, networks
from lustra.core.settings import Settings

HOST = "127.0.0.1"
GET = b"GET / HTTP/1.1\r\nhost: x\r\n"
POST = b"POST /size HTTP/1.1\r\nhost: x\r\n"
BITS = 1 << 16


async def size(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(sum([len(part) async for part in request.stream()])))


async def endless(_: Request) -> StreamingResponse:
    async def parts() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * BITS
            await asyncio.sleep(0)

    return StreamingResponse(parts())


async def echo(socket: WebSocket) -> None:
    await socket.accept()
    with contextlib.suppress(Exception):
        while True:
            await socket.send_text(await socket.receive_text())


@dataclass
class Listener:
    port: int
    limits: Limits
    opened: list[asyncio.StreamWriter]

    async def open(self, first: bytes = b"", source: str = HOST) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        read, write = await asyncio.open_connection(HOST, self.port, local_addr=(source, 0))
        self.opened.append(write)
        write.write(first)
        return read, write

    async def ask(self, request: bytes, source: str = HOST) -> bytes:
        """The first line of the answer; empty: the line was cut."""
        read, write = await self.open(request, source)
        try:
            return (await answer(read)).split(b"\r\n")[0]
        finally:
            write.close()


async def answer(read: asyncio.StreamReader) -> bytes:
    try:
        return await asyncio.wait_for(read.readline(), 30)
    except ConnectionError:
        return b""


async def over(read: asyncio.StreamReader) -> bytes:
    """What came until the other side closed."""
    try:
        return await asyncio.wait_for(read.read(), 30)
    except ConnectionError:
        return b""


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(30):
        while not true():  # noqa: ASYNC110  any condition
            await asyncio.sleep(0.01)


@pytest.fixture
async def listening(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Callable]:
    """`await listening(connections=…)`: a listener as the server's and the relay's."""
    started: list[tuple[uvicorn.Server, asyncio.Task]] = []
    opened: list[asyncio.StreamWriter] = []
    monkeypatch.setattr(http_limits, "SWEEP_S", 0.02)

    async def listen(**settings: Any) -> Listener:
        routes = [
            Route("/", lambda _: PlainTextResponse("ok")),
            Route("/size", size, methods=["POST"]),
            Route("/endless", endless),
            WebSocketRoute("/echo", echo),
        ]
        config = server.server_config(Starlette(routes=routes), Settings(http_host=HOST, http_port=0, **settings))
        serving = uvicorn.Server(config)
        started.append((serving, asyncio.create_task(serving.serve())))
        await until(lambda: serving.started)
        protocol: Any = config.http  # a partial of ours over the listener's limits
        return Listener(serving.servers[0].sockets[0].getsockname()[1], protocol.args[0], opened)

    yield listen
    for write in opened:
        write.transport.abort()
    for serving, task in started:
        serving.should_exit = True
        await task


@pytest.mark.parametrize("head", [b"x-long: ", b"x: 1\r\n", b""], ids=["one header", "many", "url"])
async def test_a_head_without_an_end_is_refused_after_32_kibibytes(listening: Callable, head: bytes):
    listener = await listening()
    read, write = await listener.open(GET if head else b"GET /")
    sent = 0
    with contextlib.suppress(ConnectionError):
        while sent < 1 << 20 and not read.at_eof():
            write.write(head * 500 if head.endswith(b"\n") else head + b"y" * 4000)
            head = head if head.endswith(b"\n") else b""
            sent += 4000
            await write.drain()
            await asyncio.sleep(0)
    assert sent < 1 << 20
    await until(lambda: not listener.limits.open)


@pytest.mark.parametrize(("length", "status"), [(LONGEST_HEAD - 200, b"200"), (LONGEST_HEAD, b"431"), (60_000, b"431")])
async def test_a_whole_head_may_have_32_kibibytes(listening: Callable, length: Any, status: bytes):
    listener = await listening()
    line = await listener.ask(GET + b"x-long: " + b"y" * length + b"\r\n\r\n")
    assert line.split()[1] == status


async def test_frames_of_a_body_have_an_end_too(listening: Callable):
    listener = await listening()
    chunked = POST + b"transfer-encoding: chunked\r\n\r\n"
    assert (await listener.ask(chunked + b"1\r\nx\r\n" * 20_000 + b"0\r\n\r\n")).split()[1] == b"200"
    for endless in (b"1;" + b"e" * 100_000, b"1\r\nx\r\n0\r\n" + b"trailer: t\r\n" * 9000):
        assert (await listener.ask(chunked + endless)).split()[1:2] in ([b"431"], [b"400"], [])
        await until(lambda: not listener.limits.open)


async def test_a_head_that_comes_slowly_and_a_silent_connection_are_closed(
    listening: Callable, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(http_limits, "HEAD_S", 0.5)
    monkeypatch.setattr(http_limits, "IDLE_S", 0.5)
    listener = await listening()
    slow, slow_write = await listener.open(GET)
    silent, _ = await listener.open()
    spaces, _ = await listener.open(b"\r\n")
    again, _ = await listener.open(GET + b"\r\n")
    assert b"200" in await answer(again)
    with contextlib.suppress(ConnectionError):
        while not slow.at_eof():
            slow_write.write(b"a: b\r\n")
            await slow_write.drain()
            await asyncio.sleep(0.01)
    assert (await over(slow))[:12] in (b"", b"HTTP/1.1 408")  # what it still sent may have cut the line
    assert await over(silent) == b""
    await over(spaces)
    await over(again)
    await until(lambda: not listener.limits.open)


async def test_a_body_may_take_long_while_it_goes_on_and_not_when_it_stalls(
    listening: Callable, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(http_limits, "STALL_S", 1.0)
    monkeypatch.setattr(http_limits, "LEAST_BYTES", 1000)
    listener = await listening()
    head = POST + b"content-length: 1000000\r\n\r\n"
    stalled, _ = await listener.open(head + b"x" * 500)
    trickle, trickle_write = await listener.open(head)
    moving, moving_write = await listener.open(head)
    began, sent = time.monotonic(), 0
    while sent < 1_000_000:
        part = 1_000_000 if time.monotonic() - began > 2.5 else 10_000
        moving_write.write(b"x" * min(part, 1_000_000 - sent))
        sent += min(part, 1_000_000 - sent)
        if not trickle.at_eof():
            trickle_write.write(b"x")
        await asyncio.sleep(0.05)
    assert b" 200 " in await answer(moving)
    assert b" 408 " in await over(stalled)
    assert (await over(trickle))[:12] in (b"", b"HTTP/1.1 408")


async def test_an_answer_that_nobody_reads_ends(listening: Callable, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(http_limits, "STALL_S", 0.3)
    listener = await listening()
    read, _ = await listener.open(b"GET /endless HTTP/1.1\r\nhost: x\r\n\r\n")
    await until(lambda: listener.limits.open)
    await until(lambda: not listener.limits.open)
    assert read


async def test_silent_connections_of_one_address_shut_nobody_out_not_even_there(listening: Callable):
    listener = await listening(connections=400, connections_of_address=150)
    for _ in range(1100):
        await listener.open()
    assert len(listener.limits.open) <= 150
    assert (await listener.ask(GET + b"\r\n")).split()[1] == b"200"
    assert (await listener.ask(GET + b"\r\n", "127.0.0.2")).split()[1] == b"200"


async def test_silent_connections_of_many_addresses_shut_nobody_out(listening: Callable):
    listener = await listening(connections=300)
    for number in range(600):
        await listener.open(source=f"127.0.1.{1 + number % 20}")
    await until(lambda: len(listener.limits.open) <= 300)
    assert (await listener.ask(GET + b"\r\n", "127.0.0.2")).split()[1] == b"200"


async def test_refuse_a_connection_while_all_of_its_address_are_busy(listening: Callable):
    listener = await listening(connections=300, connections_of_address=3)
    busy = [await listener.open(b"GET /endless HTTP/1.1\r\nhost: x\r\n\r\n") for _ in range(3)]
    for read, _ in busy:
        assert b" 200 " in await answer(read)
    assert (await listener.ask(GET + b"\r\n")).split()[1] == b"503"
    assert (await listener.ask(GET + b"\r\n", "127.0.0.2")).split()[1] == b"200"
    for _, write in busy:
        write.transport.abort()
    await until(lambda: not listener.limits.open)
    assert (await listener.ask(GET + b"\r\n")).split()[1] == b"200"


async def test_a_socket_counts_until_it_ends(listening: Callable):
    listener = await listening()
    async with connect(f"ws://{HOST}:{listener.port}/echo") as socket:
        await socket.send("hello")
        assert await socket.recv() == "hello"
        assert list(listener.limits.by_address.values()) == [1]
    await until(lambda: not listener.limits.open and not listener.limits.by_address)


async def test_trust_a_named_proxy_and_log_an_unnamed_one_once(listening: Callable):
    trusting = await listening(connections_of_address=2, trusted_proxies="127.0.0.0/8")
    forwarded = GET + b"x-forwarded-for: 192.0.2.1\r\n\r\n"
    busy = [await trusting.open(b"GET /endless HTTP/1.1\r\nhost: x\r\n\r\n") for _ in range(5)]
    await until(lambda: len(trusting.limits.open) == 5)
    with structlog.testing.capture_logs() as logs:
        assert (await trusting.ask(forwarded)).split()[1] == b"200"
    assert logs == []
    for _, write in busy:
        write.transport.abort()
    plain = await listening()
    with structlog.testing.capture_logs() as logs:
        for _ in range(3):
            assert (await plain.ask(forwarded)).split()[1] == b"200"
    assert [(row["event"], row["peer"]) for row in logs] == [("proxy.untrusted", HOST)]


def test_proxies_are_addresses_and_networks():
    limits = Limits(1, 1, networks("10.0.0.1, 192.168.0.0/16,proxy.internal"))
    trusted = {peer: limits.trusts(peer) for peer in ("10.0.0.1", "10.0.0.2", "192.168.9.9", "proxy.internal", "")}
    assert trusted == {"10.0.0.1": True, "10.0.0.2": False, "192.168.9.9": True, "proxy.internal": False, "": False}
    assert Limits(1, 1, networks("*")).trusts("2001:db8::1")
