"""/taskReport: runs that a person enters, corrects or deletes."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints, field_validator

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import Change, Commas, Day, DeviceId, Id, Moment, SeenUpdateTime, doc, none_if_blank
from lustra.domains.report import hand
from lustra.domains.report.calls.runs import VIEW

LARGEST_M2 = 1_000_000_000
DIGITS = 4  # of m²


def _round(area: float) -> float:
    """What no column holds is nothing that anybody cleaned."""
    return round(area, DIGITS)


Area = Annotated[float, Field(ge=0, le=LARGEST_M2), AfterValidator(_round)]
Title = Annotated[str, StringConstraints(strip_whitespace=True, max_length=256)]
End = Literal["finished", "cancelled", "interrupted", "failed"]
ATTRIBUTES = {"start_time": "started", "end_time": "ended", "work_area": "planned", "cleaned_area": "cleaned"}


class ReportChange(Change):
    """Coverage and efficiency follow from areas and times."""

    identity = frozenset({"task_report_id", "update_time"})

    task_report_id: Annotated[Id, doc("Number of the report.")]
    task_name: Annotated[Title | None, doc("Name of the task, 1 to 256 characters; null: stays.")] = Field(
        None, min_length=1
    )
    start_time: Annotated[Moment | None, doc("When the run began; null: stays.")] = None
    end_time: Annotated[Moment | None, doc("When the run ended, not in the future; null: stays.")] = None
    work_area: Annotated[Area | None, doc("What it was to clean, in m², 0 to 1,000,000,000; null: stays.")] = None
    cleaned_area: Annotated[Area | None, doc("What it cleaned, in m², 0 to 1,000,000,000; null: stays.")] = None
    end: Annotated[End | None, doc("How it ended; null: stays.")] = None
    update_time: SeenUpdateTime = None


class NewReport(Wire):
    device_id: DeviceId
    task_name: Annotated[Title, doc("Name of the task, 1 to 256 characters.")] = Field(min_length=1)
    map_name: Annotated[Title, doc("Map on which it ran; empty: not known.")] = ""
    start_time: Annotated[Moment, doc("When the run began.")]
    end_time: Annotated[Moment, doc("When the run ended, not in the future.")]
    work_area: Annotated[Area, doc("What it was to clean, in m², 0 to 1,000,000,000.")]
    cleaned_area: Annotated[Area, doc("What it cleaned, in m², 0 to 1,000,000,000.")]
    end: Annotated[End, doc("How it ended.")] = "finished"


class InsertedReport(Wire):
    task_report_id: Annotated[int, doc("Number of the report that was entered.")]


class ReportsToDelete(Wire):
    """One run by its number, or all that began before a day; not both."""

    task_report_id: Annotated[Id | None, doc("The run to delete; null: those before `time`.")] = None
    time: Annotated[Day | None, doc("Runs that began before this day at their robot's site are deleted.")] = None
    device_ids: Annotated[Commas[Id] | None, doc("Of these robots alone, 1 to 1000; null: of all in scope.")] = Field(
        None, min_length=1, max_length=1000
    )

    _blank = field_validator("task_report_id", "time", "device_ids", mode="before")(none_if_blank)


class DeletedReports(Wire):
    count: Annotated[int, doc("Number of runs that were deleted.")]


def _attributes(values: dict[str, object]) -> dict[str, object]:
    return {ATTRIBUTES.get(name, name): value for name, value in values.items()}


@call("/taskReport/editTaskReport", needs=VIEW, changes=("taskReport",), audit="report.edit")
async def edit_report(ctx: Ctx, payload: ReportChange) -> Nothing:
    """Change a run by hand; what its robot said is kept, and the run says who changed it."""
    await hand.edit_report(ctx, payload.task_report_id, _attributes(payload.sent()), payload.update_time)
    return Nothing()


@call("/taskReport/insertTaskReport", needs=VIEW, changes=("taskReport",), audit="report.insert")
async def insert_report(ctx: Ctx, payload: NewReport) -> InsertedReport:
    """Add a run that no robot reported; it says that it was entered by hand, and by whom."""
    values = payload.model_dump(exclude={"device_id"})
    return InsertedReport(task_report_id=await hand.insert_report(ctx, payload.device_id, _attributes(values)))


@call("/taskReport/deleteTaskReport", needs=VIEW, changes=("taskReport",), audit="report.delete")
async def delete_reports(ctx: Ctx, payload: ReportsToDelete) -> DeletedReports:
    """Delete one run, or all that began before a day; sums follow."""
    return DeletedReports(count=await hand.delete(ctx, payload.task_report_id, payload.time, payload.device_ids))
