"""How a task begins: its way is planned, with what is closed meanwhile, and then the machine drives it.

Rule: nothing begins that was stopped, or whose map was changed, while its way was planned; what was paused meanwhile
begins with a pause.
"""

from dataclasses import dataclass, replace
from typing import Protocol

from lustra.protocol.payloads.tasks import Driven, Task
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.clock import now_ms
from lustra.robot.hours import CLOSED, LEAVES_MS, QUIET, close_zones, is_quiet
from lustra.robot.maps.floor import Floor
from lustra.robot.navigation.drive import timetable
from lustra.robot.navigation.planner import Plan
from lustra.robot.navigation.run import Run
from lustra.robot.plan_cache import PlanRequest
from lustra.robot.planner import Planner, Preparation
from lustra.robot.plans import Plans
from lustra.robot.simulation.machine import Machine
from lustra.robot.spec import Spec
from lustra.robot.store import Store

START_DROPPED = "task_start_dropped"


class Worker(Protocol):
    """The robot, as far as the start of a task needs it."""

    spec: Spec
    store: Store
    plans: Plans
    machine: Machine
    planner: Planner

    def find_map(self, name: str) -> Floor: ...
    def keep(self, *, run: bool = True) -> None: ...


def check_loaded(robot: Worker, floor: Floor) -> None:
    loaded = robot.machine.floor.name if robot.machine.floor else ""
    if robot.store.maps.get(floor.name) is not floor or loaded != floor.name:
        raise RobotRefusal(RelayCode.CONFLICT, "task_other_map", "The task belongs to another map", "map_name")


@dataclass
class TaskStart:
    robot: Worker

    def plan_request(self, task: Task) -> PlanRequest:
        """What the planner is asked for a task."""
        floor = self.robot.find_map(task.map_name)
        if task.path:
            return PlanRequest(floor, line=tuple(self.robot.plans.paths[task.path].item.path))
        return PlanRequest(floor, tuple(task.areas[0].points), task.start or (0.0, 0.0), task.way)

    def seconds(self, plan: Plan, task: Driven) -> float:
        """How long it would take at the robot's own speeds."""
        return timetable(plan.path, 0.0, self.robot.machine.params[f"speed_{task.speed}"]).seconds

    async def begin(self, task: Task, gid: str = "") -> Run:
        """`gid`: the run of the group that the task is part of. Refused while another floor is loaded, in the map's
        quiet hours, and where no way is found."""
        robot = self.robot
        floor = robot.find_map(task.map_name)
        check_loaded(robot, floor)
        now, zone = now_ms(), robot.spec.zone
        if is_quiet(floor, zone, now):
            raise RobotRefusal(RelayCode.CONFLICT, QUIET, "No task runs on the map at this hour", "map_name")
        preparation = robot.planner.preparation = Preparation(task.name)
        stops = robot.machine.stops
        try:
            request = await self.open_plan_request(task, close_zones(floor, zone, now, now + LEAVES_MS), now)
            plan = await robot.planner.plan(request)
        finally:
            if robot.planner.preparation is preparation:
                robot.planner.preparation = None
        if preparation.dropped or robot.machine.stops != stops:
            raise RobotRefusal(RelayCode.CONFLICT, START_DROPPED, "The task was stopped before it began")
        check_loaded(robot, floor)
        run = robot.machine.start(task, request.floor, plan, now_ms())
        run.gid = gid
        if preparation.paused:
            robot.machine.pause()
        robot.keep()
        return run

    def pause(self) -> None:
        """Pauses what runs; what is still being planned begins with a pause."""
        if self.robot.planner.preparation:
            self.robot.planner.preparation.paused = True
        else:
            self.robot.machine.pause()

    async def open_plan_request(self, task: Task, floor: Floor, now: int) -> PlanRequest:
        """A task's question to the planner, without what closes before it is done."""
        robot = self.robot
        request = replace(self.plan_request(task), floor=floor)
        try:
            seconds = self.seconds(await robot.planner.plan(request), task) / robot.machine.factor
            later = close_zones(floor, robot.spec.zone, now, now + LEAVES_MS + round(seconds * 1000))
            request = replace(request, floor=later)
            await robot.planner.plan(request)
        except RobotRefusal as why:
            if not request.floor.shut:
                raise
            raise RobotRefusal(
                RelayCode.CONFLICT, CLOSED, "What the task needs is closed at this hour", "name"
            ) from why
        return request
