"""One who watches by WebRTC, as a browser does: an offer by HTTP, the pictures by UDP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import av
import httpx
from aiortc import MediaStreamTrack, RTCConfiguration, RTCPeerConnection, RTCRtpReceiver, RTCSessionDescription
from aiortc.mediastreams import MediaStreamError

HEADERS = {"content-type": "application/sdp"}


@dataclass
class Watching:
    """`place`: URL that ends it."""

    connection: RTCPeerConnection
    track: MediaStreamTrack
    place: str
    pictures: int = 0

    async def see(self, count: int) -> av.VideoFrame:
        """So many pictures more, decoded; the last of them."""
        frame = None
        for _ in range(count):
            frame = await asyncio.wait_for(self.track.recv(), 20)
            self.pictures += 1
        assert isinstance(frame, av.VideoFrame)
        return frame

    async def end(self, within_s: float | None = 20) -> None:
        """Comes back when there is no picture more."""
        async with asyncio.timeout(within_s):
            try:
                while True:
                    await self.track.recv()
            except MediaStreamError:
                return


async def make_offer(connection: RTCPeerConnection, codec: str = "H264") -> str:
    transceiver = connection.addTransceiver("video", direction="recvonly")
    codecs = RTCRtpReceiver.getCapabilities("video").codecs
    transceiver.setCodecPreferences([each for each in codecs if each.name in {codec, "rtx"}])
    await connection.setLocalDescription(await connection.createOffer())
    return connection.localDescription.sdp


@asynccontextmanager
async def watching_by_webrtc(client: httpx.AsyncClient, url: str) -> AsyncIterator[Watching]:
    connection = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    try:
        offer = await make_offer(connection)
        answer = await client.post(url, content=offer, headers=HEADERS)
        assert answer.status_code == 201, answer.text
        await connection.setRemoteDescription(RTCSessionDescription(answer.text, "answer"))
        place = str(httpx.URL(url).join(answer.headers["location"]))
        yield Watching(connection, connection.getReceivers()[0].track, place)
    finally:
        await connection.close()
