"""Works through a sequence: the next unit begins when the one before has ended by itself or was dropped alone.

Rules: ending all ends the sequence; a unit that cannot begin is passed over with its reason; while somebody has stopped
the robot, nothing begins.
"""

import contextlib
from collections import deque
from collections.abc import Callable

from lustra.protocol.bus import Occurrence, Turn, Unit
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot import elevator_ride
from lustra.robot.robot import Robot, now_ms
from lustra.robot.sequence import Sequence

Ended = Callable[[Robot, Occurrence, Turn, str], None]


def free(robot: Robot) -> None:
    """Refused while something else is under way. A way home is not, unless a lift carries the robot."""
    if robot.sequence or robot.machine.run:
        raise RobotRefusal(RelayCode.CONFLICT, "task_running", "Another task is running")
    robot.machine.ready()
    elevator_ride.call_off(robot, now_ms())


async def start_group(robot: Robot, name: str) -> str:
    """Begins a group with its first unit; the id of that run, empty while it still rides to the unit's floor."""
    free(robot)
    group = robot.plans.groups[name].what
    units = [Unit(map=unit.map_name, task=unit.task) for unit in group.tasks] * group.count
    sequence = robot.sequence = Sequence(deque(units), group=name)
    try:
        if elevator_ride.needed(robot, units[0].map):
            robot.task(units[0].map, units[0].task)
            elevator_ride.set_out(robot, units[0].map)
            return ""
        await begin(robot, sequence, units[0])
    except RobotRefusal:
        robot.sequence = None
        raise
    sequence.left.popleft()
    return sequence.run


async def begin(robot: Robot, sequence: Sequence, unit: Unit) -> None:
    kept = robot.task(unit.map, unit.task)
    run = await robot.begin(kept.task)
    unit.run = sequence.run = run.id
    if robot.sequence is not sequence:  # it was ended while the way was planned
        robot.machine.cancel(now_ms())


async def advance(robot: Robot, ended: Ended) -> None:
    """Looks whether the next unit can begin; `ended` hears what became of a schedule's occurrence."""
    sequence = robot.sequence
    if sequence is None or (sequence.charge and not filled(robot, sequence, ended)):
        return
    if sequence.run and not over(robot, sequence):
        return
    finished = robot.last and (robot.last.id, robot.last.end) == (sequence.run, "finished")
    if sequence.run and not finished and not sequence.dropped:
        broken = robot.last is None or robot.last.end != "cancelled"
        close(robot, sequence, ended, "interrupted" if broken else "cancelled", "")
        return
    sequence.run, sequence.dropped = "", False
    while sequence.left:
        if robot.machine.halted or robot.trip:
            return
        unit = sequence.left.popleft()
        try:
            if rides(robot, unit):
                sequence.left.appendleft(unit)
                return
            await begin(robot, sequence, unit)
        except RobotRefusal as why:
            unit.reason = why.reason
            continue
        tell(robot, sequence, ended)
        return
    occurrence = sequence.occurrence
    ran = occurrence is None or any(unit.run for unit in occurrence.units)
    reason = "" if ran or occurrence is None else occurrence.units[0].reason
    close(robot, sequence, ended, "done" if ran else "missed", reason)


def rides(robot: Robot, unit: Unit) -> bool:
    """Sets out for the unit's floor; refused where that has just failed."""
    if why := robot.no_way.pop(unit.map, ""):
        raise RobotRefusal(RelayCode.CONFLICT, why, "The robot could not reach the other floor", "map_name")
    robot.task(unit.map, unit.task)
    if robot.machine.floor and robot.machine.floor.name == unit.map:
        return False
    elevator_ride.set_out(robot, unit.map)
    return True


def over(robot: Robot, sequence: Sequence) -> bool:
    run = robot.machine.run
    return run is None or run.id != sequence.run


def tell(robot: Robot, sequence: Sequence, ended: Ended) -> None:
    if sequence.occurrence:
        ended(robot, sequence.occurrence, "running", "")


def close(robot: Robot, sequence: Sequence, ended: Ended, state: Turn, reason: str) -> None:
    robot.sequence = None
    if sequence.occurrence:
        ended(robot, sequence.occurrence, state, reason)


def filled(robot: Robot, sequence: Sequence, ended: Ended) -> bool:
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
        close(robot, sequence, ended, "missed", "low_battery")
    return False
