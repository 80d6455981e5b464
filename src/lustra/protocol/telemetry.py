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
LONGEST_WORD = 64  # letters of a mode or a banner

Mode = Literal["idle", "cleaning", "moving", "charging", "paused", "manual", "emergency", "riding"]
MODES: tuple[str, ...] = get_args(Mode)
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
BANNERS: tuple[str, ...] = get_args(Banner)
MOST_NAMED = 32  # banners, utilities or tanks of a state
MOST_LEVEL = 1000  # of a utility
Word = Annotated[str, Meta(min_length=1, max_length=LONGEST_WORD)]
PLAIN: dict[str, Any] = {"key": "", "scale": 0, "lasting": False}
Column = Literal["bigint", "int", "real", "float8", "text", "text[]", "jsonb"]


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


def number(
    description: str,
    column: Column = "real",
    *,
    key: str = "",
    scale: int = 0,
    least: float | None = None,
    most: float = FARTHEST,
) -> Meta:
    low = -most if least is None else least
    if column in {"int", "bigint"}:
        low, most = int(low), int(most)
    return Meta(description=description, ge=low, le=most, extra={"column": column, "key": key, "scale": scale})


def text(description: str, *, key: str = "", lasting: bool = False) -> Meta:
    extra = {"column": "text", "key": key, "lasting": lasting}
    return Meta(description=description, max_length=LONGEST, extra=extra)


class Payload(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Base of all bus payloads. `v` and `at` are always sent."""

    at: Annotated[int, Meta(description="The robot's clock, ms since 1970.")]
    v: Annotated[int, Meta(description="Version of the protocol.")] = msgspec.field(default_factory=lambda: VERSION)


class State(Payload, kw_only=True):
    """What a robot is doing. Of two states of one `stream`, the one with the higher `seq` is newer, whatever their
    `at`; each start of the robot's program begins a new `stream`. Words of `mode` and `banners` that are not listed
    are shown as they are; a robot in an unlisted mode counts as idle."""

    # A new field of the history goes after the others that have a `scale`: their order is that of the packed form.
    stream: Annotated[str, text("Names the sequence of `seq`; empty: states are ordered by `at` alone")] = ""
    seq: Annotated[int, number("Grows by 1 with each state of its stream", "bigint", most=FARTHEST * FARTHEST)] = 0
    mode: Annotated[
        str,
        Meta(
            description=f"What it is doing: {', '.join(MODES)}, or a word of its own",
            min_length=1,
            max_length=LONGEST_WORD,
            extra={"column": "text"},
        ),
    ]
    x: Annotated[float, number("Position in the map's frame, m", key="x", scale=1000)]
    y: Annotated[float, number("Position in the map's frame, m", key="y", scale=1000)]
    yaw: Annotated[float, number("Heading, rad, counter-clockwise from the x axis", key="yaw", scale=1000)]
    battery: Annotated[float, number("Battery charge, %", key="battery", scale=10, least=0, most=100)]
    liquid: Annotated[
        Annotated[float, Meta(ge=0, le=100)] | None,
        Meta(
            description="Tank level, %; left out: it has none",
            extra={"column": "real", "key": "liquid", "scale": 10},
        ),
    ] = None
    map: Annotated[str, text("Name of the map it is on; empty: none, or it is in an elevator", key="mapName")] = ""
    map_revision: Annotated[int, number("Revision of that map", "int", key="mapRevision")] = 0
    speed: Annotated[float, number("Speed, m/s", key="speed")] = 0.0
    uncertainty: Annotated[float, number("Standard deviation of its position, m", key="uncertainty")] = 0.05
    task: Annotated[str, text("Name of the running task", key="taskName")] = ""
    run: Annotated[str, text("Id of the run; empty: no task is running", key="run")] = ""
    progress: Annotated[float, number("Cleaned share of `planned`, 0 to 1", key="progress", least=0, most=1)] = 0.0
    cleaned: Annotated[float, number("Area cleaned in this run, m²", key="cleaned")] = 0.0
    planned: Annotated[float, number("Area that this run can reach, m²", key="planned")] = 0.0
    remaining_s: Annotated[float, number("Time left in this run, s", key="remainingS")] = 0.0
    total: Annotated[float, number("Total area ever cleaned, m²; only grows", "float8", most=FARTHEST * FARTHEST)] = 0.0
    help: Annotated[str, text("Fault code or message key of what it cannot solve itself", key="help")] = ""
    banners: Annotated[
        list[Word],
        Meta(
            description=f"Notices: {', '.join(BANNERS)}, or words of its own",
            max_length=MOST_NAMED,
            extra={"column": "text[]", "key": "banners"},
        ),
    ] = []
    simulated: Annotated[float, number("Speed factor of a virtual robot; 0: a real one", key="simulated")] = 0.0
    paused_by: Annotated[str, text("Code of why it paused by itself (0x0535, 0x0536)", key="pausedBy")] = ""
    mapping: Annotated[str, text("Name of the map that it is building; empty: none", key="mapping")] = ""
    mapped: Annotated[float, number("Area mapped so far, m²", key="mapped")] = 0.0
    utilities: Annotated[
        dict[Word, Annotated[int, Meta(ge=0, le=MOST_LEVEL)]],
        Meta(
            description="Level of each tool that is on, by its id in utils_list",
            max_length=MOST_NAMED,
            extra={"column": "jsonb", "key": "utilities"},
        ),
    ] = {}
    tanks: Annotated[
        dict[Word, Annotated[float, Meta(ge=0, le=100)]],
        Meta(
            description="Level of each of several tanks, %: "
            "clean_water, waste_water, left_disinfectant, right_disinfectant, detergent, or a name of its own",
            max_length=MOST_NAMED,
            extra={"column": "jsonb", "key": "tanks"},
        ),
    ] = {}
    planning: Annotated[
        int,
        number(
            "Number of routes still being planned for answers with `planning`",
            "int",
            key="planning",
            least=0,
            most=1000,
        ),
    ] = 0
    lift: Annotated[str, text("The elevator that it was given or is in; its mode is then riding", key="liftName")] = ""
    clean_mode: Annotated[str, text("Cleaning mode of the current run: clean, carpet or quiet", key="cleanMode")] = ""
    hard_disk: Annotated[str, text('Used and total disk space, as "12 / 64 GB"', key="hardDiskInfo", lasting=True)] = ""
    software: Annotated[str, text("Version of its software", key="soft_version", lasting=True)] = ""


@cache
def fields() -> tuple[Field, ...]:
    """The fields of State that are stored in columns, in the order of State."""
    hints = get_type_hints(State, include_extras=True)
    out: list[Field] = []
    for spec in msgspec.structs.fields(State):
        kind, *metas = get_args(hints[spec.name]) if get_origin(hints[spec.name]) is Annotated else (None,)
        out += [Field(spec.name, kind, meta.description, **{**PLAIN, **meta.extra}) for meta in metas if meta.extra]
    return tuple(out)


COLUMNS: dict[str, Column] = {"at": "bigint", **{field.name: field.column for field in fields()}}
SHOWN = tuple(field for field in fields() if field.key)
HISTORY = tuple(field for field in fields() if field.scale)
TEXTS = tuple(field.name for field in fields() if field.column == "text")
