"""Live pictures of a robot: which cameras it has, and how it is asked for what one of them sees.

A robot encodes once, as fragmented MP4 of H264, and puts it to the signed URL of the order in one request that lasts
as long as the pictures do; the server passes on what came. docs/video.md says it for makers.

Rule: in a room that the map marks `private` a camera sends nothing; where the robot stands decides.
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
    """Which cameras do you have? The answer carries `cameras`, a CameraList."""


class CameraList(msgspec.Struct, kw_only=True):
    """Names of the robot's cameras, those for driving first."""

    cameras: Annotated[list[CameraName], Meta(max_length=MOST_CAMERAS)]


class SendVideo(msgspec.Struct, kw_only=True):
    """Put what this camera sees to `url` for so many seconds, or offer it to `whip` by WebRTC. The same camera again
    has so many seconds from now, by the new URL once the line breaks. No seconds: end it, and without a camera end
    all. A key frame each second."""

    camera: Annotated[str, Meta(max_length=32, pattern=r"^([A-Za-z0-9][A-Za-z0-9_-]*)?$")] = ""
    url: Annotated[str, Meta(max_length=2048)] = ""
    whip: Annotated[str, Meta(max_length=2048)] = ""
    seconds: Annotated[float, Meta(ge=0, le=LONGEST_S)] = 0
