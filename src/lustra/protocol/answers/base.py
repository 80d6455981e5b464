"""What every answer of a robot's local API has in common.

An answer is flat: `code` 0 and `msg` beside what was asked for, or a refusal. Lengths in m, angles in rad, map frame,
y up; times in ms. A field with a default may be missing; a released field never changes its meaning.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict

from lustra.protocol.doc import doc
from lustra.protocol.payloads.base import Point, X, Y, Yaw

# Fields that many answers share, each described once.
MapTitle = Annotated[str, doc("Name of the map.")]
RevisionOf = Annotated[int, doc("Revision that it has now; each change adds 1.")]
Seconds = Annotated[float, doc("How long it takes, s.")]
RobotTime = Annotated[int, doc("The robot's clock, ms since 1970.")]
Polyline = Annotated[list[Point], doc("x and y of each point, m.")]
Picture = Annotated[str, doc("Data URL of a grey PNG, first row on top: 254 free, 0 occupied, 205 unknown.")]
Origin = Annotated[tuple[float, float, float], doc("x and y, m, and yaw, rad, of the picture's lower left corner.")]


class Row(BaseModel):
    """Base of all parts of an answer."""

    model_config = ConfigDict(defer_build=True, extra="ignore", allow_inf_nan=False)


class Done(Row):
    """Base of all answers, and the answer of a command that has nothing else to say."""

    code: Annotated[Literal[0], doc("0: the robot has accepted it.")]
    msg: Annotated[str, doc("Empty.")]


class Refusal(Row):
    """Why the robot, or the relay before it, says no."""

    code: Annotated[int, doc("As of HTTP (400 to 504), or the robot's own fault code; never 0.")]
    msg: Annotated[str, doc("Why, in English.")]
    reason: Annotated[str, doc("Key of the catalogue, which has the text in nine languages.")]
    field: Annotated[str, doc("Path of the field that is refused; left out: none.")] = ""
    at: Annotated[int, doc("The robot's clock, ms, where the time is why; else left out.")] = 0


class Changed(Done):
    revision: RevisionOf


class Placed(Row):
    """A position with a heading, in the map's frame: m and rad."""

    x: X
    y: Y
    yaw: Yaw
