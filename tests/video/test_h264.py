"""H264 read and written without a decoder, beside what FFmpeg makes and reads of it."""

import io
from fractions import Fraction
from typing import Any

import av
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lustra.robot.cameras.encoder import RATE, Encoder, PacketEncoder
from lustra.robot.cameras.view import HEIGHT, WIDTH
from lustra.video.h264 import START, list_units, read_pictures
from lustra.video.mp4 import BrokenStream, Fragment, Reader
from lustra.video.mp4_writer import box, words
from lustra.video.picture_size import read_size
from lustra.video.whip import Writer


def noise(number: int, width: int = WIDTH, height: int = HEIGHT) -> Any:
    return np.random.default_rng(number).integers(0, 255, (height, width, 3), np.uint8)


def encode(width: int, height: int, profile: str, options: dict[str, str], count: int = 1) -> list[bytes]:
    context: Any = av.CodecContext.create("libx264", "w")
    context.width, context.height = width, height
    context.pix_fmt = {"High 4:2:2": "yuv422p", "High 4:4:4 Predictive": "yuv444p"}.get(profile, "yuv420p")
    context.time_base, context.framerate, context.profile = Fraction(1, 15), 15, profile
    context.options = {"tune": "zerolatency", "preset": "ultrafast", **options}
    pictures: list[bytes] = []
    for number in range(count):
        frame = av.VideoFrame.from_ndarray(noise(number, width, height), format="bgr24")
        frame.pts = number
        pictures += [bytes(packet) for packet in context.encode(frame)]
    return pictures + [bytes(packet) for packet in context.encode(None)]


@pytest.mark.parametrize(
    ("profile", "options"),
    [
        ("Baseline", {}),
        ("Main", {}),
        ("Main", {"flags": "+ildct", "x264-params": "interlaced=1"}),
        ("High", {"x264-params": "cqm=jvt"}),
        ("High 4:2:2", {}),
        ("High 4:4:4 Predictive", {}),
    ],
)
@pytest.mark.parametrize("size", [(384, 216), (640, 360), (1280, 720), (66, 36)])
def test_the_size_of_pictures_is_what_was_encoded(size: tuple[int, int], profile: str, options: dict[str, str]):
    [first, *_] = encode(*size, profile, options)
    [sequence] = [unit for unit in list_units(first) if unit[0] & 0x1F == 7]
    assert read_size(sequence) == size


@settings(max_examples=200)
@given(st.binary(max_size=40))
def test_parameters_that_make_no_sense_are_refused(data: bytes):
    try:
        width, height = read_size(b"\x67" + data)
    except BrokenStream:
        return
    assert 0 < width <= 8192
    assert 0 < height <= 8192


def test_pictures_come_out_of_fragments_as_they_were_encoded():
    """By FFmpeg's muxer: the robot's own stream."""
    coder, reader, pictures = Encoder(), Reader(), list[bytes]()
    data = coder.take()
    for number in range(2 * RATE):
        data += coder.encode(noise(number), number / RATE)
    for fragment in reader.feed(data):
        assert reader.init is not None
        pictures += read_pictures(fragment, reader.init)
    coder.close()
    decoder: Any = av.CodecContext.create("h264", "r")
    frames = [frame for picture in pictures for frame in decoder.decode(av.Packet(picture))] + decoder.decode(None)
    assert len(pictures) == len(frames) == 2 * RATE - 1  # the newest waits for the next one's time
    assert {(frame.width, frame.height) for frame in frames} == {(WIDTH, HEIGHT)}
    assert pictures[0].startswith(START + b"\x67")


def test_separate_several_pictures_of_a_fragment():
    output = io.BytesIO()
    container: Any = av.open(
        output, "w", format="mp4", options={"movflags": "frag_keyframe+empty_moov+default_base_moof"}
    )
    stream = container.add_stream("libx264", rate=RATE, options={"tune": "zerolatency", "g": str(RATE), "bf": "0"})
    stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
    for number in range(2 * RATE):
        frame = av.VideoFrame.from_ndarray(noise(0), format="bgr24")
        frame.pts = number
        container.mux(stream.encode(frame))
    container.mux(stream.encode(None))
    container.close()
    reader = Reader()
    fragments = reader.feed(output.getvalue())
    assert reader.init is not None
    assert [len(read_pictures(each, reader.init)) for each in fragments] == [RATE, RATE]


def test_write_what_ffmpeg_reads_back():
    coder, writer, data = PacketEncoder(), Writer(), b""
    pictures = [coder.encode(noise(number), number / RATE) for number in range(RATE + 3)]
    assert writer.feed(pictures[1], 0) == b""  # no key frame: nobody could show it
    times = [1_000_000 + 7_500 * number for number in range(len(pictures))]
    for picture, ticks in zip(pictures, times, strict=True):
        data += writer.feed(picture, ticks)
    with av.open(io.BytesIO(data), "r") as container:
        packets = [packet for packet in container.demux(video=0) if packet.size]
        assert (container.streams.video[0].width, container.streams.video[0].height) == (WIDTH, HEIGHT)
    assert [packet.pts for packet in packets] == [7_500 * number for number in range(len(pictures))]
    assert [number for number, packet in enumerate(packets) if packet.is_keyframe] == [0, RATE]


@pytest.mark.parametrize("flags", [0, 0x200])
def test_a_fragment_of_a_thousand_million_pictures_is_refused_at_once(flags: int):
    """It would take memory and time out of all proportion to its bytes."""
    reader = Reader()
    reader.feed(Writer().feed(PacketEncoder().encode(noise(0), 0), 0))
    assert reader.init is not None
    for count, body in ((1_000_000_000, b""), (1, bytes(4000))):  # of pictures; of units without a byte
        run = box(b"trun", words(flags, count))
        moof = box(b"moof", box(b"mfhd", words(0, 1)), box(b"traf", box(b"tfhd", words(0x10, 1, 0)), run))
        with pytest.raises(BrokenStream):
            read_pictures(Fragment(moof + box(b"mdat", body), key=False, time=0, time_at=0, time_size=4), reader.init)


@settings(max_examples=100)
@given(st.data())
def test_a_fragment_with_broken_sizes_is_refused_or_cut(data: st.DataObject):
    coder = PacketEncoder()
    stream = Writer().feed(coder.encode(noise(0), 0), 0)
    reader = Reader()
    [fragment] = reader.feed(stream)
    assert reader.init is not None
    at = data.draw(st.integers(0, 140))
    broken = fragment.data[:at] + data.draw(st.binary(min_size=1, max_size=4)) + fragment.data[at + 4 :]
    try:
        read_pictures(type(fragment)(broken, fragment.key, 0, 0, 4), reader.init)
    except BrokenStream:
        return
