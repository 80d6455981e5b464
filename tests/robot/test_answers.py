"""Each command answers as its model in the table says; `Local` compares every answer of the robot's tests with it."""

import base64
import hashlib
from typing import Any

import pytest

from lustra.protocol.commands import COMMANDS
from lustra.robot.robot import Robot
from tests.robot.conftest import TASK, Local, bundle, drive, png
from tests.robot.test_tasks import PATH

HALL = {"map_name": "hall"}
TIMED = {"name": "Night", "map_name": "hall", "task_list": ["Hall"], "start_time": "22-30", "days": [1]}
MOVES = [{"day": "2026-01-12", "to": "2026-01-13"}]
FLOORS = {"name": "House", "floors": [{"map_name": "hall", "task_list": ["Hall"]}], "start_time": "23-30", "days": [2]}
SEES = (
    ("check_update", {}),
    ("robot_pose", {}),
    ("radar_info", {}),
    ("radar_info_raw", {}),
    ("sensor_info_web", {}),
    ("hardware_state", {}),
    ("account_list", {}),
    ("utils_state", {}),
    ("utils_list", {}),
    ("utils_ctrl_default_list", {}),
    ("utils_ctrl", {"id": "fan", "value": 1}),
    ("disinfect_ctrl", {"speed_Value": 3}),
    ("disinfect_state", {}),
    ("robot_params_get", {}),
    ("robot_params_set", {"params": {"speed_low": 0.2}}),
    ("bag_record_trigger", {"seconds": 1}),
    ("robot_speak", {"text": "Please wait.", "language": "en"}),
    ("tablet_screen", {}),
)
DRAWS = (
    ("map_list", {}),
    ("map_name", {}),
    ("map_info", HALL),
    ("map_flag_list", {}),
    ("map_flag_add", {"map_name": "hall", "name": "Seat", "type": "elevator", "x": 1.5, "y": 2.5}),
    ("elevator_point_list", HALL),
    ("virlines_info", {"map_name": "roof"}),
    ("map_clear_noise", HALL),
    ("map_image", {}),
    ("door_access_control_list", HALL),
    ("map/CloudInfoUpdate", {"map_name": "roof", "data": {"building": "Tower"}}),
    ("map/map_sync", {"map_name": "roof", "source": "SC0001", "targets": ["SC0002"]}),
    ("map/map_sync", {"map_name": "roof", "source": "SC0002", "targets": ["SC0001"]}),
    ("map_del", {"map_name": "roof"}),
)
PLANS = (
    ("task_add", TASK),
    ("hppath_save", PATH),
    ("dir_path_list", {}),
    ("hppath_delete", {"name": "Round"}),
    ("task_names_png_upload", {"name": "Hall", "png": base64.b64encode(png(4, 3)).decode()}),
    ("task_list", {}),
    ("task_info", HALL),
    ("taskinfo_query", {"name": "Hall"}),
    ("task_all_map", {}),
    ("all_tasksingle_list", {}),
    ("cleantask_origin", {"name": "Hall"}),
    ("clean_area_pre", {"area": TASK["areas"][0]["points"], "start": TASK["start"]}),
    ("taskgroup_add", {"name": "Round", "tasks": ["Hall"]}),
    ("taskgroup_list", {}),
    ("taskgroup_set_top", {"name": "Round"}),
    ("taskgroup_rename", {"name": "Round", "new_name": "Both"}),
    ("timetask_save", TIMED),
    ("timetask_list", {}),
    ("timetask_info", {"name": "Night"}),
    ("timetask_edit", TIMED | {"revision": 1, "skips": ["2026-01-05"], "moves": MOVES}),
    ("timetask_enable", {"name": "Night", "enable": 0}),
    ("timetask_set_top", {"name": "Night"}),
    ("timetask_rename", {"name": "Night", "new_name": "Late"}),
    ("elevator_timetask_add", FLOORS),
    ("elevator_timetask_list", {}),
    ("elevator_timetask_modofied", FLOORS | {"revision": 1}),
    ("elevator_timetask_rename", {"name": "House", "new_name": "Tower"}),
)
RUNS = (
    ("task_start", {"name": "Hall"}),
    ("task_state", {}),
    ("task_pause", {}),
    ("task_resume", {}),
    ("task_cancel_one", {"name": "Hall"}),
    ("task_start", {"group": "Both"}),
    ("task_state", {}),
    ("task_cancel", {}),
    ("track_image", {}),
    ("robot_safe", {"robot_safe": 1}),
    ("emergency_off", {}),
    ("robot_lock", {"lock": 1}),
    ("robot_lock", {"lock": 0}),
    ("serial_control", {"isStart": True}),
    ("hand_mode", {"mode": 1}),
    ("cmdvel_ctrl", {"linear": 0.0, "angular": 0.0}),
    ("hand_mode", {"mode": 0}),
    ("point_moveto", {"x": 0.5, "y": 0.5}),
    ("cancel_go_home", {}),
)
FINDS = (
    ("recover_localization", {"x": -1, "y": -1, "w": 8, "h": 6}),
    ("relocation_start", {}),
    ("relocation_point", {"point": "Seat"}),
    ("map_flag_del", {"map_name": "hall", "name": "Seat"}),
    ("draw_new_map", {"name": "new"}),
    ("map_image", {}),
    ("map_clear_noise", {}),
    ("map_save", {}),
    ("map_load", {"name": "hall"}),
    ("draw_new_map", {}),
    ("cancel_map_builiding", {}),
    ("reset_ubuntu_pd", {}),
)
ENDS = (
    ("timetask_delete", {"name": "Late"}),
    ("elevator_timetask_delete", {"name": "Tower"}),
    ("taskgroup_del", {"name": "Both"}),
    ("task_rename", {"name": "Hall", "new_name": "Foyer"}),
    ("task_del", {"name": "Foyer"}),
    ("robot_reboot", {}),
)


class Listed(Local):
    """Notes which commands were accepted."""

    accepted: set[str]

    async def all_good(self, lines: tuple[tuple[str, dict[str, Any]], ...]) -> None:
        for name, payload in lines:
            await self.good(name, payload)
            self.accepted.add(name)


async def test_every_command_of_the_table_answers_as_its_model_says(robot: Robot, local: Local):
    m = robot.machine
    listed = Listed(robot, local.session, local.port)
    listed.accepted = set()
    await listed.upload("roof", bundle())
    await listed.all_good(SEES + DRAWS + PLANS)
    m.place(2.5, 0.5, 0.0, charging=False)
    await listed.all_good(RUNS)
    await listed.all_good((("go_home", {}),))
    drive(robot, lambda: m.charging)
    await listed.all_good((("docker_relocation", {}), ("docker_back", {})))
    drive(robot, lambda: m.standing)
    m.place(2.5, 0.5, 0.0, charging=False)
    robot.store.facts.password = hashlib.sha256(b"given").hexdigest()
    await listed.all_good(FINDS + ENDS)
    robot.bags.end()
    assert set(COMMANDS) - listed.accepted == {"map/Upload", "timetask_cancel", "tablet_picture"}, "tried elsewhere"


async def test_an_answer_that_is_not_as_declared_fails_the_robots_tests(local: Local, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("lustra.robot.local_api.parts.VERSION", 1)
    with pytest.raises(AssertionError, match="version"):
        await local("check_update")
