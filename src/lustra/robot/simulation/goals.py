"""Paths of the machine over its floor: to a place, to the charger, off it. None leads over ground that is not clear,
but its first and last piece may (a charger stands at a wall)."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lustra.protocol.geometry import beyond
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.maps.floor import Floor
from lustra.robot.navigation.drive import Drive, timetable
from lustra.robot.navigation.lattice import Vertex
from lustra.robot.simulation.body import Body

Array = NDArray[np.float64]
DOCK_WITHIN = 1.5  # m from a charger to where the robot's centre can be
POINT_WITHIN = 0.15  # m from a point that was asked for to where the robot's centre can be
BACK_M = 0.6  # off the charger


def loaded_floor(m: Body) -> Floor:
    if m.floor is None:
        raise RobotRefusal(RelayCode.CONFLICT, "map_not_selected", "No map is loaded")
    return m.floor


def nearest_vertex(m: Body, floor: Floor, at: tuple[float, float]) -> Vertex:
    vertex = m.environment.lattice(floor).nearest(floor.to_vertices([at])[0], DOCK_WITHIN)
    if vertex is None:
        raise RobotRefusal(RelayCode.CONFLICT, "path_not_solved", "The robot cannot find a way")
    return vertex


def open_floor(m: Body) -> Floor:
    """The floor as it is open now; to a robot that stands in what has closed, as it was: it has to get out."""
    floor = loaded_floor(m)
    if floor.shut and m.environment.lattice(floor).nearest(floor.to_vertices([m.pose.xy])[0], DOCK_WITHIN) is None:
        return replace(floor, shut=frozenset())
    return floor


def path_to(m: Body, place: Array) -> Array:
    floor = open_floor(m)
    path = m.environment.lattice(floor).path(
        nearest_vertex(m, floor, m.pose.xy), nearest_vertex(m, floor, (float(place[0]), float(place[1])))
    )
    if path is None:
        raise RobotRefusal(RelayCode.CONFLICT, "path_not_solved", "The robot cannot find a way")
    return np.concatenate([[m.pose.xy], floor.to_metres(np.array(path)), [place]])


def to_run(m: Body, place: Array, yaw: float | None, speed: float) -> Drive:
    return timetable(path_to(m, place), m.pose.yaw, speed, yaw)


def to_charger(m: Body, speed: float) -> Drive:
    dock = loaded_floor(m).charger(m.berth)
    if dock is None:
        raise RobotRefusal(RelayCode.CONFLICT, "map_no_charger", "The map has no charger")
    return to_run(m, np.array([dock.x, dock.y]), dock.yaw, speed)


def to_point(m: Body, x: float, y: float, yaw: float | None, speed: float) -> Drive:
    """Refused beyond the map, in a wall or zone, and where no way leads."""
    floor = loaded_floor(m)
    if beyond([(x, y)], floor.size, floor.origin, floor.resolution):
        raise RobotRefusal(RelayCode.BAD_INPUT, "map.beyond_edge", "This lies beyond the map's edge", "x")
    lattice = m.environment.lattice(floor)
    goal = lattice.nearest(floor.to_vertices([(x, y)])[0], POINT_WITHIN)
    if goal is None:
        raise RobotRefusal(RelayCode.BAD_INPUT, "point_blocked", "The robot cannot stand there", "x")
    path = lattice.path(nearest_vertex(m, floor, m.pose.xy), goal)
    if path is None:
        raise RobotRefusal(RelayCode.CONFLICT, "path_not_solved", "The robot cannot find a way")
    return timetable(np.concatenate([[m.pose.xy], floor.to_metres(np.array(path))]), m.pose.yaw, speed, yaw)


def nearest_ground(m: Body, x: float, y: float) -> tuple[float, float]:
    """Where it can stand: there, or on the clear ground next to it."""
    floor = loaded_floor(m)
    vertex = nearest_vertex(m, floor, (x, y))
    gx, gy = floor.to_metres(np.array([vertex]))[0].tolist()
    return (x, y) if math.dist((x, y), (gx, gy)) < POINT_WITHIN else (gx, gy)


def to_ground(m: Body, x: float, y: float, speed: float) -> Drive:
    return timetable(path_to(m, np.array(nearest_ground(m, x, y))), m.pose.yaw, speed)


def off_charger(m: Body, speed: float) -> Drive:
    """Straight ahead or straight back, to the nearest place on clear ground."""
    floor = loaded_floor(m)
    for sign in (1, -1):
        goal = (m.pose.x + sign * BACK_M * math.cos(m.pose.yaw), m.pose.y + sign * BACK_M * math.sin(m.pose.yaw))
        vertex = m.environment.lattice(floor).nearest(floor.to_vertices([goal])[0], POINT_WITHIN)
        if vertex is not None:
            break
    else:
        vertex = nearest_vertex(m, floor, m.pose.xy)
    return timetable(np.concatenate([[m.pose.xy], floor.to_metres(np.array([vertex]))]), m.pose.yaw, speed, m.pose.yaw)
