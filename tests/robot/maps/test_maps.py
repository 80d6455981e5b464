"""What becomes of a robot's maps: renamed with all that names them; erased floor is free to drive on."""

import json
from typing import Any

import numpy as np
import pytest

from lustra.robot.clock import now_ms
from lustra.robot.robot import Robot
from tests.robot.conftest import TASK, Local, bundle, hall
from tests.robot.test_api import events


@pytest.mark.spec("rule.map.name")
async def test_a_renamed_map_takes_its_tasks_and_schedules_along(robot: Robot, local: Local):
    def named(name: str) -> dict[str, Any]:
        return {"map_name": "hall", "data": {"name": name}}

    await local.good("task_add", TASK)
    await local.good("taskgroup_add", {"name": "Round", "tasks": [{"map_name": "hall", "task": "Hall"}]})
    times = {"start_time": "05-00", "days": [1], "task_list": ["Hall"], "map_name": "hall"}
    await local.good("timetask_save", {"name": "Early"} | times)
    assert (await local("map/CloudInfoUpdate", named(" ")))["reason"] == "map_name_required"
    assert (await local("map/CloudInfoUpdate", named("x" * 65)))["reason"] == "map_name_long"
    assert (await local.good("map/CloudInfoUpdate", named("hall")))["revision"] == 1  # the same
    assert (await local.upload("annex", bundle()))["code"] == 0
    assert (await local("map/CloudInfoUpdate", named("annex")))["reason"] == "map_same_name"
    await local.good("task_start", {"name": "Hall"})
    assert (await local("map/CloudInfoUpdate", named("Lobby")))["reason"] == "map.task_running"
    await local.good("task_cancel")

    assert (await local.good("map/CloudInfoUpdate", named("Lobby")))["kept"] == ["name"]
    assert sorted(row["name"] for row in (await local.good("map_list"))["list"]) == ["Lobby", "annex"]
    assert (await local.good("map_name"))["map_name"] == robot.machine.state(now_ms()).map == "Lobby"
    assert [row["name"] for row in (await local.good("task_list", {"map_name": "Lobby"}))["task_list"]] == ["Hall"]
    assert (await local.good("taskgroup_list"))["list"][0]["tasks"][0]["map_name"] == "Lobby"
    assert (await local.good("timetask_list", {"map_name": "Lobby"}))["timetask_info"][0]["name"] == "Early"
    again = Robot.open(robot.spec, robot.store.folder)  # and after a restart
    assert (sorted(again.store.maps), [*again.store.tasks]) == (["Lobby", "annex"], [("Lobby", "Hall")])
    changes = [(e["name"], e.get("was", ""), e.get("deleted", False)) for e in map(json.loads, events(robot, "map"))]
    assert changes[-2:] == [("Lobby", "hall", False), ("hall", "", True)]


async def test_erased_cells_are_free_until_the_stroke_is_removed(robot: Robot, local: Local):
    floor = hall()
    height, width = floor.grid.shape
    picture = b"P5\n%d %d\n255\n" % (width, height) + np.flipud(floor.grid).tobytes()
    sheet = "image: map.pgm\nresolution: 0.05\norigin: [-1.0, -1.0, 0.0]\nnegate: 0\n"
    sheet += "occupied_thresh: 0.65\nfree_thresh: 0.196\n"
    pillar = {"x": 2.8, "y": 1.8}

    async def keep(width_m: float, revision: int) -> None:
        erasers = [{"points": [[2.4, 1.8], [3.2, 1.8]], "width": width_m, "name": "E1"}]
        notes = json.dumps({"erasers": erasers if width_m else []})
        files = bundle(**{"map.yaml": sheet, "map.pgm": picture, "annotations.json": notes})
        assert (await local.upload("hall", files, revision=str(revision)))["code"] == 0

    assert (await local("point_moveto", pillar))["reason"] == "point_blocked"
    await keep(0.2, 1)
    assert (await local("point_moveto", pillar))["reason"] == "point_blocked"  # too narrow to stand in
    await keep(1.6, 2)
    assert robot.machine.floor is not None
    assert (robot.machine.floor.grid == floor.grid).all()  # the picture is not burnt
    assert not robot.machine.floor.blocked[50:62, 70:82].any()
    await local.good("point_moveto", pillar)
    await local.good("cancel_go_home")
    await keep(0, 3)
    assert (await local("point_moveto", pillar))["reason"] == "point_blocked"
