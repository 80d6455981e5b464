"""/deviceConsumable and /maintain: what wears on a robot, and what is to be done again and again."""

from datetime import date, datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from lustra.core import jobs
from lustra.core.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import Day, Id, Json, Moment, Title
from lustra.domains.device.rules import Blank
from lustra.domains.upkeep import consumables, maintenance, remind, rules, service
from lustra.domains.upkeep.tables import UpkeepDone

VIEW = "device/index"
OptionalMoment = Annotated[Moment | None, Blank]
OptionalDay = Annotated[Day | None, Blank]
Exact = Annotated[
    str, Field(alias="device_serial_number"), StringConstraints(strip_whitespace=True, min_length=1, max_length=32)
]


class OfRobot(Wire):
    device_serial_number: rules.Serial


class Done(Wire):
    """`used` hours of the `hours` that were meant; null: none were."""

    name: str
    time: datetime
    used: float
    hours: float | None
    by: str


class Consumable(Wire):
    """`replaceDate` null: nobody has said; then its hours are all that the robot has worked. `lifeHours` null: nobody
    is warned. Hours are of work."""

    name: rules.Item
    replace_date: date | None
    used_hours: float
    life_hours: float | None
    state: rules.State
    device_serial_number: str


class Consumables(Wire):
    done: list[Done]
    list: list[Consumable]
    update_time: datetime


class Life(Wire):
    item: rules.Item
    life_hours: rules.Hours


class Lives(OfRobot):
    """`updateTime` as the list had it: then somebody else's change meanwhile is told, and not overwritten."""

    items: Json[Annotated[list[Life], Field(min_length=1, max_length=len(rules.ITEMS))]]
    update_time: OptionalMoment = None


class Replaced(OfRobot):
    """`replaceDate`: without it today. `usedHours`: of work that the new part had before."""

    item: rules.Item
    replace_date: OptionalDay = None
    used_hours: rules.Used = 0.0
    update_time: OptionalMoment = None


class Plan(Wire):
    """`maintainDate`: due on that day at the latest; null: by its hours alone. `since`: when the period began."""

    id: int
    name: str
    maintain_date: date | None
    period: float
    used_hours: float
    since: date | None
    state: rules.State
    device_serial_number: Annotated[str, Field(alias="device_serial_number")]


class Plans(Wire):
    done: list[Done]
    list: list[Plan]
    update_time: datetime


class PlanTold(Wire):
    """`done` starts the next period; `id` tells one of the list from its namesake of before."""

    id: Id | None = None
    name: Title
    maintain_date: OptionalDay = None
    period: rules.Hours
    done: bool = False


class PlansTold(Wire):
    """The whole list: one that is not in it goes."""

    device_serial_number: Exact
    list: Json[Annotated[list[PlanTold], Field(max_length=50)]]
    update_time: OptionalMoment = None


def _done(one: UpkeepDone) -> Done:
    return Done(name=one.name, time=one.done_at, used=round(one.used, 2), hours=one.hours, by=one.by_name)


@call("/deviceConsumable/consumableInfo", needs=VIEW)
async def consumable_info(ctx: Ctx, wanted: OfRobot) -> Consumables:
    """Those that the robot has, and what was replaced."""
    robot = await service.seen(ctx, wanted.device_serial_number)
    rows = await consumables.standing(ctx, robot)
    told = [
        Consumable.model_construct(
            name=row.name, replace_date=service.day(robot, row.since), used_hours=round(used, 2), life_hours=row.hours,
            state=rules.state(rules.level(used, row.hours), row.hours), device_serial_number=robot.serial_number,
        )
        for row, used in rows
    ]  # fmt: skip
    done = [_done(one) for one in await service.done(ctx, robot, "consumable")]
    return Consumables(list=told, done=done, update_time=service.version(robot, rows))


@call(
    "/deviceConsumable/consumableEdit",
    needs="device/index/consumables",
    changes=("deviceConsumable",),
    audit="consumable.edit",
)
async def consumable_edit(ctx: Ctx, told: Lives) -> Nothing:
    """How long parts live."""
    lives: dict[rules.Item, float] = {one.item: one.life_hours for one in told.items}
    await consumables.set_lives(ctx, told.device_serial_number, lives, told.update_time)
    return Nothing()


@call(
    "/deviceConsumable/consumableUpdate", needs="device/index/consumables", changes=("deviceConsumable",),
    audit="consumable.replace",
)  # fmt: skip
async def consumable_update(ctx: Ctx, told: Replaced) -> Nothing:
    """A part was replaced: its hours start anew."""
    await consumables.replace(
        ctx, told.device_serial_number, told.item, told.replace_date, used=told.used_hours, seen=told.update_time
    )
    return Nothing()


@call("/maintain/findMaintainBySn", needs=VIEW)
async def find_maintain(ctx: Ctx, wanted: OfRobot) -> Plans:
    """What is to be done on the robot, and what was."""
    robot = await service.seen(ctx, wanted.device_serial_number)
    rows, today = await service.standing(ctx, robot, "maintenance"), service.today(robot)
    told = [
        Plan.model_construct(
            id=row.id, name=row.name, maintain_date=row.due_on, period=row.hours, used_hours=round(used, 2),
            since=service.day(robot, row.since), state=rules.state(maintenance.level(row, used, today), row.hours),
            device_serial_number=robot.serial_number,
        )
        for row, used in rows
    ]  # fmt: skip
    done = [_done(one) for one in await service.done(ctx, robot, "maintenance")]
    return Plans(list=told, done=done, update_time=service.version(robot, rows))


@call(
    "/maintain/updateMaintainBySn", needs="device/index/maintenance", changes=("maintain",), audit="maintenance.update"
)
async def update_maintain(ctx: Ctx, told: PlansTold) -> Nothing:
    """Writes the list; what is done begins anew."""
    plans = [maintenance.Told(one.id, one.name, one.maintain_date, one.period, one.done) for one in told.list]
    await maintenance.write(ctx, told.device_serial_number, plans, told.update_time)
    return Nothing()


jobs.job("upkeep.remind", cron="13 * * * *")(remind.look)
