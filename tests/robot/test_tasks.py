"""Tasks beyond their start and end: names, pictures, edge mode, hand-drawn paths, and groups that run unit by unit."""

import base64
from typing import Any

import msgspec
import pytest

from lustra.protocol.refusals import RelayCode
from lustra.robot.clock import now_ms
from lustra.robot.robot import Robot
from lustra.robot.schedules import schedule
from tests.robot.conftest import AREA, TASK, Local, drive, hall, open_robot, png
from tests.robot.test_api import events

SMALL = [[-0.5, -0.5], [0.6, -0.5], [0.6, 0.6], [-0.5, 0.6]]
LINE = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.5]]


def task(name: str, **changed: Any) -> dict[str, Any]:
    return TASK | {"name": name, "areas": [{"points": SMALL}]} | changed


async def work(robot: Robot, until: Any, most_s: float = 7200, step: float = 0.5) -> None:
    """Lets time pass, with what the robot does on its own."""
    passed = 0.0
    while not until():
        assert passed < most_s, "it never comes"
        robot.step(step)
        await schedule.step(robot, now_ms())
        passed += step


def reports(robot: Robot) -> list[str]:
    return [message.id for message in robot.outbox.unconfirmed() if message.kind == "report"]


@pytest.mark.spec("call.relay.task.task_rename", "call.relay.task.taskinfo_query", "rule.task.name")
async def test_a_renamed_task_keeps_what_it_is_and_is_known_by_its_new_name_alone(local: Local):
    await local.good("task_add", TASK)
    await local.good("task_add", task("Other"))
    before = len(events(local.robot, "task"))
    assert (await local("task_rename", {"name": "Hall", "new_name": "Other"}))["reason"] == "task_same_name"
    assert (await local("task_rename", {"name": "Hall", "new_name": " "}))["reason"] == "task_name_required"
    assert (await local.good("task_rename", {"name": "Hall", "new_name": "Lobby"}))["revision"] == 2
    assert [row["name"] for row in (await local.good("task_list"))["task_list"]] == ["Lobby", "Other"]
    assert (await local("taskinfo_query", {"name": "Hall"}))["reason"] == "task_unknown"
    row = await local.good("taskinfo_query", {"name": "Lobby", "map_name": "hall"})
    assert (row["areas"][0]["points"], row["revision"]) == (AREA, 2)
    removed, new = events(local.robot, "task")[before:]
    assert b'"name":"hall/Hall"' in removed
    assert b'"deleted":true' in removed
    assert b'"name":"hall/Lobby"' in new
    await local.good("task_start", {"name": "Lobby"})
    assert (await local("task_rename", {"name": "Lobby", "new_name": "Foyer"}))["reason"] == "task_running"
    assert set(open_robot(local.robot.store.folder).store.tasks) == {("hall", "Lobby"), ("hall", "Other")}


@pytest.mark.spec("call.relay.task.task_all_map", "call.relay.task.all_tasksingle_list")
async def test_list_all_tasks_by_their_map(local: Local):
    local.robot.save_map(hall(name="cellar"))
    await local.good("task_add", TASK)
    await local.good("task_add", task("Floor", map_name="cellar"))
    tasks_by_map = {row["map_name"]: row["task_list"] for row in (await local.good("task_all_map"))["list"]}
    assert {name: [t["name"] for t in tasks] for name, tasks in tasks_by_map.items()} == {
        "hall": ["Hall"],
        "cellar": ["Floor"],
    }
    assert len((await local.good("all_tasksingle_list"))["list"]) == 2
    assert [t["name"] for t in (await local.good("task_list", {"map_name": "cellar"}))["task_list"]] == ["Floor"]


@pytest.mark.spec("call.relay.task.cleantask_origin")
async def test_the_origin_of_a_task_is_how_it_was_first_made(local: Local):
    await local.good("task_add", TASK | {"speed": "low"})
    await local.good("task_add", TASK | {"speed": "high", "revision": 1})
    await local.good("task_rename", {"name": "Hall", "new_name": "Lobby"})
    again = open_robot(local.robot.store.folder).store.tasks["hall", "Lobby"]
    answer = (await local.good("cleantask_origin", {"name": "Lobby"}))["data"]
    assert again.origin == answer
    assert (answer["name"], answer["speed"]) == ("Hall", "low")


@pytest.mark.spec("call.relay.task.task_names_png_upload")
async def test_a_tasks_picture_is_a_png_and_goes_with_the_task(local: Local):
    await local.good("task_add", TASK)
    picture = base64.b64encode(png(8, 6)).decode()
    for bad in (
        "",
        "no base64",
        base64.b64encode(b"GIF89a").decode(),
        base64.b64encode(png(8, 6)[:30]).decode(),
        base64.b64encode(png(3000, 6)).decode(),
    ):
        answer = await local("task_names_png_upload", {"name": "Hall", "png": bad})
        assert (answer["code"], answer["reason"]) == (RelayCode.BAD_INPUT, "task_picture_broken")
    await local.good("task_names_png_upload", {"name": "Hall", "map_name": "hall", "png": picture})
    assert (await local.good("taskinfo_query", {"name": "Hall"}))["png"] == picture
    await local.good("task_add", TASK | {"speed": "high", "revision": 2})
    assert (await local.good("taskinfo_query", {"name": "Hall"}))["png"] == picture
    await local.good("task_del", {"name": "Hall"})
    assert not list((local.robot.store.folder / "pictures").iterdir())


@pytest.mark.spec("ent.task", "call.relay.task.task_add")
async def test_an_edge_task_cleans_the_strip_along_the_walls(local: Local):
    whole = [[-0.9, -0.9], [6.9, -0.9], [6.9, 4.9], [-0.9, 4.9]]
    payload = {"area": whole, "start": [1, 1], "speed": "high"}
    edge = await local.good("clean_area_pre", payload | {"task_mode": "edge"})
    bow = await local.good("clean_area_pre", payload)
    assert edge["reachable"] < bow["reachable"] / 2
    assert edge["speed"] == 0.8
    await local.good("task_add", TASK | {"areas": [{"points": whole}], "start": [1, 1], "task_mode": "edge"})
    await local.good("task_start", {"name": "Hall"})
    drive(local.robot, lambda: not local.robot.machine.run)
    assert local.robot.last
    assert local.robot.last.end == "finished"
    assert local.robot.last.coverage >= 0.95
    inner = {"areas": [{"points": [[4, 1], [5, 1], [5, 2], [4, 2]]}], "start": [4.5, 1.5], "task_mode": "edge"}
    assert (await local("task_add", task("Middle") | inner))["reason"] == "path_not_solved"  # no wall there


@pytest.mark.spec("ent.task")
async def test_a_faster_speed_never_takes_longer(local: Local):
    payload = {"area": AREA, "start": [0, 0]}
    low, middle, high = [
        (await local.good("clean_area_pre", payload | {"speed": s}))["seconds"] for s in ("low", "middle", "high")
    ]
    assert low >= middle >= high
    assert (await local("clean_area_pre", payload | {"speed": "warp"}))["code"] == RelayCode.BAD_INPUT


@pytest.mark.spec("call.relay.task.clean_area_pre")
@pytest.mark.parametrize(
    "how",
    [
        {},
        {"speed": "low"},
        {"speed": "high", "route": "spiral"},
        {"clean_mode": "carpet"},
        {"clean_mode": "quiet"},
        {"task_mode": "edge"},
    ],
    ids=str,
)
async def test_take_the_time_and_supplies_of_the_preview_within_5_percent(local: Local, how: dict[str, str]):
    robot, whole = local.robot, [[-0.9, -0.9], [6.9, -0.9], [6.9, 4.9], [-0.9, 4.9]]
    answer = await local.good("clean_area_pre", how | {"area": whole, "start": [1, 1]})
    await local.good("task_add", TASK | how | {"areas": [{"points": whole}], "start": [1, 1]})
    await local.good("task_start", {"name": "Hall"})
    drive(robot, lambda: robot.machine.cleaning, step=0.1)
    battery, liquid = robot.machine.battery, robot.machine.liquid
    seconds = drive(robot, lambda: not robot.machine.run, step=0.1)
    assert seconds == pytest.approx(answer["seconds"], rel=0.05)
    assert battery - robot.machine.battery == pytest.approx(answer["battery"], rel=0.05)
    assert liquid - robot.machine.liquid == pytest.approx(answer["liquid"], rel=0.05)


PATH = {"name": "Round", "map_name": "hall", "path": LINE}


@pytest.mark.spec(
    "call.relay.task.hppath_save",
    "call.relay.task.hppath_delete",
    "call.relay.task.dir_path_list",
    "rule.task.draw_first",
)
async def test_a_hand_drawn_path_is_stored_and_driven_as_a_task(local: Local):
    assert (await local("task_add", {"name": "Walk", "map_name": "hall", "path": "Round"}))["reason"] == "path_unknown"
    assert (await local.good("hppath_save", PATH))["length"] == pytest.approx(4.5, abs=0.1)
    assert (await local.good("dir_path_list"))["list"] == ["Round"]
    await local.good("task_add", {"name": "Walk", "map_name": "hall", "path": "Round"})
    answer = await local.good("clean_area_pre", {"path": "Round"})
    assert answer["path"][0] == [0.0, 0.0]
    await local.good("task_start", {"name": "Walk"})
    assert (await local("hppath_save", PATH | {"revision": 1}))["reason"] == "task_running"
    drive(local.robot, lambda: not local.robot.machine.run)
    assert local.robot.last
    assert (local.robot.last.end, local.robot.last.coverage) == ("finished", 1.0)
    assert local.robot.last.cleaned == pytest.approx(4.5 * 0.58 + 0.26, abs=0.3)
    assert (await local("hppath_delete", {"name": "Round"}))["reason"] == "path_in_use"
    await local.good("hppath_save", PATH | {"path": LINE[:2], "revision": 1})
    assert (await local.good("taskinfo_query", {"name": "Walk"}))["revision"] == 2  # it drives another way now
    await local.good("task_del", {"name": "Walk"})
    assert open_robot(local.robot.store.folder).plans.paths["Round"].revision == 2
    await local.good("hppath_delete", {"name": "Round", "map_name": "hall"})
    assert (await local("hppath_delete", {"name": "Round"}))["reason"] == "path_unknown"


BAD_PATHS = {
    "no name": ({"name": ""}, "path_name_required"),
    "a point": ({"path": [[0, 0]]}, "path_points_required"),
    "one place twice": ({"path": [[0, 0], [0, 0]]}, "path_points_required"),
    "beyond the edge": ({"path": [[0, 0], [90, 0]]}, "map.beyond_edge"),
    "into a wall": ({"path": [[0, 0], [2.8, 1.8]]}, "path_blocked"),
    "same name": ({}, "path_same_name"),
}


@pytest.mark.parametrize("case", BAD_PATHS)
async def test_a_path_that_cannot_be_driven_is_refused_and_not_kept(local: Local, case: str):
    changed, reason = BAD_PATHS[case]
    if case == "same name":
        await local.good("hppath_save", PATH)
    assert (await local("hppath_save", PATH | changed))["reason"] == reason
    assert (await local.good("dir_path_list"))["list"] == (["Round"] if case == "same name" else [])


GROUP = {"name": "Night", "tasks": ["A", {"name": "Second", "map_name": "hall", "task": "B"}]}


async def furnished(local: Local) -> None:
    await local.good("task_add", task("A"))
    await local.good("task_add", task("B"))


@pytest.mark.spec(
    "call.relay.task.taskgroup_add",
    "call.relay.task.taskgroup_list",
    "call.relay.task.taskgroup_del",
    "call.relay.task.taskgroup_rename",
    "call.relay.task.taskgroup_set_top",
    "ent.task_group",
    "ent.task_unit",
    "rule.task_unit.name",
    "rule.names.other",
)
async def test_a_group_from_creation_to_deletion(local: Local):
    await furnished(local)
    assert (await local("taskgroup_add", GROUP | {"name": ""}))["reason"] == "group_name_required"
    assert (await local("taskgroup_add", GROUP | {"tasks": []}))["reason"] == "group_unit_required"
    assert (await local("taskgroup_add", GROUP | {"tasks": [""]}))["reason"] == "unit_name_required"
    assert (await local("taskgroup_add", GROUP | {"tasks": [{"name": "", "task": "A"}]}))[
        "reason"
    ] == "unit_name_required"
    assert (await local("taskgroup_add", GROUP | {"tasks": ["Z"]}))["reason"] == "task_unknown"
    assert (await local("taskgroup_add", GROUP | {"type": 4}))["code"] == RelayCode.BAD_INPUT
    assert (await local.good("taskgroup_list"))["list"] == []
    added = await local.good("taskgroup_add", GROUP)
    assert (await local("taskgroup_add", GROUP))["reason"] == "group_same_name"
    await local.good("taskgroup_add", GROUP | {"name": "Day", "count": 2})
    assert (await local.good("taskgroup_add", GROUP | {"count": 3, "revision": 1}))["revision"] == 2
    assert (await local("taskgroup_add", GROUP | {"count": 1, "revision": 1}))["reason"] == "revision_conflict"
    await local.good("taskgroup_set_top", {"name": "Day"})
    rows = (await local.good("taskgroup_list"))["list"]
    assert [row["name"] for row in rows] == ["Day", "Night"]
    assert rows[1]["tasks"] == [
        {"name": "A", "map_name": "hall", "task": "A"},
        {"name": "Second", "map_name": "hall", "task": "B"},
    ]
    assert (await local("taskgroup_rename", {"name": "Night", "new_name": "Day"}))["reason"] == "group_same_name"
    renamed = await local.good("taskgroup_rename", {"name": "Night", "new_name": "Evening"})
    assert renamed["gid"] == added["gid"]
    assert (await local("task_del", {"name": "A"}))["reason"] == "task_in_plan"
    await local.good("task_rename", {"name": "A", "new_name": "Aisle"})
    again = open_robot(local.robot.store.folder).plans.groups["Evening"].item
    assert [(unit.name, unit.task) for unit in again.tasks] == [("Aisle", "Aisle"), ("Second", "B")]
    for name in ("Evening", "Day"):
        await local.good("taskgroup_del", {"name": name})
    assert (await local("taskgroup_del", {"name": "Day"}))["reason"] == "group_unknown"
    assert b'"deleted":true' in events(local.robot, "group")[-1]
    await local.good("task_del", {"name": "Aisle"})


@pytest.mark.spec("q.task_group_types")
async def test_a_groups_type_says_what_its_tasks_have_in_common(local: Local):
    await furnished(local)
    cellar = hall(name="cellar")
    cellar.building = "Barn"
    local.robot.save_map(cellar)
    await local.good("task_add", task("C", map_name="cellar"))
    mixed = {"tasks": [{"map_name": "hall", "task": "A"}, {"map_name": "cellar", "task": "C"}]}
    for number, reason in ((2, "group_one_map"), (3, "group_one_building")):
        assert (await local("taskgroup_add", GROUP | mixed | {"type": number}))["reason"] == reason
        await local.good("taskgroup_add", GROUP | {"name": f"Alike {number}", "type": number})
    for number in (0, 1):
        await local.good("taskgroup_add", GROUP | mixed | {"name": f"Mixed {number}", "type": number})
    nowhere = hall(name="shed")
    nowhere.building = ""
    local.robot.save_map(nowhere)
    await local.good("task_add", task("S", map_name="shed"))
    alone = GROUP | {"name": "Shed", "tasks": [{"map_name": "shed", "task": "S"}]}
    assert (await local("taskgroup_add", alone | {"type": 3}))["reason"] == "group_one_building"
    await local.good("taskgroup_add", alone | {"type": 2})


async def test_a_group_runs_its_units_one_after_another_as_often_as_it_says(local: Local):
    robot = local.robot
    await furnished(local)
    await local.good("taskgroup_add", GROUP | {"count": 2})
    await local.good("task_start", {"group": "Night"})
    assert (await local.good("task_state"))["group"] == "Night"
    assert [row["name"] for row in (await local.good("task_state"))["follows"]] == ["B", "A", "B"]
    assert (await local("task_start", {"name": "A"}))["reason"] == "task_running"
    assert (await local("taskgroup_del", {"name": "Night"}))["reason"] == "task_running"
    await work(robot, lambda: not robot.sequence)
    runs = [msgspec.json.decode(entry.data) for entry in robot.outbox.unconfirmed() if entry.kind == "report"]
    assert [run["task"] for run in runs] == ["A", "B", "A", "B"]
    assert len({run["gid"] for run in runs}) == 1
    assert len(runs[0]["gid"]) == 16
    assert (await local.good("task_state"))["group"] == ""


@pytest.mark.spec("state.robot_run.stopped")
async def test_a_task_that_is_stopped_ends_where_it_is_and_its_report_says_so(local: Local):
    robot = local.robot
    await local.good("task_add", TASK)
    await local.good("task_start", {"name": "Hall"})
    drive(robot, lambda: robot.machine.cleaning)
    await local.good("task_cancel_one", {"name": "Hall"})
    robot.step(2)
    state = robot.machine.state(1)
    assert (state.mode, state.run, state.speed) == ("idle", "", 0)
    [report] = [message.data for message in robot.outbox.unconfirmed() if message.kind == "report"]
    assert b'"end":"cancelled"' in report


@pytest.mark.spec("q.stop_vs_cancel", "state.robot_run.t05", "state.robot_run.t06")
async def test_stopping_one_goes_on_with_the_next_and_cancelling_ends_all(local: Local):
    robot = local.robot
    await furnished(local)
    await local.good("taskgroup_add", GROUP | {"count": 2})
    await local.good("task_start", {"group": "Night"})
    await local.good("task_cancel_one", {"name": "A"})
    await work(robot, lambda: robot.machine.run and robot.machine.run.task.name == "B")
    await local.good("task_cancel_one", {"name": "A"})  # the second A has not begun
    assert [unit.task for unit in robot.sequence.remaining] == ["B"]
    await local.good("task_cancel")
    assert robot.sequence is None
    assert robot.machine.run is None
    assert (await local("task_cancel"))["reason"] == "task_none_running"
    assert len(reports(robot)) == 2


async def test_begin_no_task_of_a_group_while_the_robot_is_stopped(local: Local):
    robot = local.robot
    await furnished(local)
    await local.good("taskgroup_add", GROUP)
    robot.machine.stop(pressed=True)
    assert (await local("task_start", {"group": "Night"}))["code"] == 0x0535
    assert robot.sequence is None
    robot.machine.stop(pressed=False)
    await local.good("task_start", {"group": "Night"})
    drive(robot, lambda: robot.last)
    robot.machine.stop(pressed=True)
    for _ in range(20):
        robot.step(0.5)
        await schedule.step(robot, now_ms())
    assert robot.machine.run is None
    robot.machine.stop(pressed=False)
    await work(robot, lambda: not robot.sequence)
    assert len(reports(robot)) == 2


async def test_a_unit_that_cannot_begin_is_passed_over(local: Local):
    robot = local.robot
    await furnished(local)
    await local.good("taskgroup_add", GROUP)
    await local.good("task_start", {"group": "Night"})
    del robot.store.tasks["hall", "B"]
    await work(robot, lambda: not robot.sequence)
    assert len(reports(robot)) == 1
    assert (await local("task_start", {"group": "Night"}))["code"] == 0
    assert (await local("task_start", {}))["reason"] == "task_name_required"


async def test_another_map_ends_the_group_too(local: Local):
    await furnished(local)
    await local.good("taskgroup_add", GROUP)
    await local.good("task_start", {"group": "Night"})
    await local.good("map_load", {"name": "hall"})
    assert local.robot.sequence is None
    assert local.robot.machine.run is None


@pytest.mark.spec("call.relay.task.task_pause", "call.relay.task.task_resume")
async def test_an_interrupted_run_cleans_the_same_cells_within_1_percent(local: Local):
    """Paused, sent to its charger, stopped for an emergency and low on battery: each time it goes on with the rest."""
    robot = local.robot
    whole = [[-0.9, -0.9], [6.9, -0.9], [6.9, 4.9], [-0.9, 4.9]]
    await local.good("task_add", TASK | {"areas": [{"points": whole}]})
    cleaned: list[float] = []
    for broken in (False, True):
        robot.machine.battery = robot.machine.liquid = 100.0
        await local.good("task_start", {"name": "Hall"})
        for share in (0.2, 0.4, 0.6, 0.8) if broken else ():
            drive(robot, lambda share=share: robot.machine.run.t > share * robot.machine.run.drive.seconds)
            if share == 0.2:
                await local.good("task_pause")
                drive(robot, lambda: robot.machine.rate == 0)
                await local.good("task_resume")
            elif share == 0.4:
                await local.good("go_home")
                drive(robot, lambda: robot.machine.charging)
                await local.good("task_resume")
            elif share == 0.6:
                await local.good("robot_safe", {"robot_safe": 1})
                drive(robot, lambda: robot.machine.rate == 0)
                await local.good("robot_safe", {"robot_safe": 0})
                await local.good("task_resume")
            else:
                robot.machine.battery = 14.0
                drive(robot, lambda: robot.machine.charging)
        drive(robot, lambda: not robot.machine.run, most_s=20_000)
        cleaned.append(robot.last.cleaned)
    assert cleaned[1] == pytest.approx(cleaned[0], rel=0.01)
