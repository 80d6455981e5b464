"""What may stand in the fields of nodes and file servers. The same rules hold in the console."""

import json
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from lustra.core.wire import Int32

FIRST_PORT, LAST_PORT = 20_000, 30_000  # both ends included

# ISO countries, those of the nodes that the specification names, and the regions: places.json beside this file.
PLACES: dict[str, list[str]] = json.loads(Path(__file__).with_name("places.json").read_text(encoding="utf-8"))

SupportType = Literal[0, 2, 3]  # robots of every protocol, of those below 3, of 3


def _port(told: int) -> int:
    if not FIRST_PORT <= told <= LAST_PORT:
        raise PydanticCustomError("port", "A port from 20000 to 30000")
    return told


def _country(told: str) -> str:
    if told and told not in PLACES["countries"]:
        raise PydanticCustomError("choice", "None of the countries")
    return told


def _region(told: str) -> str:
    if told and told not in PLACES["regions"]:
        raise PydanticCustomError("choice", "None of the regions")
    return told


Port = Annotated[Int32, AfterValidator(_port)]
Country = Annotated[str, AfterValidator(_country)]
Region = Annotated[str, AfterValidator(_region)]
