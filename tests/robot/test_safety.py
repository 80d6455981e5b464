"""What keeps people and floors safe: obstacles, the newest control number, stops, and honest coverage."""

from datetime import timedelta
from pathlib import Path

import pytest

from lustra.protocol.bus import Zone
from lustra.protocol.payloads.tasks import Task
from lustra.protocol.refusals import RelayCode
from lustra.robot.clock import now_ms
from lustra.robot.demo.cleaning import BREATH_S, DemoCleaner
from lustra.robot.maps.floor import OCCUPIED
from lustra.robot.robot import Robot
from lustra.robot.schedules import closed_zones, schedule
from lustra.robot.store import StoredTask
from tests.robot.conftest import TASK, Local, drive, hall, open_robot
from tests.robot.test_hours import around
from tests.robot.test_schedules import MONDAY, TIMED, at
from tests.robot.test_tasks import furnished

WHOLE = [[-0.8, -0.8], [6.8, -0.8], [6.8, 4.8], [-0.8, 4.8]]


@pytest.fixture
def robot(tmp_path: Path) -> Robot:
    return open_robot(tmp_path / "SC0001", floor=hall(), zone="Europe/Berlin", battery=95.0)


def test_the_cells_of_a_forbidden_zone_are_obstacles():
    floor = hall()
    floor.forbidden_zones = [Zone(points=[(3.0, 0.0), (5.0, 0.0), (5.0, 2.0), (3.0, 2.0)], name="rug")]
    assert floor.blocked[20:60, 80:120].all()  # the hall's corner is at (-1, -1), a cell is 5 cm wide
    assert not floor.blocked[24:56, 122:150].any()


def test_the_cells_of_a_virtual_wall_are_obstacles():
    floor = hall()
    floor.virtual_walls = [Zone(points=[(0.0, 3.0), (2.0, 3.0)])]
    assert floor.blocked[79:81, 20:60].any(axis=0).all()


async def test_a_robot_does_not_clean_across_a_virtual_wall(tmp_path: Path):
    floor = hall()
    floor.virtual_walls = [Zone(points=[(-1.0, 2.5), (7.0, 2.5)])]
    robot = open_robot(tmp_path / "SC0001", floor=floor)
    await robot.starts.begin(Task.model_validate({**TASK, "areas": [{"points": WHOLE}]}))
    assert robot.machine.run is not None
    assert robot.machine.run.plan.path[:, 1].max() < 2.5


async def test_coverage_is_the_share_of_what_the_robot_can_reach(tmp_path: Path):
    floor = hall()
    floor.grid[:, 100:104] = OCCUPIED  # nothing leads to the right half
    robot = open_robot(tmp_path / "SC0001", floor=floor)
    await robot.starts.begin(Task.model_validate({**TASK, "areas": [{"points": WHOLE}]}))
    drive(robot, lambda: robot.last is not None, step=1.0)
    report = robot.last
    assert report is not None
    assert report.planned > 1.4 * report.reachable
    assert report.coverage == pytest.approx(report.cleaned / report.reachable, abs=1e-3)
    assert 0.95 < report.coverage <= 1


async def test_progress_is_the_cleaned_share_of_the_reachable_area_as_in_reports(tmp_path: Path):
    floor = hall()
    floor.grid[:, 100:104] = OCCUPIED
    robot = open_robot(tmp_path / "SC0001", floor=floor)
    await robot.starts.begin(Task.model_validate({**TASK, "areas": [{"points": WHOLE}]}))
    run = robot.machine.run
    assert run is not None
    drive(robot, lambda: run.coverage > 0.3, step=1.0)
    state = robot.machine.state(0)
    assert state.planned == pytest.approx(run.reachable, abs=0.01)
    assert state.progress == pytest.approx(state.cleaned / state.planned, abs=1e-3)
    assert state.progress == pytest.approx(run.report(now_ms(), "cancelled", 80.0).coverage, abs=1e-3)


async def test_coverage_is_never_more_than_the_whole(robot: Robot):
    await robot.starts.begin(Task.model_validate(TASK))
    run = robot.machine.run
    assert run is not None
    run.plan.reachable[:] = False
    run.plan.reachable[40:44, 40:44] = True
    run.reachable = robot.machine.floor.square_metres(run.plan.reachable)  # the floor has been narrowed since
    drive(robot, lambda: run.cleaned > 2 * run.reachable, step=1.0)
    assert run.report(now_ms(), "finished", 80.0).coverage == 1


async def test_a_zone_is_open_again_when_its_hours_end(tmp_path: Path):
    floor = hall()
    ring = [(3.0, 0.0), (5.0, 0.0), (5.0, 2.0), (3.0, 2.0)]
    floor.forbidden_zones = [Zone(points=ring, name="rug", hours=around(-60, 60))]
    robot = open_robot(tmp_path / "SC0001", floor=floor)
    await closed_zones.step(robot, now_ms())
    assert robot.machine.floor is not None
    assert robot.machine.floor.blocked[20:60, 80:120].all()
    await closed_zones.step(robot, now_ms() + 62 * 60_000)
    assert not robot.machine.floor.blocked[20:60, 90:120].any()


async def test_the_newest_control_number_holds_after_a_power_cut(local: Local):
    await local.raw("api1/robot_pose", control=7, json={})
    again = open_robot(local.robot.store.folder)  # nothing else had made it save
    assert again.store.facts.number == 7


async def test_cancel_the_run_of_a_schedule_without_control(local: Local):
    await furnished(local)
    await local.good("timetask_save", TIMED)
    await schedule.step(local.robot, at(MONDAY))
    local.robot.machine.battery = 95.0
    await schedule.step(local.robot, at(MONDAY + timedelta(minutes=31)))
    await local.raw("api1/robot_pose", control=7, json={})
    answer = await local("timetask_cancel", {"name": TIMED["name"]}, control=3)
    assert answer["code"] == RelayCode.OK, answer
    assert local.robot.machine.run is None


async def test_a_clock_that_went_back_begins_nothing_until_it_is_there_again(local: Local):
    await furnished(local)
    await local.good("timetask_save", TIMED)
    robot = local.robot
    await schedule.step(robot, at(MONDAY))
    await schedule.step(robot, at(MONDAY - timedelta(days=7)))
    await schedule.step(robot, at(MONDAY - timedelta(days=7) + timedelta(minutes=31)))  # last week's 22:30
    assert robot.plans.occurrences == []
    await schedule.step(robot, at(MONDAY + timedelta(minutes=31)))
    assert [occurrence.day for occurrence in robot.plans.occurrences] == ["2036-11-24"]


async def test_begin_nothing_after_its_forced_end(local: Local):
    await furnished(local)
    await local.good("timetask_save", TIMED | {"forced_end": 1, "end_time": "22-35"})
    robot = local.robot
    await schedule.step(robot, at(MONDAY))
    robot.machine.battery = 95.0
    robot.machine.stop(pressed=True)
    await schedule.step(robot, at(MONDAY + timedelta(minutes=31)))
    robot.machine.stop(pressed=False)
    await schedule.step(robot, at(MONDAY + timedelta(minutes=36)))  # late, but not as late as would be missed
    assert [occurrence.state for occurrence in robot.plans.occurrences] == ["missed"]
    assert robot.machine.run is None


async def test_report_nothing_missed_more_than_thirty_days_ago(local: Local):
    await furnished(local)
    await local.good("timetask_save", TIMED)
    await schedule.step(local.robot, at(MONDAY))
    await schedule.step(local.robot, at(MONDAY + timedelta(days=60)))
    days = [occurrence.day for occurrence in local.robot.plans.occurrences]
    first = (MONDAY + timedelta(days=30)).date().isoformat()
    assert days
    assert min(days) >= first


async def test_the_demo_starts_nothing_while_somebody_has_control(robot: Robot):
    cleaner = DemoCleaner(robot, (0, 1), tasks=[TASK["name"]])
    robot.store.tasks[TASK["map_name"], TASK["name"]] = StoredTask(Task.model_validate(TASK), 1)
    robot.lock.follow(1, "user", now_ms() + 60_000)
    await cleaner.step(0.0)
    await cleaner.step(2 * BREATH_S)
    assert robot.machine.run is None
    robot.lock.follow(2, "", 0)
    await cleaner.step(4 * BREATH_S)
    assert robot.machine.run is not None
