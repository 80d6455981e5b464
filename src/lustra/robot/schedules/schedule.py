"""The robot's own schedules: it looks at its clock and begins what is due.

Rules: the clock runs true, whatever factor a virtual robot is sped up by. Each occurrence is taken up once, also over
restarts and steps of the clock. What cannot begin at its start may begin up to LATE_MS later; then it is missed,
with its reason. With too little battery the robot charges first. A forced end ends what runs and all that would follow.
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
from lustra.robot.elevators import elevator_ride
from lustra.robot.hours import QUIET, is_quiet
from lustra.robot.plans import Entry, PlanList
from lustra.robot.robot import Robot
from lustra.robot.schedules import sequence_runner
from lustra.robot.sequence import Sequence

LATE_MS = 10 * 60_000
AS_FAR_BACK_MS = 30 * 24 * 3600_000  # of a robot that was off for longer, older misses are not reported
ASLEEP_MS = 60_000  # not looked for so long: it was off
BUSY = "robot_busy"
ScheduleItem = TimeTask | ElevatorTimeTask


def to_datetime(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, timezone.utc)


def to_ms(at: datetime) -> int:
    return round(at.timestamp() * 1000)


def find_entry(robot: Robot, kind: Schedule, name: str) -> Entry[TimeTask] | Entry[ElevatorTimeTask] | None:
    plans = robot.plans
    return plans.timetasks.rows.get(name) if kind == "timetask" else plans.elevator_timetasks.rows.get(name)


def enabled_items(robot: Robot) -> list[tuple[Schedule, ScheduleItem]]:
    plans = robot.plans
    shelves: list[tuple[Schedule, PlanList[Any]]] = [
        ("timetask", plans.timetasks),
        ("elevator_timetask", plans.elevator_timetasks),
    ]
    return [(kind, entry.item) for kind, shelf in shelves for entry in shelf.in_order() if entry.item.enable]


def schedule_units(item: ScheduleItem) -> list[Unit]:
    if isinstance(item, TimeTask):
        return [Unit(map=item.map_name, task=task) for task in item.task_list]
    return [Unit(map=floor.map_name, task=task) for floor in item.floors for task in floor.task_list]


async def step(robot: Robot, now: int) -> None:
    """What is due at `now` (ms); called every few seconds."""
    record_due(robot, now)
    force_end(robot, now)
    elevator_ride.advance(robot, now)
    await sequence_runner.advance(robot, set_state)
    for occurrence in [o for o in robot.plans.occurrences if o.state == "waiting"]:
        await start_occurrence(robot, occurrence, now)


def record_due(robot: Robot, now: int) -> None:
    """Takes down what has become due since the robot last looked. A clock that went back is waited for."""
    facts, at_work = robot.store.facts, robot.sequence.occurrence if robot.sequence else None
    for occurrence in robot.plans.occurrences:
        if occurrence.state in {"charging", "running"} and occurrence is not at_work:
            set_state(robot, occurrence, "interrupted", "robot_off")
    since = max(facts.looked or now, now - AS_FAR_BACK_MS)
    known = {(o.kind, o.schedule, o.start) for o in robot.plans.occurrences}
    due: list[Occurrence] = []
    for kind, item in enabled_items(robot):
        for time in between(item.weekly(robot.spec.zone), to_datetime(since), to_datetime(now)):
            start, end = to_ms(time.start), to_ms(time.end) if time.end else 0
            if not time.skipped and (kind, item.name, start) not in known:
                occurrence = Occurrence(
                    kind=kind,
                    schedule=item.name,
                    day=time.day.isoformat(),
                    start=start,
                    end=end,
                    state="waiting",
                    units=schedule_units(item),
                )
                due.append(occurrence)
    slept = now - since > ASLEEP_MS
    for occurrence in sorted(due, key=lambda o: o.start):
        robot.plans.occurrences.append(occurrence)
        late = now > occurrence.start + LATE_MS
        set_state(robot, occurrence, "missed" if late else "waiting", "robot_off" if late and slept else "")
    facts.looked = max(facts.looked, now)


def set_state(robot: Robot, occurrence: Occurrence, state: Turn, reason: str) -> None:
    """The new state of an occurrence: stored, then sent."""
    occurrence.state, occurrence.reason = state, reason
    robot.plans.save()
    robot.outbox.event("occurrence", f"{occurrence.kind}/{occurrence.schedule}/{occurrence.start}", 0, occurrence)


def force_end(robot: Robot, now: int) -> None:
    work = robot.sequence
    if work and work.occurrence and work.occurrence.end and now >= work.occurrence.end:
        end_all(robot, "forced_end" if any(u.run for u in work.occurrence.units) else "missed", now)
        with contextlib.suppress(RobotRefusal):  # it has no charger, or no way to it
            robot.machine.go_home()


def end_all(robot: Robot, state: Turn, now: int) -> None:
    """Ends what runs, and what would follow it."""
    work, robot.sequence = robot.sequence, None
    dropped = robot.planner.drop_start()
    if work is None and robot.machine.run is None and robot.trips.current is None and not dropped:
        raise RobotRefusal(RelayCode.CONFLICT, "task_none_running", "No task is running")
    elevator_ride.cancel_trip(robot, now)
    if robot.machine.run:
        robot.machine.cancel(now)
    if work and work.charge and robot.machine.transit:
        robot.machine.cancel_home()
    if work and work.occurrence:
        set_state(robot, work.occurrence, state, "low_battery" if state == "missed" else "")


def reason_against(robot: Robot, occurrence: Occurrence, now: int) -> str:
    """Why an occurrence cannot begin now; a reason of the catalogue, or nothing."""
    machine = robot.machine
    try:
        machine.check_ready()
    except RobotRefusal as refusal:
        return refusal.reason
    errand = robot.trips.current or (machine.transit is not None and machine.transit.then != "dock")
    known = [unit for unit in occurrence.units if (unit.map, unit.task) in robot.store.tasks]
    loaded = machine.floor.name if machine.floor else ""
    far = [elevator_ride.reason_against(robot, unit.map) for unit in known if unit.map != loaded]
    far = [why for why in far if why]
    why = (
        ("map_not_selected", not loaded),
        (QUIET, machine.floor is not None and is_quiet(machine.floor, robot.spec.zone, now)),
        (BUSY, robot.sequence or machine.run or robot.planner.preparation or errand),
        (machine.help or BUSY, machine.halted),
        ("task_unknown", not known),
        ("task_other_map", occurrence.kind == "timetask" and any(unit.map != loaded for unit in known)),
        (far[0] if far else "", len(far) == len(known)),
    )
    return next((reason for reason, so in why if so), "")


async def start_occurrence(robot: Robot, occurrence: Occurrence, now: int) -> None:
    entry = find_entry(robot, occurrence.kind, occurrence.schedule)
    if entry is None or not entry.item.enable:
        set_state(robot, occurrence, "cancelled", "")
        return
    why = reason_against(robot, occurrence, now)
    over = now > occurrence.start + LATE_MS or (occurrence.end and now >= occurrence.end)
    if over:
        set_state(robot, occurrence, "missed", why or BUSY)
    elif not why:
        low = robot.machine.battery < entry.item.charge_below
        robot.sequence = Sequence(deque(occurrence.units), occurrence=occurrence, charge=low)
        set_state(robot, occurrence, "charging" if low else "running", "")
        await sequence_runner.advance(robot, set_state)
