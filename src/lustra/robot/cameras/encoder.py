"""Pictures to fragmented MP4 of H264, a fragment a picture. PyAV, which carries codecs under the GPL, is loaded with
the first picture; it comes with the extra `video`.

Rule: a picture is not held back: no B frames, no look-ahead, and a key frame each second.
"""

import io
import threading
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from lustra.robot.cameras.view import HEIGHT, WIDTH, Picture

RATE = 12  # pictures a second
CLOCK = 12_000  # ticks a second
FLAGS = "frag_every_frame+empty_moov+default_base_moof"
OPTIONS = {"preset": "ultrafast", "tune": "zerolatency", "crf": "27", "g": str(RATE), "bf": "0", "threads": "1"}


def is_installed() -> bool:
    return find_spec("av") is not None


class Encoder:
    """For one thread after the other: a picture may be on its way while the stream is closed."""

    def __init__(self) -> None:
        self.turn, self.closed = threading.Lock(), False
        self.av: Any = import_module("av")
        self.output = io.BytesIO()
        self.output.seekable = lambda: False  # type: ignore[method-assign]  # what went out is not written again
        self.container = self.av.open(self.output, "w", format="mp4", options={"movflags": FLAGS})
        self.stream = self.container.add_stream("libx264", rate=RATE, options=OPTIONS | {"profile": "baseline"})
        self.stream.width, self.stream.height, self.stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        self.last = -1
        self.container.start_encoding()

    def take(self) -> bytes:
        """What is to be sent by now: at first what describes the stream, before any picture."""
        data = self.output.getvalue()
        self.output.seek(0)
        self.output.truncate()
        return data

    def encode(self, picture: Picture, seconds: float) -> bytes:
        """What is to be sent after this picture of that time since the first one; times that do not grow are moved."""
        with self.turn:
            return b"" if self.closed else self._encode(picture, seconds)

    def _encode(self, picture: Picture, seconds: float) -> bytes:
        frame = self.av.VideoFrame.from_ndarray(picture, format="bgr24")
        self.last = max(self.last + 1, round(seconds * RATE))
        frame.pts = self.last
        self.container.mux(self.stream.encode(frame))
        return self.take()

    def close(self) -> None:
        with self.turn:
            self.closed = True
            self.container.close()


class PacketEncoder:
    """For WebRTC: pictures in, each out as it is, between start codes."""

    def __init__(self) -> None:
        self.av: Any = import_module("av")
        self.context = self.av.CodecContext.create("libx264", "w")
        self.context.width, self.context.height, self.context.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        self.context.framerate, self.context.time_base = RATE, Fraction(1, RATE)
        self.context.options, self.context.profile = OPTIONS, "Baseline"
        self.last = -1

    def encode(self, picture: Picture, seconds: float) -> bytes:
        """`seconds`: since the first one; times that do not grow are moved."""
        frame = self.av.VideoFrame.from_ndarray(picture, format="bgr24")
        self.last = max(self.last + 1, round(seconds * RATE))
        frame.pts = self.last
        return b"".join(bytes(packet) for packet in self.context.encode(frame))
