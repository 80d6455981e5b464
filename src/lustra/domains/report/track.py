"""The way of a run as a picture that lies on the picture of its floor."""

import base64
import math
from typing import Any

from lustra.core.context import Ctx
from lustra.domains.report import service

COLOUR = "#017465"
WIDTH = 2  # pixels of the floor's picture, one a cell


async def draw(ctx: Ctx, report_id: int) -> dict[str, str]:
    """Both as data addresses, which any program shows; refused where the picture of the floor is."""
    floor = await service.load_floor(ctx, report_id)
    track = _draw_line(await service.load_report(ctx, report_id))
    return {"mapUrl": _address("image/png", floor), "trackUrl": _address("image/svg+xml", track.encode())}


def _draw_line(report: dict[str, Any]) -> str:
    drawn = report["map"]
    (left, low, yaw), cell, width, height = drawn["origin"], drawn["resolution"], drawn["width"], drawn["height"]
    cos, sin = math.cos(yaw), math.sin(yaw)
    offsets = [(x - left, y - low) for x, y in zip(report["driven"][::2], report["driven"][1::2], strict=True)]
    points = " ".join(f"{(x * cos + y * sin) / cell:.1f},{height - (y * cos - x * sin) / cell:.1f}" for x, y in offsets)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<polyline points="{points}" fill="none" stroke="{COLOUR}" stroke-width="{WIDTH}"/></svg>'
    )


def _address(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"
