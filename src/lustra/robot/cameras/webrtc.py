"""What a camera sees, sent by WebRTC (WHIP): an offer by HTTP, then pictures over UDP. aiortc comes with the extra
`video`, and is loaded with the first order of a robot that is set to send so.

Rule: a connection that does not come about within seconds is given up; HTTP goes on.
"""

import asyncio
import contextlib
from fractions import Fraction
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import aiohttp
import av
from aiortc import MediaStreamTrack, RTCConfiguration, RTCPeerConnection, RTCRtpSender, RTCSessionDescription
from aiortc.mediastreams import MediaStreamError

from lustra.robot.cameras import encoder

if TYPE_CHECKING:
    from lustra.robot.cameras.video import Cameras, Filming

CONNECTED_IN_S = 2.0
CREATED = 201
CLOCK = 90_000  # ticks a second
OVER = {"failed", "closed", "disconnected"}


class Track(MediaStreamTrack):
    """Pictures at their pace, encoded; none in a room that the map marks."""

    kind = "video"

    def __init__(self, cameras: "Cameras", filming: "Filming") -> None:
        super().__init__()
        self.cameras, self.filming = cameras, filming
        self.coder = encoder.PacketEncoder()
        self.loop = asyncio.get_running_loop()
        self.began = self.due = self.loop.time()

    async def recv(self) -> "av.Packet[Any]":
        """Raises MediaStreamError: the order is over."""
        while True:
            await asyncio.sleep(self.due - self.loop.time())
            now = self.loop.time()
            self.due = max(self.due + 1 / encoder.RATE, now)
            if now >= self.filming.until:
                self.stop()
                raise MediaStreamError
            if self.cameras.is_private():
                continue
            data = await asyncio.to_thread(self.cameras.encode, self.coder, self.filming.camera, now - self.began)
            packet: av.Packet[Any] = av.Packet(data)
            packet.pts, packet.time_base = int((now - self.began) * CLOCK), Fraction(1, CLOCK)
            return packet


async def send(client: aiohttp.ClientSession, url: str, track: Track) -> None:
    """Until the connection or the track ends. Raises whatever keeps a connection from coming about."""
    connection, over = RTCPeerConnection(RTCConfiguration(iceServers=[])), asyncio.Event()
    connected = asyncio.Event()

    def look() -> None:
        if connection.connectionState == "connected":
            connected.set()
        elif connection.connectionState in OVER:
            over.set()

    connection.on("connectionstatechange", look)
    track.on("ended", over.set)
    place = ""
    try:
        connection.addTransceiver(track, direction="sendonly").setCodecPreferences(
            [each for each in RTCRtpSender.getCapabilities("video").codecs if each.name in {"H264", "rtx"}]
        )
        await connection.setLocalDescription(await connection.createOffer())
        offer = connection.localDescription.sdp
        async with client.post(url, data=offer, headers={"content-type": "application/sdp"}) as answer:
            if answer.status != CREATED:
                raise ConnectionRefusedError(answer.status, await answer.text())
            description, place = await answer.text(), urljoin(url, answer.headers.get("location", ""))
        await connection.setRemoteDescription(RTCSessionDescription(description, "answer"))
        await asyncio.wait_for(connected.wait(), CONNECTED_IN_S)
        await over.wait()
    finally:
        await connection.close()
        if place:
            with contextlib.suppress(aiohttp.ClientError, TimeoutError):  # a cancelled task stays cancelled
                async with client.delete(place):
                    pass
