"""Drawing maps: only what was seen is drawn, by hand or exploring; saved, cleared of noise, loaded, or thrown away."""

import base64
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from lustra.protocol.refusals import RelayCode
from lustra.robot.buildings import catalogue
from lustra.robot.maps.floor import FREE, OCCUPIED, UNKNOWN
from lustra.robot.navigation import mapping
from tests.robot.conftest import TASK, Local, drive, hall, open_robot


def decoded(url: str) -> np.ndarray:
    raw = np.frombuffer(base64.b64decode(url.removeprefix("data:image/png;base64,")), np.uint8)
    picture = cv2.imdecode(raw, cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    return np.flipud(picture)


def events(local: Local, kind: str) -> list[dict[str, Any]]:
    messages = [json.loads(message.data) for message in local.robot.outbox.unconfirmed() if message.kind == "event"]
    return [e for e in messages if e["kind"] == kind]


@pytest.mark.spec(
    "state.map_build.building",
    "state.map_build.saved",
    "state.map_build.t01",
    "state.map_build.t02",
    "state.map_build.t04",
    "call.relay.map.draw_new_map",
    "call.relay.map.map_save",
    "call.relay.map.map_image_url",
)
async def test_a_map_driven_by_hand_grows_with_the_scan_and_is_saved(local: Local):
    robot, m = local.robot, local.robot.machine
    assert (await local.good("draw_new_map", {"name": "new hall"}))["map_name"] == "new hall"
    first = await local.good("map_image")
    assert (first["building"], first["map_name"]) == (True, "new hall")
    assert set(np.unique(decoded(first["url"]))) <= {FREE, OCCUPIED, UNKNOWN}
    state = m.state(1)
    assert (state.map, state.mapping) == ("", "new hall")
    assert state.mapped > 1
    assert "map_not_selected" not in state.banners
    assert "url" not in await local.good("map_image", {"since": first["seq"]})
    await local.good("hand_mode", {"mode": 1})
    for n in range(200):
        await local.good("cmdvel_ctrl", {"linear": 0.5, "angular": 0.15, "seq": n + 1})
        robot.step(0.05)
    later = await local.good("map_image")
    assert later["area"] > first["area"]
    grid, real = decoded(later["url"]), hall().grid
    assert not ((grid == FREE) & (real != FREE)).any()  # nothing is drawn that is not there
    await local.good("hand_mode", {"mode": 0})
    saved = await local.good("map_save", {})
    assert saved["map_name"] == "new hall"
    assert m.floor
    assert m.floor.name == "new hall"
    assert events(local, "map")[-1]["name"] == "new hall"
    assert events(local, "map_loaded")[-1]["name"] == "new hall"
    assert m.state(1).mapping == ""
    assert m.pose.xy == (pytest.approx(m.state(1).x, abs=0.1), pytest.approx(m.state(1).y, abs=0.1))
    again = open_robot(robot.store.folder)
    assert "new hall" in again.store.maps


async def test_exploring_sees_the_whole_room_and_its_map_is_good_for_tasks(local: Local):
    m = local.robot.machine
    await local.good("draw_new_map", {"name": "seen", "explore": True})
    drive(local.robot, lambda: m.mapping.done, 0.5, 600)
    cleared = await local.good("map_clear_noise", {})
    answer = await local.good("map_save", {"name": "seen"})
    real = hall()
    assert answer["area"] == pytest.approx((real.grid == FREE).sum() * 0.05**2, rel=0.02)
    assert cleared["cleared"] >= 0
    await local.good("task_add", TASK | {"map_name": "seen"})
    await local.good("task_start", {"name": "Hall", "map_name": "seen"})
    drive(local.robot, lambda: not m.run)
    assert b'"end":"finished"' in next(x.data for x in local.robot.outbox.unconfirmed() if x.kind == "report")


@pytest.mark.spec(
    "state.map_build.not_building",
    "state.map_build.t03",
    "call.relay.map.cancel_map_builiding",
    "err.robot_msg.robot_is_building_a_map",
)
async def test_a_map_that_is_thrown_away_leaves_the_old_one(local: Local):
    assert (await local("cancel_map_builiding"))["reason"] == "map_none_building"
    await local.good("draw_new_map", {"name": "x", "explore": True})
    local.robot.step(1)
    for name, payload, reason in (
        ("draw_new_map", {"name": "y"}, "map_building"),
        ("go_home", None, "map_building"),
        ("map_save", {"name": "hall"}, "map_same_name"),
    ):
        assert (await local(name, payload))["reason"] == reason, name
    await local.good("cancel_map_builiding")
    assert local.robot.machine.state(1).map == "hall"
    assert "x" not in local.robot.store.maps
    assert (await local("map_save", {"name": "x"}))["reason"] == "map_none_building"
    await local.good("go_home")


async def test_stopping_ends_the_exploration(local: Local):
    m = local.robot.machine
    await local.good("draw_new_map", {"explore": True})
    drive(local.robot, lambda: m.speed > 0.1, most_s=60)
    await local.good("robot_safe", {"robot_safe": 1})
    local.robot.step(2)
    at = m.pose.xy
    local.robot.step(5)
    assert m.pose.xy == at
    await local.good("robot_safe", {"robot_safe": 0})
    await local.good("cancel_go_home")
    local.robot.step(5)
    assert m.pose.xy == at


async def test_no_map_is_drawn_while_a_task_runs_and_names_are_taken_once(local: Local):
    await local.good("task_add", TASK)
    await local.good("task_start", {"name": "Hall"})
    assert (await local("draw_new_map", {"name": "x"}))["reason"] == "map.task_running"
    await local.good("task_cancel")
    assert (await local("draw_new_map", {"name": "hall"}))["reason"] == "map_same_name"


@pytest.mark.spec("call.relay.v3.map_clear_noise")
async def test_noise_goes_and_walls_stay(local: Local):
    floor = hall(name="noisy")
    floor.grid[30:32, 100:102] = OCCUPIED
    floor.grid[80, 40] = UNKNOWN
    local.robot.store.save_map(floor)
    assert (await local.good("map_clear_noise", {"map_name": "noisy"})) == {
        "code": 0,
        "msg": "",
        "cleared": 2,
        "revision": 2,
    }
    assert (local.robot.find_map("noisy").grid == hall().grid).all()
    assert (await local.good("map_clear_noise", {"map_name": "noisy"}))["revision"] == 2
    assert (await local("map_clear_noise", {"map_name": "attic"}))["reason"] == "map_unknown"


def test_a_map_is_drawn_with_noise_that_clearing_takes_away():
    real = catalogue.floor(*catalogue.SAMPLE)
    drawing = mapping.Mapping("x", real, np.random.default_rng(3))
    dock = real.charger()
    assert dock
    for n in range(40):
        drawing.observe(dock.x - 0.2 * n, dock.y + 0.4, 3.1)
    wrong = (drawing.grid == OCCUPIED) & (real.grid == FREE)
    assert wrong.any()
    assert drawing.clear() > 0
    assert ((drawing.grid == OCCUPIED) & (real.grid == FREE)).sum() < wrong.sum() / 2


async def test_a_map_of_the_same_place_is_loaded_where_the_robot_stands(tmp_path: Path):
    real = catalogue.floor(*catalogue.SAMPLE)
    robot = open_robot(tmp_path / "r", floor=real)
    m = robot.machine
    m.place(19.0, 10.0, 0.4, charging=False)
    m.load(real.changed(name="other"), 0)
    assert m.pose.xy == (19.0, 10.0)
    m.load(hall(), 0)
    assert m.charging


@pytest.mark.spec("call.relay.map.track_url")
async def test_a_runs_track_is_a_picture_and_points(local: Local):
    assert (await local("track_image", {"taskReportId": "no"}))["reason"] == "track_unknown"
    await local.good("task_add", TASK)
    run = (await local.good("task_start", {"name": "Hall"}))["run"]
    drive(local.robot, lambda: not local.robot.machine.run)
    for payload in ({"taskReportId": run}, {}):
        answer = await local.good("track_image", payload)
        assert (answer["taskReportId"], answer["map_name"]) == (run, "hall")
        assert len(answer["points"]) > 20
        assert (decoded(answer["url"]) == 96).sum() > 50


@pytest.mark.spec("call.relay.v3.door_access_control_list")
async def test_doors_with_access_control_are_those_of_the_building(local: Local):
    assert (await local.good("door_access_control_list", {"map_name": "hall"}))["list"] == []
    real = catalogue.floor(*catalogue.SAMPLE)
    local.robot.store.save_map(real)
    doors = (await local.good("door_access_control_list", {"map_name": real.name}))["list"]
    assert {d["name"] for d in doors} == {"Stores west", "Stores east", "Treatment west", "Treatment east"}
    assert (await local("door_access_control_list", {"map_name": "attic"}))["code"] == RelayCode.UNKNOWN
