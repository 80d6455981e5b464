"""Payloads of maps that go from one robot to others, and of what the server knows about a map."""

from typing import Annotated, Any

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from lustra.protocol.doc import doc
from lustra.protocol.payloads.base import MapRef, Name, Payload, required

MOST_TARGETS = 200
LONGEST_NAME = 64


class CloudInfo(Payload):
    """map/CloudInfoUpdate: `data` tells the map's `name`, `building` and `floor`; what else it holds is passed over."""

    map_name: MapRef = ""
    data: Annotated[
        dict[str, Any],
        Field(max_length=64),
        doc("New `name` (1 to 64 letters), `building` and `floor` of the map; what is left out stays."),
    ] = Field(default={})

    @field_validator("data")
    @classmethod
    def named(cls, data: dict[str, Any]) -> dict[str, Any]:
        if isinstance(name := data.get("name"), str):
            required(name.strip(), "map_name_required", "The map needs a name")
            if len(name.strip()) > LONGEST_NAME:
                raise PydanticCustomError("map_name_long", "The map's name is too long")
        return data

    @property
    def name(self) -> str | None:
        """The new name of the map; None leaves it as it is."""
        name = self.data.get("name")
        return name.strip() if isinstance(name, str) else None


class MapSync(Payload):
    """map/map_sync: serial numbers of the robot whose map it is and of those that shall have it."""

    map_name: Annotated[str, doc("Name of the map.")] = ""
    source: Annotated[Name, doc("Serial number of the robot whose map it is.")] = ""
    targets: Annotated[
        list[Name], Field(max_length=MOST_TARGETS), doc("Serial numbers of those that shall have it, 1 to 200.")
    ] = Field(default=[])

    @field_validator("map_name")
    @classmethod
    def named(cls, name: str) -> str:
        return required(name.strip(), "map_name_required", "The map needs a name")

    @model_validator(mode="after")
    def complete(self) -> "MapSync":
        required(self.source, "sync_source_required", "Name the robot that sends the map")
        if not self.targets:
            raise PydanticCustomError("sync_targets_required", "Name the robots that shall have the map")
        if self.source in self.targets:
            raise PydanticCustomError("sync_to_itself", "A robot does not send a map to itself")
        return self
