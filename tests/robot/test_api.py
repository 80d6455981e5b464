"""The local API: every command of the table, its rules and its refusals, as a relay hears them."""

import asyncio
import io
from pathlib import Path

import aiohttp
import pytest

from lustra.protocol.commands import COMMANDS, routes
from lustra.protocol.refusals import RelayCode
from lustra.robot.local_api import api
from lustra.robot.local_api.handlers import HANDLERS
from lustra.robot.robot import Robot
from tests.robot.conftest import AREA, TASK, Local, bundle, drive, hall, open_robot

TASK_ROUTES = [
    f"call.relay.task.{n}"
    for n in (
        "task_list",
        "task_info",
        "task_add",
        "task_del",
        "task_start",
        "task_pause",
        "task_resume",
        "task_cancel",
        "task_cancel_one",
        "task_state",
        "clean_area_pre",
    )
]


def events(robot: Robot, kind: str) -> list[bytes]:
    return [message.data for message in robot.outbox.unconfirmed() if f'"kind":"{kind}"'.encode() in message.data]


def test_every_command_of_the_table_has_a_handler_and_nothing_else_has():
    assert set(HANDLERS) == {command.name for command in COMMANDS.values()}


@pytest.mark.parametrize("protocol", [2, 3])
async def test_each_generation_answers_all_its_commands_and_not_the_others(tmp_path: Path, protocol: int):
    robot = open_robot(tmp_path / "r", protocol, hall())
    runner, port = await api.serve(robot)
    own, other = routes(protocol), routes(5 - protocol)
    async with aiohttp.ClientSession() as session:
        local = Local(robot, session, port)
        for m, command in own.items():
            answer = await local.raw(m, command.method, json={})
            assert answer.get("reason") != "command_unknown", m
            assert "code" in answer
        for m in set(other) - set(own):
            assert (await local.raw(m, json={}))["code"] == RelayCode.UNKNOWN, m
        robot.bags.end()
        for m in ("api1/../task_list", "api1/nothing", "task_list", "api3/map_list"):
            assert (await local.raw(m, json={}))["code"] == RelayCode.UNKNOWN, m
    await runner.cleanup()


@pytest.mark.spec(*TASK_ROUTES, "call.relay.v3.task_start")
async def test_a_task_from_creation_to_report(local: Local):
    robot = local.robot
    added = await local.good("task_add", TASK)
    assert added["revision"] == 1
    assert added["reachable"] > 1
    (row,) = (await local.good("task_list"))["task_list"]
    assert row["name"] == "Hall"
    assert row["route"] == "bow"
    assert row["areas"][0]["points"] == AREA
    assert (await local.good("task_info", {"map_name": "hall"}))["task_info"] == [row]
    assert len(events(robot, "task")) == 1
    run = (await local.good("task_start", {"name": "Hall"}))["run"]
    drive(robot, lambda: robot.machine.cleaning)
    assert (await local.good("task_state"))["run"] == run
    await local.good("task_pause")
    assert (await local.good("task_state"))["state"] == "paused"
    await local.good("task_resume")
    drive(robot, lambda: not robot.machine.run)
    (report,) = [message for message in robot.outbox.unconfirmed() if message.kind == "report"]
    assert report.id == run
    await local.good("task_start", {"name": "Hall", "map_name": "hall"})
    assert (await local("task_cancel_one", {"name": "Other"}))["reason"] == "task_none_running"
    await local.good("task_cancel_one", {"name": "Hall"})
    await local.good("task_start", {"name": "Hall"})
    await local.good("task_cancel")
    assert (await local("task_cancel"))["reason"] == "task_none_running"
    await local.good("task_del", {"name": "Hall"})
    assert (await local.good("task_list"))["task_list"] == []
    assert b'"deleted":true' in events(robot, "task")[-1]


BAD = {
    "no name": ({"name": "  "}, "task_name_required", "name"),
    "no map": ({"map_name": ""}, "task_map_required", "map"),
    "no area": ({"areas": []}, "task_area_required", "area"),
    "a line is no area": ({"areas": [{"points": [[0, 0], [1, 1]]}]}, "task_area_required", "areas.0.points"),
    "too small": ({"areas": [{"points": [[0, 0], [0.1, 0], [0, 0.1]]}]}, "task_area_required", "areas.0.points"),
    "two areas": ({"areas": [{"points": AREA}, {"points": AREA}]}, "task_one_area", ""),
    "no start": ({"start": None}, "task_start_required", "start"),
    "beyond the edge": ({"areas": [{"points": [[0, 0], [90, 0], [90, 90]]}]}, "map.beyond_edge", "areas"),
    "start beyond the edge": ({"start": [99, 99]}, "map.beyond_edge", "start"),
    "start in a wall": ({"start": [2.8, 1.8]}, "task_start_unreachable", "start"),
    "unknown map": ({"map_name": "attic"}, "map_unknown", "map_name"),
    "unknown route": ({"route": "zigzag"}, "input_literal_error", "route"),
    "no number": ({"areas": [{"points": [["a", 0], [1, 0], [1, 1]]}]}, "input_float_parsing", "areas.0.points.0.0"),
    "area and path": ({"path": "Round"}, "task_area_or_path", ""),
}


@pytest.mark.spec(
    "rule.task.name", "rule.task.map", "rule.task.one_area", "rule.task.draw_first", "rule.task.start_point"
)
@pytest.mark.parametrize("case", BAD)
async def test_a_bad_task_is_refused_with_reason_and_field_and_not_stored(local: Local, case: str):
    changed, reason, field = BAD[case]
    answer = await local("task_add", TASK | changed)
    assert answer["code"] == (RelayCode.UNKNOWN if case == "unknown map" else RelayCode.BAD_INPUT)
    assert answer["reason"] == reason
    assert answer["msg"]
    assert not field or answer["field"] == field
    assert local.robot.store.tasks == {}
    assert events(local.robot, "task") == []


async def test_names_are_taken_once_and_a_change_is_based_on_the_newest_revision(local: Local):
    await local.good("task_add", TASK)
    assert (await local("task_add", TASK))["reason"] == "task_same_name"
    assert (await local.good("task_add", TASK | {"revision": 1, "speed": "low"}))["revision"] == 2
    late = await local("task_add", TASK | {"revision": 1, "speed": "high"})
    assert (late["code"], late["reason"]) == (RelayCode.CONFLICT, "revision_conflict")
    (row,) = (await local.good("task_list"))["task_list"]
    assert (row["speed"], row["revision"]) == ("low", 2)


async def test_synonyms_of_routes_are_understood(local: Local):
    await local.good("task_add", TASK | {"route": "arc"})
    assert (await local.good("task_list"))["task_list"][0]["route"] == "spiral"
    assert (await local.good("clean_area_pre", {"area": AREA, "route": "U", "start": [0, 0]}))["path"]


async def test_a_preview_tells_the_way_and_moves_nothing(local: Local):
    answer = await local.good("clean_area_pre", {"map_name": "hall", "area": AREA, "start": [0, 0]})
    assert len(answer["path"]) > 5
    assert answer["area"] == pytest.approx(3.75, abs=0.01)
    assert answer["length"] > 5
    assert answer["seconds"] > 10
    assert answer["battery"] > 0
    assert answer["liquid"] > 0
    assert not local.robot.machine.busy
    assert (await local("clean_area_pre", {"area": []}))["reason"] == "task_area_required"
    far = {"area": [[0, 0], [60, 0], [60, 60]]}
    assert (await local("clean_area_pre", far))["reason"] == "map.beyond_edge"


async def test_a_second_task_does_not_start_while_one_runs(local: Local):
    await local.good("task_add", TASK)
    await local.good("task_start", {"name": "Hall"})
    assert (await local("task_start", {"name": "Hall"}))["reason"] == "task_running"
    assert (await local("task_del", {"name": "Hall"}))["reason"] == "task_running"
    assert (await local("task_add", TASK | {"revision": 1}))["reason"] == "task_running"
    assert (await local("task_start", {"name": "No"}))["reason"] == "task_unknown"


MUST_LOCK = {
    "cmdvel_ctrl",
    "hand_mode",
    "point_moveto",
    "go_home",
    "docker_back",
    "emergency_off",
    "task_start",
    "task_resume",
    "map_load",
    "map_del",
    "map_save",
    "map_clear_noise",
    "draw_new_map",
    "docker_relocation",
    "robot_reboot",
    "reset_ubuntu_pd",
    "robot_params_set",
    "utils_ctrl",
    "disinfect_ctrl",
    "serial_control",
    "recover_localization",
    "relocation_point",
    "relocation_start",
}
NEVER_LOCK = {
    "robot_safe": {"robot_safe": 1},
    "robot_lock": {"lock": 1},
    "cancel_go_home": None,
    "cancel_map_builiding": None,
    "task_pause": None,
    "task_cancel": None,
    "task_cancel_one": {"name": "Hall"},
}


@pytest.mark.spec("call.relay.common.robot_safe", "call.relay.v3.emergency_off")
async def test_moving_and_deleting_need_the_newest_control_number_stopping_does_not(local: Local):
    await local.good("task_add", TASK)
    locked = {name for name, c in COMMANDS.items() if c.locked}
    assert locked >= MUST_LOCK
    assert not locked & set(NEVER_LOCK)
    await local.raw("api1/robot_pose", control=7, json={})
    for name in locked:
        answer = await local(name, {}, control=6)
        assert (answer["code"], answer["reason"]) == (RelayCode.FENCED, "control_lost"), name
    for name, payload in NEVER_LOCK.items():
        assert (await local(name, payload, control=0))["code"] != RelayCode.FENCED, name
    assert (await local("emergency_off", control=7))["code"] == 0
    again = open_robot(local.robot.store.folder)
    assert again.store.facts.number == 7  # also after a restart


@pytest.mark.spec("q.emergency_release_old", "call.relay.common.robot_lock")
@pytest.mark.parametrize(
    ("name", "field"), [("robot_safe", "robot_safe"), ("robot_lock", "lock"), ("serial_control", "isStart")]
)
async def test_releasing_the_robot_needs_control_and_stopping_it_does_not(local: Local, name: str, field: str):
    await local.raw("api1/robot_pose", control=7, json={})
    held = 0 if field == "isStart" else 1
    if field != "isStart":
        assert (await local(name, {field: held}, control=0))["code"] == 0
    assert (await local(name, {field: 1 - held}, control=6))["reason"] == "control_lost"
    assert (await local(name, {field: 1 - held}, control=7))["code"] == 0


async def test_emergency_stop_by_its_switch(local: Local):
    await local.good("robot_safe", {"robot_safe": 1})
    assert local.robot.machine.mode == "emergency"
    assert (await local("go_home"))["code"] == 0x0535
    assert (await local("robot_safe", {"robot_safe": 2}))["code"] == RelayCode.BAD_INPUT
    await local.good("robot_safe", {"robot_safe": 0})
    assert local.robot.machine.mode != "emergency"


@pytest.mark.spec(
    "call.relay.common.robot_pose",
    "call.relay.common.radar_info",
    "call.relay.common.hardware_state",
    "call.relay.common.robot_params_get",
    "call.relay.common.disinfect_state",
    "call.relay.common.check_update",
)
async def test_answer_what_the_robot_knows_of_itself(local: Local):
    pose = await local.good("robot_pose")
    assert (pose["x"], pose["y"]) == (pytest.approx(-0.4, abs=0.1), pytest.approx(-0.4, abs=0.1))
    assert pose["map_name"] == "hall"
    points = (await local.good("radar_info"))["points"]
    assert len(points) > 300
    assert all(-1.1 < x < 7.1 and -1.1 < y < 5.1 for x, y in points)
    local.robot.machine.fault("imu", on=True)
    parts = {p["name"]: p["state"] for p in (await local.good("hardware_state"))["list"]}
    assert (parts["imu"], parts["lidar"]) == ("fault", "ok")
    assert (await local.good("robot_params_get"))["params"]["tool_width"] == 0.58
    assert (await local.good("disinfect_state"))["running"] is False
    assert (await local.good("check_update"))["hasUpdate"] is False


async def test_odd_bodies_are_refused_in_words(local: Local):
    assert (await local.raw("api1/task_add", data=b"{"))["reason"] == "input_not_json"
    assert (await local.raw("api1/task_add", data=b"[]"))["code"] == RelayCode.BAD_INPUT
    large = await local.raw("api1/task_add", data=io.BytesIO(b"x" * (2 << 20)))
    assert large["code"] == RelayCode.TOO_LARGE
    form = await local.raw("api1/robot_safe", data={"robot_safe": "1"})
    assert form["code"] in {0, RelayCode.BAD_INPUT}


async def test_planning_for_one_does_not_hold_up_another(local: Local):
    previews = [local("clean_area_pre", {"area": AREA, "start": [0, 0.1 * n]}) for n in range(4)]
    done = await asyncio.gather(*previews, local("robot_pose"))
    assert all(answer["code"] == 0 for answer in done)


async def test_maps_tasks_and_marks_are_there_after_a_restart(local: Local):
    await local.upload("cellar", bundle())
    await local.good("task_add", TASK)
    local.robot.keep()
    again = open_robot(local.robot.store.folder)
    assert set(again.store.maps) == {"hall", "cellar"}
    assert again.store.tasks["hall", "Hall"].revision == 1
    assert (again.store.maps["cellar"].grid == local.robot.store.maps["cellar"].grid).all()
    assert again.machine.floor is not None
    assert again.machine.floor.name == "hall"
