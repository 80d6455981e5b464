"""Which input of a command is refused, by which reason: console, relay and robot all go by these models."""

from typing import Any

import pytest
from pydantic import ValidationError

from lustra.protocol.commands import COMMANDS
from lustra.protocol.payloads import base, groups, maps, motion, parts, schedules, sync, tasks

SQUARE = [(0, 0), (2, 0), (2, 2), (0, 2)]
TASK: dict[str, Any] = {"name": "Lobby", "map_name": "Ground", "areas": [{"points": SQUARE}], "start": (1, 1)}
WEEKLY: dict[str, Any] = {"name": "Daily", "start_time": "08-30", "days": [5, 1, 1]}
TIMED = WEEKLY | {"map_name": "Ground", "task_list": ["Lobby"]}
FLOOR: dict[str, Any] = {"map_name": "Ground", "task_list": ["Lobby"]}
RIDDEN = WEEKLY | {"floors": [FLOOR]}
SENT: dict[str, Any] = {"map_name": "Ground", "source": "SC0001", "targets": ["SC0002"]}
GROUP: dict[str, Any] = {"name": "Round", "tasks": ["Lobby", {"task": "Ward", "map_name": "Ground"}]}
ZONE: dict[str, Any] = {"points": SQUARE, "hours": {"start": "08:00", "end": "09:00"}}


def without(payload: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in payload.items() if name not in names}


REFUSED: list[tuple[type[base.Payload], dict[str, Any], str]] = [
    (groups.GroupName, {}, "group_name_required"),
    (groups.GroupRename, {"name": "Round", "new_name": " "}, "group_name_required"),
    (groups.TaskGroup, without(GROUP, "name"), "group_name_required"),
    (groups.TaskGroup, without(GROUP, "tasks"), "group_unit_required"),
    (groups.TaskGroup, GROUP | {"tasks": [{"name": "Step"}]}, "task_name_required"),
    (groups.TaskGroup, GROUP | {"tasks": [{"name": "", "task": "Lobby"}]}, "unit_name_required"),
    (groups.TaskGroup, GROUP | {"tasks": [7]}, "model_type"),
    (groups.TaskGroup, GROUP | {"tasks": ["Lobby"] * 51}, "too_long"),
    (groups.TaskGroup, GROUP | {"count": 21}, "less_than_equal"),
    (maps.MapName, {"name": " "}, "map_name_required"),
    (maps.MapFlag, {"x": 1, "y": 1}, "flag_name_required"),
    (maps.MapFlag, {"name": "Dock", "x": float("inf"), "y": 1}, "finite_number"),
    (maps.MapUpload, {}, "map_name_required"),
    (maps.MapUpload, {"map_name": "Ground", "virlines_wall": '[{"points": [[0, 0]]}]'}, "too_short"),
    (maps.Zone, ZONE | {"hours": {"start": "8", "end": "09:00"}}, "hours_time"),
    (maps.Zone, ZONE | {"hours": {"start": "09:00", "end": "09:00"}}, "hours_empty"),
    (maps.Zone, {"points": SQUARE[:2]}, "too_short"),
    (motion.PointName, {}, "flag_name_required"),
    (motion.Velocity, {"linear": 0.61, "angular": 0}, "less_than_equal"),
    (motion.Velocity, {"linear": 0, "angular": -1.21}, "greater_than_equal"),
    (motion.Window, {"x": 0, "y": 0, "w": 0, "h": 1}, "greater_than"),
    (parts.Params, {"params": {"speed": True}}, "param_no_number"),
    (parts.Params, {"params": [1]}, "dict_type"),
    (parts.Dose, {"speed_Value": 21}, "less_than_equal"),
    (parts.Utility, {"id": "brush"}, "missing"),
    (parts.Record, {"seconds": 301}, "less_than_equal"),
    (schedules.TimeTask, without(TIMED, "name"), "schedule_name_required"),
    (schedules.TimeTask, without(TIMED, "start_time"), "schedule_start_required"),
    (schedules.TimeTask, TIMED | {"start_time": "24-00"}, "schedule_time_unknown"),
    (schedules.TimeTask, without(TIMED, "days"), "schedule_days_required"),
    (schedules.TimeTask, TIMED | {"days": [0]}, "schedule_day_unknown"),
    (schedules.TimeTask, TIMED | {"days": [8]}, "schedule_day_unknown"),
    (schedules.TimeTask, TIMED | {"forced_end": 1}, "schedule_end_required"),
    (schedules.TimeTask, without(TIMED, "task_list"), "schedule_task_required"),
    (schedules.TimeTask, TIMED | {"task_list": ["Lobby", "Lobby"]}, "schedule_task_twice"),
    (schedules.TimeTask, TIMED | {"task_list": ["Lobby", " "]}, "task_name_required"),
    (schedules.ElevatorTimeTask, WEEKLY, "schedule_floor_required"),
    (schedules.ElevatorTimeTask, RIDDEN | {"floors": [without(FLOOR, "map_name")]}, "task_map_required"),
    (schedules.ElevatorTimeTask, RIDDEN | {"floors": [without(FLOOR, "task_list")]}, "schedule_task_required"),
    (schedules.ScheduleName, {}, "schedule_name_required"),
    (schedules.ScheduleRename, {"name": "Daily"}, "schedule_name_required"),
    (sync.CloudInfo, {"data": {"name": " "}}, "map_name_required"),
    (sync.CloudInfo, {"data": {"name": "x" * 65}}, "map_name_long"),
    (sync.MapSync, without(SENT, "map_name"), "map_name_required"),
    (sync.MapSync, without(SENT, "source"), "sync_source_required"),
    (sync.MapSync, without(SENT, "targets"), "sync_targets_required"),
    (sync.MapSync, SENT | {"targets": ["SC0002", "SC0001"]}, "sync_to_itself"),
    (tasks.Task, without(TASK, "name"), "task_name_required"),
    (tasks.Task, without(TASK, "map_name"), "task_map_required"),
    (tasks.Task, TASK | {"path": "Line"}, "task_area_or_path"),
    (tasks.Task, without(TASK, "areas"), "task_area_required"),
    (tasks.Task, TASK | {"areas": TASK["areas"] * 2}, "task_one_area"),
    (tasks.Task, without(TASK, "start"), "task_start_required"),
    (tasks.Task, TASK | {"areas": [{"points": SQUARE[:2]}]}, "task_area_required"),
    (tasks.Task, TASK | {"areas": [{"points": [(0, 0), (0.49, 0), (0.49, 0.5), (0, 0.5)]}]}, "task_area_required"),
    (tasks.Task, TASK | {"route": "zigzag"}, "literal_error"),
    (tasks.Task, TASK | {"route": 1}, "literal_error"),
    (tasks.TaskName, {}, "task_name_required"),
    (tasks.TaskRename, {"name": "Lobby"}, "task_name_required"),
    (tasks.TaskStart, {}, "task_name_required"),
    (tasks.HpPath, {"path": [(0, 0), (1, 1)]}, "path_name_required"),
    (tasks.HpPath, {"name": "Line", "path": [(1, 1), (1, 1)]}, "path_points_required"),
    (tasks.HpPathName, {"name": " "}, "path_name_required"),
]


@pytest.mark.parametrize(("model", "payload", "reason"), REFUSED, ids=lambda value: getattr(value, "__name__", None))
def test_input_that_breaks_a_rule_is_refused_by_its_reason(
    model: type[base.Payload], payload: dict[str, Any], reason: str
):
    with pytest.raises(ValidationError) as refused:
        model.model_validate(payload)
    assert refused.value.errors()[0]["type"] == reason


def test_times_come_in_both_spellings_and_days_once_in_their_order():
    schedule = schedules.TimeTask.model_validate(
        TIMED | {"start_time": "08:30", "forced_end": 1, "end_time": "09-00", "skips": ["2026-03-01"]}
    )
    assert (schedule.start_time, schedule.days) == ("08-30", [1, 5])
    weekly = schedule.weekly("Europe/London")
    assert (weekly.start.isoformat(), weekly.end.isoformat() if weekly.end else "") == ("08:30:00", "09:00:00")
    assert [day.isoformat() for day in weekly.skips] == ["2026-03-01"]
    assert schedules.TimeTask.model_validate(TIMED | {"end_time": "09-00"}).weekly("UTC").end is None
    assert schedules.TimeTask.model_validate(TIMED | {"end_time": None}).end_time == ""
    assert schedules.ElevatorTimeTask.model_validate(RIDDEN).floors[0].task_list == ["Lobby"]
    assert schedules.ScheduleRename.model_validate({"name": "Daily", "new_name": "Nightly"}).new_name == "Nightly"


def test_drive_by_lanes_rings_or_along_walls_whatever_clients_call_it():
    ways = [
        tasks.Task.model_validate(TASK | fields).way
        for fields in ({}, {"route": "u"}, {"route": "arc"}, {"route": "arc", "task_mode": "edge"})
    ]
    assert ways == ["bow", "bow", "spiral", "edge"]
    path = tasks.Task.model_validate(without(TASK, "areas", "start") | {"path": "Line"})
    assert (path.path, path.areas) == ("Line", [])
    square = [(0, 0), (0.5, 0), (0.5, 0.5), (0, 0.5)]  # as small as an area may be
    assert tasks.Task.model_validate(TASK | {"areas": [{"points": square}]}).areas
    assert tasks.TaskStart.model_validate({"group": "Round"}).group == "Round"
    assert tasks.TaskRename.model_validate({"name": "Lobby", "new_name": "Hall"}).new_name == "Hall"
    assert tasks.HpPath.model_validate({"name": "Line", "path": [(0, 0), (1, 1)]}).path
    assert tasks.HpPathName.model_validate({"name": "Line"}).name == "Line"


def test_a_step_without_a_name_is_called_as_its_task():
    group = groups.TaskGroup.model_validate(GROUP)
    assert [(unit.name, unit.task, unit.map_name) for unit in group.tasks] == [
        ("Lobby", "Lobby", ""),
        ("Ward", "Ward", "Ground"),
    ]
    assert groups.GroupRename.model_validate({"name": "Round", "new_name": "Tour"}).new_name == "Tour"


def test_marks_of_an_upload_come_as_json_text_or_as_they_are():
    walls = [{"points": [[0, 0], [1, 1]]}]
    for given in (walls, '[{"points": [[0, 0], [1, 1]]}]'):
        upload = maps.MapUpload.model_validate({"map_name": " Ground ", "virlines_wall": given, "free_area": [ZONE]})
        assert (upload.map_name, upload.virlines_wall[0].points) == ("Ground", [(0, 0), (1, 1)])
    assert maps.MapName.model_validate({"name": " Ground "}).name == "Ground"
    assert maps.MapFlag.model_validate({"name": "Dock", "x": 1, "y": 2}).type == "other"
    assert motion.PointName.model_validate({"point": "Dock"}).point == "Dock"


def test_change_a_maps_name_only_when_a_message_has_a_name():
    names = [sync.CloudInfo.model_validate({"data": data}).name for data in ({"name": " Hall "}, {}, {"name": 7})]
    assert names == ["Hall", None, None]
    assert sync.MapSync.model_validate(SENT).targets == ["SC0002"]


def test_a_utilitys_level_is_understood_in_both_spellings():
    levels = [parts.Utility.model_validate({"id": "brush", name: 2}).value for name in ("val", "value")]
    assert levels == [2, 2]
    assert parts.Params.model_validate({"params": {"speed": 0.4}}).params == {"speed": 0.4}
    schema = parts.Utility.model_json_schema()
    assert (schema["required"], schema["properties"]["val"]) == (["id"], schema["properties"]["value"])


@pytest.mark.parametrize(
    ("model", "name", "releasing"),
    [(motion.Switch, "robot_safe", 0), (motion.Lock, "lock", 0), (parts.Serial, "isStart", 1)],
)
def test_distinguish_commands_that_release_the_robot_from_those_that_hold(
    model: type[base.Payload], name: str, releasing: int
):
    released = [model.model_validate({name: value}).releases for value in (releasing, 1 - releasing)]
    assert released == [True, False]


def test_release_the_robot_by_no_other_command():
    releasing = {name for name, command in COMMANDS.items() if "releases" in vars(command.payload)}
    assert releasing == {"robot_safe", "robot_lock", "serial_control"}
    assert not base.Empty().releases


@pytest.mark.spec("rule.timetask.mapping")
def test_a_schedule_is_read_by_the_names_of_either_console():
    ours = TIMED | {"enable": 0}
    theirs = without(ours, "days", "enable") | {"repeat": [5, 1], "isActive": False, "start_time": "08:30"}
    schedule = schedules.TimeTask.model_validate(ours)
    assert schedules.TimeTask.model_validate(theirs) == schedules.TimeTask.model_validate(schedule) == schedule
    assert schedules.TimeTask.model_validate(ours | {"repeat": [7]}).days == [1, 5]  # its own name counts
    with pytest.raises(ValidationError):
        schedules.TimeTask.model_validate([1])
