"""Commands about the robot's parts and settings: utilities, disinfection, parameters, accounts, recordings."""

from lustra.protocol.payloads.base import Empty
from lustra.protocol.payloads.parts import Dose, Params, Record, Utility
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.clock import now_ms
from lustra.robot.files.triggers import describe_trigger
from lustra.robot.local_api.handlers import Answer, handles
from lustra.robot.navigation.lattice import RADIUS, TOOL
from lustra.robot.robot import Robot
from lustra.robot.simulation import parameters
from lustra.robot.simulation.tanks import TANK_ML
from lustra.robot.simulation.utilities import MODES, STANDARD

VERSION = "1.20.0"
ACCOUNTS = (("admin", 1), ("maintenance", 2), ("operator", 3))  # of its own screen; 1 may most


@handles("check_update")
def check_update(_: Robot, __: Empty) -> Answer:
    return {"version": VERSION, "hasUpdate": False}


@handles("account_list")
def account_list(_: Robot, __: Empty) -> Answer:
    return {"list": [{"account": name, "level": level} for name, level in ACCOUNTS]}


@handles("utils_state")
def utils_state(robot: Robot, _: Empty) -> Answer:
    """What works now, below protocol 3 as `val`, from it on as `value`; each in both spellings."""
    m = robot.machine
    levels = m.utilities.levels(cleaning=m.working)
    return {"list": [{"id": id_, "val": level, "value": level} for id_, level in levels.items()]}


@handles("utils_list")
def utils_list(robot: Robot, _: Empty) -> Answer:
    m = robot.machine
    levels = m.utilities.levels(cleaning=m.working)
    return {
        "list": [
            {"id": u.id, "name": u.name, "value": levels[u.id], "min": 0, "max": u.highest, "tool": u.tool}
            for u in m.utilities.fitted.values()
        ]
    }


@handles("utils_ctrl_default_list")
def utils_ctrl_default_list(robot: Robot, _: Empty) -> Answer:
    """What a run in mode clean begins with, and in `modes` the same for every mode."""
    fitted = robot.machine.utilities.fitted

    def levels(mode: str) -> list[dict[str, object]]:
        usual = STANDARD | dict(MODES[mode])
        return [{"id": id_, "value": usual.get(id_, 0)} for id_ in fitted]

    return {"list": levels("clean"), "modes": {mode: levels(mode) for mode in MODES}}


@handles("utils_ctrl")
def utils_ctrl(robot: Robot, payload: Utility) -> Answer:
    """During a run a tool's level is that run's, else it works until it is set back."""
    robot.machine.utilities.control(payload.id, payload.value)
    robot.keep()
    return {}


@handles("disinfect_ctrl")
def disinfect_ctrl(robot: Robot, payload: Dose) -> Answer:
    robot.machine.utilities.dose = float(payload.speed_Value)
    robot.keep()
    return {}


@handles("disinfect_state")
def disinfect_state(robot: Robot, _: Empty) -> Answer:
    """`running`: it sprays now. `liquid_ml` is what is left, `area` the m² that it will do for at this dose."""
    m = robot.machine
    left = m.liquid * TANK_ML / 100
    return {
        "running": m.working and m.rate > 0 and m.utilities.dose > 0,
        "speed_Value": m.utilities.dose,
        "liquid": round(m.liquid, 1),
        "liquid_ml": round(left),
        "area": round(left / m.utilities.dose, 1) if m.utilities.dose else 0.0,
    }


@handles("robot_params_get")
def robot_params_get(robot: Robot, _: Empty) -> Answer:
    """`ranges`: those that may be set, each with what it may be; the others are how the robot is built."""
    m = robot.machine
    built = {"radius": RADIUS, "tool_width": TOOL, "factor": m.factor, "protocol": robot.spec.protocol}
    ranges = {
        name: {"min": of.low, "max": of.high, "default": of.usual, "unit": of.unit}
        for name, of in parameters.RANGES.items()
    }
    return {"params": m.params | built, "ranges": ranges, "configured": [*robot.store.facts.configured]}


@handles("robot_params_set")
def robot_params_set(robot: Robot, payload: Params) -> Answer:
    """A run that is under way keeps its speed; what comes next goes by the new ones."""
    robot.machine.params |= parameters.check_parameters(payload.params, robot.machine.params)
    robot.keep()
    return {"params": robot.machine.params}


@handles("reset_ubuntu_pd")
def reset_ubuntu_pd(robot: Robot, _: Empty) -> Answer:
    """The password of the robot's own system is again the one that the server gave it, whoever changed it on site."""
    facts = robot.store.facts
    if not facts.password:
        raise RobotRefusal(RelayCode.CONFLICT, "password_none_given", "The server has given it no password yet")
    facts.password_now = facts.password
    robot.store.save_facts()
    return {}


@handles("bag_record_trigger")
def bag_record_trigger(robot: Robot, payload: Record) -> Answer:
    """From now on for so many seconds; the file stays on the robot's disk."""
    now = now_ms()
    name = robot.bags.start(payload.seconds, now)
    robot.triggers.enter(name, describe_trigger(robot.machine, now, "order", robot.alarms.open.values()))
    return {"name": name, "seconds": payload.seconds}
