"""/taskReport/notCleaned: what a run did not clean, and why."""

from typing import Annotated, Literal

from lustra.core.calls.rpc import Ctx, Fast, Wire, call
from lustra.core.wire import doc
from lustra.domains.report import not_cleaned
from lustra.domains.report.calls.runs import VIEW, ReportCells, ReportRef

Spot = tuple[float, float]


class LeftPatch(Wire):
    """A connected part of at least 0.5 m² that a run did not clean."""

    kind: Annotated[
        Literal["missed", "blocked", "unreachable"],
        doc("`blocked`: a fault was raised within 2 m of it; `unreachable`: the robot's tool cannot get there."),
    ]
    area: Annotated[float, doc("Its area in m².")]
    at: Annotated[Spot, doc("x and y of a place in it, in m of the map's frame.")]
    room: Annotated[str, doc("The room of the map in which most of it lies; empty: none is drawn there.")]
    code: Annotated[str, doc("Code of the fault that blocked it; empty: none.")]
    content: Annotated[str, doc("That code in the reader's language; empty: none.")]
    times: Annotated[int, doc("How many runs of the floor left it within 7 days, this run among them.")]
    corners: Annotated[list[Spot], doc("Area of a task that cleans it, in m; empty: it cannot be reached.")]
    start: Annotated[Spot | None, doc("Where such a task can begin, in m; null: it cannot be reached.")]


class NotCleaned(Wire):
    """What a run left of its area; the areas together are more than the patches where there are smaller ones."""

    known: Annotated[bool, doc("Whether the robot reported it; else all else is empty.")]
    missed_area: Annotated[float, doc("What it could reach and did not clean, in m².")]
    blocked_area: Annotated[float, doc("What it did not clean near a fault, in m².")]
    unreachable_area: Annotated[float, doc("What its tool cannot reach of the area, in m².")]
    missed: Annotated[ReportCells | None, doc("Cells that were missed; null: not known.")]
    blocked: Annotated[ReportCells | None, doc("Cells that were blocked; null: not known.")]
    unreachable: Annotated[ReportCells | None, doc("Cells out of reach; null: not known.")]
    list: Annotated[list[LeftPatch], doc("The patches, those to be cleaned first; up to 50 and 50 out of reach.")]


@call("/taskReport/notCleaned", needs=VIEW, reads=("taskReport", "warn", "support"))
async def select_not_cleaned(ctx: Ctx, payload: ReportRef) -> Fast[NotCleaned]:
    """Show what a run did not clean, patch by patch, and why."""
    return Fast(await not_cleaned.load_not_cleaned(ctx, payload.task_report_id))
