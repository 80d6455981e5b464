"""Works through a sequence: the next unit begins when the one before has ended by itself or was dropped alone.

Rules: ending all ends the sequence; a unit that cannot begin is passed over with its reason; while somebody has stopped
the robot, nothing begins.
"""

import contextlib
from collections import deque
from collections.abc import Callable

from lustra.protocol.bus import Occurrence, Turn, Unit
from lustra.protocol.payloads.tasks import TaskStart
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.clock import now_ms
from lustra.robot.elevators import elevator_ride
from lustra.robot.robot import Robot
from lustra.robot.sequence import Sequence
from lustra.robot.task_start import START_DROPPED

Ended = Callable[[Robot, Occurrence, Turn, str], None]


def check_free(robot: Robot) -> None:
    """Refused while something else is under way. A way home is not, unless a lift carries the robot."""
    if robot.sequence or robot.machine.run or robot.planner.preparation:
        raise RobotRefusal(RelayCode.CONFLICT, "task_running", "Another task is running")
    robot.machine.check_ready()
    elevator_ride.cancel_trip(robot, now_ms())


async def start_task(robot: Robot, of: TaskStart) -> str:
    """Starts a unit's task; the id of its run."""
    stored = robot.find_task(of.map_name, of.name)
    check_free(robot)
    return (await robot.starts.begin(stored.task)).id


async def start_group(robot: Robot, name: str) -> str:
    """Begins a group with its first unit; the id of that run, empty while it still rides to the unit's floor."""
    check_free(robot)
    group = robot.plans.groups[name].item
    units = [Unit(map=unit.map_name, task=unit.task) for unit in group.tasks] * group.count
    sequence = robot.sequence = Sequence(deque(units), group=name)
    try:
        if elevator_ride.needs_elevator(robot, units[0].map):
            robot.find_task(units[0].map, units[0].task)
            elevator_ride.start_trip(robot, units[0].map)
            return ""
        await begin_unit(robot, sequence, units[0])
    except RobotRefusal:
        robot.sequence = None
        raise
    sequence.remaining.popleft()
    return sequence.run


async def begin_unit(robot: Robot, sequence: Sequence, unit: Unit) -> None:
    stored = robot.find_task(unit.map, unit.task)
    run = await robot.starts.begin(stored.task, sequence.gid)
    unit.run = sequence.run = run.id
    if robot.sequence is not sequence:  # it was ended while the way was planned
        robot.machine.cancel(now_ms())


async def advance(robot: Robot, ended: Ended) -> None:
    """Looks whether the next unit can begin; `ended` hears what became of a schedule's occurrence."""
    sequence = robot.sequence
    if sequence is None or (sequence.charge and not is_charged(robot, sequence, ended)):
        return
    if sequence.run and not run_has_ended(robot, sequence):
        return
    finished = robot.last and (robot.last.id, robot.last.end) == (sequence.run, "finished")
    if sequence.run and not finished and not sequence.dropped:
        broken = robot.last is None or robot.last.end != "cancelled"
        finish(robot, sequence, ended, "interrupted" if broken else "cancelled", "")
        return
    sequence.run, sequence.dropped = "", False
    while sequence.remaining:
        if robot.machine.halted or robot.trips.current:
            return
        passed_over = await try_next(robot, sequence)
        if not passed_over:
            if sequence.run:
                report_running(robot, sequence, ended)
            return
    occurrence = sequence.occurrence
    ran = occurrence is None or any(unit.run for unit in occurrence.units)
    reason = "" if ran or occurrence is None else occurrence.units[0].reason
    finish(robot, sequence, ended, "done" if ran else "missed", reason)


async def try_next(robot: Robot, sequence: Sequence) -> bool:
    """Begins the next unit, or sets out for its floor; whether it cannot begin and is passed over."""
    unit = sequence.remaining.popleft()
    try:
        if sets_out_for(robot, unit):
            sequence.remaining.appendleft(unit)
        else:
            await begin_unit(robot, sequence, unit)
    except RobotRefusal as why:
        if robot.sequence is not sequence:  # it was ended while the way was planned
            return False
        if why.reason == START_DROPPED:  # somebody has stopped the robot: the unit begins when it is let go
            sequence.remaining.appendleft(unit)
            return False
        unit.reason = why.reason
        return True
    return False


def sets_out_for(robot: Robot, unit: Unit) -> bool:
    """Sets out for the unit's floor; refused where that has just failed."""
    if why := robot.trips.unreachable.pop(unit.map, ""):
        raise RobotRefusal(RelayCode.CONFLICT, why, "The robot could not reach the other floor", "map_name")
    robot.find_task(unit.map, unit.task)
    if robot.machine.floor and robot.machine.floor.name == unit.map:
        return False
    elevator_ride.start_trip(robot, unit.map)
    return True


def run_has_ended(robot: Robot, sequence: Sequence) -> bool:
    run = robot.machine.run
    return run is None or run.id != sequence.run


def report_running(robot: Robot, sequence: Sequence, ended: Ended) -> None:
    if sequence.occurrence:
        ended(robot, sequence.occurrence, "running", "")


def finish(robot: Robot, sequence: Sequence, ended: Ended, state: Turn, reason: str) -> None:
    robot.sequence = None
    if sequence.occurrence:
        ended(robot, sequence.occurrence, state, reason)


def is_charged(robot: Robot, sequence: Sequence, ended: Ended) -> bool:
    """Charges before the first unit; somebody who calls the robot away from its charger ends that."""
    machine = robot.machine
    enough = machine.params["go_on_above"]
    if machine.charging and machine.battery < enough:
        return False
    if machine.battery >= enough:
        sequence.charge = False
        return True
    if not sequence.homing:
        sequence.homing = True
        with contextlib.suppress(RobotRefusal):  # no charger, or no way to it: it stands still then
            machine.go_home()
    if not (machine.transit or machine.charging):
        finish(robot, sequence, ended, "missed", "low_battery")
    return False
