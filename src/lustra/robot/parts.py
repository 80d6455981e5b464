"""Commands about the robot itself: where it is, what it sees, its parts, stop and charger."""

import numpy as np

from lustra.protocol.payloads.base import Empty
from lustra.protocol.payloads.motion import Switch
from lustra.robot import drive
from lustra.robot.handlers import Answer, does
from lustra.robot.lattice import RADIUS, TOOL
from lustra.robot.lidar import scan
from lustra.robot.machine import TANK_ML
from lustra.robot.robot import Robot
from lustra.robot.run import ML_PER_M2

VERSION = "1.20.0"


@does("check_update")
def check_update(_: Robot, __: Empty) -> Answer:
    return {"version": VERSION, "hasUpdate": False}


@does("robot_pose")
def robot_pose(robot: Robot, _: Empty) -> Answer:
    told = robot.machine.state(0)
    return {"x": told.x, "y": told.y, "yaw": told.yaw, "map_name": told.map, "uncertainty": told.uncertainty}


@does("radar_info")
def radar_info(robot: Robot, _: Empty) -> Answer:
    m = robot.machine
    if m.floor is None:
        return {"points": []}
    told = scan(m.floor, (m.x, m.y, m.yaw), 0, m.dice)
    far = np.array(told.ranges)
    angles = m.yaw + told.first + np.arange(len(far)) * told.step
    points = np.stack([m.x + far * np.cos(angles), m.y + far * np.sin(angles)], 1)[far > 0]
    return {"points": np.round(points, 3).tolist()}


@does("hardware_state")
def hardware_state(robot: Robot, _: Empty) -> Answer:
    faults = robot.machine.faults
    parts = ("odometer", "imu", "lidar", "depth_camera", "serial")
    return {"list": [{"name": part, "state": "fault" if part in faults else "ok"} for part in parts]}


@does("robot_params_get")
def robot_params_get(robot: Robot, _: Empty) -> Answer:
    m = robot.machine
    speeds = {f"speed_{name}": value for name, value in drive.SPEEDS.items()}
    return {
        "params": speeds | {"radius": RADIUS, "tool_width": TOOL, "factor": m.factor, "protocol": robot.spec.protocol}
    }


@does("disinfect_state")
def disinfect_state(robot: Robot, _: Empty) -> Answer:
    m = robot.machine
    return {"running": m.cleaning and m.rate > 0, "speed_Value": ML_PER_M2, "liquid": round(m.liquid, 1),
            "liquid_ml": round(m.liquid * TANK_ML / 100)}  # fmt: skip


@does("robot_safe")
def robot_safe(robot: Robot, wanted: Switch) -> Answer:
    robot.machine.stop(pressed=bool(wanted.robot_safe))
    return {}


@does("emergency_off")
def emergency_off(robot: Robot, _: Empty) -> Answer:
    robot.machine.stop(pressed=False)
    return {}


@does("go_home")
def go_home(robot: Robot, _: Empty) -> Answer:
    robot.machine.go_home()
    return {}


@does("cancel_go_home")
def cancel_go_home(robot: Robot, _: Empty) -> Answer:
    robot.machine.cancel_home()
    return {}
