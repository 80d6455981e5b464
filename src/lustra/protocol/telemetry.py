"""The robot's state, field by field, once.

Each line of State says what the field means, its unit, and where it goes. From these lines come the message's checks,
the columns of `robot_state`, the statements of ingest, the live part of a robot's row (list, socket, OpenAPI and the
console's types) and the history. Adding a number: a line here, who sends it (robot/simulation/machine_state), a
migration with its column, and a word of the glossary where a screen shows it.
"""

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

VERSION = 1
FARTHEST = 1e7  # no number of a state lies beyond
LONGEST = 256  # letters of a text

Mode = Literal["idle", "cleaning", "moving", "charging", "paused", "manual", "emergency", "riding"]
Banner = Literal[
    "map_not_selected",
    "position_unconfirmed",
    "low_battery",
    "disinfectant_level",
    "manual_mode",
    "brake",
    "emergency_stop",
    "serial_error",
]
PLAIN: dict[str, Any] = {"key": "", "scale": 0, "lasting": False}
Column = Literal["bigint", "int", "real", "float8", "text", "text[]"]


@dataclass(frozen=True)
class Field:
    """A field of State that is stored. `key`: its name in a robot's row, "" where rows do not carry it.

    `scale`: steps in one unit of what history keeps (10: tenths), 0: no history. `lasting`: an empty value says nothing
    new, and what was known stays.
    """

    name: str
    type: Any
    description: str
    column: Column
    key: str
    scale: int
    lasting: bool


def number(description: str, column: Column = "real", *, key: str = "", scale: int = 0, most: float = FARTHEST) -> Meta:
    limit = int(most) if column in {"int", "bigint"} else most
    extra = {"column": column, "key": key, "scale": scale}
    return Meta(description=description, ge=-limit, le=limit, extra=extra)


def text(description: str, *, key: str = "", lasting: bool = False) -> Meta:
    extra = {"column": "text", "key": key, "lasting": lasting}
    return Meta(description=description, max_length=LONGEST, extra=extra)


class Payload(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Base of all bus payloads. `v` and `at` are always sent."""

    at: int
    v: int = msgspec.field(default_factory=lambda: VERSION)


class State(Payload):
    """What a robot is doing."""

    # A new field of the history goes after the others that have a `scale`: their order is that of the packed form.
    mode: Annotated[Mode, Meta(description="What it does", extra={"column": "text"})]
    x: Annotated[float, number("Position in the map's frame, m", key="x", scale=1000)]
    y: Annotated[float, number("Position in the map's frame, m", key="y", scale=1000)]
    yaw: Annotated[float, number("Heading, rad, against the clock from the x axis", key="yaw", scale=1000)]
    battery: Annotated[float, number("Charge of the battery, %", key="battery", scale=10)]
    liquid: Annotated[float, number("Filling of the tank, %", key="liquid", scale=10)]
    map: Annotated[str, text("Name of the map it is on; empty: none, or it rides an elevator", key="mapName")] = ""
    map_revision: Annotated[int, number("Revision of that map", "int", key="mapRevision")] = 0
    speed: Annotated[float, number("Speed, m/s", key="speed")] = 0.0
    uncertainty: Annotated[float, number("Standard deviation of its position, m", key="uncertainty")] = 0.05
    task: Annotated[str, text("Name of the task that runs", key="taskName")] = ""
    run: Annotated[str, text("Id of the run; empty: no task runs", key="run")] = ""
    progress: Annotated[float, number("Share of the run that is done, 0 to 1", key="progress")] = 0.0
    cleaned: Annotated[float, number("Cleaned in this run, m²", key="cleaned")] = 0.0
    planned: Annotated[float, number("What this run is to clean, m²", key="planned")] = 0.0
    remaining_s: Annotated[float, number("Time until the run is done, s", key="remainingS")] = 0.0
    total: Annotated[float, number("All it ever cleaned, m²; only grows", "float8", most=FARTHEST * FARTHEST)] = 0.0
    help: Annotated[str, text("Fault code or message key that it cannot solve itself", key="help")] = ""
    banners: Annotated[
        list[Banner], Meta(description="Notices it shows", extra={"column": "text[]", "key": "banners"})
    ] = []
    simulated: Annotated[float, number("Speed factor of a virtual robot; 0: a real one", key="simulated")] = 0.0
    paused_by: Annotated[str, Meta(description="Code why it pauses, where nobody asked for it (0x0535, 0x0536)")] = ""
    mapping: Annotated[str, Meta(description="Name of the map that it draws")] = ""
    mapped: Annotated[float, Meta(description="Drawn so far, m²")] = 0.0
    utilities: Annotated[dict[str, int], Meta(description="What is switched on, and how high")] = {}
    lift: Annotated[
        str, text("The elevator that it is given, or rides in: then its mode is riding", key="liftName")
    ] = ""
    hard_disk: Annotated[
        str, text('Space of its disk, used and whole, as "12 / 64 GB"', key="hardDiskInfo", lasting=True)
    ] = ""
    software: Annotated[str, text("Version of its software", key="soft_version", lasting=True)] = ""


@cache
def fields() -> tuple[Field, ...]:
    """Of State those that are stored, in its order."""
    hints = get_type_hints(State, include_extras=True)
    out: list[Field] = []
    for spec in msgspec.structs.fields(State):
        kind, *metas = get_args(hints[spec.name]) if get_origin(hints[spec.name]) is Annotated else (None,)
        for meta in metas:
            extra = meta.extra or {}
            if "column" in extra:
                out.append(Field(spec.name, kind, meta.description, **{**PLAIN, **extra}))
    return tuple(out)


COLUMNS: dict[str, Column] = {"at": "bigint", **{field.name: field.column for field in fields()}}
SHOWN = tuple(field for field in fields() if field.key)
HISTORY = tuple(field for field in fields() if field.scale)
TEXTS = tuple(field.name for field in fields() if field.column == "text" and field.name != "mode")
