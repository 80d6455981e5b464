"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.device_log.api import EVERY
from lustra.domains.video import clips, ice, passes, queries, rules, space
from lustra.domains.video.records import FOLDER
from lustra.domains.video.tables import LiveVideo, RecordReason, VideoClip, VideoRecord, VideoView, ViewKind

__all__ = [
    "EVERY",
    "FOLDER",
    "LiveVideo",
    "RecordReason",
    "VideoClip",
    "VideoRecord",
    "VideoView",
    "ViewKind",
    "clips",
    "ice",
    "passes",
    "queries",
    "rules",
    "space",
]
