"""Commands about where the robot is: it looks for itself, in a window, round a point or everywhere on its map."""

import asyncio

import numpy as np

from lustra.protocol import bus
from lustra.protocol.geometry import beyond
from lustra.protocol.payloads.base import Empty
from lustra.protocol.payloads.motion import PointName, Window
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot import machine_state, navigation, scan_matching
from lustra.robot.faults import FAULTS
from lustra.robot.floor import Floor
from lustra.robot.handlers import Answer, does
from lustra.robot.robot import Robot

ROUND_M = 2.5  # about a point
SIGHT_M = 2.0  # within which it knows its charger when it sees it
Box = tuple[float, float, float, float]


@does("robot_pose")
def robot_pose(robot: Robot, _: Empty) -> Answer:
    told = robot.machine.state(0)
    return {"x": told.x, "y": told.y, "yaw": told.yaw, "map_name": told.map, "uncertainty": told.uncertainty,
            "confirmed": "lost" not in robot.machine.faults}  # fmt: skip


@does("recover_localization")
async def recover_localization(robot: Robot, window: Window) -> Answer:
    told = navigation.floor_now(robot.machine)
    x, y, w, h = window.x, window.y, window.w, window.h
    corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
    if len(beyond(corners, told.size, told.origin, told.resolution)) == len(corners):
        raise RobotRefusal(RelayCode.BAD_INPUT, "map.beyond_edge", "This lies beyond the map's edge", "x")
    return await looked(robot, told, (x, y, w, h))


@does("relocation_start")
async def relocation_start(robot: Robot, _: Empty) -> Answer:
    """Everywhere on the loaded map."""
    return await looked(robot, navigation.floor_now(robot.machine), None)


@does("relocation_point")
async def relocation_point(robot: Robot, of: PointName) -> Answer:
    told = navigation.floor_now(robot.machine)
    flag = next((f for f in told.flags if f.name == of.point), None)
    if flag is None:
        raise RobotRefusal(RelayCode.UNKNOWN, "flag_unknown", "The map has no such point", "point")
    return await looked(robot, told, (flag.x - ROUND_M, flag.y - ROUND_M, 2 * ROUND_M, 2 * ROUND_M))


async def looked(robot: Robot, told: Floor, window: Box | None) -> Answer:
    """Lays what the lidar sees over the map; in a thread, so that other robots of the process go on meanwhile."""
    m = robot.machine
    if not m.standing:
        raise RobotRefusal(RelayCode.CONFLICT, "robot_moving", "The robot must stand still")
    seen = machine_state.scan(m, 0)
    at = (m.x, m.y, m.yaw)
    ranges = np.array(seen.ranges if seen else [])
    try:
        fit = await asyncio.to_thread(scan_matching.found, told, m.lattices(told), ranges, window)
    except scan_matching.NoFit as why:
        raise RobotRefusal(RelayCode.CONFLICT, why.reason, str(why)) from why
    if (m.x, m.y, m.yaw) != at or m.floor is not told:
        raise RobotRefusal(RelayCode.CONFLICT, "robot_moving", "The robot must stand still")
    m.found(fit.pose)
    x, y, yaw = fit.pose
    return {"x": round(x, 3), "y": round(y, 3), "yaw": round(yaw, 4), "score": round(fit.score, 3)}


@does("docker_relocation")
def docker_relocation(robot: Robot, _: Empty) -> Answer:
    """Moves the map's charger to where the robot charges, or sees it."""
    m = robot.machine
    told = robot.editable(navigation.floor_now(m))
    at = (m.x, m.y, m.yaw) if m.charging else seen_charger(robot)
    if at is None:
        raise RobotRefusal(RelayCode.CONFLICT, "charger_unseen", "The robot sees no charger here")
    old = told.charger((m.x, m.y))
    x, y, yaw = (round(v, 3) for v in at)
    new = bus.Flag(name=old.name if old else "Dock", type="charging", x=x, y=y, yaw=yaw)
    changed = told.changed(flags=[f for f in told.flags if f is not old] + [new])
    robot.changed_map(changed)
    m.berth = (x, y)
    return {"name": new.name, "x": x, "y": y, "yaw": yaw, "revision": changed.revision}


def seen_charger(robot: Robot) -> tuple[float, float, float] | None:
    """The real charger, where nothing stands between."""
    m, around = robot.machine, robot.machine.surroundings
    dock = around.charger((m.x, m.y)) if around else None
    if (
        around is None
        or dock is None
        or np.hypot(dock.x - m.x, dock.y - m.y) > SIGHT_M
        or any(FAULTS[f].blind for f in m.faults)
    ):
        return None
    points = np.linspace((m.x, m.y), (dock.x, dock.y), 40)
    columns, rows = np.floor(around.to_vertices(points)).astype(int).T
    return (dock.x, dock.y, dock.yaw) if (around.echo[rows + 1, columns + 1] > 0).all() else None
