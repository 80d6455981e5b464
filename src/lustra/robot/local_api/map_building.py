"""Commands about maps that the robot draws itself, and maps and tracks as pictures."""

import asyncio
import base64

import cv2
import numpy as np

from lustra.protocol.geometry import XY
from lustra.protocol.payloads.base import Empty, OfMap
from lustra.protocol.payloads.maps import NewMap, Picture, SavedMap, Track
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.clock import now_ms
from lustra.robot.local_api.handlers import Answer, handles
from lustra.robot.maps.floor import Floor
from lustra.robot.maps.rebuild import rebuild
from lustra.robot.navigation import mapping
from lustra.robot.navigation.mapping import Mapping
from lustra.robot.robot import Robot
from lustra.robot.simulation import doors
from lustra.robot.simulation.body import Pose

TRACK_GREY = 96
SHIFT = 8  # bits of fraction that OpenCV draws with


@handles("draw_new_map")
def draw_new_map(robot: Robot, payload: NewMap) -> Answer:
    """The loaded map is put away. While the new one grows, `map_image` shows it, and the state names it."""
    m = robot.machine
    if m.run:
        raise RobotRefusal(RelayCode.CONFLICT, "map.task_running", "Stop all tasks first")
    if m.mapping:
        raise RobotRefusal(RelayCode.CONFLICT, "map_building", "The robot is building a map")
    world = m.surroundings
    if world is None:
        raise RobotRefusal(RelayCode.CONFLICT, "map_nothing_there", "The robot sees nothing here")
    if payload.rebuild:
        robot.find_map(payload.name)
    else:
        check_name_free(robot, payload.name)
    m.stop_driving()
    m.faults.pop("lost", None)
    m.belief.reset()
    previous, m.environment.unmapped, m.floor = m.floor, world, None
    name = payload.name or f"Map {len(robot.store.maps) + 1}"
    if payload.rebuild and not payload.name and previous:
        name = previous.name
    m.mapping = Mapping(name, world, m.belief.rng, previous, payload.explore, payload.rebuild)
    m.update_mapping(m.mapping)
    robot.keep()
    return {"map_name": m.mapping.name}


def current_drawing(robot: Robot) -> Mapping:
    if robot.machine.mapping is None:
        raise RobotRefusal(RelayCode.CONFLICT, "map_none_building", "The robot is building no map")
    return robot.machine.mapping


def check_name_free(robot: Robot, name: str) -> None:
    if name in robot.store.maps:
        raise RobotRefusal(RelayCode.CONFLICT, "map_same_name", "There is a map of this name", "name")


@handles("map_save")
async def map_save(robot: Robot, payload: SavedMap) -> Answer:
    """Keeps what was seen as a map and loads it. One that was built anew under its old name carries on what was drawn
    on the old one; what cannot stay is listed in `left`. Under another name it is a map of its own."""
    drawing, m = current_drawing(robot), robot.machine
    name = payload.name or drawing.name
    report: Answer = {}
    if drawing.rebuild and name == drawing.name and name in robot.store.maps:
        done = await asyncio.to_thread(rebuild, robot.store.maps[name], drawing.to_floor(name))
        if current_drawing(robot) is not drawing:
            raise RobotRefusal(RelayCode.CONFLICT, "map_none_building", "The robot is building no map")
        new, report = done.floor, {"carried": done.carried, "left": done.dropped}
        m.pose = Pose(*done.move.pose(*m.pose))
    else:
        check_name_free(robot, name)
        new = drawing.to_floor(name)
    m.stop_driving()
    m.mapping, m.floor = None, new
    robot.save_map(new)
    robot.outbox.event("map_loaded", new.name, new.revision)
    robot.keep()
    return {"map_name": new.name, "revision": new.revision, "area": round(drawing.seen_m2, 2)} | report


@handles("cancel_map_builiding")
def cancel_map_builiding(robot: Robot, _: Empty) -> Answer:
    """What was drawn is thrown away; the map that was loaded before is loaded again."""
    drawing, m = current_drawing(robot), robot.machine
    m.stop_driving()
    m.mapping, m.floor = None, drawing.previous
    robot.keep()
    return {"map_name": m.floor.name if m.floor else ""}


@handles("map_clear_noise")
def map_clear_noise(robot: Robot, of: OfMap) -> Answer:
    """Takes lone specks away: from the map that is being drawn, else from the one that is named or loaded."""
    if robot.machine.mapping and of.map_name in {"", robot.machine.mapping.name}:
        return {"cleared": robot.machine.mapping.clear()}
    floor = robot.check_editable(robot.find_map(of.map_name))
    grid, count = mapping.without_specks(floor.grid)
    if not count:
        return {"cleared": 0, "revision": floor.revision}
    changed = floor.changed(grid=grid)
    robot.save_map(changed)
    return {"cleared": count, "revision": changed.revision}


@handles("map_image")
def map_image(robot: Robot, of: Picture) -> Answer:
    """`url` is a data URL: a grey PNG, first row on top, 254 free, 0 occupied, 205 unknown. `seq` says which picture it
    is; for the `seq` that the asker has, the url is left out."""
    drawing = robot.machine.mapping
    if drawing and of.map_name in {"", drawing.name}:
        floor, seq = drawing.ground(), drawing.seq
    else:
        drawing = None
        floor = robot.find_map(of.map_name)
        seq = floor.revision
    width, height = floor.size
    answer: Answer = {
        "map_name": floor.name,
        "building": drawing is not None,
        "seq": seq,
        "width": width,
        "height": height,
        "resolution": floor.resolution,
        "origin": list(floor.origin),
        "area": round(drawing.seen_m2, 1) if drawing else 0.0,
    }
    return answer if of.since == seq else answer | {"url": data_url(floor.grid)}


@handles("track_image")
def track_image(robot: Robot, of: Track) -> Answer:
    """What was driven in a run, as points and as a picture on the map that it still has."""
    track = robot.store.track(of.taskReportId)
    if track is None:
        raise RobotRefusal(RelayCode.UNKNOWN, "track_unknown", "The robot does not have this track", "taskReportId")
    points: list[XY] = list(zip(track["driven"][::2], track["driven"][1::2], strict=True))
    floor = robot.store.maps.get(track["map"])
    answer: Answer = {"taskReportId": track["id"], "map_name": track["map"], "points": [list(p) for p in points]}
    return answer | ({"url": data_url(draw_track(floor, points))} if floor else {})


def draw_track(floor: Floor, points: list[XY]) -> np.ndarray:
    grid = floor.grid.copy()
    if points:
        cv2.polylines(grid, [floor.to_pixels(points)], isClosed=False, color=TRACK_GREY, thickness=1, shift=SHIFT)
    return grid


def data_url(grid: np.ndarray) -> str:
    done, png = cv2.imencode(".png", np.flipud(grid))
    if not done:
        raise RobotRefusal(RelayCode.FAILED, "robot_failed", "The picture could not be made")
    return "data:image/png;base64," + base64.b64encode(png.tobytes()).decode()


@handles("door_access_control_list")
def door_access_control_list(robot: Robot, of: OfMap) -> Answer:
    """Doors that open by a card, where the robot asks the building to be let through, and how they stand now."""
    floor, now = robot.find_map(of.map_name), now_ms() / 1000
    return {
        "list": [
            {"name": d.name, "x": d.x, "y": d.y, "state": "open" if d.state(now) == "open" else "closed"}
            for d in doors.doors_on_floor(floor.building, floor.floor)
        ]
    }
