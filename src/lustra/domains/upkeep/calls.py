"""/deviceConsumable and /maintain: what wears on a robot, and what is to be done again and again."""

from datetime import date, datetime
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from lustra.core import jobs
from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import Day, Id, Json, SeenUpdateTime, SerialNumber, Title, doc
from lustra.domains.device.api import Blank
from lustra.domains.upkeep import consumables, maintenance, reminders, rules, service
from lustra.domains.upkeep.tables import UpkeepDone

VIEW = "device/index"
OptionalDay = Annotated[Day | None, Blank]
Exact = Annotated[
    str, Field(alias="device_serial_number"), StringConstraints(strip_whitespace=True, min_length=1, max_length=32)
]


class UpkeepDevice(Wire):
    device_serial_number: Annotated[rules.Serial, doc("Serial number of the robot, 1 to 32 letters, digits and - _ ..")]


class UpkeepDoneRow(Wire):
    """A replacement or maintenance that was done."""

    name: Annotated[str, doc("Consumable, or name of the maintenance.")]
    time: Annotated[datetime, doc("When it was done.")]
    used: Annotated[float, doc("Hours of work until then.")]
    hours: Annotated[float | None, doc("Hours of work that were planned; null: none.")]
    by: Annotated[str, doc("Name of who recorded it.")]


class ConsumableRow(Wire):
    name: Annotated[rules.Item, doc("The consumable.")]
    replace_date: Annotated[
        date | None, doc("Day of the last replacement; null: not entered, then all hours of the robot count.")
    ]
    used_hours: Annotated[float, doc("Hours of work since the last replacement.")]
    life_hours: Annotated[float | None, doc("Hours of work that it lasts; null: not entered, nobody is warned.")]
    state: Annotated[
        rules.State, doc("`unset`: no life entered; `soon`: from 90 % of it on; `due`: from 100 % on; else `good`.")
    ]
    device_serial_number: SerialNumber


class ConsumableList(Wire):
    done: Annotated[list[UpkeepDoneRow], doc("Replacements, the newest first, at most 50.")]
    list: Annotated[list[ConsumableRow], doc("Consumables that the robot has.")]
    update_time: Annotated[datetime, doc("When any of them was last changed; a change sends it back.")]


class ConsumableLife(Wire):
    item: Annotated[rules.Item, doc("The consumable.")]
    life_hours: Annotated[rules.Hours, doc("Hours of work that it lasts, above 0, at most 1000000.")]


class ConsumableLives(UpkeepDevice):
    items: Annotated[
        Json[Annotated[list[ConsumableLife], Field(min_length=1, max_length=len(rules.ITEMS))]],
        doc("Lives of consumables, at least one, as a list or as JSON in text."),
    ]
    update_time: SeenUpdateTime = None


class ConsumableReplacement(UpkeepDevice):
    item: Annotated[rules.Item, doc("The consumable.")]
    replace_date: Annotated[OptionalDay, doc("Day of the replacement at the robot's place; null: today.")] = None
    used_hours: Annotated[rules.Used, doc("Hours of work that the new part had before, 0 to 1000000.")] = 0.0
    update_time: SeenUpdateTime = None


class MaintenancePlan(Wire):
    id: Annotated[int, doc("Number of the maintenance.")]
    name: Annotated[str, doc("Name of the maintenance.")]
    maintain_date: Annotated[date | None, doc("Day on which it is due at the latest; null: by its hours alone.")]
    period: Annotated[float, doc("Hours of work after which it is due.")]
    used_hours: Annotated[float, doc("Hours of work in this period.")]
    since: Annotated[date | None, doc("Day on which the period began; null: with the robot's first work.")]
    state: Annotated[
        rules.State, doc("`soon`: from 90 % of the period on; `due`: from 100 % or its day on; else `good`.")
    ]
    device_serial_number: Annotated[
        str, Field(alias="device_serial_number"), doc("Serial number of the robot. Spelt as in the specification.")
    ]


class MaintenancePlanList(Wire):
    done: Annotated[list[UpkeepDoneRow], doc("Maintenances that were done, the newest first, at most 50.")]
    list: Annotated[list[MaintenancePlan], doc("Maintenances of the robot.")]
    update_time: Annotated[datetime, doc("When any of them was last changed; a change sends it back.")]


class MaintenancePlanChange(Wire):
    """With an `id`, what is left out stays."""

    id: Annotated[Id | None, doc("Number of the maintenance; null: it is known by its name, or new.")] = None
    name: Annotated[Title | None, doc("Name, 1 to 100 characters; null: it stays.")] = None
    maintain_date: Annotated[OptionalDay, doc("Day on which it is due at the latest; null: by its hours alone.")] = None
    period: Annotated[
        rules.Hours | None, doc("Hours of work after which it is due, above 0, at most 1000000; null: it stays.")
    ] = None
    done: Annotated[bool, doc("True: it was done today, the next period begins.")] = False

    @model_validator(mode="after")
    def _demand_whole(self) -> Self:
        if self.id is None:
            for name in ("name", "period"):
                if getattr(self, name) is None:
                    raise PydanticCustomError("required", name)
        return self

    def plan(self) -> maintenance.PlanFields:
        columns = {"name": "name", "maintain_date": "due_on", "period": "hours"}
        values = {columns[name]: getattr(self, name) for name in columns if name in self.model_fields_set}
        return maintenance.PlanFields(
            self.id, {name: value for name, value in values.items() if value is not None or name == "due_on"}, self.done
        )


class MaintenancePlanChanges(Wire):
    device_serial_number: Annotated[Exact, doc("Serial number of the robot. Spelt as in the specification.")]
    list: Annotated[
        Json[Annotated[list[MaintenancePlanChange], Field(max_length=50)]],
        doc("All maintenances of the robot, at most 50; one that is left out is deleted."),
    ]
    update_time: SeenUpdateTime = None


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
    plans = [plan.plan() for plan in payload.list]
    await maintenance.write_plans(ctx, payload.device_serial_number, plans, payload.update_time)
    return Nothing()


jobs.job("upkeep.remind", cron="13 * * * *")(reminders.remind_all)
