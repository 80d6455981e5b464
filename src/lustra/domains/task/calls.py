"""/task: tasks, groups and schedules as the server's mirror knows them, read-only: for robots that are offline, and for
the calendar of many."""

from datetime import date, datetime
from typing import Any, Literal

from pydantic import Field

from lustra.core.rpc import Ctx, Fast, Wire, call
from lustra.core.wire import Day, Id
from lustra.domains.account import support
from lustra.domains.account.rules import Zone
from lustra.domains.device.scope import Where
from lustra.domains.task import service

ROWS = """
select t.name, t.map_name as "mapName", t.revision,
  case when {open} then t.content else t.content || '{{"areas": [], "start": null}}' end as content,
  t.updated_at as "updateTime"
from robot_task t where {where} order by t.map_name, t.name"""


class TaskDeviceRef(Wire):
    device_id: Id


class TaskRow(Wire):
    """`content`: the task as task_info of the robot answers it, to support without its areas while access is closed."""

    name: str
    map_name: str
    revision: int
    content: dict[str, Any]
    update_time: datetime


class TaskList(Wire):
    list: list[TaskRow]


@call("/task/mirror", needs="device/taskList")
async def list_tasks(ctx: Ctx, payload: TaskDeviceRef) -> Fast[TaskList]:
    """The tasks of a robot, as it last told them."""
    where = Where()
    where.stamped(ctx.actor.path, "t")
    where.add("t.device_id = {} and t.deleted_at is null", payload.device_id)
    async with ctx.app.pool.acquire() as db:
        rows = await db.fetch(
            ROWS.format(where=where, open=support.sql_condition(ctx.actor, "t.owner_path")), *where.values
        )
    return Fast({"list": [dict(row) for row in rows]})


class PlanRow(Wire):
    """`content`: the group or schedule as the robot answers it, with the `zone` of its clock."""

    kind: Literal["group", "timetask", "elevator_timetask"]
    name: str
    revision: int
    content: dict[str, Any]
    update_time: datetime


class PlanList(Wire):
    list: list[PlanRow]


@call("/task/plans", needs="device/taskList")
async def list_plans(ctx: Ctx, payload: TaskDeviceRef) -> Fast[PlanList]:
    """The groups and schedules of a robot, as it last told them; what was put on top comes first."""
    return Fast({"list": await service.list_plans(ctx, payload.device_id)})


class CalendarWindow(Wire):
    """Days from `startDate` to `endDate`, both included, by the wall clock of `zone`; 42 at most. Without robots and
    building: of all robots in scope."""

    start_date: Day
    end_date: Day
    zone: Zone = "UTC"
    device_ids: list[Id] = Field([], max_length=1000)
    building: str = Field("", max_length=200)


class UnitRow(Wire):
    """One task of it, with its report and coverage once there is one; `reason`: why it could not begin."""

    map_name: str
    task: str
    run: str
    reason: str
    task_report_id: int | None
    coverage: float | None


class OccurrenceRow(Wire):
    """`state`: what became of it; of what comes `planned` or `skipped`; `unheard` was due, and the robot has not told.
    `day` is the local date in `zone`, the robot's own. `end`: the forced one. `seconds`: as long as its tasks
    take; once it is over, as its runs took. `conflict`: with another one of the robot that it overlaps, or with
    another robot over a lift."""

    device_id: int
    device_code: str
    building: str
    kind: Literal["timetask", "elevator_timetask"]
    schedule: str
    day: date
    start: datetime
    end: datetime | None
    zone: str
    state: Literal[
        "planned",
        "skipped",
        "unheard",
        "waiting",
        "charging",
        "running",
        "done",
        "forced_end",
        "cancelled",
        "interrupted",
        "missed",
    ]
    reason: str
    seconds: float
    conflict: Literal["", "overlap", "lift"]
    units: list[UnitRow]


class CalendarRobotRow(Wire):
    device_id: int
    device_code: str
    type_name: str
    building: str
    zone: str


class PlannedRideRow(Wire):
    """An elevator that a robot of the building will want, as reckoned. `occurrence`: the start of what it rides for.
    `wait`: seconds, behind the robot `otherId`; `moveTo`: the next start ("HH-MM" of its own clock) without waiting,
    empty where there is none within three hours."""

    device_id: int
    device_code: str
    kind: Literal["timetask", "elevator_timetask"]
    schedule: str
    occurrence: datetime
    elevator_name: str
    start: datetime
    until: datetime
    wait: float
    other_id: int | None
    other_code: str
    move_to: str


class CalendarView(Wire):
    """`robots`: all that are asked for, 1,000 at most, also those that do nothing in that time."""

    robots: list[CalendarRobotRow]
    rides: list[PlannedRideRow]
    list: list[OccurrenceRow]


@call("/task/calendar", needs="device/taskList")
async def select_calendar(ctx: Ctx, payload: CalendarWindow) -> Fast[CalendarView]:
    """What scheduled tasks did and will do, robot by robot or in a whole building."""
    window = service.parse_window(payload.start_date, payload.end_date, payload.zone)
    robots = await service.list_robots(ctx, payload.device_ids, payload.building)
    return Fast(await service.load_calendar(ctx, window, payload.device_ids, payload.building) | {"robots": robots})


class BuildingRow(Wire):
    """`zone`: of most of its robots."""

    building: str
    robots: int
    zone: str


class BuildingList(Wire):
    list: list[BuildingRow]


@call("/task/buildings", needs="device/taskList")
async def list_buildings(ctx: Ctx) -> Fast[BuildingList]:
    """The buildings that robots in scope work in."""
    return Fast({"list": await service.list_buildings(ctx)})


class BuildingFilter(Wire):
    building: str = Field("", max_length=200)


class NamedElevator(Wire):
    """`code`: what schedules name it by."""

    code: str
    elevator_name: str
    floor: str


class NamedElevators(Wire):
    list: list[NamedElevator]


@call("/task/elevators", needs="device/taskList")
async def list_elevators(ctx: Ctx, payload: BuildingFilter) -> NamedElevators:
    """The elevators of a building that have a code: those that a schedule can name."""
    elevators_found = await service.list_elevators(ctx, payload.building)
    return NamedElevators(
        list=[
            NamedElevator(code=elevator.code, elevator_name=elevator.elevator_name, floor=elevator.floor)
            for elevator in elevators_found
        ]
    )
