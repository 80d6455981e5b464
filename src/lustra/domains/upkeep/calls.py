"""/deviceConsumable and /maintain: what wears on a robot, and what is to be done again and again."""

from datetime import date, datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from lustra.core import jobs
from lustra.core.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import Day, Id, Json, Moment, Title
from lustra.domains.device.rules import Blank
from lustra.domains.upkeep import consumables, maintenance, reminders, rules, service
from lustra.domains.upkeep.tables import UpkeepDone

VIEW = "device/index"
OptionalMoment = Annotated[Moment | None, Blank]
OptionalDay = Annotated[Day | None, Blank]
Exact = Annotated[
    str, Field(alias="device_serial_number"), StringConstraints(strip_whitespace=True, min_length=1, max_length=32)
]


class UpkeepDevice(Wire):
    device_serial_number: rules.Serial


class UpkeepDoneRow(Wire):
    """`used` hours of the `hours` that were meant; null: none were."""

    name: str
    time: datetime
    used: float
    hours: float | None
    by: str


class ConsumableRow(Wire):
    """`replaceDate` null: nobody has said; then its hours are all that the robot has worked. `lifeHours` null: nobody
    is warned. Hours are of work."""

    name: rules.Item
    replace_date: date | None
    used_hours: float
    life_hours: float | None
    state: rules.State
    device_serial_number: str


class ConsumableList(Wire):
    done: list[UpkeepDoneRow]
    list: list[ConsumableRow]
    update_time: datetime


class ConsumableLife(Wire):
    item: rules.Item
    life_hours: rules.Hours


class ConsumableLives(UpkeepDevice):
    """`updateTime` as the list had it: then somebody else's change meanwhile is told, and not overwritten."""

    items: Json[Annotated[list[ConsumableLife], Field(min_length=1, max_length=len(rules.ITEMS))]]
    update_time: OptionalMoment = None


class ConsumableReplacement(UpkeepDevice):
    """`replaceDate`: without it today. `usedHours`: of work that the new part had before."""

    item: rules.Item
    replace_date: OptionalDay = None
    used_hours: rules.Used = 0.0
    update_time: OptionalMoment = None


class MaintenancePlan(Wire):
    """`maintainDate`: due on that day at the latest; null: by its hours alone. `since`: when the period began."""

    id: int
    name: str
    maintain_date: date | None
    period: float
    used_hours: float
    since: date | None
    state: rules.State
    device_serial_number: Annotated[str, Field(alias="device_serial_number")]


class MaintenancePlanList(Wire):
    done: list[UpkeepDoneRow]
    list: list[MaintenancePlan]
    update_time: datetime


class MaintenancePlanChange(Wire):
    """`done` starts the next period; `id` tells one of the list from its namesake of before."""

    id: Id | None = None
    name: Title
    maintain_date: OptionalDay = None
    period: rules.Hours
    done: bool = False


class MaintenancePlanChanges(Wire):
    """The whole list: one that is not in it goes."""

    device_serial_number: Exact
    list: Json[Annotated[list[MaintenancePlanChange], Field(max_length=50)]]
    update_time: OptionalMoment = None


def _done_row(done: UpkeepDone) -> UpkeepDoneRow:
    return UpkeepDoneRow(name=done.name, time=done.done_at, used=round(done.used, 2), hours=done.hours, by=done.by_name)


@call("/deviceConsumable/consumableInfo", needs=VIEW)
async def list_consumables(ctx: Ctx, payload: UpkeepDevice) -> ConsumableList:
    """List the consumables of a robot, and what was replaced."""
    robot = await service.find_device(ctx, payload.device_serial_number)
    rows = await consumables.load_consumables(ctx, robot)
    consumables_shown = [
        ConsumableRow.model_construct(
            name=row.name,
            replace_date=service.local_day(robot, row.since),
            used_hours=round(used, 2),
            life_hours=row.hours,
            state=rules.state(rules.level(used, row.hours), row.hours),
            device_serial_number=robot.serial_number,
        )
        for row, used in rows
    ]
    done_rows = [_done_row(entry) for entry in await service.list_done(ctx, robot, "consumable")]
    return ConsumableList(list=consumables_shown, done=done_rows, update_time=service.latest_update(robot, rows))


@call(
    "/deviceConsumable/consumableEdit",
    needs="device/index/consumables",
    changes=("deviceConsumable",),
    audit="consumable.edit",
)
async def set_lives(ctx: Ctx, payload: ConsumableLives) -> Nothing:
    """Set the lives of a robot's consumables, in hours of work."""
    lives: dict[rules.Item, float] = {life.item: life.life_hours for life in payload.items}
    await consumables.set_lives(ctx, payload.device_serial_number, lives, payload.update_time)
    return Nothing()


@call(
    "/deviceConsumable/consumableUpdate",
    needs="device/index/consumables",
    changes=("deviceConsumable",),
    audit="consumable.replace",
)
async def replace_consumable(ctx: Ctx, payload: ConsumableReplacement) -> Nothing:
    """Record that a consumable was replaced: its hours start anew."""
    await consumables.replace_part(
        ctx,
        payload.device_serial_number,
        payload.item,
        payload.replace_date,
        used=payload.used_hours,
        seen=payload.update_time,
    )
    return Nothing()


@call("/maintain/findMaintainBySn", needs=VIEW)
async def list_plans(ctx: Ctx, payload: UpkeepDevice) -> MaintenancePlanList:
    """List the maintenance plans of a robot, and what was done."""
    robot = await service.find_device(ctx, payload.device_serial_number)
    rows, today = await service.load_rows(ctx, robot, "maintenance"), service.local_today(robot)
    plans = [
        MaintenancePlan.model_construct(
            id=row.id,
            name=row.name,
            maintain_date=row.due_on,
            period=row.hours,
            used_hours=round(used, 2),
            since=service.local_day(robot, row.since),
            state=rules.state(maintenance.level(row, used, today), row.hours),
            device_serial_number=robot.serial_number,
        )
        for row, used in rows
    ]
    done_rows = [_done_row(entry) for entry in await service.list_done(ctx, robot, "maintenance")]
    return MaintenancePlanList(list=plans, done=done_rows, update_time=service.latest_update(robot, rows))


@call(
    "/maintain/updateMaintainBySn", needs="device/index/maintenance", changes=("maintain",), audit="maintenance.update"
)
async def write_plans(ctx: Ctx, payload: MaintenancePlanChanges) -> Nothing:
    """Replace the maintenance plans of a robot; the period of a plan that is done starts anew."""
    plans = [
        maintenance.PlanFields(plan.id, plan.name, plan.maintain_date, plan.period, plan.done) for plan in payload.list
    ]
    await maintenance.write_plans(ctx, payload.device_serial_number, plans, payload.update_time)
    return Nothing()


jobs.job("upkeep.remind", cron="13 * * * *")(reminders.remind_all)
