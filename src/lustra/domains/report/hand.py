"""Runs that a person enters, corrects or deletes.

Rules: who has the run's owner in scope may do so; a run whose report has not come is left to its robot. What the robot
said is kept beside the first correction (`original`), and each row says by whose hand it is. A run that is entered
belongs to who owned the robot as it began. By its number one run is deleted; before a day all that began earlier, of
these robots or of all in scope; both at once, or neither, is refused.
"""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any
from uuid import uuid4

from pydantic_core import to_jsonable_python

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.database import edits
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.domains.device.api import load_device
from lustra.domains.report import queries
from lustra.domains.report.tables import TaskReport

EDITED = "edited"
INSERTED = "inserted"
WIRE = {"started": "startTime", "ended": "endTime", "planned": "workArea", "cleaned": "cleanedArea"}
CORRECTABLE = (
    "task_name",
    "started",
    "ended",
    "planned",
    "reachable",
    "cleaned",
    "coverage",
    "end",
)  # what may be corrected
MS = 1000
UNKNOWN: dict[str, Any] = {  # what only a robot says of its run
    "gid": "",
    "provisional": False,
    "map_revision": 0,
    "reachable": None,
    "coverage": None,
    "battery_from": None,
    "battery_to": None,
    "liquid_ml": None,
    "distance": None,
    "pauses": None,
    "paused_s": None,
    "clean_mode": "",
    "route": "",
    "speed": "",
    "faults": [],
    "factor": 0.0,
    "cells": None,
    "driven": [],
}


async def _lock_report(ctx: Ctx, report_id: int) -> TaskReport:
    rows = ctx.scope.changeable.select(TaskReport).where(TaskReport.id == report_id)
    return await query.fetch_one(ctx.db, rows.with_for_update())


def _check(report: TaskReport) -> None:
    if report.ended < report.started:
        raise Refusal(Code.BAD_INPUT, "endTime", reason="date_order")
    if report.ended > now():
        raise Refusal(Code.BAD_INPUT, "endTime", reason="time_to_come")


async def edit_report(ctx: Ctx, report_id: int, values: Mapping[str, Any], seen: datetime | None) -> None:
    """Coverage is then of the area that is entered."""
    report = await _lock_report(ctx, report_id)
    if report.provisional:
        raise Refusal(Code.BAD_INPUT, "taskReportId", reason="report_to_come")
    original = {name: to_jsonable_python(getattr(report, name)) for name in CORRECTABLE}
    ctx.note(deviceId=report.device_id, before=edits.apply(report, dict(values), seen, WIRE))
    if values.keys() & {"planned", "cleaned"}:
        report.coverage = None
    if "planned" in values:
        report.reachable = None
    _check(report)
    if not report.by_hand:
        report.by_hand, report.original = EDITED, original
    report.editor_id, report.edited_at = ctx.actor.real_id, now()


async def insert_report(ctx: Ctx, device_id: int, values: Mapping[str, Any]) -> int:
    """Refused where the robot was not of an owner in scope as the run began."""
    robot = await load_device(ctx, device_id)
    at = round(values["started"].timestamp() * MS)
    place = await ctx.app.pool.fetchrow(
        ctx.scope.sql(queries.PLACE_OF_RUN), ctx.scope.path, robot.id, at, values["map_name"]
    )
    if place is None:
        raise Refusal(Code.NOT_FOUND, "deviceId")
    report = TaskReport(
        **UNKNOWN,
        **values,
        **place,
        device_id=robot.id,
        run=f"hand-{uuid4()}",
        by_hand=INSERTED,
        editor_id=ctx.actor.real_id,
        edited_at=now(),
        updated_at=now(),
    )
    _check(report)
    ctx.db.add(report)
    await ctx.db.flush()
    ctx.note(deviceId=robot.id, taskReportId=report.id)
    return report.id


async def delete(ctx: Ctx, report_id: int | None, before: date | None, device_ids: list[int] | None) -> int:
    """How many were deleted."""
    if report_id is not None:
        report = await _lock_report(ctx, report_id)
        if before is not None or device_ids is not None:
            raise Refusal(Code.BAD_INPUT, "time", reason="report_or_time")
        return await _delete_report(ctx, report)
    if before is None:
        raise Refusal(Code.BAD_INPUT, "time", reason="required")
    return await _delete_before(ctx, before, device_ids)


async def _delete_report(ctx: Ctx, report: TaskReport) -> int:
    ctx.note(deviceId=report.device_id, taskName=report.task_name, startTime=report.started.isoformat())
    await ctx.db.delete(report)
    return 1


async def _delete_before(ctx: Ctx, before: date, device_ids: list[int] | None) -> int:
    """Runs that began before that day at their robot's site. Robots that are not in scope have none."""
    values = {"path": ctx.scope.path, "before": before, "devices": device_ids}
    count = len((await ctx.db.execute(ctx.scope.text(queries.DELETE_BEFORE), values)).all())
    ctx.note(count=count)
    return count
