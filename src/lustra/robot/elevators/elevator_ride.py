"""The robot rides elevators: to its elevator point, asks, boards, rides, takes the other floor's map, leaves.

Rules: it boards only through a door that the server has reported open, and leaves the same way. Whatever fails before
it is inside ends the trip with a reason; inside it asks on until it is out, also after a restart. What a person does
with the robot meanwhile wins. When nothing is left to do it rides home to its charger's floor. After TRIES that failed
it asks for help, waits where it is, and tries again now and then, or when somebody resumes it, until it has come home.
"""

import math
import secrets

import numpy as np

from lustra.protocol.bus import ElevatorOffer, ElevatorWish, Flag
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.maps.floor import Floor
from lustra.robot.navigation.drive import timetable
from lustra.robot.robot import Robot
from lustra.robot.simulation import goals
from lustra.robot.simulation.elevator_trip import Trip

PATIENCE_MS = 10 * 60_000  # with an elevator that it was not given
REPEAT_END_MS = 60_000  # that a farewell is repeated at most
AGAIN_MS = 30_000  # after a way home that failed
TRIES = 3  # of these in a row
SELDOM_MS = 15 * 60_000  # then it asks for help, and tries so seldom
ASTRAY = "way_home"
CALLED_OFF = ("cancelled", "lift_called_off")  # people have: the way has not failed
ARRIVED_M = 0.3
ENOUGH = 25.0  # % of battery to ride home with


def elevator_points(floor: Floor) -> list[Flag]:
    return [flag for flag in floor.flags if flag.type == "elevator"]


def elevator_point(floor: Floor, *names: str, near: tuple[float, float] | None = None) -> Flag | None:
    """The point on a map from which elevators are entered: by its usual names, else the nearest."""
    known = elevator_points(floor)
    for name in names:
        if named := next((flag for flag in known if flag.name == name), None):
            return named
    return min(known, key=lambda flag: math.dist((flag.x, flag.y), near) if near else 0.0, default=None)


def needs_elevator(robot: Robot, map_name: str) -> bool:
    """Whether the map is one of another floor of the building in which the robot is."""
    origin, target = robot.machine.floor, robot.store.maps.get(map_name)
    if origin is None or target is None or origin.name == target.name:
        return False
    return bool(origin.building) and origin.building == target.building and origin.floor != target.floor


def reason_against(robot: Robot, map_name: str) -> str:
    """Why it cannot ride to a map: a reason of the catalogue, or nothing."""
    origin, target = robot.machine.floor, robot.store.maps.get(map_name)
    if origin is None or target is None:
        return "map_unknown"
    if not needs_elevator(robot, map_name):
        return "lift_missing"
    return "" if elevator_points(origin) and elevator_points(target) else "lift_no_point"


def start_trip(robot: Robot, map_name: str) -> None:
    m = robot.machine
    m.check_ready()
    if why := reason_against(robot, map_name):
        raise RobotRefusal(RelayCode.CONFLICT, why, "The robot cannot reach the other floor", "map_name")
    here = goals.loaded_floor(m)
    first = elevator_point(here, near=m.pose.xy)
    if first is None:
        return
    robot.trips.current = Trip(origin=here.name, target=map_name, point=first.name)
    try:
        approach(robot, robot.trips.current)
    except RobotRefusal:
        robot.trips.current = None
        raise
    facts = robot.store.facts
    if not facts.home:
        facts.home, facts.berth = here.name, m.berth
    m.ride.under_way = True
    robot.keep()


def approach(robot: Robot, trip: Trip) -> None:
    """To where it waits: its point, or the clear ground before it."""
    m, flag = robot.machine, current_point(robot, trip)
    m.travel(goals.to_ground(m, flag.x, flag.y, m.params["speed_moving"]), "elevator")
    trip.stage = "approach"


def current_point(robot: Robot, trip: Trip) -> Flag:
    flag = elevator_point(goals.loaded_floor(robot.machine), trip.point)
    if flag is None:
        raise RobotRefusal(RelayCode.CONFLICT, "lift_no_point", "The map has no elevator point", "map_name")
    return flag


def at_waiting_place(robot: Robot, trip: Trip) -> bool:
    m, flag = robot.machine, current_point(robot, trip)
    return math.dist(m.pose.xy, goals.nearest_ground(m, flag.x, flag.y)) < ARRIVED_M


def advance(robot: Robot, now: int) -> None:
    """Takes the next step, if any; called every few seconds, and when a message of the elevator comes."""
    steps = robot.trips.ended.steps
    robot.trips.ended.steps = {ride: (step, at) for ride, (step, at) in steps.items() if now - at < REPEAT_END_MS}
    trip, m = robot.trips.current, robot.machine
    if trip is None:
        return_home(robot, now)
        return
    offer = robot.trips.offer if robot.trips.offer and robot.trips.offer.ride == trip.ride else None
    if m.halted or (m.transit is not None and m.transit.then in {"elevator", "board", "leave"}):
        if offer and offer.phase == "ended" and trip.stage == "board" and not m.halted:
            m.stop_driving()
            fail_trip(robot, offer.reason, now)
        return
    try:
        if trip.inside:
            step_inside(robot, trip, offer, now)
        else:
            step_outside(robot, trip, offer, now)
    except RobotRefusal as why:
        fail_trip(robot, why.reason, now)


def step_outside(robot: Robot, trip: Trip, offer: ElevatorOffer | None, now: int) -> None:
    m = robot.machine
    if m.transit is not None or m.mapping or m.floor is None or m.floor.name != trip.origin:
        fail_trip(robot, "lift_called_off", now)  # somebody has sent it elsewhere
        return
    if trip.stage == "board":
        board(robot, trip)
    elif not at_waiting_place(robot, trip):
        approach(robot, trip)
    elif trip.stage == "approach":
        trip.stage, trip.requested_at = "ask", trip.requested_at or now
    elif offer and offer.phase == "ended":
        fail_trip(robot, offer.reason, now)
    elif offer and offer.phase == "open":
        take_offer(robot, trip, offer)
    elif now - trip.requested_at > PATIENCE_MS:
        fail_trip(robot, "lift_never_came", now)


def take_offer(robot: Robot, trip: Trip, offer: ElevatorOffer) -> None:
    """The door is open: in, or first to the point of just this elevator."""
    m, flag = robot.machine, elevator_point(goals.loaded_floor(robot.machine), offer.lift, trip.point)
    if flag and flag.name != trip.point:
        trip.point = flag.name
        if not at_waiting_place(robot, trip):
            approach(robot, trip)
            return
    flag, trip.elevator, trip.stage, m.ride.aboard = current_point(robot, trip), offer.lift, "board", "door"
    m.travel(timetable(np.array([m.pose.xy, [flag.x, flag.y]]), m.pose.yaw, m.params["speed_low"], flag.yaw), "board")


def board(robot: Robot, trip: Trip) -> None:
    """The robot stands in the cabin."""
    trip.stage, robot.machine.ride.aboard = "ride", "cabin"
    robot.keep()


def step_inside(robot: Robot, trip: Trip, offer: ElevatorOffer | None, now: int) -> None:
    """Inside it asks on, whatever became of the ride that brought it in."""
    if offer and offer.phase == "ended":
        trip.ride, robot.trips.offer = secrets.token_hex(8), None
    elif offer is None or offer.phase != "arrived":
        return
    elif trip.stage == "ride":
        enter_floor(robot, trip)
    elif has_left(robot, trip):
        finish_trip(robot, trip, now)
    else:
        m, flag = robot.machine, current_point(robot, trip)
        x, y = goals.nearest_ground(m, flag.x, flag.y)
        m.travel(timetable(np.array([m.pose.xy, [x, y]]), m.pose.yaw, m.params["speed_low"]), "leave")


def has_left(robot: Robot, trip: Trip) -> bool:
    return trip.stage == "leave" and at_waiting_place(robot, trip)


def enter_floor(robot: Robot, trip: Trip) -> None:
    """The door has opened at the other floor: its map, and the place of this elevator on it. A floor whose map is
    gone is not entered: it rides back."""
    m, target = robot.machine, robot.store.maps.get(trip.target)
    flag = elevator_point(target, trip.elevator, trip.point, near=m.pose.xy) if target else None
    if target is None or flag is None:
        trip.origin, trip.target, trip.back = trip.target, trip.origin, True
        trip.ride = secrets.token_hex(8)
        return
    m.floor, m.ride.aboard, trip.stage, trip.point = target, "door", "leave", flag.name
    m.place(flag.x, flag.y, flag.yaw, charging=False)
    m.belief.reset()
    m.cells.discard()
    robot.outbox.event("map_loaded", target.name, target.revision)
    robot.keep()


def finish_trip(robot: Robot, trip: Trip, now: int) -> None:
    m, facts = robot.machine, robot.store.facts
    robot.trips.ended.add(trip.ride, "left", now)
    if trip.back:
        robot.trips.unreachable[trip.origin] = "map_unknown"
    if trip.target == facts.home:
        m.berth = facts.berth
        clear_failed_returns(robot)
    clear_trip(robot)


def fail_trip(robot: Robot, reason: str, now: int) -> None:
    """Before it is inside: the trip ends, and what needed it learns the reason."""
    trip = robot.trips.current
    if trip is None or trip.inside:
        return
    robot.trips.ended.add(trip.ride, "cancel", now)
    robot.trips.unreachable[trip.target] = reason
    robot.trips.failed_at = now
    if trip.target == robot.store.facts.home and not robot.sequence and reason not in CALLED_OFF:
        count_failed_return(robot)
    clear_trip(robot)


def count_failed_return(robot: Robot) -> None:
    """The way home has failed once more."""
    robot.trips.failed_returns += 1
    if robot.trips.failed_returns >= TRIES and ASTRAY not in robot.machine.faults:
        robot.machine.fault(ASTRAY, on=True)


def clear_failed_returns(robot: Robot) -> None:
    robot.trips.failed_returns = 0
    robot.machine.faults.pop(ASTRAY, None)


def clear_trip(robot: Robot) -> None:
    robot.trips.current, robot.trips.offer = None, None
    robot.machine.ride.end()
    robot.keep()


def cancel_trip(robot: Robot, now: int) -> None:
    """Cancels the trip; a robot that is inside rides on to where it can leave."""
    if robot.trips.current and not robot.trips.current.inside:
        if robot.machine.transit and robot.machine.transit.then in {"elevator", "board"}:
            robot.machine.stop_driving()
            robot.machine.rate = 0.0
        fail_trip(robot, "cancelled", now)


def return_home(robot: Robot, now: int) -> None:
    """Nothing is left to do: to its own charger, and to that one's floor first."""
    m, facts = robot.machine, robot.store.facts
    home = facts.home
    if not home or m.floor is None or robot.sequence or m.run or m.mapping:
        clear_failed_returns(robot)
        return
    if m.halted:
        return
    if m.floor.name == home:
        clear_failed_returns(robot)
        m.berth, facts.home = facts.berth, ""
        if m.transit is None and not m.charging:
            m.drive_home()
        return
    sent = m.transit is not None and m.transit.then != "dock"
    pause = AGAIN_MS if robot.trips.failed_returns < TRIES else SELDOM_MS
    if sent or (m.charging and m.battery < ENOUGH) or now - robot.trips.failed_at < pause:
        return
    robot.trips.failed_at = now
    try:
        start_trip(robot, home)
    except RobotRefusal as why:
        robot.trips.unreachable[home] = why.reason
        count_failed_return(robot)


def receive_offer(robot: Robot, offer: ElevatorOffer) -> None:
    if offer.phase == "ended":
        robot.trips.ended.steps.pop(offer.ride, None)
    if robot.trips.current and robot.trips.current.ride == offer.ride:
        robot.trips.offer = offer
        robot.machine.ride.elevator = offer.lift if offer.phase != "ended" or robot.trips.current.inside else ""
        robot.woken.set()


def named_elevator(robot: Robot) -> str:
    """The elevator that the schedule under way names; any, where it names none."""
    occurrence = robot.sequence.occurrence if robot.sequence else None
    entry = (
        robot.plans.elevator_timetasks.rows.get(occurrence.schedule)
        if occurrence and occurrence.kind == "elevator_timetask"
        else None
    )
    return entry.item.elevator_id if entry else ""


def elevator_wishes(robot: Robot) -> list[ElevatorWish]:
    """The messages that are due now: rides that have ended, and the one under way."""
    maps, trip, out = robot.store.maps, robot.trips.current, list[ElevatorWish]()
    for ride, (step, _) in robot.trips.ended.steps.items():
        out.append(ElevatorWish(at=robot.clock.at(), ride=ride, step=step, target=""))
    if trip and trip.stage != "approach":
        origin, target = maps.get(trip.origin), maps.get(trip.target)
        known = target or origin
        out.append(
            ElevatorWish(
                at=robot.clock.at(),
                ride=trip.ride,
                step="inside" if trip.inside else "ask",
                origin=origin.floor if origin else "",
                target=target.floor if target else "",
                building=known.building if known else "",
                lift=named_elevator(robot),
                simulated=robot.machine.factor,
            )
        )
    return out
