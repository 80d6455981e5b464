"""A camera in the browser by WebRTC: the pictures that came from the robot, in packets over UDP.

Rule: pictures are packed and never decoded. A packet that is lost is sent again, and a key frame each second mends the
rest.
"""

import asyncio
import time
from collections import deque
from fractions import Fraction
from typing import Any

import av
from aiortc import MediaStreamTrack, RTCPeerConnection
from aiortc.mediastreams import MediaStreamError

from lustra.video.channel import Channel, Enter, Leave, Watcher
from lustra.video.connections import Connections
from lustra.video.h264 import read_pictures
from lustra.video.mp4 import BrokenStream, Fragment

CLOCK = 90_000  # ticks a second


class Pictures(MediaStreamTrack):
    """What a channel passes on. A picture's time is when it leaves here: the time that it has waited is over, and a
    player shows the newest at once."""

    kind = "video"

    def __init__(self, channel: Channel, enter: Enter) -> None:
        super().__init__()
        self.channel, self.enter = channel, enter
        self.watcher: Watcher | None = None
        self.ready: deque[bytes] = deque()
        self.tick = 0
        self.over: asyncio.Event | None = None

    async def recv(self) -> "av.Packet[Any]":
        """Raises MediaStreamError: there is none more."""
        if self.watcher is None:
            try:
                self.watcher = await self.enter()
            except Exception:  # whatever it is, nobody waits for pictures
                self.end()
                raise
            for fragment in self.channel.join(self.watcher):
                self.unpack(fragment)
        while not self.ready:
            fragment = await self.watcher.queue.get()
            if fragment is None:
                self.end()
                raise MediaStreamError
            self.unpack(fragment)
        packet: av.Packet[Any] = av.Packet(self.ready.popleft())
        self.tick = max(self.tick + 1, int(time.monotonic() * CLOCK))
        packet.pts, packet.time_base = self.tick, Fraction(1, CLOCK)
        return packet

    def unpack(self, fragment: Fragment) -> None:
        try:
            self.ready += read_pictures(fragment, self.channel.init) if self.channel.init else []
        except BrokenStream:
            self.end()

    def end(self) -> None:
        if self.over:
            self.over.set()


async def watch(connections: Connections, offer: str, channel: Channel, enter: Enter, leave: Leave) -> tuple[str, str]:
    """The connection's name, and the answer. `enter` makes a watcher once the connection stands. Raises Refused."""
    track = Pictures(channel, enter)

    def prepare(connection: RTCPeerConnection, over: asyncio.Event) -> None:
        track.over = over
        connection.addTrack(track)

    async def finish() -> None:
        if track.watcher:
            await leave(channel, track.watcher)

    return await connections.open(offer, prepare, finish)
