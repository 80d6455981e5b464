"""/version: roll-outs of published software to robots, and the signed metadata by which robots trust it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from lustra.core import jobs
from lustra.core.calls.rpc import PUBLIC, Ctx, Nothing, Raw, Wire, call
from lustra.core.errors import Code, Refusal
from lustra.core.query import pages
from lustra.core.wire import ById, CreateTime, DeviceId, DeviceName, Id, Page, PageOf, SerialNumber, UpdateTime, doc
from lustra.domains.rollout import orders, rules, service, trust
from lustra.domains.rollout.tables import Rollout, RolloutRobot
from lustra.domains.version.api import SOFT

NOT_FOUND = 404
TOPIC = "rollout"
WHOLE = 100  # %
LAST_MINUTE = 24 * 60 - 1

Reason = Annotated[str, doc("Why it is so, a key of the catalogue of reasons; empty: there is nothing to say.")]
Step = Annotated[int, doc("0: test devices; else the number of the step, from 1.")]
Steps = Annotated[
    list[Annotated[int, Field(ge=1, le=WHOLE)]],
    doc(
        "How many % of the robots each step brings it to, ascending to 100; at most 10 steps. Test devices come first."
    ),
]


class MetadataFile(Wire):
    link: Annotated[str, doc("What a robot was given with its order; good for a day.")]
    file: Annotated[str, doc("Name of the file, as clients of TUF ask for it.")]


class RolloutSteps(Wire):
    public_id: Annotated[Id, doc("The published build.")]
    steps: Steps = Field([WHOLE], min_length=1, max_length=10)

    @field_validator("steps")
    @classmethod
    def _ascend(cls, steps: list[int]) -> list[int]:
        if steps != sorted(set(steps)) or steps[-1] != WHOLE:
            raise PydanticCustomError("rollout_steps", "Not ascending to 100")
        return steps


class RolloutPlan(RolloutSteps):
    failure_share: Annotated[
        int, doc("It pauses once so many % of the robots that it has come to have failed, 1 to 100.")
    ] = Field(10, ge=1, le=WHOLE)
    pause_minutes: Annotated[int, doc("Minutes between the end of a step and the next, 0 to 20,160.")] = Field(
        0, ge=0, le=20_160
    )
    charging: Annotated[bool, doc("Whether robots install it on their charger alone.")] = False
    from_minute: Annotated[
        int | None, doc("Robots install it from this minute of their site's day on, 0 to 1439; null: at any time.")
    ] = Field(None, ge=0, le=LAST_MINUTE)
    to_minute: Annotated[int | None, doc("And until this one; null with `fromMinute` alone.")] = Field(
        None, ge=0, le=LAST_MINUTE
    )

    @model_validator(mode="after")
    def _have_both_hours(self) -> "RolloutPlan":
        if (self.from_minute is None) != (self.to_minute is None):
            raise PydanticCustomError("rollout_hours", "Hours begin and end")
        return self


class RolloutCandidate(Wire):
    device_id: DeviceId
    device_serial_number: SerialNumber
    device_code: DeviceName
    step: Step
    version: Annotated[str, doc("What it runs now; empty: it has not said.")]
    online: Annotated[bool, doc("Whether it is connected now.")]
    busy: Annotated[bool, doc("Whether another roll-out of it is open: it cannot begin before that ends.")]


class RolloutPreview(Wire):
    name: Annotated[str, doc("The software and its build.")]
    version: Annotated[str, doc("What robots shall run.")]
    size: Annotated[int, doc("Bytes that each robot downloads.")]
    list: Annotated[list[RolloutCandidate], doc("Robots that do not run it yet, by step.")]


class RolloutRow(Wire):
    id: Annotated[int, doc("The roll-out.")]
    kind: Annotated[Literal["update", "back"], doc("`back`: robots go back to what they ran before.")]
    name: Annotated[str, doc("The software and its build.")]
    version: Annotated[str, doc("Its version; of a roll-back the one that robots leave.")]
    size: Annotated[int, doc("Bytes that each robot downloads.")]
    state: Annotated[rules.State, doc("How it is.")]
    reason: Reason
    step: Step
    steps: Annotated[list[int], doc("How many % of the robots each step brings it to.")]
    failure_share: Annotated[int, doc("It pauses once so many % have failed.")]
    pause_minutes: Annotated[int, doc("Minutes between the end of a step and the next.")]
    charging: Annotated[bool, doc("Whether robots install it on their charger alone.")]
    from_minute: Annotated[int | None, doc("First minute of the site's day; null: at any time.")]
    to_minute: Annotated[int | None, doc("Last minute of the site's day; null: at any time.")]
    step_time: Annotated[datetime, doc("Since when the step is under way.")]
    create_time: CreateTime
    end_time: Annotated[datetime | None, doc("When it ended; null: it has not.")]
    robots: Annotated[int, doc("Number of its robots.")]
    confirmed: Annotated[int, doc("How many of them run it.")]
    failed: Annotated[int, doc("How many have failed or fallen back.")]


class RolloutRobotRow(Wire):
    device_id: DeviceId
    device_serial_number: SerialNumber
    device_code: DeviceName
    step: Step
    target: Annotated[str, doc("What it shall run.")]
    former: Annotated[str, doc("What it ran when the roll-out began; empty: unknown.")]
    state: Annotated[rules.RobotState, doc("How far it is.")]
    reason: Reason
    have: Annotated[int, doc("Bytes that it has downloaded.")]
    update_time: UpdateTime


class RolloutDetail(RolloutRow):
    list: Annotated[list[RolloutRobotRow], doc("Its robots, by step.")]


class RolloutChange(Wire):
    id: Annotated[Id, doc("The roll-out.")]
    action: Annotated[rules.Action, doc("What it is to do: `resume` forgives the failures until now.")]


def _fields(rollout: Rollout, robots: Sequence[RolloutRobot]) -> dict[str, object]:
    return {
        "id": rollout.id,
        "kind": rollout.kind,
        "name": rollout.name,
        "version": rollout.version,
        "size": rollout.size,
        "state": rollout.state,
        "reason": rollout.reason,
        "step": rollout.step,
        "steps": rollout.steps,
        "failure_share": rollout.failure_share,
        "pause_minutes": rollout.pause_minutes,
        "charging": rollout.charging,
        "from_minute": rollout.from_minute,
        "to_minute": rollout.to_minute,
        "step_time": rollout.step_at,
        "create_time": rollout.created_at,
        "end_time": rollout.ended_at,
        "robots": len(robots),
        "confirmed": sum(robot.state == "confirmed" for robot in robots),
        "failed": rules.count_bad(robots),
    }


@call("/version/previewRollout", needs=SOFT, reads=(TOPIC, "device", "state"))
async def preview_rollout(ctx: Ctx, payload: RolloutSteps) -> RolloutPreview:
    """List the robots that a roll-out of a published build would bring to it, by step."""
    published, candidates = await service.preview(ctx, payload.public_id, payload.steps)
    return RolloutPreview(
        name=f"{published.line.name} {published.build.name}",
        version=published.build.version,
        size=published.file.size,
        list=[
            RolloutCandidate(
                device_id=each.robot.id,
                device_serial_number=each.robot.serial_number,
                device_code=each.robot.name,
                step=each.step,
                version=each.version,
                online=each.online,
                busy=each.busy,
            )
            for each in candidates
        ],
    )


@call("/version/startRollout", needs=SOFT, changes=(TOPIC,), audit="rollout.start")
async def start_rollout(ctx: Ctx, payload: RolloutPlan) -> ById:
    """Begin a roll-out of a published build to its robots, step by step, test devices first."""
    plan = service.Plan(
        payload.public_id,
        payload.steps,
        payload.failure_share,
        payload.pause_minutes,
        payload.charging,
        payload.from_minute,
        payload.to_minute,
    )
    return ById(id=(await service.start(ctx, plan)).id)


@call("/version/selectRollouts", needs=SOFT, reads=(TOPIC,))
async def select_rollouts(ctx: Ctx, payload: PageOf) -> Page[RolloutRow]:
    """List the roll-outs in scope, the newest first."""
    rollouts, total = await service.load_page(ctx, payload)
    robots = await service.load_robots(ctx, rollouts)
    rows = [RolloutRow.model_validate(_fields(row, robots[row.id]), by_name=True) for row in rollouts]
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
            update_time=row.updated_at,
        )
        for row in robots
    ]
    return RolloutDetail.model_validate({**_fields(rollout, robots), "list": rows}, by_name=True)


@call("/version/changeRollout", needs=SOFT, changes=(TOPIC,), audit="rollout.change")
async def change_rollout(ctx: Ctx, payload: RolloutChange) -> Nothing:
    """Pause a roll-out, go on with it, or cancel it; what installs already goes on to its end."""
    await service.change(ctx, payload.id, payload.action)
    return Nothing()


@call("/version/rollBack", needs=SOFT, changes=(TOPIC,), audit="rollout.back")
async def roll_back(ctx: Ctx, payload: ById) -> ById:
    """Cancel what is open of a roll-out, and start the former version of each robot that runs its version."""
    return ById(id=(await service.roll_back(ctx, payload.id)).id)


@call("/version/metadata/{link}/{file}", method="GET", needs=PUBLIC, raw="application/json")
async def get_metadata(ctx: Ctx, payload: MetadataFile) -> Raw:
    """Send a file of the signed metadata; one that is not there is a 404, by which clients know the newest root."""
    claims = ctx.app.objects.links.read(payload.link)
    if claims is None or orders.PURPOSE not in claims:
        raise Refusal(Code.LINK_EXPIRED)
    content = await trust.load_file(ctx.db, payload.file)
    return Raw((content or "").encode(), "application/json", status=200 if content else NOT_FOUND)


@call("/version/root", method="GET", needs=PUBLIC, raw="application/json")
async def get_root(ctx: Ctx) -> Raw:
    """Send the newest root of trust, which robots are given when they are set up. It holds public keys alone."""
    content = await trust.load_root(ctx.db)
    if content is None:
        raise Refusal(Code.NOT_FOUND)
    return Raw(content.encode(), "application/json")


jobs.job("rollout.sign", cron="13 * * * *")(trust.renew)
jobs.job(orders.ADVANCE)(orders.advance)
jobs.job(orders.DROP)(orders.drop_order)
jobs.job("rollout.advance_all", cron="* * * * *")(orders.advance_all)
