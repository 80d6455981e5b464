"""Which consumables there are, which of them a robot has, and what may stand in the fields of upkeep."""

from collections.abc import Collection
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

Item = Literal[
    "dust bag", "edge brush", "filter", "roller brush", "thin edge brush", "thin roller brush", "wheel rubber"
]
ITEMS: tuple[Item, ...] = get_args(Item)
DRY = frozenset({"carpet", "vacuum", "sweep"})
WET = frozenset({"scrub"})
MIST = frozenset({"disinfect"})
WORKS = DRY | WET | MIST
OF_WORKS = {  # robots that do any of these have it; all robots have wheels
    "dust bag": DRY,
    "edge brush": DRY | WET,
    "filter": WORKS,
    "roller brush": DRY | WET,
    "thin edge brush": DRY,
    "thin roller brush": DRY,
    "wheel rubber": WORKS,
}
LONGEST_HOURS = 1_000_000
# Percentages that people are warned at.
SOON = 90
DUE = 100
State = Literal["unset", "good", "soon", "due"]


def items(abilities: Collection[str]) -> tuple[Item, ...]:
    """Of a robot that can do this; of one that reported nothing of its work, all."""
    works = WORKS & set(abilities)
    return tuple(item for item in ITEMS if not works or works & OF_WORKS[item])


def level(used: float, hours: float | None) -> int:
    """0, SOON or DUE, by the share of the hours that is used."""
    if hours is None:
        return 0
    return DUE if used >= hours else SOON if used * 100 >= hours * SOON else 0


def state(reached: int, hours: float | None) -> State:
    return "unset" if hours is None else "due" if reached == DUE else "soon" if reached == SOON else "good"


def _check_hours(hours: float) -> float:
    if not 0 < hours <= LONGEST_HOURS:
        raise PydanticCustomError("hours", "A number greater than 0")
    return hours


Hours = Annotated[float, AfterValidator(_check_hours)]
Used = Annotated[float, Field(ge=0, le=LONGEST_HOURS)]
Serial = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=32)]
