"""Commands about what the robot senses: lidar as points and raw, the other sensors, and the health of its parts."""

import math
from typing import Any

import numpy as np

from lustra.protocol.payloads.base import Empty
from lustra.robot.local_api.handlers import Answer, handles
from lustra.robot.navigation.lattice import RADIUS
from lustra.robot.robot import Robot
from lustra.robot.simulation import machine_state
from lustra.robot.simulation.activity import Hold
from lustra.robot.simulation.machine import Machine

SCAN_HZ = 5.0
SONARS = {"front": 0.0, "left": math.pi / 2, "back": math.pi, "right": -math.pi / 2}
SONAR_M = 2.5
# Of the battery.
FULL_V = 27.2
EMPTY_V = 22.4
WATCHED = ("lidar", "depth_camera", "odometer", "imu", "serial", "upper_lidar", "wheels", "pump", "charger")
PART_OF = {
    "0x0610": "upper_lidar",
    "0x0612": "upper_lidar",
    "0x0614": "upper_lidar",
    "0x0616": "upper_lidar",
    "0x0534": "depth_camera",
}


@handles("radar_info")
def radar_info(robot: Robot, _: Empty) -> Answer:
    """What the lidar sees, as points on the map."""
    lidar = machine_state.scan(robot.machine, 0)
    if lidar is None:
        return {"points": []}
    far = np.array(lidar.ranges)
    angles = lidar.yaw + lidar.first + np.arange(len(far)) * lidar.step
    points = np.stack([lidar.x + far * np.cos(angles), lidar.y + far * np.sin(angles)], 1)[far > 0]
    return {"points": np.round(points, 3).tolist()}


@handles("radar_info_raw")
def radar_info_raw(robot: Robot, _: Empty) -> Answer:
    """What the lidar says, seen from itself: range 0 is no echo. Angles count from straight ahead, to the left."""
    lidar = machine_state.scan(robot.machine, 0)
    if lidar is None:
        return {"angle_min": 0.0, "angle_increment": 0.0, "scan_time": 1 / SCAN_HZ, "ranges": []}
    return {"angle_min": lidar.first, "angle_increment": lidar.step, "scan_time": 1 / SCAN_HZ, "ranges": lidar.ranges}


@handles("sensor_info_web")
def sensor_info_web(robot: Robot, _: Empty) -> Answer:
    m = robot.machine
    wheels = m.hand.linear if Hold.HAND in m.holds else m.speed
    rows: list[dict[str, Any]] = [
        *({"id": f"sonar_{side}", "value": far, "unit": "m"} for side, far in sonars(m).items()),
        {"id": "bumper", "value": 0, "unit": ""},
        {"id": "wheel_speed", "value": round(wheels, 3), "unit": "m/s"},
        {"id": "turn_rate", "value": round(m.hand.angular, 3), "unit": "rad/s"},
        {"id": "heading", "value": round(math.remainder(m.pose.yaw, 2 * math.pi), 4), "unit": "rad"},
        {"id": "battery_voltage", "value": round(EMPTY_V + (FULL_V - EMPTY_V) * m.battery / 100, 2), "unit": "V"},
        {"id": "battery_charging", "value": int(m.charging), "unit": ""},
        *tank_levels(m),
    ]
    broken = broken_parts(m)
    for row in rows:
        row["ok"] = not (row["id"] in {"heading", "turn_rate"} and "imu" in broken) and not (
            row["id"] == "wheel_speed" and broken & {"odometer", "serial"}
        )
    return {"list": rows}


def tank_levels(m: Machine) -> list[dict[str, Any]]:
    """The level of each tank in %; a robot's only tank is called disinfectant."""
    levels = m.tanks.levels.items()
    return [{"id": name or "disinfectant", "value": round(level, 1), "unit": "%"} for name, level in levels]


def sonars(m: Machine) -> dict[str, float]:
    """Metres from the robot's edge to what stands there, as far as sonar hears."""
    lidar = machine_state.scan(m, 0)
    if lidar is None:
        return {}
    out: dict[str, float] = {}
    far = np.array(machine_state.obstacle_ranges(m))
    for side, angle in SONARS.items():
        rays = np.arange(-10, 11) + round((angle - lidar.first) / lidar.step)
        echoes = far[rays % len(far)]
        nearest = float(np.where(echoes > 0, echoes, np.inf).min()) - RADIUS
        out[side] = round(min(SONAR_M, max(0.0, nearest)), 2)
    return out


def broken_parts(m: Machine) -> set[str]:
    return {PART_OF.get(fault, fault) for fault in m.faults} | ({"serial"} if Hold.MOTOR_LINE in m.holds else set())


@handles("hardware_state")
def hardware_state(robot: Robot, _: Empty) -> Answer:
    broken = broken_parts(robot.machine)
    return {"list": [{"name": part, "state": "fault" if part in broken else "ok"} for part in WATCHED]}
