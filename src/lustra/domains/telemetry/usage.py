"""What a robot has worked since somebody last set that back: m² from the hourly sums, hours and runs from its reports.

Rules: only the present owner's work counts, since what a robot did before is another's; setting back
keeps what was counted, and the same one (`hash`) twice counts once.
"""

from datetime import datetime
from typing import Any

from lustra.core import events
from lustra.core.context import Ctx
from lustra.core.scope import rows_of
from lustra.domains.device.api import Device, WorkReported, load_device, load_owned
from lustra.domains.telemetry import queries
from lustra.domains.telemetry.tables import WorkReset


async def _load_last_reset(ctx: Ctx, robot: Device) -> WorkReset | None:
    rows = rows_of(robot).select(WorkReset).where(WorkReset.owner_id == robot.owner_id)
    return await ctx.db.scalar(rows.order_by(WorkReset.id.desc()).limit(1))


async def _load_sums(ctx: Ctx, robot: Device, last: WorkReset | None) -> dict[str, Any]:
    since = last.created_at if last else datetime.fromtimestamp(0).astimezone()
    values = {"robot": robot.id, "owner": robot.owner_id, "since": since}
    areas = (await ctx.db.execute(rows_of(robot).text(queries.AREA_SUMS), values)).mappings().one()
    reported = WorkReported(robot.id, robot.owner_id, since)
    await events.emit(ctx.db, reported)
    sums = {**areas, "seconds": reported.seconds, "count": reported.runs}
    sums["area"] = round(max(0.0, sums["area"] - (last.in_hour if last else 0.0)), 4)  # m², to the cm²
    return sums


async def load_work(ctx: Ctx, device_id: int) -> dict[str, Any]:
    robot = await load_device(ctx, device_id)
    last = await _load_last_reset(ctx, robot)
    sums = await _load_sums(ctx, robot, last)
    return {
        "area": sums["area"],
        "seconds": float(sums["seconds"]),
        "count": sums["count"],
        "since": last.created_at if last else min(robot.created_at, sums["first_hour"] or robot.created_at),
        "reason": last.reason if last else "",
    }


async def reset_work(ctx: Ctx, device_id: int, reason: str, key: str) -> None:
    robot = await load_owned(ctx, device_id)
    repeated = rows_of(robot).select(WorkReset.id).where(WorkReset.hash == key)
    if key and await ctx.db.scalar(repeated):
        return
    sums = await _load_sums(ctx, robot, await _load_last_reset(ctx, robot))
    ctx.note(before={"workArea": sums["area"], "workSeconds": float(sums["seconds"]), "workCount": sums["count"]})
    ctx.db.add(
        WorkReset(
            device_id=robot.id,
            owner_id=robot.owner_id,
            by_id=ctx.actor.real_id,
            reason=reason.strip(),
            hash=key,
            area=sums["area"],
            seconds=float(sums["seconds"]),
            count=sums["count"],
            in_hour=sums["in_hour"],
        )
    )
