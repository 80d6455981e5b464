"""What a camera sends by WebRTC (WHIP), written as the fragmented MP4 that all else here takes.

Rules: nothing is decoded. A key frame is asked for each second: who joins, a recording and what was lost wait for one.
"""

import asyncio
import queue
import struct
from collections.abc import Callable
from typing import Any

from aiortc import RTCPeerConnection, RTCRtpReceiver

from lustra.video.channel import Channel
from lustra.video.connections import Connections
from lustra.video.h264 import list_units
from lustra.video.mp4 import BrokenStream
from lustra.video.mp4_writer import write_fragment, write_init
from lustra.video.picture_size import read_size

KEY_FRAME_S = 1.0
KIND = 0x1F  # of a unit of H264, in its first byte
KEY_FRAME, SEQUENCE, PICTURE = 5, 7, 8  # a picture that stands alone; parameters of a sequence, and of pictures


class Writer:
    """Pictures between start codes in, fragmented MP4 out."""

    def __init__(self) -> None:
        self.count = 0
        self.began = self.last = 0

    def feed(self, picture: bytes, ticks: int) -> bytes:
        """What is to be passed on; nothing before the first key frame. Raises BrokenStream."""
        units = {unit[0] & KIND: unit for unit in list_units(picture)}
        key, data = KEY_FRAME in units, b""
        if not self.count:
            if not {KEY_FRAME, SEQUENCE, PICTURE} <= units.keys():
                return b""
            data = write_init(read_size(units[SEQUENCE]), units[SEQUENCE], units[PICTURE])
            self.began, self.last = ticks, -1
        self.count += 1
        self.last = max(self.last + 1, ticks - self.began)
        body = b"".join(struct.pack(">I", len(unit)) + unit for unit in list_units(picture))
        return data + write_fragment(self.count, self.last, body, key=key)


class Undecoded(queue.Queue[Any]):
    """In place of the queue to a receiver's decoder: pictures go to `take`, and only its end comes through."""

    def __init__(self, take: Callable[[bytes, int], None]) -> None:
        super().__init__()
        self.take = take

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:  # noqa: FBT001, FBT002  as Queue has them
        if item is None:
            super().put(item, block, timeout)
        else:
            self.take(item[1].data, item[1].timestamp)


async def receive(
    connections: Connections, offer: str, channel: Channel, leave: Callable[[Channel], None]
) -> tuple[str, str]:
    """The connection's name, and the answer. Raises Refused."""
    writer = Writer()
    asking: list[asyncio.Task[None]] = []

    def prepare(connection: RTCPeerConnection, over: asyncio.Event) -> None:
        def take(picture: bytes, ticks: int) -> None:
            try:
                if data := writer.feed(picture, ticks):
                    channel.feed(data)
            except BrokenStream:
                over.set()

        channel.on_end = over.set
        if channel.ended:  # while the offer was on its way
            over.set()
        receiver = connection.addTransceiver("video", direction="recvonly").receiver
        # aiortc has no door for pictures as they came; a test that sends by WebRTC fails where this name changes.
        receiver._RTCRtpReceiver__decoder_queue = Undecoded(take)  # type: ignore[attr-defined]  # noqa: SLF001  as said
        asking.append(asyncio.create_task(ask_for_key_frames(receiver), name="key frames"))

    async def finish() -> None:
        for task in asking:
            task.cancel()
        leave(channel)

    try:
        return await connections.open(offer, prepare, finish)
    except BaseException:
        await finish()
        raise


async def ask_for_key_frames(receiver: RTCRtpReceiver) -> None:
    while True:
        await asyncio.sleep(KEY_FRAME_S)
        for source in receiver.getSynchronizationSources():
            send = receiver._send_rtcp_pli  # type: ignore[attr-defined]  # noqa: SLF001  aiortc asks only where it decodes
            await send(source.source)
