"""Commands about where the robot is: it looks for itself, in a window, round a point or everywhere on its map."""

import asyncio

import numpy as np

from lustra.protocol import bus
from lustra.protocol.geometry import beyond
from lustra.protocol.payloads.base import Empty
from lustra.protocol.payloads.motion import PointName, Window
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.local_api.handlers import Answer, handles
from lustra.robot.maps.floor import Floor
from lustra.robot.navigation import scan_matching
from lustra.robot.robot import Robot
from lustra.robot.simulation import goals, machine_state
from lustra.robot.simulation.faults import FAULTS

ROUND_M = 2.5  # about a point
SIGHT_M = 2.0  # within which it knows its charger when it sees it
Box = tuple[float, float, float, float]


@handles("robot_pose")
def robot_pose(robot: Robot, _: Empty) -> Answer:
    state = robot.machine.state(0)
    return {
        "x": state.x,
        "y": state.y,
        "yaw": state.yaw,
        "map_name": state.map,
        "uncertainty": state.uncertainty,
        "confirmed": "lost" not in robot.machine.faults,
    }


@handles("recover_localization")
async def recover_localization(robot: Robot, window: Window) -> Answer:
    floor = goals.loaded_floor(robot.machine)
    x, y, w, h = window.x, window.y, window.w, window.h
    corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
    if len(beyond(corners, floor.size, floor.origin, floor.resolution)) == len(corners):
        raise RobotRefusal(RelayCode.BAD_INPUT, "map.beyond_edge", "This lies beyond the map's edge", "x")
    return await relocalize(robot, floor, (x, y, w, h))


@handles("relocation_start")
async def relocation_start(robot: Robot, _: Empty) -> Answer:
    """Begins to look for itself everywhere on the loaded map."""
    return await relocalize(robot, goals.loaded_floor(robot.machine), None)


@handles("relocation_point")
async def relocation_point(robot: Robot, of: PointName) -> Answer:
    floor = goals.loaded_floor(robot.machine)
    flag = next((f for f in floor.flags if f.name == of.point), None)
    if flag is None:
        raise RobotRefusal(RelayCode.UNKNOWN, "flag_unknown", "The map has no such point", "point")
    return await relocalize(robot, floor, (flag.x - ROUND_M, flag.y - ROUND_M, 2 * ROUND_M, 2 * ROUND_M))


async def relocalize(robot: Robot, floor: Floor, window: Box | None) -> Answer:
    """Lays what the lidar sees over the map; in a thread, so that other robots of the process go on meanwhile."""
    m = robot.machine
    if not m.standing:
        raise RobotRefusal(RelayCode.CONFLICT, "robot_moving", "The robot must stand still")
    seen = machine_state.scan(m, 0)
    at = m.pose
    ranges = np.array(seen.ranges if seen else [])
    try:
        fit = await asyncio.to_thread(scan_matching.match_scan, floor, m.environment.lattice(floor), ranges, window)
    except scan_matching.NoFit as why:
        raise RobotRefusal(RelayCode.CONFLICT, why.reason, str(why)) from why
    if m.pose != at or m.floor is not floor:
        raise RobotRefusal(RelayCode.CONFLICT, "robot_moving", "The robot must stand still")
    m.confirm_pose(fit.pose)
    x, y, yaw = fit.pose
    return {"x": round(x, 3), "y": round(y, 3), "yaw": round(yaw, 4), "score": round(fit.score, 3)}


@handles("docker_relocation")
def docker_relocation(robot: Robot, _: Empty) -> Answer:
    """Moves the map's charger to where the robot charges, or sees it."""
    m = robot.machine
    floor = robot.check_editable(goals.loaded_floor(m))
    at = m.pose if m.charging else seen_charger(robot)
    if at is None:
        raise RobotRefusal(RelayCode.CONFLICT, "charger_unseen", "The robot sees no charger here")
    old = floor.charger(m.pose.xy)
    x, y, yaw = (round(v, 3) for v in at)
    new = bus.Flag(name=old.name if old else "Dock", type="charging", x=x, y=y, yaw=yaw)
    changed = floor.changed(flags=[f for f in floor.flags if f is not old] + [new])
    robot.save_map(changed)
    m.berth = (x, y)
    return {"name": new.name, "x": x, "y": y, "yaw": yaw, "revision": changed.revision}


def seen_charger(robot: Robot) -> tuple[float, float, float] | None:
    """Where the robot sees its charger; None where something stands between."""
    m, around = robot.machine, robot.machine.surroundings
    dock = around.charger(m.pose.xy) if around else None
    if (
        around is None
        or dock is None
        or np.hypot(dock.x - m.pose.x, dock.y - m.pose.y) > SIGHT_M
        or any(FAULTS[f].blind for f in m.faults)
    ):
        return None
    points = np.linspace(m.pose.xy, (dock.x, dock.y), 40)
    columns, rows = np.floor(around.to_vertices(points)).astype(int).T
    return (dock.x, dock.y, dock.yaw) if (around.echo[rows + 1, columns + 1] > 0).all() else None
