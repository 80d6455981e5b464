"""WebRTC connections of browsers that watch and of cameras that send: an offer comes by HTTP, the answer is whole, and
a name ends it (WHEP, WHIP).

Rules: H264 alone is taken. Whoever is not connected within seconds, or no longer, is let go. aiortc comes with the
extra `video`, and is loaded with the first offer.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from uuid import uuid4

from aiortc import RTCConfiguration, RTCIceServer, RTCPeerConnection, RTCRtpSender, RTCSessionDescription
from aiortc.exceptions import InternalError, InvalidStateError, OperationError

from lustra.domains.video.api import ice
from lustra.video.offer import Refused

CONNECTED_IN_S = 10.0
MOST = 200  # at once
OVER = {"failed", "closed", "disconnected"}
BAD_DESCRIPTION = (ValueError, KeyError, IndexError, AssertionError, InternalError, InvalidStateError, OperationError)
Prepare = Callable[[RTCPeerConnection, asyncio.Event], None]


class Connections:
    """`list_servers`: that say which address one has, or pass packets on."""

    def __init__(self, list_servers: Callable[[], Sequence[ice.IceServer]], most: int = MOST) -> None:
        self.list_servers, self.most = list_servers, most
        self.ending: dict[str, asyncio.Event] = {}
        self.tasks: set[asyncio.Task[None]] = set()

    async def open(self, offer: str, prepare: Prepare, finish: Callable[[], Awaitable[None]]) -> tuple[str, str]:
        """The connection's name, and the description that answers the offer. `prepare` is given the connection and the
        event that ends it, before the offer is read; `finish` is awaited once it has ended. Raises Refused."""
        if len(self.ending) >= self.most:
            raise Refused("too many connections", 503)
        servers = [RTCIceServer(each.urls, each.username, each.credential) for each in self.list_servers()]
        connection, over = RTCPeerConnection(RTCConfiguration(iceServers=servers)), asyncio.Event()
        name = uuid4().hex
        self.ending[name] = over
        try:
            prepare(connection, over)
            description = await _negotiate(connection, offer)
        except BaseException:
            del self.ending[name]
            await connection.close()
            raise
        task = asyncio.create_task(self._hold(name, connection, finish), name="webrtc")
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return name, description

    async def _hold(self, name: str, connection: RTCPeerConnection, finish: Callable[[], Awaitable[None]]) -> None:
        over = self.ending[name]

        def look() -> None:
            if connection.connectionState in OVER:
                over.set()

        connection.on("connectionstatechange", look)
        look()
        try:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(over.wait(), CONNECTED_IN_S)
            if connection.connectionState == "connected":
                await over.wait()
        finally:
            try:
                await finish()
            finally:
                del self.ending[name]
                await connection.close()

    def touch(self, name: str) -> bool:
        """Whether it goes on."""
        return name in self.ending

    def end(self, name: str) -> None:
        if over := self.ending.get(name):
            over.set()

    async def close(self) -> None:
        for over in self.ending.values():
            over.set()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def _negotiate(connection: RTCPeerConnection, offer: str) -> str:
    prefer_h264(connection)
    try:
        await connection.setRemoteDescription(RTCSessionDescription(_without_names(offer), "offer"))
        await connection.setLocalDescription(await connection.createAnswer())
    except BAD_DESCRIPTION as why:
        raise Refused("this offer takes no H264, or is none") from why
    description = connection.localDescription.sdp
    if "a=candidate" not in description:
        raise Refused("this server has no address but its own machine's")
    return description


def prefer_h264(connection: RTCPeerConnection) -> None:
    """And nothing else, but what sends again what was lost."""
    codecs = [each for each in RTCRtpSender.getCapabilities("video").codecs if each.name in {"H264", "rtx"}]
    for transceiver in connection.getTransceivers():
        transceiver.setCodecPreferences(codecs)


def _without_names(offer: str) -> str:
    """Browsers hide their addresses behind names of the local network. To look them up takes a second, and the first
    packet tells the address anyway."""
    return "".join(line for line in offer.splitlines(keepends=True) if ".local " not in line)
