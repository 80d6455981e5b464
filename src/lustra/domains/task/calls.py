"""/task: tasks, groups and schedules as the server's mirror knows them, read-only: for robots that are offline, and for
the calendar of many."""

from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Fast, Wire, call
from lustra.core.wire import BuildingName, Commas, Day, DeviceId, DeviceName, DeviceZone, Id, SpanFilter, doc
from lustra.domains.account.api import Zone, support
from lustra.domains.device.api import Where
from lustra.domains.task import next_runs, queries, service


class TaskDeviceRef(Wire):
    device_id: DeviceId


class TaskRow(Wire):
    name: Annotated[str, doc("Name of the task.")]
    map_name: Annotated[str, doc("Name of the robot's map that it is for.")]
    revision: Annotated[int, doc("Revision that the robot counts, from 1.")]
    content: Annotated[
        dict[str, Any],
        doc("The task as the robot's task_info answers it; without its areas while support access is closed."),
    ]
    update_time: Annotated[datetime, doc("When the robot reported it last.")]


class TaskList(Wire):
    list: Annotated[list[TaskRow], doc("Tasks of the robot.")]


@call("/task/mirror", needs="device/taskList", reads=("task", "support"))
async def list_tasks(ctx: Ctx, payload: TaskDeviceRef) -> Fast[TaskList]:
    """List the tasks of a robot, as it last reported them."""
    where = Where.of_stamped(ctx.scope, "t")
    where.add("t.device_id = {} and t.deleted_at is null", payload.device_id)
    async with ctx.app.pool.acquire() as db:
        rows = await db.fetch(
            where.sql(queries.TASKS, open=support.sql_condition(ctx.actor, "t.owner_path")), *where.values
        )
    return Fast({"list": [dict(row) for row in rows]})


class PlanRow(Wire):
    kind: Annotated[
        Literal["group", "timetask", "elevator_timetask"], doc("Group of tasks, schedule, or schedule with elevators.")
    ]
    name: Annotated[str, doc("Name of the group or schedule.")]
    revision: Annotated[int, doc("Revision that the robot counts, from 1.")]
    content: Annotated[
        dict[str, Any], doc("The group or schedule as the robot answers it, with the `zone` of its clock.")
    ]
    update_time: Annotated[datetime, doc("When the robot reported it last.")]


class PlanList(Wire):
    list: Annotated[list[PlanRow], doc("Groups and schedules of the robot.")]


@call("/task/plans", needs="device/taskList", reads=("task", "support"))
async def list_plans(ctx: Ctx, payload: TaskDeviceRef) -> Fast[PlanList]:
    """List the groups and schedules of a robot, as it last reported them; pinned ones first."""
    return Fast({"list": await service.list_plans(ctx, payload.device_id)})


class CalendarWindow(SpanFilter):
    """Without robots and building it is about all robots in scope."""

    start_date: Annotated[Day, doc("First day by the clock of `zone`, included.")]
    end_date: Annotated[Day, doc("Last day by the clock of `zone`, included; at most 42 days in all.")]
    zone: Annotated[Zone, doc("IANA time zone of the days.")] = "UTC"
    device_ids: Annotated[list[Id], doc("Only these robots, at most 1000; empty: all.")] = Field([], max_length=1000)
    building: Annotated[str, doc("Only robots of this building, at most 200 characters; empty: all.")] = Field(
        "", max_length=200
    )


class UnitRow(Wire):
    """One task of an occurrence."""

    map_name: Annotated[str, doc("Name of the map that the task is for.")]
    task: Annotated[str, doc("Name of the task.")]
    run: Annotated[str, doc("Number that the robot gave its run; empty: it has not begun.")]
    reason: Annotated[str, doc("Why it could not begin, a key of the robots' reasons; empty: it could.")]
    task_report_id: Annotated[int | None, doc("Report of its run; null: none yet.")]
    coverage: Annotated[float | None, doc("Cleaned share of the reachable area, 0 to 1; null: no report yet.")]


class OccurrenceRow(Wire):
    """One start of a schedule, past or to come."""

    device_id: DeviceId
    device_code: DeviceName
    building: BuildingName
    kind: Annotated[Literal["timetask", "elevator_timetask"], doc("Schedule, or schedule with elevators.")]
    schedule: Annotated[str, doc("Name of the schedule.")]
    day: Annotated[date, doc("Date by the robot's own clock.")]
    start: Annotated[datetime, doc("When it starts, or started.")]
    end: Annotated[datetime | None, doc("When it is ended by force; null: never.")]
    zone: Annotated[str, doc("IANA time zone of the robot's own clock.")]
    state: Annotated[
        Literal[
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
        ],
        doc(
            "`planned` or `skipped` if to come; `unheard`: it was due and the robot has not reported; else its outcome."
        ),
    ]
    reason: Annotated[str, doc("Why it was missed or ended, a key of the robots' reasons; empty: none.")]
    seconds: Annotated[float, doc("How long its tasks will take, in seconds; once it is over, how long they took.")]
    conflict: Annotated[
        Literal["", "overlap", "lift"],
        doc("`overlap`: with another start of the robot; `lift`: with another robot over an elevator; empty: none."),
    ]
    units: Annotated[list[UnitRow], doc("Its tasks, in their order.")]


class CalendarRobotRow(Wire):
    device_id: DeviceId
    device_code: DeviceName
    type_name: Annotated[str, doc("Name of its device type.")]
    building: BuildingName
    zone: DeviceZone
    protocol_version: Annotated[int, doc("Version of the robot's local interface, 2 or 3.")]
    commands: Annotated[
        list[str] | None, doc("Commands that its local interface has, by name; null: all of its protocol.")
    ]


class PlannedRideRow(Wire):
    """An elevator that a robot will want, as reckoned from its schedules."""

    device_id: DeviceId
    device_code: DeviceName
    kind: Annotated[Literal["timetask", "elevator_timetask"], doc("Schedule, or schedule with elevators.")]
    schedule: Annotated[str, doc("Name of the schedule.")]
    occurrence: Annotated[datetime, doc("Start of the occurrence that it rides for.")]
    elevator_name: Annotated[str, doc("Name of the elevator.")]
    start: Annotated[datetime, doc("When it will want the elevator.")]
    until: Annotated[datetime, doc("When it will have left the elevator.")]
    wait: Annotated[float, doc("How long it will wait behind another robot, in seconds; 0: not.")]
    other_id: Annotated[int | None, doc("Robot that it waits behind; null: none.")]
    other_code: Annotated[str, doc("Name of the robot that it waits behind; empty: none.")]
    move_to: Annotated[str, doc("Next start without waiting, HH-MM of its own clock; empty: none within three hours.")]


class OtherRunRow(Wire):
    """A run that no schedule began."""

    task_report_id: Annotated[int, doc("Its report.")]
    device_id: DeviceId
    task: Annotated[str, doc("Name of the task; empty: it had none.")]
    map_name: Annotated[str, doc("Name of the map that it ran on.")]
    start: Annotated[datetime, doc("When it began.")]
    end: Annotated[datetime, doc("When it ended; of one that goes on, the newest state.")]
    result: Annotated[str, doc("How it ended: finished, cancelled, interrupted or failed; `running`: it goes on.")]
    coverage: Annotated[float | None, doc("Cleaned share of the reachable area, 0 to 1; null: not known yet.")]


class CalendarView(Wire):
    robots: Annotated[
        list[CalendarRobotRow], doc("All robots that were asked for, at most 1000, also those without a start.")
    ]
    rides: Annotated[list[PlannedRideRow], doc("Elevators that they will want.")]
    runs: Annotated[list[OtherRunRow], doc("Runs that no schedule began, the newest first, at most 2000.")]
    list: Annotated[list[OccurrenceRow], doc("Starts of their schedules.")]


@call("/task/calendar", needs="device/taskList", reads=("task", "taskReport", "device", "map", "support"))
async def select_calendar(ctx: Ctx, payload: CalendarWindow) -> Fast[CalendarView]:
    """Show past and coming starts of schedules, of robots or of a whole building."""
    window = service.parse_window(payload.start_date, payload.end_date, payload.zone)
    robots = await service.list_robots(ctx, payload.device_ids, payload.building)
    calendar = await service.load_calendar(ctx, window, payload.device_ids, payload.building)
    ids = [robot["deviceId"] for robot in robots]
    runs = await service.load_other_runs(ctx, window, ids, calendar["list"])
    return Fast(calendar | {"robots": robots, "runs": runs})


class NextRunFilter(Wire):
    device_ids: Annotated[Commas[Id], doc("The robots, 1 to 1000.")] = Field(min_length=1, max_length=1000)


class NextRunRow(Wire):
    device_id: DeviceId
    start: Annotated[datetime, doc("When it starts.")]
    zone: Annotated[str, doc("IANA time zone of the robot's own clock.")]
    schedule: Annotated[str, doc("Name of the schedule.")]
    tasks: Annotated[list[str], doc("Names of its tasks, in their order.")]


class NextRuns(Wire):
    list: Annotated[list[NextRunRow], doc("The next start of each robot that has one within eight days.")]


@call("/task/nextRuns", needs=("device/index", "device/taskList"), reads=("task", "device"))
async def list_next_runs(ctx: Ctx, payload: NextRunFilter) -> Fast[NextRuns]:
    """Show what the schedules of robots start next."""
    async with ctx.app.pool.acquire() as db:
        runs = await next_runs.load_next_runs(db, ctx.scope, payload.device_ids)
    return Fast(
        {
            "list": [
                {
                    "deviceId": run.device_id,
                    "start": run.start,
                    "zone": run.zone,
                    "schedule": run.schedule,
                    "tasks": run.tasks,
                }
                for run in runs
            ]
        }
    )


class BuildingRow(Wire):
    building: Annotated[str, doc("The building.")]
    robots: Annotated[int, doc("Number of robots that work there.")]
    zone: Annotated[str, doc("IANA time zone of most of its robots.")]


class BuildingList(Wire):
    list: Annotated[list[BuildingRow], doc("The buildings, by name.")]


@call("/task/buildings", needs="device/taskList", reads=("task", "device"))
async def list_buildings(ctx: Ctx) -> Fast[BuildingList]:
    """List the buildings that robots in scope work in."""
    return Fast({"list": await service.list_buildings(ctx)})


class BuildingFilter(Wire):
    building: Annotated[str, doc("The building, at most 200 characters; empty: all.")] = Field("", max_length=200)


class NamedElevator(Wire):
    code: Annotated[str, doc("Code that schedules name it by.")]
    elevator_name: Annotated[str, doc("Name of the elevator.")]
    floor: Annotated[str, doc("Floors that it serves, separated by commas, from the lowest up.")]


class NamedElevators(Wire):
    list: Annotated[list[NamedElevator], doc("Elevators that have a code.")]


@call("/task/elevators", needs="device/taskList", reads=("elevator", "device"))
async def list_elevators(ctx: Ctx, payload: BuildingFilter) -> NamedElevators:
    """List the elevators of a building that have a code: those that a schedule can name."""
    elevators = await service.list_elevators(ctx, payload.building)
    return NamedElevators(
        list=[
            NamedElevator(code=elevator.code, elevator_name=elevator.elevator_name, floor=elevator.floor)
            for elevator in elevators
        ]
    )
