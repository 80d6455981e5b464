"""HTTP to robots through their tunnels: aiohttp's client over channels of the SSH door, kept alive and used again."""

import asyncio

import aiohttp
import asyncssh
from aiohttp.client_proto import ResponseHandler

from lustra.relay.door import Door

CONNECT_S = 2.0
KEEP_S = 15.0  # below what robots' servers keep: a channel is not used in the moment in which it is closed
CHANNELS = 16  # at once, of one robot


class Pipe(asyncssh.SSHTCPSession[bytes]):
    """A channel as aiohttp's protocol sees a socket."""

    def __init__(self, protocol: ResponseHandler) -> None:
        self.protocol = protocol

    def connection_made(self, chan: "asyncssh.SSHTCPChannel[bytes]") -> None:
        self.protocol.connection_made(chan)  # pyright: ignore[reportArgumentType]  it has a transport's methods

    def connection_lost(self, exc: Exception | None) -> None:
        """A socket is lost with an OSError, and the client knows no others."""
        self.protocol.connection_lost(ConnectionResetError(str(exc)) if exc else None)

    def data_received(self, data: bytes, datatype: int | None) -> None:  # noqa: ARG002  asyncssh's signature
        self.protocol.data_received(data)

    def eof_received(self) -> bool:
        self.protocol.eof_received()
        return False

    def pause_writing(self) -> None:
        self.protocol.pause_writing()

    def resume_writing(self) -> None:
        self.protocol.resume_writing()


class Tunnels(aiohttp.BaseConnector):
    """The port in an address names a tunnel; no name is looked up, no port opened."""

    def __init__(self, door: Door) -> None:
        super().__init__(limit=0, limit_per_host=CHANNELS, keepalive_timeout=KEEP_S)
        self.door = door

    async def _create_connection(
        self, req: aiohttp.ClientRequest, traces: object, timeout: aiohttp.ClientTimeout  # noqa: ARG002, ASYNC109  aiohttp's signature
    ) -> ResponseHandler:  # fmt: skip
        protocol: ResponseHandler = self._factory()
        async with asyncio.timeout(CONNECT_S):
            await self.door.channel(req.url.port or 0, lambda: Pipe(protocol))
        return protocol
