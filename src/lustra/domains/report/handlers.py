"""What lower domains ask about reports."""

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.scope import system
from lustra.domains.device.api import WorkReported
from lustra.domains.report.tables import TaskReport
from lustra.domains.task.api import RunsReported

SECONDS = func.extract("epoch", TaskReport.ended - TaskReport.started)


async def on_runs_reported(db: AsyncSession, event: RunsReported) -> None:
    """The calendar shows what became of its runs."""
    if not event.runs:
        return
    reports = event.scope.select(TaskReport.device_id, TaskReport.run, TaskReport.id, TaskReport.coverage, SECONDS)
    for device, run, report, coverage, seconds in await db.execute(reports.where(TaskReport.run.in_(event.runs))):
        event.reports[device, run] = (report, coverage, float(seconds))


async def on_work_reported(db: AsyncSession, event: WorkReported) -> None:
    """A run that was under way counts from then on; its pauses are taken as spread evenly."""
    counted = func.extract("epoch", TaskReport.ended - func.greatest(TaskReport.started, event.since))
    paused = func.least(1, func.coalesce(TaskReport.paused_s, 0) / func.greatest(SECONDS, 1))
    sums = system("of a robot in scope").select(
        func.coalesce(func.sum(counted * (1 - paused)), 0.0), func.count(TaskReport.id)
    )
    conditions = (TaskReport.device_id == event.device_id, TaskReport.owner_id == event.owner_id)
    seconds, event.runs = (await db.execute(sums.where(*conditions, TaskReport.ended > event.since))).one()
    event.seconds = float(seconds)
