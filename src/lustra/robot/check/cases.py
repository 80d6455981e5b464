"""The 41 cases of `lustra robot check`: what a maker's local API must do, by docs/robot-local-api.md.

Rules: a case stands for one rule; a command that the robot does not have leaves its case out, except the least that
every robot has; what moves the robot or changes its lock is tried only where that is asked for.
"""

import asyncio
import io
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from lustra.protocol.answers.base import Refusal
from lustra.protocol.commands import API1_SINCE, COMMANDS
from lustra.protocol.refusals import RelayCode
from lustra.robot.check.ask import Robot, demand, demand_model, demand_refusal

LEAST = ("robot_pose", "robot_safe")  # commands that every robot has
AT_ONCE = 30
RELAY_WAITS_S = 10
LARGEST_BODY = 1024 * 1024
NOT_NOW = (RelayCode.UNKNOWN, RelayCode.CONFLICT)  # a read may be refused: no map is loaded
# Commands that are read without a payload: each answers as its model says.
READ = (
    "robot_pose",
    "sensor_info_web",
    "hardware_state",
    "radar_info",
    "radar_info_raw",
    "check_update",
    "utils_state",
    "robot_params_get",
    "disinfect_state",
    "map_list",
    "map_name",
    "map_info",
    "map_flag_list",
    "virlines_info",
    "task_list",
    "task_info",
    "task_all_map",
    "all_tasksingle_list",
    "dir_path_list",
    "task_state",
    "taskgroup_list",
    "timetask_list",
    "elevator_timetask_list",
    "elevator_point_list",
)


@dataclass(frozen=True, slots=True)
class Case:
    """`moves`: it moves the robot, or raises its control number."""

    rule: str
    run: Callable[[Robot], Awaitable[None]]
    moves: bool = False


async def unknown_command(robot: Robot) -> None:
    answer = await robot.send("api1/no_such_command", body={})
    demand_refusal(answer, RelayCode.UNKNOWN, "command_unknown")


async def unknown_prefix(robot: Robot) -> None:
    demand_refusal(await robot.send("api9/robot_pose", body={}), RelayCode.UNKNOWN, "command_unknown")


async def other_generation(robot: Robot) -> None:
    other = "api" if robot.protocol >= API1_SINCE else "api1"
    demand_refusal(await robot.send(f"{other}/robot_pose", body={}), RelayCode.UNKNOWN, "command_unknown")


async def no_json(robot: Robot) -> None:
    prefix = "api1" if robot.protocol >= API1_SINCE else "api"
    demand_refusal(await robot.send(f"{prefix}/robot_pose", data=b"{no json"), RelayCode.BAD_INPUT)


async def empty_body(robot: Robot) -> None:
    demand((await robot.ask("robot_pose"))["code"] == 0, "an empty body is not taken as {}")


async def unknown_field(robot: Robot) -> None:
    demand((await robot.ask("robot_pose", {"brand_new": [1]}))["code"] == 0, "an unknown field is refused")


async def many_at_once(robot: Robot) -> None:
    answers = await asyncio.gather(*(robot.ask("robot_pose", {}) for _ in range(AT_ONCE)))
    demand(all(answer["code"] == 0 for answer in answers), "not each of 30 questions at once is answered")


async def large_body(robot: Robot) -> None:
    prefix = "api1" if robot.protocol >= API1_SINCE else "api"
    filling = io.BytesIO(b'{"filling": "' + b"x" * LARGEST_BODY + b'"}')
    answer = await robot.send(f"{prefix}/robot_pose", data=filling)
    demand_refusal(answer, RelayCode.TOO_LARGE)
    await empty_body(robot)


async def read(name: str, robot: Robot) -> None:
    answer = await robot.ask(name, {})
    if answer["code"] in NOT_NOW:
        demand_refusal(answer, answer["code"])
    else:
        demand_model(COMMANDS[name].answer, answer)


async def loaded_map(robot: Robot) -> None:
    pose, loaded = await robot.ask("robot_pose", {}), await robot.ask("map_name", {})
    demand(pose.get("map_name") == loaded.get("map_name"), "robot_pose and map_name tell different maps")


async def listed_map(robot: Robot) -> None:
    loaded, maps = await robot.ask("map_name", {}), await robot.ask("map_list", {})
    names = [row["name"] for row in maps.get("list", [])]
    demand(not loaded.get("map_name") or loaded["map_name"] in names, "the loaded map is not in the list of maps")


async def unknown_map(robot: Robot) -> None:
    demand_refusal(await robot.ask("map_info", {"map_name": "no such map 7f3a"}), RelayCode.UNKNOWN, "", "map_name")


async def unknown_switch(robot: Robot) -> None:
    answer = await robot.ask("robot_safe", {"robot_safe": 7})
    demand_refusal(answer, RelayCode.BAD_INPUT, "", "robot_safe")


async def whole_map_forecast(robot: Robot) -> None:
    """The largest area that there is: planned in time, refused, or answered with `planning`."""
    floor = await robot.ask("map_info", {})
    if floor["code"]:
        return
    demand_model(COMMANDS["map_info"].answer, floor)
    x, y, _ = floor["origin"]
    right, top = x + floor["width"] * floor["resolution"], y + floor["height"] * floor["resolution"]
    area = [[x, y], [right, y], [right, top], [x, top]]
    began = time.monotonic()
    answer = await robot.ask("clean_area_pre", {"area": area})
    demand(time.monotonic() - began < RELAY_WAITS_S, "the relay has given up before the answer comes")
    demand_model(Refusal if answer["code"] else COMMANDS["clean_area_pre"].answer, answer)


async def goal_without_numbers(robot: Robot) -> None:
    demand_refusal(await robot.ask("point_moveto", {"y": 1.0}, control=1), RelayCode.BAD_INPUT, "", "x")


async def older_lock(robot: Robot) -> None:
    await robot.ask("robot_pose", {}, control=2)
    answer = await robot.ask("point_moveto", {"x": 0.0, "y": 0.0}, control=1)
    demand_refusal(answer, RelayCode.FENCED, "control_lost")


async def stop_without_lock(robot: Robot) -> None:
    await robot.ask("robot_pose", {}, control=2)
    demand((await robot.ask("robot_safe", {"robot_safe": 1}, control=0))["code"] == 0, "a stop wants the lock")
    demand_refusal(await robot.ask("robot_safe", {"robot_safe": 0}, control=1), RelayCode.FENCED, "control_lost")
    demand((await robot.ask("robot_safe", {"robot_safe": 0}, control=2))["code"] == 0, "the stop is not released")


CASES = (
    Case("An unknown command is refused with 404 and command_unknown, by HTTP 200", unknown_command),
    Case("An unknown prefix is an unknown command", unknown_prefix),
    Case("Commands stand under the prefix of the robot's own protocol alone", other_generation),
    Case("A body that is no JSON is refused with 400", no_json),
    Case("An empty body is {}", empty_body),
    Case("An unknown field is passed over", unknown_field),
    Case("30 questions at once are all answered", many_at_once),
    Case("A body of more than 1 MiB is refused with 413, and the next is answered", large_body),
    *(Case(f"{name} answers as its model says", partial(read, name)) for name in READ),
    Case("robot_pose and map_name tell the same map", loaded_map),
    Case("The loaded map is in map_list", listed_map),
    Case("An unknown map is refused with 404, and the field is named", unknown_map),
    Case("A switch that is neither 0 nor 1 is refused with 400, and the field is named", unknown_switch),
    Case("A forecast of the whole map is answered before the relay gives up", whole_map_forecast),
    Case("A goal without x is refused with 400, and the field is named", goal_without_numbers, moves=True),
    Case("An older control number moves nothing: 423 and control_lost", older_lock, moves=True),
    Case("Everybody may stop the robot; who releases it needs the lock", stop_without_lock, moves=True),
    Case("The robot still answers at the end", empty_body),
)
