"""What becomes of a robot's maps: renamed with all that names them; erased floor is free to drive on."""

import json
from typing import Any

import pytest

from lustra.robot.robot import Robot, now_ms
from tests.robot.conftest import TASK, Local, bundle
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
    assert [told["name"] for told in (await local.good("task_list", {"map_name": "Lobby"}))["task_list"]] == ["Hall"]
    assert (await local.good("taskgroup_list"))["list"][0]["tasks"][0]["map_name"] == "Lobby"
    assert (await local.good("timetask_list", {"map_name": "Lobby"}))["timetask_info"][0]["name"] == "Early"
    again = Robot.open(robot.spec, robot.store.folder)  # and after a restart
    assert (sorted(again.store.maps), [*again.store.tasks]) == (["Lobby", "annex"], [("Lobby", "Hall")])
    said = [(e["name"], e.get("was", ""), e.get("deleted", False)) for e in map(json.loads, events(robot, "map"))]
    assert said[-2:] == [("Lobby", "hall", False), ("hall", "", True)]
