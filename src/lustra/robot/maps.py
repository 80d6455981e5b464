"""Commands about maps: the robot owns them; every change is a revision and an event."""

import asyncio
from typing import Any

import msgspec

from lustra.protocol import bus
from lustra.protocol.geometry import XY, beyond
from lustra.protocol.hours import Hours
from lustra.protocol.payloads.base import Empty, OfMap
from lustra.protocol.payloads.maps import Line, MapFlag, MapFlagName, MapName, MapUpload, Zone
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot import schedule
from lustra.robot.bundle import read_bundle, timed
from lustra.robot.floor import Floor
from lustra.robot.handlers import Answer, does
from lustra.robot.robot import Robot, now_ms


def within(told: Floor, points: list[XY], field: str) -> None:
    if beyond(points, told.size, told.origin, told.resolution):
        raise RobotRefusal(RelayCode.BAD_INPUT, "map.beyond_edge", "This lies beyond the map's edge", field)


def row(told: Floor) -> dict[str, Any]:
    width, height = told.size
    return {"name": told.name, "building": told.building, "floor": told.floor, "revision": told.revision,
            "width": width, "height": height, "resolution": told.resolution}  # fmt: skip


def hours_of(shape: Line | Zone) -> Hours | msgspec.UnsetType:
    told = shape.hours if isinstance(shape, Zone) else None
    return Hours(start=told.start, end=told.end) if told else msgspec.UNSET


@does("map_list")
def map_list(robot: Robot, _: Empty) -> Answer:
    return {"list": [row(told) for told in robot.store.maps.values()]}


@does("map_name")
def map_name(robot: Robot, _: Empty) -> Answer:
    return {"map_name": robot.machine.floor.name if robot.machine.floor else ""}


@does("map_info")
def map_info(robot: Robot, of: OfMap) -> Answer:
    told = robot.map(of.map_name)
    return row(told) | {"origin": list(told.origin)}


@does("map_flag_list")
def map_flag_list(robot: Robot, of: OfMap) -> Answer:
    flags = robot.map(of.map_name).flags
    return {"list": [{"name": f.name, "type": f.type, "x": f.x, "y": f.y, "yaw": f.yaw} for f in flags]}


@does("map_flag_add")
def map_flag_add(robot: Robot, flag: MapFlag) -> Answer:
    """Adds a point or, with the name of one, moves it."""
    told = robot.editable(robot.map(flag.map_name))
    robot.based_on(flag.revision, told.revision)
    within(told, [(flag.x, flag.y)], "x")
    known = next((f.id for f in told.flags if f.name == flag.name), "")
    new = bus.Flag(name=flag.name, type=flag.type, x=flag.x, y=flag.y, yaw=flag.yaw, id=known)
    changed = told.changed(flags=[f for f in told.flags if f.name != flag.name] + [new])
    robot.changed_map(changed)
    return {"revision": changed.revision}


@does("map_flag_del")
def map_flag_del(robot: Robot, flag: MapFlagName) -> Answer:
    told = robot.editable(robot.map(flag.map_name))
    rest = [f for f in told.flags if f.name != flag.name]
    if len(rest) == len(told.flags):
        raise RobotRefusal(RelayCode.UNKNOWN, "flag_unknown", "The map has no such point", "name")
    changed = told.changed(flags=rest)
    robot.changed_map(changed)
    return {"revision": changed.revision}


def hours(told: Hours | msgspec.UnsetType) -> dict[str, Any]:
    return {"hours": msgspec.to_builtins(told)} if told else {}


@does("virlines_info")
def virlines_info(robot: Robot, of: OfMap) -> Answer:
    told = robot.map(of.map_name)

    def plain(zones: list[bus.Zone]) -> list[dict[str, Any]]:
        return [{"name": z.name, "points": [list(p) for p in z.points]} | hours(z.hours) for z in zones]

    return {"virlines_wall": plain(told.virtual_walls), "free_area": plain(told.free_areas),
            "forbidden_zone": plain(told.forbidden_zones), "revision": told.revision} | hours(told.hours)  # fmt: skip


@does("map/Upload")
async def map_upload(robot: Robot, form: tuple[MapUpload, bytes]) -> Answer:
    """Takes a map in, or the next revision of one; marks in the form stand before those of the bundle.

    A large one takes seconds to read: in a thread, so that other robots of the process go on meanwhile.
    """
    asked, file = form
    new = await asyncio.to_thread(read_bundle, file, asked.map_name)
    if known := robot.store.maps.get(asked.map_name):
        robot.editable(known)
        robot.based_on(asked.revision, known.revision)
        new.revision = known.revision + 1

    def told(shapes: list[Line] | list[Zone]) -> list[bus.Zone]:
        return [bus.Zone(points=s.points, name=s.name, id=s.id, hours=hours_of(s)) for s in shapes]

    new.virtual_walls = told(asked.virlines_wall) or new.virtual_walls
    new.free_areas = told(asked.free_area) or new.free_areas
    new.forbidden_zones = told(asked.forbidden_zone) or new.forbidden_zones
    drawn = {
        "virlines_wall": new.virtual_walls, "forbidden_zone": new.forbidden_zones, "free_area": new.free_areas,
        "file": new.erasers,
    }  # fmt: skip
    for field, zones in drawn.items():
        for zone in zones:
            within(new, list(zone.points), field)
    within(new, [(f.x, f.y) for f in new.flags], "file")
    timed(new)
    robot.changed_map(new)
    return {"revision": new.revision, "name": new.name}


@does("map_load")
def map_load(robot: Robot, wanted: MapName) -> Answer:
    """Changing the map ends all tasks."""
    told = robot.map(wanted.name)
    if robot.trip and robot.trip.inside:
        raise RobotRefusal(RelayCode.CONFLICT, "lift_riding", "The robot is in a lift", "map_name")
    if robot.sequence or robot.trip:
        schedule.end_all(robot, "cancelled", now_ms())
    robot.store.facts.home = ""  # it was carried there
    robot.machine.load(told, now_ms())
    robot.outbox.event("map_loaded", told.name, told.revision)
    robot.keep()
    return {"map_name": told.name}


@does("map_del")
def map_del(robot: Robot, of: OfMap) -> Answer:
    told = robot.editable(robot.map(of.map_name))
    if robot.machine.floor and robot.machine.floor.name == told.name:
        raise RobotRefusal(RelayCode.CONFLICT, "map_in_use", "This map is loaded", "map_name")
    for kept in [k for key, k in robot.store.tasks.items() if key[0] == told.name]:
        robot.outbox.event("task", f"{told.name}/{kept.task.name}", kept.revision + 1, deleted=True)
    robot.store.drop_map(told.name)
    robot.plans.clear([told.name])
    robot.outbox.event("map", told.name, told.revision + 1, deleted=True)
    return {}
