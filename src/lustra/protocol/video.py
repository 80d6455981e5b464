"""Live pictures of a robot: which cameras it has, and how it is asked for what one of them sees.

A robot encodes once, as fragmented MP4 of H264, and puts it to the signed URL of the order in one request that lasts
as long as the pictures do; the server passes on what came. docs/video.md says it for makers.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

CameraName = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]
MOST_CAMERAS = 16
LONGEST_S = 300.0  # of an order; whoever watches on orders again


class Cameras(msgspec.Struct, kw_only=True):
    """Which cameras do you have? The answer carries `cameras`, a CameraList."""


class CameraList(msgspec.Struct, kw_only=True):
    """Names of the robot's cameras, those for driving first."""

    cameras: Annotated[list[CameraName], Meta(max_length=MOST_CAMERAS)]


class SendVideo(msgspec.Struct, kw_only=True):
    """Put what this camera sees to `url` for so many seconds; the same camera again has so many seconds from now, by
    the new URL once the line breaks. No seconds: end it, and without a camera end all. A key frame each second."""

    camera: CameraName | Literal[""] = ""
    url: Annotated[str, Meta(max_length=2048)] = ""
    seconds: Annotated[float, Meta(ge=0, le=LONGEST_S)] = 0
