"""/version: roll-outs of published versions to robots."""

from collections import Counter

from lustra.core import jobs
from lustra.core.calls.rpc import Ctx, Nothing, call
from lustra.core.query import pages
from lustra.core.wire import ById, Page, PageOf
from lustra.domains.rollout import orders, service, trust
from lustra.domains.rollout.calls.rows import (
    RolloutCandidate,
    RolloutChange,
    RolloutDetail,
    RolloutPlan,
    RolloutPreview,
    RolloutRobotRow,
    RolloutRow,
    RolloutSite,
    RolloutSteps,
    fields_of,
)
from lustra.domains.version.api import SOFT

TOPIC = "rollout"


@call("/version/previewRollout", needs=SOFT, reads=(TOPIC, "device", "state"))
async def preview_rollout(ctx: Ctx, payload: RolloutSteps) -> RolloutPreview:
    """List the robots that a roll-out of a published version would bring to it, by step."""
    offer, candidates, steps = await service.preview(
        ctx, payload.version_kind, payload.public_id, payload.steps, payload.groups
    )
    robots, bytes_of = Counter[str](), Counter[str]()
    for each in candidates:
        robots[each.robot.address] += 1
        bytes_of[each.robot.address] += each.size
    return RolloutPreview(
        name=offer.name,
        version=offer.version,
        size=max((each.size for each in candidates), default=0),
        step_groups=list(steps.names),
        sites=[
            RolloutSite(address=address, robots=number, size=bytes_of[address])
            for address, number in robots.most_common()
        ],
        list=[
            RolloutCandidate(
                device_id=each.robot.id,
                device_serial_number=each.robot.serial_number,
                device_code=each.robot.name,
                step=each.step,
                version=each.version,
                online=each.online,
                size=each.size,
                busy=each.busy,
            )
            for each in candidates
        ],
    )


@call("/version/startRollout", needs=SOFT, changes=(TOPIC,), audit="rollout.start")
async def start_rollout(ctx: Ctx, payload: RolloutPlan) -> ById:
    """Begin a roll-out of a published version to its robots, step by step, test devices first."""
    plan = service.Plan(
        payload.version_kind,
        payload.public_id,
        payload.steps,
        payload.groups,
        payload.per_minute,
        payload.failure_share,
        payload.pause_minutes,
        payload.charging,
        payload.from_minute,
        payload.to_minute,
        payload.health_runs,
        payload.health_days,
        {
            "alarms": payload.alarms_worse,
            "assists": payload.assists_worse,
            "coverage": payload.coverage_worse,
            "area": payload.area_worse,
            "battery": payload.battery_worse,
        },
    )
    return ById(id=(await service.start(ctx, plan)).id)


@call("/version/selectRollouts", needs=SOFT, reads=(TOPIC,))
async def select_rollouts(ctx: Ctx, payload: PageOf) -> Page[RolloutRow]:
    """List the roll-outs in scope, the newest first."""
    rollouts, total = await service.load_page(ctx, payload)
    robots = await service.load_robots(ctx, rollouts)
    rows = [RolloutRow.model_validate(fields_of(row, robots[row.id]), by_name=True) for row in rollouts]
    return Page(list=rows, page_num=pages(total, payload), total=total)


@call("/version/selectRollout", needs=SOFT, reads=(TOPIC, "device"))
async def select_rollout(ctx: Ctx, payload: ById) -> RolloutDetail:
    """Show a roll-out with all of its robots."""
    rollout = await service.load_one(ctx, payload.id)
    robots = (await service.load_robots(ctx, [rollout]))[rollout.id]
    devices = await service.load_devices(ctx, robots)
    rows = [
        RolloutRobotRow.model_construct(
            device_id=row.device_id,
            device_serial_number=devices[row.device_id].serial_number,
            device_code=devices[row.device_id].name,
            step=row.step,
            target=row.target,
            former=row.former,
            state=row.state,
            reason=row.reason,
            have=row.have,
            runs=row.runs,
            update_time=row.updated_at,
        )
        for row in robots
    ]
    return RolloutDetail.model_validate(
        {**fields_of(rollout, robots), "health": rollout.health, "list": rows}, by_name=True
    )


@call("/version/changeRollout", needs=SOFT, changes=(TOPIC,), audit="rollout.change")
async def change_rollout(ctx: Ctx, payload: RolloutChange) -> Nothing:
    """Pause a roll-out, go on with it, or cancel it; what installs already goes on to its end."""
    await service.change(ctx, payload.id, payload.action)
    return Nothing()


@call("/version/rollBack", needs=SOFT, changes=(TOPIC,), audit="rollout.back")
async def roll_back(ctx: Ctx, payload: ById) -> ById:
    """Cancel what is open of a roll-out, and start the former version of each robot that runs its version."""
    return ById(id=(await service.roll_back(ctx, payload.id)).id)


jobs.job("rollout.sign", cron="13 * * * *")(trust.renew)
jobs.job(orders.ADVANCE)(orders.advance)
jobs.job(orders.DROP)(orders.drop_order)
jobs.job("rollout.advance_all", cron="* * * * *")(orders.advance_all)
