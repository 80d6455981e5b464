"""A floor map with everything that is drawn on it, and how the server sends one to a robot."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from lustra.protocol.hours import Hours

ShapeId = Annotated[str, Meta(description="Identifies it in editors; stays the same through all changes.")]


class Flag(msgspec.Struct, kw_only=True):
    """A point on a map."""

    name: Annotated[str, Meta(description="Name of the point.")]
    type: Annotated[Literal["charging", "stop", "elevator", "other"], Meta(description="What it is for.")]
    x: Annotated[float, Meta(description="Position in the map's frame, m.")]
    y: Annotated[float, Meta(description="Position in the map's frame, m.")]
    yaw: Annotated[float, Meta(description="Direction in which a robot stands there, rad.")] = 0.0
    id: ShapeId = ""


class Zone(msgspec.Struct, kw_only=True):
    """A line or an outline on a map."""

    points: Annotated[list[tuple[float, float]], Meta(description="x and y of its points, m.")]
    name: Annotated[str, Meta(description="Its name; empty: none.")] = ""
    id: ShapeId = ""
    hours: Annotated[
        Hours | msgspec.UnsetType,
        Meta(description="A no-go zone applies only then, a free area is closed then; left out: always, or never."),
    ] = msgspec.UNSET
    private: Annotated[
        bool | msgspec.UnsetType,
        Meta(description="No camera sends pictures in this zone or area (video.md); left out: they do."),
    ] = msgspec.UNSET


class Eraser(Zone, kw_only=True):
    """A stroke under which the floor is free, whatever the grid says: noise of the lidar."""

    width: Annotated[float, Meta(description="Width of the stroke, m.")]


class MapContent(msgspec.Struct, kw_only=True):
    """A floor map."""

    name: Annotated[str, Meta(description="Name of the map.")]
    resolution: Annotated[float, Meta(description="Size of a cell, m.")]
    width: Annotated[int, Meta(description="Columns of the grid.")]
    height: Annotated[int, Meta(description="Rows of the grid.")]
    origin: Annotated[
        tuple[float, float, float],
        Meta(description="Pose of the grid's lower left corner, x and y in m, yaw in rad, as in map_server."),
    ]
    grid: Annotated[
        str, Meta(description="Grey PNG in base64, first row at the top: 254 free, 0 occupied, 205 unknown.")
    ]
    building: Annotated[str, Meta(description="Name of the building.")] = ""
    floor: Annotated[str, Meta(description="Name of the floor.")] = ""
    virtual_walls: Annotated[list[Zone], Meta(description="Lines that the robot does not cross.")] = msgspec.field(
        default_factory=list[Zone]
    )
    forbidden_zones: Annotated[list[Zone], Meta(description="No-go zones.")] = msgspec.field(default_factory=list[Zone])
    free_areas: Annotated[list[Zone], Meta(description="Rooms and other areas.")] = msgspec.field(
        default_factory=list[Zone]
    )
    flags: Annotated[list[Flag], Meta(description="Points.")] = msgspec.field(default_factory=list[Flag])
    erasers: Annotated[list[Eraser], Meta(description="Strokes under which the floor is free.")] = msgspec.field(
        default_factory=list[Eraser]
    )
    hours: Annotated[
        Hours | msgspec.UnsetType, Meta(description="No task starts or continues then; left out: at no time.")
    ] = msgspec.UNSET


class TakeMap(msgspec.Struct, kw_only=True):
    """Fetch a map's bundle from the signed URL, and make it your map of that name. The same `number` again brings a
    fresh URL and asks for the progress. The answer has `at` and `taken`, a Taken."""

    number: Annotated[int, Meta(description="Number of the order.")]
    name: Annotated[str, Meta(description="Name of the map.")]
    url: Annotated[str, Meta(description="Signed URL of the bundle.")] = ""
    size: Annotated[int, Meta(description="Bytes of the bundle.")] = 0
    sha256: Annotated[str, Meta(description="Of the bundle, hexadecimal.")] = ""
    revision: Annotated[
        int,
        Meta(description="Your revision of that map as the server knows it, 0: none; refuse if it differs."),
    ] = 0
    replace: Annotated[bool, Meta(description="Replace the robot's map whatever its revision.")] = False
    drop: Annotated[bool, Meta(description="The order ends here, unless it is done.")] = False


class Taken(msgspec.Struct, kw_only=True):
    """How far a robot is with a map that it was sent: `loading` it, `whole` (all bytes are there), `received`, `failed`
    or `dropped`."""

    number: Annotated[int, Meta(description="Number of the order.")]
    state: Annotated[Literal["loading", "whole", "received", "failed", "dropped"], Meta(description="How far it is.")]
    have: Annotated[int, Meta(description="Bytes on its disk.")] = 0
    reason: Annotated[str, Meta(description="What it waits for, or why it failed: a reason of the catalogue.")] = ""
    revision: Annotated[int, Meta(description="Revision of its map, once received.")] = 0
