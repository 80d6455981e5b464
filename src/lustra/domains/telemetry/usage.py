"""What a robot has worked since somebody last set that back: m² from the hourly sums, hours and runs from its reports.

Rules: only the present owner's work counts, since what a robot did before is another's; setting back wants a reason,
keeps what was counted, and the same one (`hash`) twice counts once.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import select, text

from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.domains.device.api import Device, load_device, load_owned
from lustra.domains.telemetry.tables import WorkReset

# A run that was under way at the reset counts from there on; its pauses are taken as spread evenly.
SUMS = text(
    """select
      (select coalesce(sum(h.area), 0) from area_hour h where h.robot = :robot and h.owner_id = :owner
        and h.hour >= date_trunc('hour', cast(:since as timestamptz))) as area,
      (select coalesce(sum(h.area), 0) from area_hour h where h.robot = :robot and h.owner_id = :owner
        and h.hour = date_trunc('hour', now())) as in_hour,
      coalesce(sum(extract(epoch from r.ended - greatest(r.started, :since))
        * (1 - least(1, coalesce(r.paused_s, 0) / greatest(extract(epoch from r.ended - r.started), 1)))), 0)
      as seconds,
      count(r.id) as count
    from task_report r where r.device_id = :robot and r.owner_id = :owner and r.ended > :since"""
)


async def _load_last_reset(ctx: Ctx, robot: Device) -> WorkReset | None:
    rows = select(WorkReset).where(WorkReset.device_id == robot.id, WorkReset.owner_id == robot.owner_id)
    return await ctx.db.scalar(rows.order_by(WorkReset.id.desc()).limit(1))


async def _load_sums(ctx: Ctx, robot: Device, last: WorkReset | None) -> dict[str, Any]:
    since = last.created_at if last else datetime.fromtimestamp(0).astimezone()
    row = await ctx.db.execute(SUMS, {"robot": robot.id, "owner": robot.owner_id, "since": since})
    sums = dict(row.mappings().one())
    sums["area"] = max(0.0, sums["area"] - (last.in_hour if last else 0.0))
    return sums


async def load_work(ctx: Ctx, device_id: int) -> dict[str, Any]:
    robot = await load_device(ctx, device_id)
    last = await _load_last_reset(ctx, robot)
    sums = await _load_sums(ctx, robot, last)
    return {
        "area": sums["area"],
        "seconds": float(sums["seconds"]),
        "count": sums["count"],
        "since": last.created_at if last else robot.created_at,
        "reason": last.reason if last else "",
    }


async def reset_work(ctx: Ctx, device_id: int, reason: str, key: str) -> None:
    robot = await load_owned(ctx, device_id)
    repeated = select(WorkReset.id).where(WorkReset.device_id == robot.id, WorkReset.hash == key)
    if key and await ctx.db.scalar(repeated):
        return
    if not reason.strip():
        raise Refusal(Code.BAD_INPUT, "reason", reason="required")
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
