"""Commands about maps: the robot owns them; every change is a revision and an event."""

import asyncio
from typing import Any

import msgspec

from lustra.protocol import bus
from lustra.protocol.geometry import XY, beyond
from lustra.protocol.hours import Hours
from lustra.protocol.payloads.base import Empty, OfMap
from lustra.protocol.payloads.maps import Line, MapFlag, MapFlagName, MapLoading, MapUpload, Zone
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.clock import now_ms
from lustra.robot.local_api.handlers import Answer, handles
from lustra.robot.maps.bundle import check_hours, read_bundle
from lustra.robot.maps.floor import Floor
from lustra.robot.robot import Robot
from lustra.robot.schedules import schedule


def check_inside(floor: Floor, points: list[XY], field: str) -> None:
    if beyond(points, floor.size, floor.origin, floor.resolution):
        raise RobotRefusal(RelayCode.BAD_INPUT, "map.beyond_edge", "This lies beyond the map's edge", field)


def map_row(floor: Floor) -> dict[str, Any]:
    width, height = floor.size
    return {
        "name": floor.name,
        "building": floor.building,
        "floor": floor.floor,
        "revision": floor.revision,
        "width": width,
        "height": height,
        "resolution": floor.resolution,
    }


def privacy_of(shape: Line | Zone) -> bool | msgspec.UnsetType:
    return (isinstance(shape, Zone) and shape.private) or msgspec.UNSET


def hours_of(shape: Line | Zone) -> Hours | msgspec.UnsetType:
    hours = shape.hours if isinstance(shape, Zone) else None
    return Hours(start=hours.start, end=hours.end) if hours else msgspec.UNSET


@handles("map_list")
def map_list(robot: Robot, _: Empty) -> Answer:
    return {"list": [map_row(floor) for floor in robot.store.maps.values()]}


@handles("map_name")
def map_name(robot: Robot, _: Empty) -> Answer:
    return {"map_name": robot.machine.floor.name if robot.machine.floor else ""}


@handles("map_info")
def map_info(robot: Robot, of: OfMap) -> Answer:
    floor = robot.find_map(of.map_name)
    return map_row(floor) | {"origin": list(floor.origin)}


@handles("map_flag_list")
def map_flag_list(robot: Robot, of: OfMap) -> Answer:
    flags = robot.find_map(of.map_name).flags
    return {"list": [{"name": f.name, "type": f.type, "x": f.x, "y": f.y, "yaw": f.yaw} for f in flags]}


@handles("map_flag_add")
def map_flag_add(robot: Robot, flag: MapFlag) -> Answer:
    """Adds a point or, with the name of one, moves it."""
    floor = robot.check_editable(robot.find_map(flag.map_name))
    robot.check_revision(flag.revision, floor.revision)
    check_inside(floor, [(flag.x, flag.y)], "x")
    known = next((f.id for f in floor.flags if f.name == flag.name), "")
    new = bus.Flag(name=flag.name, type=flag.type, x=flag.x, y=flag.y, yaw=flag.yaw, id=known)
    changed = floor.changed(flags=[f for f in floor.flags if f.name != flag.name] + [new])
    robot.save_map(changed)
    return {"revision": changed.revision}


@handles("map_flag_del")
def map_flag_del(robot: Robot, flag: MapFlagName) -> Answer:
    floor = robot.check_editable(robot.find_map(flag.map_name))
    rest = [f for f in floor.flags if f.name != flag.name]
    if len(rest) == len(floor.flags):
        raise RobotRefusal(RelayCode.UNKNOWN, "flag_unknown", "The map has no such point", "name")
    changed = floor.changed(flags=rest)
    robot.save_map(changed)
    return {"revision": changed.revision}


def hours_row(hours: Hours | msgspec.UnsetType) -> dict[str, Any]:
    return {"hours": msgspec.to_builtins(hours)} if hours else {}


@handles("virlines_info")
def virlines_info(robot: Robot, of: OfMap) -> Answer:
    floor = robot.find_map(of.map_name)

    def plain(zones: list[bus.Zone]) -> list[dict[str, Any]]:
        return [
            {"name": z.name, "points": [list(p) for p in z.points]}
            | hours_row(z.hours)
            | ({"private": True} if z.private else {})
            for z in zones
        ]

    return {
        "virlines_wall": plain(floor.virtual_walls),
        "free_area": plain(floor.free_areas),
        "forbidden_zone": plain(floor.forbidden_zones),
        "revision": floor.revision,
    } | hours_row(floor.hours)


@handles("map/Upload")
async def map_upload(robot: Robot, form: tuple[MapUpload, bytes]) -> Answer:
    """Takes a map in, or the next revision of one; marks in the form stand before those of the bundle.

    A large one takes seconds to read: in a thread, so that other robots of the process go on meanwhile.
    """
    payload, file = form
    new = await asyncio.to_thread(read_bundle, file, payload.map_name)
    if known := robot.store.maps.get(payload.map_name):
        robot.check_editable(known)
        robot.check_revision(payload.revision, known.revision)
        new.revision = known.revision + 1

    def to_zones(shapes: list[Line] | list[Zone]) -> list[bus.Zone]:
        return [
            bus.Zone(points=s.points, name=s.name, id=s.id, hours=hours_of(s), private=privacy_of(s)) for s in shapes
        ]

    new.virtual_walls = to_zones(payload.virlines_wall) or new.virtual_walls
    new.free_areas = to_zones(payload.free_area) or new.free_areas
    new.forbidden_zones = to_zones(payload.forbidden_zone) or new.forbidden_zones
    drawn = {
        "virlines_wall": new.virtual_walls,
        "forbidden_zone": new.forbidden_zones,
        "free_area": new.free_areas,
        "file": new.erasers,
    }
    for field, zones in drawn.items():
        for zone in zones:
            check_inside(new, list(zone.points), field)
    check_inside(new, [(f.x, f.y) for f in new.flags], "file")
    check_hours(new)
    robot.save_map(new)
    return {"revision": new.revision, "name": new.name}


@handles("map_load")
def map_load(robot: Robot, payload: MapLoading) -> Answer:
    """Changing the map ends all tasks. A run that has ended by itself meanwhile needs nobody's word."""
    floor = robot.find_map(payload.name)
    if payload.ends is not None and robot.machine.run and robot.machine.run.id != payload.ends:
        raise RobotRefusal(RelayCode.CONFLICT, "run_not_confirmed", "Another task runs by now", "ends")
    if robot.trips.current and robot.trips.current.inside:
        raise RobotRefusal(RelayCode.CONFLICT, "lift_riding", "The robot is in a lift", "map_name")
    if robot.sequence or robot.trips.current:
        schedule.end_all(robot, "cancelled", now_ms())
    robot.store.facts.home = ""  # it was carried there
    robot.machine.load(floor, now_ms())
    robot.outbox.event("map_loaded", floor.name, floor.revision)
    robot.keep()
    return {"map_name": floor.name}


@handles("map_del")
def map_del(robot: Robot, of: OfMap) -> Answer:
    floor = robot.check_editable(robot.find_map(of.map_name))
    if robot.machine.floor and robot.machine.floor.name == floor.name:
        raise RobotRefusal(RelayCode.CONFLICT, "map_in_use", "This map is loaded", "map_name")
    for stored in [k for key, k in robot.store.tasks.items() if key[0] == floor.name]:
        robot.outbox.event("task", f"{floor.name}/{stored.task.name}", stored.revision + 1, deleted=True)
    robot.store.drop_map(floor.name)
    robot.plans.clear([floor.name])
    robot.outbox.event("map", floor.name, floor.revision + 1, deleted=True)
    return {}
