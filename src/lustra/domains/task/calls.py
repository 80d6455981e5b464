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


class OfDevice(Wire):
    device_id: Id


class TaskRow(Wire):
    """`content`: the task as task_info of the robot answers it, to support without its areas while access is closed."""

    name: str
    map_name: str
    revision: int
    content: dict[str, Any]
    update_time: datetime


class Tasks(Wire):
    list: list[TaskRow]


@call("/task/mirror", needs="device/taskList")
async def mirror(ctx: Ctx, wanted: OfDevice) -> Fast[Tasks]:
    """The tasks of a robot, as it last told them."""
    where = Where()
    where.stamped(ctx.actor.path, "t")
    where.add("t.device_id = {} and t.deleted_at is null", wanted.device_id)
    async with ctx.app.pool.acquire() as db:
        found = await db.fetch(ROWS.format(where=where, open=support.sql(ctx.actor, "t.owner_path")), *where.values)
    return Fast({"list": [dict(row) for row in found]})


class PlanRow(Wire):
    """`content`: the group or schedule as the robot answers it, with the `zone` of its clock."""

    kind: Literal["group", "timetask", "elevator_timetask"]
    name: str
    revision: int
    content: dict[str, Any]
    update_time: datetime


class Plans(Wire):
    list: list[PlanRow]


@call("/task/plans", needs="device/taskList")
async def plans(ctx: Ctx, wanted: OfDevice) -> Fast[Plans]:
    """The groups and schedules of a robot, as it last told them; what was put on top comes first."""
    return Fast({"list": await service.plans(ctx, wanted.device_id)})


class Window(Wire):
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
        "planned", "skipped", "unheard", "waiting", "charging", "running", "done", "forced_end", "cancelled",
        "interrupted", "missed",
    ]  # fmt: skip
    reason: str
    seconds: float
    conflict: Literal["", "overlap", "lift"]
    units: list[UnitRow]


class RobotRow(Wire):
    device_id: int
    device_code: str
    type_name: str
    building: str
    zone: str


class RideRow(Wire):
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


class Occurrences(Wire):
    """`robots`: all that are asked for, 1,000 at most, also those that do nothing in that time."""

    robots: list[RobotRow]
    rides: list[RideRow]
    list: list[OccurrenceRow]


@call("/task/calendar", needs="device/taskList")
async def calendar(ctx: Ctx, wanted: Window) -> Fast[Occurrences]:
    """What scheduled tasks did and will do, robot by robot or in a whole building."""
    window = service.window(wanted.start_date, wanted.end_date, wanted.zone)
    robots = await service.robots(ctx, wanted.device_ids, wanted.building)
    return Fast(await service.calendar(ctx, window, wanted.device_ids, wanted.building) | {"robots": robots})


class BuildingRow(Wire):
    """`zone`: of most of its robots."""

    building: str
    robots: int
    zone: str


class Buildings(Wire):
    list: list[BuildingRow]


@call("/task/buildings", needs="device/taskList")
async def buildings(ctx: Ctx) -> Fast[Buildings]:
    """The buildings that robots in scope work in."""
    return Fast({"list": await service.buildings(ctx)})


class InBuilding(Wire):
    building: str = Field("", max_length=200)


class LiftRow(Wire):
    """`code`: what schedules name it by."""

    code: str
    elevator_name: str
    floor: str


class Lifts(Wire):
    list: list[LiftRow]


@call("/task/elevators", needs="device/taskList")
async def elevators(ctx: Ctx, wanted: InBuilding) -> Lifts:
    """The elevators of a building that have a code: those that a schedule can name."""
    found = await service.elevators(ctx, wanted.building)
    return Lifts(list=[LiftRow(code=one.code, elevator_name=one.elevator_name, floor=one.floor) for one in found])
