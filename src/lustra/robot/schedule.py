"""The robot's own schedules: it looks at its clock and begins what is due.

Rules: the clock runs true, whatever factor a virtual robot is sped up by. Each occurrence is taken up once, also over
restarts and steps of the clock. What cannot begin at its start may begin up to LATE_MS later; then it is missed, and
told with why. With too little battery the robot charges first. A forced end ends what runs and all that would follow.
A schedule of one map needs that map loaded; one over several floors rides (elevator_ride.py) if it can reach any.
"""

import contextlib
from collections import deque
from datetime import datetime, timezone
from typing import Any

from lustra.protocol.bus import Occurrence, Schedule, Turn, Unit
from lustra.protocol.payloads.schedules import ElevatorTimeTask, TimeTask
from lustra.protocol.recurrence import between
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot import elevator_ride, sequence_runner
from lustra.robot.hours import QUIET, quiet
from lustra.robot.plans import Entry, Shelf
from lustra.robot.robot import Robot
from lustra.robot.sequence import Sequence

LATE_MS = 10 * 60_000
AS_FAR_BACK_MS = 30 * 24 * 3600_000  # of a robot that was off for longer, older misses are not told
ASLEEP_MS = 60_000  # not looked for so long: it was off
BUSY = "robot_busy"
Item = TimeTask | ElevatorTimeTask


def moment(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, timezone.utc)


def ms(at: datetime) -> int:
    return round(at.timestamp() * 1000)


def entry(robot: Robot, kind: Schedule, name: str) -> Entry[TimeTask] | Entry[ElevatorTimeTask] | None:
    plans = robot.plans
    return plans.timetasks.rows.get(name) if kind == "timetask" else plans.lifts.rows.get(name)


def active(robot: Robot) -> list[tuple[Schedule, Item]]:
    plans = robot.plans
    shelves: list[tuple[Schedule, Shelf[Any]]] = [("timetask", plans.timetasks), ("elevator_timetask", plans.lifts)]
    return [(kind, entry.what) for kind, shelf in shelves for entry in shelf.listed() if entry.what.enable]


def steps(what: Item) -> list[Unit]:
    if isinstance(what, TimeTask):
        return [Unit(map=what.map_name, task=task) for task in what.task_list]
    return [Unit(map=floor.map_name, task=task) for floor in what.floors for task in floor.task_list]


async def look(robot: Robot, now: int) -> None:
    """What is due at `now` (ms); called every few seconds."""
    notice(robot, now)
    force_end(robot, now)
    elevator_ride.advance(robot, now)
    await sequence_runner.advance(robot, turn)
    for told in [o for o in robot.plans.occurrences if o.state == "waiting"]:
        await take_up(robot, told, now)


def notice(robot: Robot, now: int) -> None:
    """Takes down what has become due since the robot last looked. A clock that went back is waited for."""
    facts, at_work = robot.store.facts, robot.sequence.occurrence if robot.sequence else None
    for told in robot.plans.occurrences:
        if told.state in {"charging", "running"} and told is not at_work:
            turn(robot, told, "interrupted", "robot_off")
    since = max(facts.looked or now, now - AS_FAR_BACK_MS)
    known = {(o.kind, o.schedule, o.start) for o in robot.plans.occurrences}
    due: list[Occurrence] = []
    for kind, what in active(robot):
        for found in between(what.weekly(robot.spec.zone), moment(since), moment(now)):
            start, end = ms(found.start), ms(found.end) if found.end else 0
            if not found.skipped and (kind, what.name, start) not in known:
                told = Occurrence(kind=kind, schedule=what.name, day=found.day.isoformat(), start=start, end=end,
                                  state="waiting", units=steps(what))  # fmt: skip
                due.append(told)
    slept = now - since > ASLEEP_MS
    for told in sorted(due, key=lambda o: o.start):
        robot.plans.occurrences.append(told)
        late = now > told.start + LATE_MS
        turn(robot, told, "missed" if late else "waiting", "robot_off" if late and slept else "")
    facts.looked = max(facts.looked, now)


def turn(robot: Robot, told: Occurrence, state: Turn, reason: str) -> None:
    """What became of an occurrence: kept, then told."""
    told.state, told.reason = state, reason
    robot.plans.keep()
    robot.outbox.event("occurrence", f"{told.kind}/{told.schedule}/{told.start}", 0, told)


def force_end(robot: Robot, now: int) -> None:
    work = robot.sequence
    if work and work.occurrence and work.occurrence.end and now >= work.occurrence.end:
        end_all(robot, "forced_end" if any(u.run for u in work.occurrence.units) else "missed", now)
        with contextlib.suppress(RobotRefusal):  # it has no charger, or no way to it
            robot.machine.go_home()


def end_all(robot: Robot, state: Turn, now: int) -> None:
    """Ends what runs, and what would follow it."""
    work, robot.sequence = robot.sequence, None
    if work is None and robot.machine.run is None and robot.trip is None:
        raise RobotRefusal(RelayCode.CONFLICT, "task_none_running", "No task is running")
    elevator_ride.call_off(robot, now)
    if robot.machine.run:
        robot.machine.cancel(now)
    if work and work.charge and robot.machine.transit:
        robot.machine.cancel_home()
    if work and work.occurrence:
        turn(robot, work.occurrence, state, "low_battery" if state == "missed" else "")


def hindrance(robot: Robot, told: Occurrence, now: int) -> str:
    """Why an occurrence cannot begin now; a reason of the catalogue, or nothing."""
    machine = robot.machine
    try:
        machine.ready()
    except RobotRefusal as refusal:
        return refusal.reason
    errand = robot.trip or (machine.transit is not None and machine.transit.then != "dock")
    known = [unit for unit in told.units if (unit.map, unit.task) in robot.store.tasks]
    loaded = machine.floor.name if machine.floor else ""
    far = [elevator_ride.hindrance(robot, unit.map) for unit in known if unit.map != loaded]
    far = [why for why in far if why]
    why = (
        ("map_not_selected", not loaded),
        (QUIET, machine.floor is not None and quiet(machine.floor, robot.spec.zone, now)),
        (BUSY, robot.sequence or machine.run or errand),
        (machine.help or BUSY, machine.halted),
        ("task_unknown", not known),
        ("task_other_map", told.kind == "timetask" and any(unit.map != loaded for unit in known)),
        (far[0] if far else "", len(far) == len(known)),
    )
    return next((reason for reason, so in why if so), "")


async def take_up(robot: Robot, told: Occurrence, now: int) -> None:
    kept = entry(robot, told.kind, told.schedule)
    if kept is None or not kept.what.enable:
        turn(robot, told, "cancelled", "")
        return
    why = hindrance(robot, told, now)
    over = now > told.start + LATE_MS or (told.end and now >= told.end)
    if over:
        turn(robot, told, "missed", why or BUSY)
    elif not why:
        low = robot.machine.battery < kept.what.charge_below
        robot.sequence = Sequence(deque(told.units), occurrence=told, charge=low)
        turn(robot, told, "charging" if low else "running", "")
        await sequence_runner.advance(robot, turn)
