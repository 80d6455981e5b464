"""HTTP/1.1 to robots, over channels of their tunnels that are kept open and used again.

On a node of frp a robot that has no channel here is looked for at its real port, which the frp server beside the relay
has opened; who may be asked for is decided before (authorization.py), and is always the device's own registered port.

Rules: a connection has one call at a time, and nothing is sent twice; it is used again only where the request was sent
whole and one answer came back, else it is closed.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from http import HTTPStatus

import asyncssh
import httptools

from lustra.core.process.tasks import cancel_all
from lustra.relay.tunnel_server import HOST, TunnelServer, Unreachable

CONNECT_S = 2.0
ANSWER_S = 60.0  # after the last part of a body
KEEP_S = 15.0  # below what robots' servers keep: a channel is not used in the moment in which it is closed
CHANNELS = 16  # at once, of one robot
LONGEST_HEAD = 64 << 10  # bytes of an answer before its body
FRAMED = {b"content-length", b"transfer-encoding"}  # say where a body ends; without them the connection's end does


@dataclass(frozen=True, slots=True)
class Call:
    """`path` from the slash on; `kind`: the body's content type; `length`: of a body in parts, None where unknown."""

    method: str
    path: str
    kind: str
    control: int
    body: bytes | AsyncIterator[bytes]
    length: int | None = None

    def head(self) -> bytes:
        lines = [f"{self.method} {self.path} HTTP/1.1", f"host: {HOST}", "accept: */*", f"control: {self.control}"]
        length = len(self.body) if isinstance(self.body, bytes) else self.length
        if length is None:
            lines.append("transfer-encoding: chunked")
        elif length or self.method != "GET":
            lines.append(f"content-length: {length}")
        if length != 0:
            lines.append(f"content-type: {self.kind}")
        return "\r\n".join([*lines, "", ""]).encode("latin-1")


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: bytes


class AnswerTooLarge(Exception):
    """Its body is larger than was allowed."""


class Connection(asyncio.Protocol):
    """To one robot. The methods named `on_…` are called by the parser."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.parser = httptools.HttpResponseParser(self)
        self.transport: asyncio.Transport | asyncssh.SSHTCPChannel[bytes] | None = None
        self.usable = True  # for one more call
        self.expiry: asyncio.TimerHandle | None = None
        self.writable = asyncio.Event()
        self.writable.set()
        self.expect(0)
        self.answer.cancel()

    def expect(self, largest: int) -> asyncio.Future[Answer]:
        """The answer to what is sent next, with a body of so many bytes at most."""
        self.answer: asyncio.Future[Answer] = self.loop.create_future()
        self.largest, self.size, self.head_size, self.framed = largest, 0, 0, False
        self.in_head = True
        self.parts: list[bytes] = []
        return self.answer

    def send(self, data: bytes) -> None:
        if self.transport is None or not self.usable:
            raise ConnectionResetError("the connection is closed")
        self.transport.write(data)

    async def send_parts(self, parts: AsyncIterator[bytes], *, chunked: bool) -> None:
        async for part in parts:
            if part:
                self.send(b"%x\r\n%b\r\n" % (len(part), part) if chunked else part)
            await self.writable.wait()
        if chunked:
            self.send(b"0\r\n\r\n")

    def close(self) -> None:
        self.usable = False
        if self.transport is not None:
            self.transport.abort()

    def fail(self, why: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(why)
        self.close()

    def finish(self) -> None:
        self.answer.set_result(Answer(self.parser.get_status_code(), b"".join(self.parts)))
        self.parts = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # pyright: ignore[reportAttributeAccessIssue]  of create_connection it is a Transport

    def eof_received(self) -> None:
        if not (self.in_head or self.framed or self.answer.done()):
            self.finish()
        self.fail(ConnectionResetError("the robot closed the connection"))

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
        self.fail(exc if isinstance(exc, ConnectionError) else ConnectionResetError("the connection is lost"))
        self.writable.set()

    def data_received(self, data: bytes) -> None:
        if self.in_head:
            self.head_size += len(data)
        try:
            self.parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self.fail(ConnectionAbortedError("what the robot sent is no answer of HTTP"))
        if self.in_head and self.head_size > LONGEST_HEAD:
            self.fail(ConnectionAbortedError("the head of the robot's answer has no end"))

    def pause_writing(self) -> None:
        self.writable.clear()

    def resume_writing(self) -> None:
        self.writable.set()

    def on_message_begin(self) -> None:
        if self.answer.done():  # more than was asked for
            self.close()

    def on_header(self, name: bytes, value: bytes) -> None:  # noqa: ARG002  httptools' signature
        self.framed = self.framed or name.lower() in FRAMED

    def on_headers_complete(self) -> None:
        self.in_head = False

    def on_body(self, body: bytes) -> None:
        self.size += len(body)
        if self.size > self.largest:
            self.fail(AnswerTooLarge())
        elif not self.answer.done():
            self.parts.append(body)

    def on_message_complete(self) -> None:
        if self.parser.get_status_code() < HTTPStatus.OK:  # "continue" and the like: the answer is still to come
            self.in_head, self.framed = True, False
        elif not self.answer.done():
            self.usable = self.usable and self.parser.should_keep_alive()
            self.finish()


class Channel(asyncssh.SSHTCPSession[bytes]):
    """A tunnel's channel as the transport of a connection."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def connection_made(self, chan: "asyncssh.SSHTCPChannel[bytes]") -> None:
        self.connection.transport = chan

    def connection_lost(self, exc: Exception | None) -> None:
        self.connection.connection_lost(exc)

    def data_received(self, data: bytes, datatype: int | None) -> None:  # noqa: ARG002  asyncssh's signature
        self.connection.data_received(data)

    def eof_received(self) -> bool:
        self.connection.eof_received()
        return False

    def pause_writing(self) -> None:
        self.connection.pause_writing()

    def resume_writing(self) -> None:
        self.connection.resume_writing()


class Pool:
    """The connections to one robot. `idle`: the one used last comes last, and is used next."""

    def __init__(self) -> None:
        self.places = asyncio.Semaphore(CHANNELS)
        self.idle: list[Connection] = []

    def take(self) -> Connection | None:
        while self.idle:
            connection = self.idle.pop()
            if connection.expiry is not None:
                connection.expiry.cancel()
            if connection.usable:
                return connection
        return None

    def give_back(self, connection: Connection) -> None:
        self.idle.append(connection)
        connection.expiry = connection.loop.call_later(KEEP_S, self.expire, connection)

    def expire(self, connection: Connection) -> None:
        self.idle.remove(connection)
        connection.close()


class RobotHttp:
    """`frp`: the host of the ports that an frp server opens, empty without one."""

    def __init__(self, server: TunnelServer, frp: str = "") -> None:
        self.server, self.frp = server, frp
        self.pools: dict[int, Pool] = {}

    async def send(self, port: int, call: Call, largest: int) -> Answer:
        """The answer of the robot whose tunnel has this port, with a body of `largest` bytes at most.

        Raises Unreachable where nothing was sent, ConnectionError where the connection broke or what came is no HTTP,
        TimeoutError, AnswerTooLarge, and what the body raises while it is read.
        """
        pool = self.pools.get(port) or self.pools.setdefault(port, Pool())
        async with pool.places:
            connection = pool.take() or await self.connect(port)
            answer = connection.expect(largest)
            try:
                if isinstance(call.body, bytes):
                    connection.send(call.head() + call.body)
                else:
                    await self.send_parts(connection, call, call.body)
                given = await answer
            except BaseException:
                answer.cancel()
                connection.close()
                raise
            if connection.usable:
                pool.give_back(connection)
            else:
                connection.close()
            return given

    async def send_parts(self, connection: Connection, call: Call, body: AsyncIterator[bytes]) -> None:
        """Comes back when there is an answer. A robot that answers before all is sent reads no further: the rest is not
        sent, and the connection is not used again."""
        connection.send(call.head())
        sending = asyncio.create_task(connection.send_parts(body, chunked=call.length is None))
        try:
            await asyncio.wait({sending, connection.answer}, return_when=asyncio.FIRST_COMPLETED)
            if not sending.done() or sending.exception() is not None:
                connection.usable = False
            if sending.done() and not connection.answer.done():
                sending.result()
                async with asyncio.timeout(ANSWER_S):
                    await connection.answer
        finally:
            await cancel_all(sending)

    async def connect(self, port: int) -> Connection:
        connection = Connection()
        async with asyncio.timeout(CONNECT_S):
            if self.frp and port not in self.server.tunnels and self.server.known.is_of_this_node(port):
                await self.connect_frp(port, connection)
            else:
                await self.server.open_channel(port, lambda: Channel(connection))
        return connection

    async def connect_frp(self, port: int, connection: Connection) -> None:
        try:
            await asyncio.get_running_loop().create_connection(lambda: connection, self.frp, port)
        except OSError as why:
            raise Unreachable("nobody answers at the robot's frp port") from why

    def close(self) -> None:
        for pool in self.pools.values():
            while connection := pool.take():
                connection.close()
