"""Scheduled tasks over several floors, and the points at which robots wait for elevators."""

from datetime import timedelta

import pytest

from lustra.protocol.bus import Flag
from lustra.robot.schedules import schedule
from tests.robot.conftest import Local, hall
from tests.robot.test_schedules import MONDAY, at, newest, night, robot
from tests.robot.test_tasks import furnished, task

__all__ = ["robot"]
LIFT = {"name": "Floors", "floors": [{"map_name": "hall", "task_list": ["A"]}], "start_time": "22-30", "days": [1]}


async def test_a_renamed_task_is_renamed_in_its_schedules(local: Local):
    await night(local)
    await local.good("elevator_timetask_add", LIFT)
    await local.good("task_rename", {"name": "A", "new_name": "Aisle"})
    assert (await local.good("timetask_info", {"name": "Night"}))["task_list"] == ["Aisle", "B"]
    assert (await local.good("elevator_timetask_list"))["timetask_info"][0]["floors"][0]["task_list"] == ["Aisle"]
    assert (await local("task_del", {"name": "Aisle"}))["reason"] == "task_in_plan"


@pytest.mark.spec(
    "call.relay.task.elevator_timetask_list",
    "call.relay.task.elevator_timetask_add",
    "call.relay.task.elevator_timetask_modofied",
    "call.relay.task.elevator_timetask_rename",
    "call.relay.task.elevator_timetask_delete",
    "ent.elevator_timetask",
)
async def test_an_elevator_schedule_from_creation_to_deletion(local: Local):
    await furnished(local)
    for changed, reason in (
        ({"name": ""}, "schedule_name_required"),
        ({"days": []}, "schedule_days_required"),
        ({"start_time": ""}, "schedule_start_required"),
        ({"floors": []}, "schedule_floor_required"),
        ({"floors": [{"map_name": "hall", "task_list": []}]}, "schedule_task_required"),
        ({"floors": [{"map_name": "hall", "task_list": ["A", "A"]}]}, "schedule_task_twice"),
        ({"floors": [{"map_name": "", "task_list": ["A"]}]}, "task_map_required"),
        ({"floors": [{"map_name": "attic", "task_list": ["A"]}]}, "map_unknown"),
    ):
        assert (await local("elevator_timetask_add", LIFT | changed))["reason"] == reason
    await local.good("elevator_timetask_add", LIFT | {"elevator_id": "7"})
    assert (await local("elevator_timetask_add", LIFT))["reason"] == "schedule_same_name"
    assert (await local.good("elevator_timetask_modofied", LIFT | {"enable": 0, "revision": 1}))["revision"] == 2
    assert (await local("elevator_timetask_modofied", LIFT | {"revision": 1}))["reason"] == "revision_conflict"
    await local.good("elevator_timetask_rename", {"name": "Floors", "new_name": "Tower"})
    (row,) = (await local.good("elevator_timetask_list"))["timetask_info"]
    assert (row["name"], row["enable"], row["next"]) == ("Tower", 0, 0)
    assert (await local.good("timetask_list"))["timetask_info"] == []
    await local.good("elevator_timetask_delete", {"name": "Tower"})
    assert (await local("elevator_timetask_delete", {"name": "Tower"}))["reason"] == "schedule_unknown"


async def test_an_elevator_schedule_without_a_reachable_elevator_is_missed(local: Local):
    await furnished(local)
    robot = local.robot
    robot.save_map(hall(name="upper"))
    await local.good("task_add", task("C", map_name="upper"))
    await local.good("elevator_timetask_add", LIFT)
    upper = [{"map_name": "upper", "task_list": ["C"]}]
    await local.good("elevator_timetask_add", LIFT | {"name": "Tower", "floors": upper, "start_time": "22-15"})
    robot.machine.battery = 95.0
    await schedule.step(robot, at(MONDAY))
    for minutes in (16, 26):
        await schedule.step(robot, at(MONDAY + timedelta(minutes=minutes)))
    assert (newest(robot).schedule, newest(robot).state, newest(robot).reason) == ("Tower", "missed", "lift_missing")
    await schedule.step(robot, at(MONDAY + timedelta(minutes=31)))
    assert (newest(robot).schedule, newest(robot).state) == ("Floors", "running")


@pytest.mark.spec("call.relay.task.elevator_point_list")
async def test_elevator_points_are_the_maps_points_of_that_kind(local: Local):
    floor = local.robot.find_map("hall")
    local.robot.save_map(floor.changed(flags=[*floor.flags, Flag(name="Lift 1", type="elevator", x=1.0, y=2.0)]))
    rows = (await local.good("elevator_point_list", {"map_name": "hall"}))["list"]
    assert rows == [{"name": "Lift 1", "x": 1.0, "y": 2.0, "yaw": 0.0}]
    assert (await local("elevator_point_list", {"map_name": "attic"}))["reason"] == "map_unknown"
