"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.telemetry import chunk_codec
from lustra.domains.telemetry.history import find_spans, load_points
from lustra.domains.telemetry.queries import LIVE, MODE, MODE_NAME
from lustra.domains.telemetry.rows import WORLD_MAP, count_by_mode, find_by_mode
from lustra.domains.telemetry.rows import load_device as load_device_row

__all__ = [
    "LIVE",
    "MODE",
    "MODE_NAME",
    "WORLD_MAP",
    "chunk_codec",
    "count_by_mode",
    "find_by_mode",
    "find_spans",
    "load_device_row",
    "load_points",
]
