"""Lanes of a building on the wire."""

from typing import Annotated, Literal

from lustra.core.calls.rpc import Wire
from lustra.core.wire import doc

Properties = Annotated[
    dict[str, str | bool | int | float], doc("What else its file says of it, by the file's own names.")
]


class LaneCornerView(Wire):
    """A corner at which lanes begin and end."""

    x: Annotated[float, doc("Position in m, in the map's frame.")]
    y: Annotated[float, doc("Position in m, in the map's frame.")]
    name: Annotated[str, doc("Name of the corner; empty: none.")]
    properties: Properties


class LaneView(Wire):
    """A lane from one corner to another."""

    start: Annotated[int, doc("Corner that it leaves, by its place in the list, from 0.")]
    end: Annotated[int, doc("Corner that it leads to, by its place in the list, from 0.")]
    bidirectional: Annotated[bool, doc("Whether it is driven both ways.")]
    orientation: Annotated[Literal["", "forward", "backward"], doc("How a robot shall point on it; empty: either way.")]
    speed: Annotated[float, doc("Speed limit in m/s; 0: none.")]
    human: Annotated[bool, doc("Whether it is a lane of people.")]
    properties: Properties


class LaneGraphView(Wire):
    """Lanes of a building, for reference: robots here plan their own way."""

    corners: Annotated[list[LaneCornerView], doc("Corners at which lanes begin and end.")]
    lanes: Annotated[list[LaneView], doc("The lanes.")]
