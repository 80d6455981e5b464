"""What may stand in the fields of nodes and file servers. The same rules hold in the console."""

from typing import Annotated, Literal, get_args

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

FIRST_PORT, LAST_PORT = 20_000, 30_000  # both ends included

# The specification says how many countries and names the countries of its five nodes, and four regions.
COUNTRIES = (
    "CN", "RU", "SG", "US", "AU", "FR", "DE", "NL", "ES", "IT", "GB", "IE", "JP", "KR", "AE", "SA", "CA",
)  # fmt: skip
NODE_COUNTRIES = COUNTRIES[:5]
Region = Literal["", "domestic", "singapore", "france", "eu"]
REGIONS = get_args(Region)[1:]

SupportType = Literal[0, 2, 3]  # robots of every protocol, of those below 3, of 3


def _port(told: int) -> int:
    if not FIRST_PORT <= told <= LAST_PORT:
        raise PydanticCustomError("port", "A port from 20000 to 30000")
    return told


def _country(told: str) -> str:
    if told and told not in COUNTRIES:
        raise PydanticCustomError("choice", "None of the countries")
    return told


Port = Annotated[int, AfterValidator(_port)]
Country = Annotated[str, AfterValidator(_country)]
