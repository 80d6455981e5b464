"""What robots report of their work: finished runs, and what became of scheduled ones."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from lustra.protocol.bus.live_view import Mask
from lustra.protocol.telemetry import Payload

End = Literal["finished", "cancelled", "interrupted", "failed"]
Schedule = Literal["timetask", "elevator_timetask"]
Turn = Literal["waiting", "charging", "running", "done", "forced_end", "cancelled", "interrupted", "missed"]


class Report(Payload):
    """A finished run. It may be sent again and counts once. From `missed` and `unreachable` the console says what was
    not cleaned, and why."""

    id: Annotated[str, Meta(description="Id of the run; unique.")]
    task: Annotated[str, Meta(description="Name of the task.")]
    map: Annotated[str, Meta(description="Name of the map.")]
    map_revision: Annotated[int, Meta(description="Revision of that map during the run.")]
    started: Annotated[int, Meta(description="Start, ms since 1970.")]
    ended: Annotated[int, Meta(description="End, ms since 1970.")]
    end: Annotated[End, Meta(description="How it ended.")]
    planned: Annotated[float, Meta(description="Area of the task, m².")]
    reachable: Annotated[float, Meta(description="What of that area the tool can reach, m².")]
    cleaned: Annotated[float, Meta(description="Cleaned area, m².")]
    coverage: Annotated[float, Meta(description="`cleaned` / `reachable`, 0 to 1.")]
    battery_from: Annotated[float, Meta(description="Charge at the start, %.")]
    battery_to: Annotated[float, Meta(description="Charge at the end, %.")]
    liquid_ml: Annotated[float, Meta(description="Liquid used, ml.")]
    distance: Annotated[float, Meta(description="Distance driven, m.")]
    pauses: Annotated[int, Meta(description="Number of pauses.")]
    paused_s: Annotated[float, Meta(description="Time spent paused, s.")]
    cells: Annotated[Mask | None, Meta(description="Cleaned cells; null: none.")] = None
    driven: Annotated[list[float], Meta(description="Points that it drove through, thinned, m: x0, y0, x1, y1 …")] = (
        msgspec.field(default_factory=list[float])
    )
    clean_mode: Annotated[str, Meta(description="Cleaning mode: clean, carpet or quiet.")] = "clean"
    route: Annotated[str, Meta(description="Route pattern: bow (back and forth), spiral, edge …")] = "bow"
    speed: Annotated[str, Meta(description="Speed: low, middle or high.")] = "middle"
    faults: Annotated[list[str], Meta(description="Codes of the faults during the run.")] = msgspec.field(
        default_factory=list[str]
    )
    factor: Annotated[float, Meta(description="Speed factor of a virtual robot; 0: a real one.")] = 0.0
    gid: Annotated[
        str, Meta(description="The same in all reports of one run of a group or schedule; empty: the task ran alone.")
    ] = ""
    missed: Annotated[Mask | None, Meta(description="Reachable cells that were not cleaned; null: none.")] = None
    unreachable: Annotated[
        Mask | None, Meta(description="Free cells of the area that the tool cannot reach; null: none.")
    ] = None


class Unit(msgspec.Struct, kw_only=True):
    """One task of an occurrence."""

    map: Annotated[str, Meta(description="Name of the map.")]
    task: Annotated[str, Meta(description="Name of the task.")]
    run: Annotated[str, Meta(description="Id of its report; empty: it has not started.")] = ""
    reason: Annotated[str, Meta(description="Why it could not start; empty: it could.")] = ""


class Occurrence(msgspec.Struct, kw_only=True):
    """What became of one occurrence of a schedule: sent each time it changes."""

    kind: Annotated[Schedule, Meta(description="Kind of the schedule.")]
    schedule: Annotated[str, Meta(description="Name of the schedule.")]
    day: Annotated[str, Meta(description="Its local date, YYYY-MM-DD.")]
    start: Annotated[int, Meta(description="When it was to start, ms since 1970.")]
    state: Annotated[Turn, Meta(description="Its state.")]
    end: Annotated[int, Meta(description="Its forced end, ms since 1970; 0: none.")] = 0
    reason: Annotated[str, Meta(description="Why it was missed or broken off.")] = ""
    units: Annotated[list[Unit], Meta(description="Its tasks, in their order.")] = msgspec.field(
        default_factory=list[Unit]
    )
