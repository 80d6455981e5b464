"""What may stand in the fields of nodes and file servers. The same rules hold in the console."""

import json
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from lustra.core.wire import Int32

# Both ends included.
FIRST_PORT = 20_000
LAST_PORT = 30_000

# ISO countries, those of the nodes that the specification names, and the regions: places.json beside this file.
PLACES: dict[str, list[str]] = json.loads(Path(__file__).with_name("places.json").read_text(encoding="utf-8"))

SupportType = Literal[0, 2, 3]  # robots of every protocol, of those below 3, of 3


def _check_port(port: int) -> int:
    if not FIRST_PORT <= port <= LAST_PORT:
        raise PydanticCustomError("port", "A port from 20000 to 30000")
    return port


def _check_country(country: str) -> str:
    if country and country not in PLACES["countries"]:
        raise PydanticCustomError("choice", "None of the countries")
    return country


def _check_region(region: str) -> str:
    if region and region not in PLACES["regions"]:
        raise PydanticCustomError("choice", "None of the regions")
    return region


Port = Annotated[Int32, AfterValidator(_check_port)]
Country = Annotated[str, AfterValidator(_check_country)]
Region = Annotated[str, AfterValidator(_check_region)]
