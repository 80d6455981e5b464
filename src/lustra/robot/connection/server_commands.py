"""Commands of the server to the robot itself, by name; what has to do with its line stands in telemetry.py."""

import hashlib
from collections.abc import Callable
from typing import Any

import msgspec

from lustra.protocol import backups, bus, files, tablet, updates, video
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot import configuration
from lustra.robot.clock import now_ms
from lustra.robot.elevators import elevator_ride
from lustra.robot.robot import Robot
from lustra.robot.schedules import schedule
from lustra.robot.simulation import doors
from lustra.robot.updates.update_orders import FAILS, LOSES_POWER

FACTORS = (1.0, 5.0, 20.0)
Answer = dict[str, Any]  # what the answer holds beside code and msg


def control(robot: Robot, command: bus.Control) -> Answer:
    robot.lock.follow(command.number, command.owner, command.until)
    return {}


def simulate(robot: Robot, command: bus.Simulate) -> Answer:
    if command.factor not in FACTORS:
        raise RobotRefusal(RelayCode.BAD_INPUT, "factor_unknown", "The factor is 1, 5 or 20", "factor")
    robot.machine.factor = command.factor
    return {}


def fault(robot: Robot, command: bus.Fault) -> Answer:
    """That doors are stuck is a fault of the building: the robot says so when it comes to one. What shall go wrong with
    an update shows when it is there."""
    if command.name == doors.STUCK:
        doors.jam(robot.machine.surroundings, on=command.on)
    elif command.name in FAILS | LOSES_POWER:
        robot.updates.set_fault(command.name, on=command.on)
    else:
        robot.machine.fault(command.name, on=command.on)
    return {}


def erase(robot: Robot, command: bus.Erase) -> Answer:
    return {"at": robot.erase(command.number)}


def password(robot: Robot, command: bus.Password) -> Answer:
    facts = robot.store.facts
    facts.password = facts.password_now = hashlib.sha256(command.password.encode()).hexdigest()
    robot.store.save_facts()
    return {}


def home(robot: Robot, _: bus.Home) -> Answer:
    """Where its charger stands on another floor, it rides there."""
    machine, now = robot.machine, now_ms()
    robot.sent_home = now
    inside = robot.trips.current is not None and robot.trips.current.inside  # it rides on, and home from there
    if not inside:
        machine.check_ready()
    if robot.sequence or machine.run or robot.trips.current:
        schedule.end_all(robot, "cancelled", now)
    if inside or robot.trips.current:
        return {}
    away = robot.store.facts.home
    if away and machine.floor and machine.floor.name != away:
        machine.stop_driving()
        elevator_ride.start_trip(robot, away)
    else:
        machine.go_home()
    return {}


def pause(robot: Robot, _: bus.Pause) -> Answer:
    robot.starts.pause()
    return {}


def lift(robot: Robot, offer: bus.ElevatorOffer) -> Answer:
    elevator_ride.receive_offer(robot, offer)
    return {}


def take_map(robot: Robot, command: bus.TakeMap) -> Answer:
    state = robot.downloads.accept(command)
    return {"at": robot.clock.at(), "taken": msgspec.to_builtins(state)}


def send_file(robot: Robot, command: files.SendFile) -> Answer:
    return {"at": robot.clock.at(), "file": msgspec.to_builtins(robot.uploads.accept(command))}


def delete_files(robot: Robot, command: files.DeleteFiles) -> Answer:
    return {"deleted": robot.files.delete(command, now_ms())}


def follow_log(robot: Robot, command: files.FollowLog) -> Answer:
    return {"log": msgspec.to_builtins(robot.following.accept(command, robot.clock.at()))}


def notify(robot: Robot, command: bus.Notification) -> Answer:
    robot.store.show(command)
    robot.screen.notified = now_ms()
    robot.journal.screen.write(now_ms(), f"shown {command.id} {command.code}: {command.title}")
    return {"spoken": robot.machine.utilities.set.get("volume", 0) > 0}


def backup(robot: Robot, command: backups.Backup) -> Answer:
    return {"at": robot.clock.at(), "backup": msgspec.to_builtins(robot.backups.accept(command))}


def contents(robot: Robot, _: backups.Contents) -> Answer:
    items, versions = robot.backups.contents()
    return {"items": msgspec.to_builtins(items), "versions": versions}


def restore(robot: Robot, command: backups.Restore) -> Answer:
    return {"at": robot.clock.at(), "restore": msgspec.to_builtins(robot.restores.accept(command))}


def cameras(robot: Robot, _: video.Cameras) -> Answer:
    return {"cameras": robot.cameras.names()}


def send_video(robot: Robot, command: video.SendVideo) -> Answer:
    robot.cameras.accept(command)
    return {}


def update(robot: Robot, command: updates.Update) -> Answer:
    return {"at": robot.clock.at(), "update": msgspec.to_builtins(robot.updates.accept(command))}


def look(robot: Robot, command: tablet.TabletLook) -> Answer:
    return {"at": robot.clock.at(), "tablet": msgspec.to_builtins(robot.look.accept(command))}


def adverts(robot: Robot, plan: tablet.AdvertPlan) -> Answer:
    return {"at": robot.clock.at(), "adverts": msgspec.to_builtins(robot.adverts.accept(plan))}


def configure(robot: Robot, order: updates.Configuration) -> Answer:
    progress = configuration.accept(robot, order)
    return {"at": robot.clock.at(), "configure": msgspec.to_builtins(progress)}


COMMANDS: dict[str, tuple[type[msgspec.Struct], Callable[[Robot, Any], Answer]]] = {
    "control": (bus.Control, control),
    "simulate": (bus.Simulate, simulate),
    "fault": (bus.Fault, fault),
    "erase": (bus.Erase, erase),
    "password": (bus.Password, password),
    "home": (bus.Home, home),
    "pause": (bus.Pause, pause),
    "lift": (bus.ElevatorOffer, lift),
    "takemap": (bus.TakeMap, take_map),
    "notify": (bus.Notification, notify),
    "sendfile": (files.SendFile, send_file),
    "deletefiles": (files.DeleteFiles, delete_files),
    "followlog": (files.FollowLog, follow_log),
    "backup": (backups.Backup, backup),
    "contents": (backups.Contents, contents),
    "restore": (backups.Restore, restore),
    "cameras": (video.Cameras, cameras),
    "sendvideo": (video.SendVideo, send_video),
    "update": (updates.Update, update),
    "tablet": (tablet.TabletLook, look),
    "adverts": (tablet.AdvertPlan, adverts),
    "configure": (updates.Configuration, configure),
}


def run_command(robot: Robot, name: str, data: bytes) -> Answer:
    if name not in COMMANDS:
        raise RobotRefusal(RelayCode.UNKNOWN, "command_unknown", "The robot does not know this command")
    kind, do = COMMANDS[name]
    answer = do(robot, msgspec.json.decode(data, type=kind))
    robot.woken.set()
    return answer
