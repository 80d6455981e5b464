"""Ranges of frame numbers: SC0001-SC0030. The same rules hold in the console (features/registry/rules.ts).

Rules: two ends joined by a hyphen, each a prefix of letters and hyphens and then digits; both have the same prefix and
the same width; the second is greater than the first. Capitals and small letters are one.

Numbers of one prefix and width are in the order of their text, and between two of them lie no others: so a range is
compared as text, here and in SQL alike.
"""

import re
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, StringConstraints
from pydantic_core import PydanticCustomError
from sqlalchemy import ColumnElement, and_, func, literal

from lustra.domains.device.api import Device
from lustra.domains.hardware.tables import DeviceBatch

END = r"([A-Za-z][A-Za-z-]*)([0-9]+)"
RANGE = re.compile(f"{END}-{END}")
LONGEST = 32  # of one number, as a robot has it


@dataclass(frozen=True, slots=True)
class Racks:
    low: str
    high: str

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"

    def __contains__(self, rack: str) -> bool:
        return len(rack) == len(self.low) and self.low <= rack.upper() <= self.high

    def meets(self, other: "Racks") -> bool:
        return len(self.low) == len(other.low) and self.low <= other.high and other.low <= self.high


def parse_range(text: str) -> Racks | None:
    match = RANGE.fullmatch(text.upper())
    if match is None:
        return None
    prefix, first, last_prefix, last = match.groups()
    fits = prefix == last_prefix and len(first) == len(last) and first < last and len(prefix + first) <= LONGEST
    return Racks(prefix + first, last_prefix + last) if fits else None


def _check_range(value: str) -> str:
    if parse_range(value) is None:
        raise PydanticCustomError("batch_format", "Not as SC0001-SC0030")
    return value.upper()


def range_of(batch: DeviceBatch) -> Racks:
    return Racks(batch.low, batch.high)


def in_range() -> ColumnElement[bool]:
    """The robot's number lies in the batch's range, and its type is one of the batch's."""
    rack: Any = func.upper(Device.rack_number).collate("C")
    return and_(
        Device.rack_number != "",
        rack.between(DeviceBatch.low, DeviceBatch.high),
        func.length(Device.rack_number) == func.length(DeviceBatch.low),
        Device.type_id == func.any(DeviceBatch.type_ids),
    )


def overlapping(racks: Racks) -> ColumnElement[bool]:
    """The condition: a batch has one of these rack numbers too."""
    return and_(
        func.length(DeviceBatch.low) == len(racks.low),
        DeviceBatch.low <= literal(racks.high),
        DeviceBatch.high >= literal(racks.low),
    )


RackRange = Annotated[str, StringConstraints(strip_whitespace=True, max_length=100), AfterValidator(_check_range)]
