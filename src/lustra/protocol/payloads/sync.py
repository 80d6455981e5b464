"""Payloads of maps that go from one robot to others, and of what the server knows about a map."""

from typing import Any

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from lustra.protocol.payloads.base import Name, Payload, required

MOST_TARGETS = 200
LONGEST_NAME = 64


class CloudInfo(Payload):
    """map/CloudInfoUpdate: `data` tells the map's `name`, `building` and `floor`; what else it holds is passed over."""

    map_name: str = ""
    data: dict[str, Any] = Field(default={}, max_length=64)

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
        """None: it stays."""
        name = self.data.get("name")
        return name.strip() if isinstance(name, str) else None


class MapSync(Payload):
    """map/map_sync: serial numbers of the robot whose map it is and of those that shall have it."""

    map_name: str = ""
    source: Name = ""
    targets: list[Name] = Field(default=[], max_length=MOST_TARGETS)

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
