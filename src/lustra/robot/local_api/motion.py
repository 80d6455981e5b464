"""Commands that stop and move the robot: stop, brake, by hand, to a point, to the charger and off it."""

from lustra.protocol.payloads.base import Empty
from lustra.protocol.payloads.motion import HandMode, Lock, Pose, Reboot, Switch, Velocity
from lustra.protocol.payloads.parts import Serial
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.clock import now_ms
from lustra.robot.local_api.handlers import Answer, handles
from lustra.robot.robot import Robot
from lustra.robot.simulation import goals, manual_mode
from lustra.robot.simulation.activity import Hold


@handles("robot_safe")
def robot_safe(robot: Robot, payload: Switch) -> Answer:
    robot.machine.stop(pressed=bool(payload.robot_safe))
    robot.keep()
    return {}


@handles("emergency_off")
def emergency_off(robot: Robot, _: Empty) -> Answer:
    robot.machine.stop(pressed=False)
    robot.keep()
    return {}


@handles("robot_lock")
def robot_lock(robot: Robot, payload: Lock) -> Answer:
    manual_mode.hold_wheels(robot.machine, Hold.BRAKE, on=bool(payload.lock))
    robot.keep()
    return {}


@handles("hand_mode")
def hand_mode(robot: Robot, payload: HandMode) -> Answer:
    manual_mode.take(robot.machine, on=bool(payload.mode))
    return {"at": now_ms()}


@handles("cmdvel_ctrl")
def cmdvel_ctrl(robot: Robot, velocity: Velocity) -> Answer:
    now, machine = now_ms(), robot.machine
    manual_mode.drive(machine, velocity, now)
    return {"at": now, "linear": round(machine.hand.linear, 3), "angular": round(machine.hand.angular, 3)}


@handles("point_moveto")
def point_moveto(robot: Robot, pose: Pose) -> Answer:
    """The answer's path is the way that it takes, in m."""
    m = robot.machine
    m.check_ready()
    drive = goals.to_point(m, pose.x, pose.y, pose.yaw, m.params["speed_moving"])
    m.send(drive, "rest")
    path = [[round(x, 3), round(y, 3)] for x, y in drive.points.tolist()]
    return {"path": path, "seconds": round(drive.seconds, 1)}


@handles("go_home")
def go_home(robot: Robot, _: Empty) -> Answer:
    robot.machine.go_home()
    return {}


@handles("cancel_go_home")
def cancel_go_home(robot: Robot, _: Empty) -> Answer:
    """Ends every drive that a person sent it on: home, to a point, off the charger, exploring."""
    robot.machine.cancel_home()
    return {}


@handles("docker_back")
def docker_back(robot: Robot, _: Empty) -> Answer:
    """Off the charger, as far as it needs to turn."""
    m = robot.machine
    m.check_ready()
    if not m.charging:
        raise RobotRefusal(RelayCode.CONFLICT, "not_charging", "The robot does not stand at a charger")
    m.send(goals.off_charger(m, m.params["speed_low"]), "rest")
    return {}


@handles("serial_control")
def serial_control(robot: Robot, payload: Serial) -> Answer:
    manual_mode.hold_wheels(robot.machine, Hold.MOTOR_LINE, on=not payload.isStart)
    return {}


@handles("robot_reboot")
def robot_reboot(robot: Robot, _: Reboot) -> Answer:
    """Off the bus and its tunnel for some seconds; the run is reported as interrupted."""
    robot.reboot()
    return {}
