"""HTTP to robots through their tunnels: aiohttp's client over channels of the SSH server, kept alive and used again.

On a node of frp a robot that has no channel here is looked for at its real port, which the frp server beside the relay
has opened; who may be asked for is decided before (authorization.py), and is always the device's own registered port.
"""

import asyncio

import aiohttp
import asyncssh
from aiohttp.client_proto import ResponseHandler

from lustra.relay.tunnel_server import TunnelServer, Unreachable

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


class TunnelConnector(aiohttp.BaseConnector):
    """The port in an address names a tunnel; no name is looked up, no port opened. `frp`: the host of the ports that an
    frp server opens, empty without one."""

    def __init__(self, server: TunnelServer, frp: str = "") -> None:
        super().__init__(limit=0, limit_per_host=CHANNELS, keepalive_timeout=KEEP_S)
        self.server, self.frp = server, frp

    async def _create_connection(
        self,
        req: aiohttp.ClientRequest,
        traces: object,  # noqa: ARG002  aiohttp's signature
        timeout: aiohttp.ClientTimeout,  # noqa: ARG002, ASYNC109  aiohttp's signature
    ) -> ResponseHandler:
        protocol: ResponseHandler = self._factory()
        port = req.url.port or 0
        async with asyncio.timeout(CONNECT_S):
            if self.frp and port not in self.server.tunnels and self.server.known.is_of_this_node(port):
                await self.connect_frp(port, protocol)
            else:
                await self.server.open_channel(port, lambda: Pipe(protocol))
        return protocol

    async def connect_frp(self, port: int, protocol: ResponseHandler) -> None:
        try:
            await asyncio.get_running_loop().create_connection(lambda: protocol, self.frp, port)
        except OSError as why:
            raise Unreachable("nobody answers at the robot's frp port") from why
