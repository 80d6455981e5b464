"""What travels over the live socket: the console's types are made from here (console/scripts/gen.ts), and the tests of
the socket read each frame by these. A field is described, with its unit; a frame of data has `seq`.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from lustra.protocol import bus, telemetry
from lustra.protocol.files import TextLogKind

Seq = Annotated[int, Meta(description="Grows by 1 with each frame of data.")]
RobotId = Annotated[int, Meta(description="Number of the robot.")]
RobotTime = Annotated[int, Meta(description="The robot's clock, ms since 1970; 0: it has said nothing yet.")]
Mode = Literal["help", "offline"] | telemetry.Mode
Total = Annotated[int, Meta(description="Number of robots.")]
Modes = Annotated[dict[Mode, int], Meta(description="Number of robots by mode; a mode without one is left out.")]
RobotIds = Annotated[list[int], Meta(description="Numbers of robots.")]

Shown = msgspec.defstruct(
    "Shown",
    [(field.key, Annotated[field.type, Meta(description=field.description)]) for field in telemetry.SHOWN],
    kw_only=True,
    forbid_unknown_fields=True,
)


class LiveRow(Shown, kw_only=True, forbid_unknown_fields=True):
    """The live part of a robot; the same fields as in the device list."""

    id: RobotId
    at: RobotTime
    mode: Annotated[Mode, Meta(description="What it does now; `help` stands before all others.")]
    modeName: Annotated[str, Meta(description="Its own word for a mode that is not listed; empty: it is.")]  # noqa: N815  the wire's name
    online: Annotated[Literal[0, 1], Meta(description="1: connected now; 0: not.")]
    offlineSince: Annotated[int | None, Meta(description="Since when it is not connected, ms; null: it is.")]  # noqa: N815  the wire's name
    offlineReason: Annotated[str | None, Meta(description="Key of the reason; empty: it is; null: never was.")]  # noqa: N815  the wire's name
    charging: Annotated[bool, Meta(description="It charges.")]
    mapId: Annotated[int | None, Meta(description="Map that it has loaded; null: none that is known here.")]  # noqa: N815  the wire's name
    clockOff: Annotated[int, Meta(description="How far its clock is ahead, ms; below 0: behind; 0: right.")]  # noqa: N815  the wire's name
    ageMs: Annotated[int | None, Meta(description="How old the row was when it was sent, ms; null: no state yet.")]  # noqa: N815  the wire's name


class Counts(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    total: Total
    modes: Modes


class Frame(msgspec.Struct, kw_only=True, rename="camel", forbid_unknown_fields=True, tag_field="kind"):
    """Base of all frames that the server sends."""


class Hello(Frame, tag="hello"):
    offline_after_s: Annotated[float, Meta(description="A robot that says nothing for so long is offline, s.")]
    silent_after_s: Annotated[float, Meta(description="A tab that gets no frame for so long has no connection, s.")]


class Beat(Frame, tag="beat"):
    """The connection stands, though nothing changed."""


class Ended(Frame, tag="ended"):
    """The session is over; the socket closes."""


class Snapshot(Frame, tag="snapshot"):
    """The answer to what a tab shows."""

    seq: Seq
    robots: Annotated[list[LiveRow], Meta(description="All robots that are shown and may be seen.")]
    counts: Annotated[
        Counts | msgspec.UnsetType, Meta(description="Of the whole scope; left out: they are not shown.")
    ] = msgspec.UNSET
    fleet: Annotated[
        dict[Mode, RobotIds] | msgspec.UnsetType,
        Meta(description="All robots of the scope by what they do now; left out: they are not shown."),
    ] = msgspec.UNSET


class Robots(Frame, tag="robots"):
    seq: Seq
    robots: Annotated[list[LiveRow], Meta(description="Those that have changed.")]


class CountsChanged(Frame, tag="counts"):
    seq: Seq
    total: Total
    modes: Modes


class FleetChanged(Frame, tag="fleet"):
    seq: Seq
    modes: Annotated[dict[Mode, RobotIds], Meta(description="Robots whose mode changed, by what they do now.")]
    removed: Annotated[list[int], Meta(description="Robots that are not to be seen any more.")]


class ControlChanged(Frame, tag="control"):
    """Who holds control of a robot."""

    seq: Seq
    id: RobotId
    number: Annotated[int, Meta(description="Number of the lock; it grows with each holder.")]
    owner: Annotated[str, Meta(description="Name of the holder; empty: nobody.")]
    owner_id: Annotated[int | None, Meta(description="Account of the holder; 0 or null: nobody.")]
    until: Annotated[int, Meta(description="When it ends, ms since 1970; 0: nobody holds it.")]
    reason: Annotated[str, Meta(description="Why the holder took it from another; empty: nobody lost it.")]
    asker: Annotated[str, Meta(description="Who asked the holder for it last; empty: nobody.")]
    asker_id: Annotated[int, Meta(description="Account that asked the holder for it last; 0: nobody.")]
    asked_at: Annotated[int, Meta(description="When that was, ms since 1970; 0: never.")]


class BecameStale(Frame, tag="stale"):
    """Lists to read anew; only to a tab that wants to know."""

    seq: Seq
    topics: Annotated[list[str], Meta(description="Topics that calls name (`x-reads`), of rows that the account sees.")]


class Stream(Frame):
    """Base of what is shown of one robot as it comes."""

    seq: Seq
    id: RobotId
    at: RobotTime


class LidarSeen(Stream, tag="lidar"):
    data: Annotated[bus.Lidar, Meta(description="As the robot has sent it.")]


class PathSeen(Stream, tag="path"):
    data: Annotated[bus.Path, Meta(description="As the robot has sent it.")]


class CellsSeen(Stream, tag="cells"):
    data: Annotated[bus.Cells, Meta(description="As the robot has sent it.")]


class SupportSeen(Stream, tag="support"):
    data: Annotated[bool, Meta(description="The customer lets support see lidar, path and cells now.")]


class LogPart(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Lines of a log, as its robot writes them."""

    log: Annotated[TextLogKind, Meta(description="Which log of the robot.")]
    state: Annotated[
        Literal["following", "silent", "refused", "closed", "ended"],
        Meta(
            description="Its lines come; the robot does not answer and is asked again; it cannot do that; the customer "
            "keeps support out; the right to see it is gone."
        ),
    ]
    stream: Annotated[str, Meta(description="Start of the robot's program: the numbers of lines count in it.")]
    first: Annotated[int, Meta(description="Number of the first line; what is missing between two was left out.")]
    lines: Annotated[list[str], Meta(description="The lines, oldest first.")]


class LogSeen(Stream, tag="log"):
    data: Annotated[LogPart, Meta(description="Lines that came, or how it stands.")]


AnyFrame = (
    Hello
    | Beat
    | Ended
    | Snapshot
    | Robots
    | CountsChanged
    | FleetChanged
    | ControlChanged
    | BecameStale
    | LidarSeen
    | PathSeen
    | CellsSeen
    | SupportSeen
    | LogSeen
)


def schemas(*others: type) -> dict[str, Any]:
    """JSON schemas of all frames, and of others, by name; `Frame` is any of them."""
    template = "#/components/schemas/{name}"
    (frame, *_), components = msgspec.json.schema_components([AnyFrame, *others], ref_template=template)
    for component in components.values():
        if kind := component["properties"].get("kind"):
            kind["description"] = "Which frame it is."
    return components | {"Frame": {"anyOf": frame["anyOf"]}}
