"""The robot rides lifts: to its elevator point, asks, boards, rides, takes the other floor's map, leaves.

Rules: it boards only through an open door that it was told of, and leaves the same way. Whatever fails before it is
inside ends the trip with a reason; inside it asks on until it is out, also after a restart. What a person does with the
robot meanwhile wins. When nothing is left to do it rides home to its charger's floor. After TRIES that failed it asks
for help, waits where it is, and tries again now and then, or when somebody resumes it, until it has come home.
"""

import math
import secrets

import numpy as np

from lustra.protocol.bus import Flag, Lift, LiftWish
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot import navigation
from lustra.robot.drive import timetable
from lustra.robot.elevator_trip import Trip
from lustra.robot.floor import Floor
from lustra.robot.robot import Robot

PATIENCE_MS = 10 * 60_000  # with a lift that it was not given
SAID_MS = 60_000  # that a farewell is repeated at most
AGAIN_MS = 30_000  # after a way home that failed
TRIES, SELDOM_MS = 3, 15 * 60_000  # of these in a row; then it asks for help, and tries so seldom
ASTRAY = "way_home"
CALLED_OFF = ("cancelled", "lift_called_off")  # people have: the way has not failed
THERE_M = 0.3
ENOUGH = 25.0  # % of battery to ride home with


def points(told: Floor) -> list[Flag]:
    return [flag for flag in told.flags if flag.type == "elevator"]


def point(told: Floor, *names: str, near: tuple[float, float] | None = None) -> Flag | None:
    """By the first of the names that there is, else the nearest."""
    known = points(told)
    for name in names:
        if found := next((flag for flag in known if flag.name == name), None):
            return found
    return min(known, key=lambda flag: math.dist((flag.x, flag.y), near) if near else 0.0, default=None)


def needed(robot: Robot, map_name: str) -> bool:
    """Whether the map is one of another floor of the building in which the robot is."""
    here, there = robot.machine.floor, robot.store.maps.get(map_name)
    if here is None or there is None or here.name == there.name:
        return False
    return bool(here.building) and here.building == there.building and here.floor != there.floor


def hindrance(robot: Robot, map_name: str) -> str:
    """Why it cannot ride to a map: a reason of the catalogue, or nothing."""
    here, there = robot.machine.floor, robot.store.maps.get(map_name)
    if here is None or there is None:
        return "map_unknown"
    if not needed(robot, map_name):
        return "lift_missing"
    return "" if points(here) and points(there) else "lift_no_point"


def set_out(robot: Robot, map_name: str) -> None:
    m = robot.machine
    m.ready()
    if why := hindrance(robot, map_name):
        raise RobotRefusal(RelayCode.CONFLICT, why, "The robot cannot reach the other floor", "map_name")
    here = navigation.floor_now(m)
    first = point(here, near=(m.x, m.y))
    if first is None:
        return
    robot.trip = Trip(origin=here.name, target=map_name, point=first.name)
    try:
        approach(robot, robot.trip)
    except RobotRefusal:
        robot.trip = None
        raise
    facts = robot.store.facts
    if not facts.home:
        facts.home, facts.berth = here.name, m.berth
    m.ride.under_way = True
    robot.keep()


def approach(robot: Robot, trip: Trip) -> None:
    """To where it waits: its point, or the clear ground before it."""
    m, flag = robot.machine, here(robot, trip)
    m.travel(navigation.to_ground(m, flag.x, flag.y, m.params["speed_moving"]), "lift")
    trip.stage = "approach"


def here(robot: Robot, trip: Trip) -> Flag:
    flag = point(navigation.floor_now(robot.machine), trip.point)
    if flag is None:
        raise RobotRefusal(RelayCode.CONFLICT, "lift_no_point", "The map has no elevator point", "map_name")
    return flag


def waits(robot: Robot, trip: Trip) -> bool:
    m, flag = robot.machine, here(robot, trip)
    return math.dist((m.x, m.y), navigation.ground(m, flag.x, flag.y)) < THERE_M


def advance(robot: Robot, now: int) -> None:
    """Looks what comes next; called every few seconds, and when a lift has told something."""
    said = robot.farewells.said
    robot.farewells.said = {ride: (step, at) for ride, (step, at) in said.items() if now - at < SAID_MS}
    trip, m = robot.trip, robot.machine
    if trip is None:
        homewards(robot, now)
        return
    told = robot.lift if robot.lift and robot.lift.ride == trip.ride else None
    if m.halted or (m.transit is not None and m.transit.then in {"lift", "board", "leave"}):
        if told and told.phase == "ended" and trip.stage == "board" and not m.halted:
            m.transit = None
            fail(robot, told.reason, now)
        return
    try:
        if trip.inside:
            within(robot, trip, told, now)
        else:
            before(robot, trip, told, now)
    except RobotRefusal as why:
        fail(robot, why.reason, now)


def before(robot: Robot, trip: Trip, told: Lift | None, now: int) -> None:
    m = robot.machine
    if m.transit is not None or m.mapping or m.floor is None or m.floor.name != trip.origin:
        fail(robot, "lift_called_off", now)  # somebody has sent it elsewhere
        return
    if trip.stage == "board":
        board(robot, trip)
    elif not waits(robot, trip):
        approach(robot, trip)
    elif trip.stage == "approach":
        trip.stage, trip.asked = "ask", trip.asked or now
    elif told and told.phase == "ended":
        fail(robot, told.reason, now)
    elif told and told.phase == "open":
        offered(robot, trip, told)
    elif now - trip.asked > PATIENCE_MS:
        fail(robot, "lift_never_came", now)


def offered(robot: Robot, trip: Trip, told: Lift) -> None:
    """The door is open: in, or first to the point of just this lift."""
    m, flag = robot.machine, point(navigation.floor_now(robot.machine), told.lift, trip.point)
    if flag and flag.name != trip.point:
        trip.point = flag.name
        if not waits(robot, trip):
            approach(robot, trip)
            return
    flag, trip.lift, trip.stage, m.ride.aboard = here(robot, trip), told.lift, "board", "door"
    m.travel(timetable(np.array([[m.x, m.y], [flag.x, flag.y]]), m.yaw, m.params["speed_low"], flag.yaw), "board")


def board(robot: Robot, trip: Trip) -> None:
    """It is in."""
    trip.stage, robot.machine.ride.aboard = "ride", "cabin"
    robot.keep()


def within(robot: Robot, trip: Trip, told: Lift | None, now: int) -> None:
    """Inside it asks on, whatever became of the ride that brought it in."""
    if told and told.phase == "ended":
        trip.ride, robot.lift = secrets.token_hex(8), None
    elif told is None or told.phase != "arrived":
        return
    elif trip.stage == "ride":
        land(robot, trip)
    elif gone(robot, trip):
        arrived(robot, trip, now)
    else:
        m, flag = robot.machine, here(robot, trip)
        x, y = navigation.ground(m, flag.x, flag.y)
        m.travel(timetable(np.array([[m.x, m.y], [x, y]]), m.yaw, m.params["speed_low"]), "leave")


def gone(robot: Robot, trip: Trip) -> bool:
    return trip.stage == "leave" and waits(robot, trip)


def land(robot: Robot, trip: Trip) -> None:
    """The door has opened at the other floor: its map, and the place of this lift on it. A floor whose map is gone is
    not entered: it rides back."""
    m, there = robot.machine, robot.store.maps.get(trip.target)
    flag = point(there, trip.lift, trip.point, near=(m.x, m.y)) if there else None
    if there is None or flag is None:
        trip.origin, trip.target, trip.back = trip.target, trip.origin, True
        trip.ride = secrets.token_hex(8)
        return
    m.floor, m.ride.aboard, trip.stage, trip.point = there, "door", "leave", flag.name
    m.place(flag.x, flag.y, flag.yaw, charging=False)
    m.belief.settle()
    m.untold()
    robot.outbox.event("map_loaded", there.name, there.revision)
    robot.keep()


def arrived(robot: Robot, trip: Trip, now: int) -> None:
    m, facts = robot.machine, robot.store.facts
    robot.farewells.bid(trip.ride, "left", now)
    if trip.back:
        robot.no_way[trip.origin] = "map_unknown"
    if trip.target == facts.home:
        m.berth = facts.berth
        unworried(robot)
    over(robot)


def fail(robot: Robot, reason: str, now: int) -> None:
    """Before it is inside: the trip ends, and what needed it is told why."""
    trip = robot.trip
    if trip is None or trip.inside:
        return
    robot.farewells.bid(trip.ride, "cancel", now)
    robot.no_way[trip.target] = reason
    robot.stayed_at = now
    if trip.target == robot.store.facts.home and not robot.sequence and reason not in CALLED_OFF:
        worried(robot)
    over(robot)


def worried(robot: Robot) -> None:
    """The way home has failed once more."""
    robot.astray += 1
    if robot.astray >= TRIES and ASTRAY not in robot.machine.faults:
        robot.machine.fault(ASTRAY, on=True)


def unworried(robot: Robot) -> None:
    robot.astray = 0
    robot.machine.faults.pop(ASTRAY, None)


def over(robot: Robot) -> None:
    robot.trip, robot.lift = None, None
    robot.machine.ride.over()
    robot.keep()


def call_off(robot: Robot, now: int) -> None:
    """What it was for is cancelled. Inside it has to ride on."""
    if robot.trip and not robot.trip.inside:
        if robot.machine.transit and robot.machine.transit.then in {"lift", "board"}:
            robot.machine.transit, robot.machine.rate = None, 0.0
        fail(robot, "cancelled", now)


def homewards(robot: Robot, now: int) -> None:
    """Nothing is left to do: to its own charger, and to that one's floor first."""
    m, facts = robot.machine, robot.store.facts
    home = facts.home
    if not home or m.floor is None or robot.sequence or m.run or m.mapping:
        unworried(robot)
        return
    if m.halted:
        return
    if m.floor.name == home:
        unworried(robot)
        m.berth, facts.home = facts.berth, ""
        if m.transit is None and not m.charging:
            m.homewards()
        return
    wanted = m.transit is not None and m.transit.then != "dock"
    pause = AGAIN_MS if robot.astray < TRIES else SELDOM_MS
    if wanted or (m.charging and m.battery < ENOUGH) or now - robot.stayed_at < pause:
        return
    robot.stayed_at = now
    try:
        set_out(robot, home)
    except RobotRefusal as why:
        robot.no_way[home] = why.reason
        worried(robot)


def hear(robot: Robot, told: Lift) -> None:
    if told.phase == "ended":
        robot.farewells.said.pop(told.ride, None)
    if robot.trip and robot.trip.ride == told.ride:
        robot.lift = told
        robot.machine.ride.lift = told.lift if told.phase != "ended" or robot.trip.inside else ""
        robot.woken.set()


def named(robot: Robot) -> str:
    """The lift that the schedule under way names; any, where it names none."""
    told = robot.sequence.occurrence if robot.sequence else None
    kept = robot.plans.lifts.rows.get(told.schedule) if told and told.kind == "elevator_timetask" else None
    return kept.what.elevator_id if kept else ""


def wishes(robot: Robot) -> list[LiftWish]:
    """What there is to say now."""
    maps, trip, out = robot.store.maps, robot.trip, list[LiftWish]()
    for ride, (step, _) in robot.farewells.said.items():
        out.append(LiftWish(at=robot.clock.at(), ride=ride, step=step, target=""))
    if trip and trip.stage != "approach":
        origin, target = maps.get(trip.origin), maps.get(trip.target)
        told = target or origin
        out.append(
            LiftWish(
                at=robot.clock.at(), ride=trip.ride, step="inside" if trip.inside else "ask",
                origin=origin.floor if origin else "", target=target.floor if target else "",
                building=told.building if told else "", lift=named(robot), simulated=robot.machine.factor,
            )
        )  # fmt: skip
    return out
