"""What every payload of a robot's local API has in common.

Names on the wire are the robot's (snake_case, odd spellings kept). Lengths in m, angles in rad, map frame, y up.
An error's type is a catalogue key (see refusals.py). Console, relay and robot refuse by these models.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints
from pydantic_core import PydanticCustomError

from lustra.protocol.doc import doc

Point = tuple[float, float]
Name = Annotated[str, StringConstraints(strip_whitespace=True, max_length=64)]

# Fields that many payloads and answers share, each described once.
MapRef = Annotated[str, doc("Name of the map; empty: the loaded one.")]
X = Annotated[float, doc("Position in the map's frame, to the right, m.")]
Y = Annotated[float, doc("Position in the map's frame, up, m.")]
Yaw = Annotated[float, doc("Heading, rad, against the clock from the x axis.")]
SeenRevision = Annotated[
    int | None, doc("Revision that the change is based on: refused unless it is the newest; null: a new one.")
]


class Payload(BaseModel):
    """Base of all command payloads: unknown fields are tolerated, missing ones are looked at."""

    model_config = ConfigDict(defer_build=True, extra="ignore", allow_inf_nan=False, validate_default=True)

    @property
    def releases(self) -> bool:
        """Lets go what holds the robot: that wants the control lock even where holding it does not."""
        return False


class Empty(Payload):
    pass


def required(value: str, key: str, text: str) -> str:
    if not value:
        raise PydanticCustomError(key, text)  # pyright: ignore[reportArgumentType] - literal at each caller
    return value


class OfMap(Payload):
    """Names a map; an empty name stands for the loaded one."""

    map_name: MapRef = ""
