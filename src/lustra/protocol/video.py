"""Live video of a robot: which cameras it has, and how one of them is requested.

A robot encodes once, as fragmented MP4 with H264, and sends it by PUT to the signed URL of the order, in one request
that lasts as long as the video; the server forwards it. docs/video.md describes this for makers.

Rule: in a room that the map marks `private` a camera sends nothing; the robot's position decides.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from lustra.protocol.geometry import XY, is_near

CameraName = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]
MOST_CAMERAS = 16
LONGEST_S = 300.0  # of an order; whoever watches on orders again
REACH_M = 0.5  # so far from a marked room it begins: half a robot, or what it drives before its place is known here
PRIVATE = b"private"  # content of a box `skip` in the stream: pictures pause, for the robot is in a marked room


def is_private(rooms: Iterable[Sequence[XY]], at: XY) -> bool:
    """Whether a robot that stands there sends no picture. `rooms`: corners of those that are marked."""
    return any(is_near(room, at, REACH_M) for room in rooms)


class Cameras(msgspec.Struct, kw_only=True):
    """List your cameras. The answer has `cameras`, as in a CameraList."""


class CameraList(msgspec.Struct, kw_only=True):
    """The robot's cameras."""

    cameras: Annotated[
        list[CameraName], Meta(max_length=MOST_CAMERAS, description="Their names, those for driving first.")
    ]


class SendVideo(msgspec.Struct, kw_only=True):
    """Send the video of a camera by PUT to `url`, or offer it to `whip` by WebRTC, with a key frame each second. An
    order for a camera that is being sent extends it; the new URL is for when the connection breaks."""

    camera: Annotated[
        str,
        Meta(
            max_length=32,
            pattern=r"^([A-Za-z0-9][A-Za-z0-9_-]*)?$",
            description="Name of the camera; empty, with no seconds: all of them.",
        ),
    ] = ""
    url: Annotated[str, Meta(max_length=2048, description="Signed URL for the PUT.")] = ""
    whip: Annotated[str, Meta(max_length=2048, description="Signed URL for an offer by WebRTC (WHIP).")] = ""
    seconds: Annotated[float, Meta(ge=0, le=LONGEST_S, description="From now on, s; 0: end it.")] = 0
