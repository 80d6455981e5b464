"""Commands of the server to the robot itself, by name; what has to do with its line stands in telemetry.py."""

import hashlib
from collections.abc import Callable
from typing import Any

import msgspec

from lustra.protocol import bus
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot import doors, elevator_ride, schedule
from lustra.robot.robot import Robot, now_ms

FACTORS = (1.0, 5.0, 20.0)
Answer = dict[str, Any]  # what it tells beside that it is done


def control(robot: Robot, told: bus.Control) -> Answer:
    robot.store.facts.number = max(robot.store.facts.number, told.number)
    robot.store.keep_facts()
    return {}


def simulate(robot: Robot, told: bus.Simulate) -> Answer:
    if told.factor not in FACTORS:
        raise RobotRefusal(RelayCode.BAD_INPUT, "factor_unknown", "The factor is 1, 5 or 20", "factor")
    robot.machine.factor = told.factor
    return {}


def fault(robot: Robot, told: bus.Fault) -> Answer:
    """That doors are stuck is a fault of the building: the robot says so when it comes to one."""
    if told.name == doors.STUCK:
        doors.jam(robot.machine.surroundings, on=told.on)
    else:
        robot.machine.fault(told.name, on=told.on)
    return {}


def erase(robot: Robot, told: bus.Erase) -> Answer:
    return {"at": robot.erase(told.number)}


def password(robot: Robot, told: bus.Password) -> Answer:
    facts = robot.store.facts
    facts.password = facts.password_now = hashlib.sha256(told.password.encode()).hexdigest()
    robot.store.keep_facts()
    return {}


def home(robot: Robot, _: bus.Home) -> Answer:
    """Where its charger stands on another floor, it rides there."""
    machine, now = robot.machine, now_ms()
    robot.sent_home = now
    inside = robot.trip is not None and robot.trip.inside  # it rides on, and home from there
    if not inside:
        machine.ready()
    if robot.sequence or machine.run or robot.trip:
        schedule.end_all(robot, "cancelled", now)
    if inside or robot.trip:
        return {}
    away = robot.store.facts.home
    if away and machine.floor and machine.floor.name != away:
        machine.transit = None
        elevator_ride.set_out(robot, away)
    else:
        machine.go_home()
    return {}


def lift(robot: Robot, told: bus.Lift) -> Answer:
    elevator_ride.hear(robot, told)
    return {}


def take_map(robot: Robot, wanted: bus.TakeMap) -> Answer:
    told = robot.intake.take(wanted)
    return {"at": robot.clock.at(), "taken": msgspec.to_builtins(told)}


ORDERS: dict[str, tuple[type[msgspec.Struct], Callable[[Robot, Any], Answer]]] = {
    "control": (bus.Control, control),
    "simulate": (bus.Simulate, simulate),
    "fault": (bus.Fault, fault),
    "erase": (bus.Erase, erase),
    "password": (bus.Password, password),
    "home": (bus.Home, home),
    "lift": (bus.Lift, lift),
    "takemap": (bus.TakeMap, take_map),
}


def obey(robot: Robot, name: str, data: bytes) -> Answer:
    if name not in ORDERS:
        raise RobotRefusal(RelayCode.UNKNOWN, "command_unknown", "The robot does not know this command")
    kind, do = ORDERS[name]
    told = do(robot, msgspec.json.decode(data, type=kind))
    robot.woken.set()
    return told
