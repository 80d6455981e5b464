"""What lower domains ask about reports."""

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.device.api import WorkReported
from lustra.domains.report.queries import EVERY
from lustra.domains.report.tables import TaskReport
from lustra.domains.task.api import OtherRuns, RunsReported

MOST_RUNS = 2000  # of one calendar
SECONDS = func.extract("epoch", TaskReport.ended - TaskReport.started)


async def on_runs_reported(db: AsyncSession, event: RunsReported) -> None:
    """The calendar shows what became of its runs."""
    if not event.runs:
        return
    reports = event.scope.select(TaskReport.device_id, TaskReport.run, TaskReport.id, TaskReport.coverage, SECONDS)
    for device, run, report, coverage, seconds in await db.execute(reports.where(TaskReport.run.in_(event.runs))):
        event.reports[device, run] = (report, coverage, float(seconds))


async def on_other_runs(db: AsyncSession, event: OtherRuns) -> None:
    """The calendar shows runs that a person started, too."""
    reports = event.scope.select(TaskReport).where(
        TaskReport.device_id.in_(event.robots),
        TaskReport.started >= event.since,
        TaskReport.started < event.until,
        TaskReport.run.not_in(event.known),
    )
    for report in await db.scalars(reports.order_by(TaskReport.started.desc()).limit(MOST_RUNS)):
        event.runs.append(
            {
                "taskReportId": report.id,
                "deviceId": report.device_id,
                "task": report.task_name,
                "mapName": report.map_name,
                "start": report.started,
                "end": report.ended,
                "result": report.end,
                "coverage": report.coverage,
            }
        )


async def on_work_reported(db: AsyncSession, event: WorkReported) -> None:
    """A run that was under way counts from then on; its pauses are taken as spread evenly."""
    counted = func.extract("epoch", TaskReport.ended - func.greatest(TaskReport.started, event.since))
    paused = func.least(1, func.coalesce(TaskReport.paused_s, 0) / func.greatest(SECONDS, 1))
    sums = EVERY.select(func.coalesce(func.sum(counted * (1 - paused)), 0.0), func.count(TaskReport.id))
    conditions = (TaskReport.device_id == event.device_id, TaskReport.owner_id == event.owner_id)
    seconds, event.runs = (await db.execute(sums.where(*conditions, TaskReport.ended > event.since))).one()
    event.seconds = float(seconds)
