"""What is wrong with a message of a robot: which field, and why, for `cmd.refused`.

Rules: of a state each field is read by itself, and what is right is taken; without `at` there is no state. A report or
an event is taken whole or not at all.
"""

import re
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeVar, get_type_hints

import msgspec

from lustra.protocol.telemetry import State

Reason = Literal["unreadable", "missing", "wrong_type", "out_of_range", "unknown_value", "no_room"]
T = TypeVar("T")
LATEST_AT = 253_402_300_800_000  # the year 10,000: what no database takes
NUL = b"\\u0000"  # what no text of the database takes

# What a state must say. Where one of these cannot be read, the robot's newest known value stands on.
INDISPENSABLE: dict[str, Any] = {"mode": "", "x": 0.0, "y": 0.0, "yaw": 0.0, "battery": 0.0}
STATE = msgspec.json.Decoder(State)
ANYTHING = msgspec.json.Decoder(dict[str, Any])
TYPES = get_type_hints(State, include_extras=True)


@dataclass(frozen=True, slots=True)
class Flaw:
    """`field`: dotted path of it; empty: the message as a whole."""

    field: str
    reason: Reason


class Flawed(Exception):
    """Raised for a message that never can be stored."""

    def __init__(self, field: str = "", reason: Reason = "unreadable") -> None:
        super().__init__(f"{field}: {reason}")
        self.flaw = Flaw(field, reason)


class Reading(NamedTuple):
    """A state as far as it can be taken. `unknown`: which of INDISPENSABLE it does not say."""

    state: State
    unknown: frozenset[str] = frozenset()


def read_state(data: bytes) -> tuple[Reading | None, tuple[Flaw, ...]]:
    """What can be read of a state, field by field, and what is wrong; None where nothing can."""
    try:
        state = STATE.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return _read_fields(data)
    if NUL in data or not 0 < state.at < LATEST_AT:
        return _read_fields(data)
    return Reading(state), ()


def _read_fields(data: bytes) -> tuple[Reading | None, tuple[Flaw, ...]]:
    try:
        content = ANYTHING.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None, (Flaw("", "unreadable"),)
    flaws: list[Flaw] = []
    values: dict[str, Any] = {}
    for name, kind in TYPES.items():
        if name not in content:
            if name == "at" or name in INDISPENSABLE:
                flaws.append(Flaw(name, "missing"))
            continue
        try:
            value = msgspec.convert(content[name], kind)
        except msgspec.ValidationError as why:
            flaws.append(Flaw(name, flaw_of(why).reason))
            continue
        if (name == "at" and not 0 < value < LATEST_AT) or "\0" in str(value):
            flaws.append(Flaw(name, "out_of_range"))
        else:
            values[name] = value
    if "at" not in values:
        return None, tuple(flaws)
    unknown = frozenset(INDISPENSABLE) - values.keys()
    return Reading(State(**INDISPENSABLE | values), unknown), tuple(flaws)


def read_whole(decoder: msgspec.json.Decoder[T], data: bytes) -> T:
    """A report or an event. Raises Flawed."""
    if NUL in data:
        raise Flawed
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as why:
        flaw = flaw_of(why)
        raise Flawed(flaw.field, flaw.reason) from why
    except (msgspec.MsgspecError, UnicodeDecodeError) as why:
        raise Flawed from why


PLACE = re.compile(r" - at `\$\.?(.*)`$")
MISSING = re.compile(r"missing required field `(\w+)`")


def flaw_of(why: msgspec.ValidationError) -> Flaw:
    """Which field, and why, by msgspec's own words."""
    words = str(why)
    place = PLACE.search(words)
    path = place[1] if place else ""
    if missing := MISSING.search(words):
        return Flaw(".".join(part for part in (path, missing[1]) if part), "missing")
    if words.startswith(("Invalid enum value", "Invalid value")):
        return Flaw(path, "unknown_value")
    return Flaw(path, "wrong_type" if ", got `" in words else "out_of_range")
