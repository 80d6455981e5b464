"""Long planning: the robot answers at once, goes on speaking, driving and stopping, and says what came of it."""

import asyncio
import json
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from lustra.protocol.refusals import RelayCode
from lustra.robot import plan_cache, planner, task_plans
from lustra.robot.clock import now_ms
from lustra.robot.connection.link import Access, Native
from lustra.robot.connection.telemetry import TelemetryPublisher
from lustra.robot.maps.floor import FREE, OCCUPIED, Floor
from lustra.robot.navigation.planner import NoPath
from lustra.robot.schedules import schedule
from tests.robot.conftest import AREA, TASK, Local, drive, open_robot
from tests.robot.test_api import events

LEAST_STOPS = 5  # answered while a large hall is planned
PREVIEW = {"area": AREA, "start": [0.0, 0.0]}


class SlowPlanner:
    """Lets no plan be ready before `go`; then as it is, or refused."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.refusal: NoPath | None = None
        self.questions = 0
        self.plan = plan_cache.shared_plan

    def __call__(self, request: plan_cache.PlanRequest) -> Any:
        self.questions += 1
        assert self.go.wait(30)
        if self.refusal:
            raise self.refusal
        return self.plan(request)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowPlanner]:
    slow = SlowPlanner()
    monkeypatch.setattr(plan_cache, "shared_plan", slow)
    monkeypatch.setattr(planner, "ANSWER_S", 0.05)
    yield slow
    slow.go.set()


@pytest.fixture
async def busy(local: Local) -> Local:
    """With a task whose way is not known any more."""
    await local.good("task_add", TASK)
    plan_cache._plan.cache_clear()
    return local


async def planned(local: Local) -> None:
    while local.robot.planner.late:
        await asyncio.wait(local.robot.planner.late)
    await asyncio.sleep(0)


def row(local: Local) -> dict[str, Any]:
    return local.robot.store.tasks["hall", "Hall"].to_row()


async def test_a_task_that_takes_long_to_plan_is_saved_at_once_and_its_numbers_follow(local: Local, slow: SlowPlanner):
    answer = await local.good("task_add", TASK)
    assert (answer["planning"], answer["reachable"], answer["revision"]) == (True, 0, 1)
    assert (await local.good("task_list"))["task_list"][0]["planning"] is True
    assert b'"planning":true' in events(local.robot, "task")[-1]
    slow.go.set()
    await planned(local)
    after = (await local.good("task_list"))["task_list"][0]
    assert (after["planning"], after["reason"], after["revision"]) == (False, "", 1)
    assert after["reachable"] > 0
    assert after["seconds"] > 0
    assert b'"planning":false' in events(local.robot, "task")[-1]
    assert open_robot(local.robot.store.folder).store.tasks["hall", "Hall"].reachable == after["reachable"]


async def test_a_task_without_a_way_says_why(local: Local, slow: SlowPlanner):
    await local.good("task_add", TASK)
    slow.refusal = NoPath("task_start_unreachable", "The robot cannot stand at the start point")
    slow.go.set()
    await planned(local)
    after = (await local.good("task_list"))["task_list"][0]
    assert (after["planning"], after["reason"]) == (False, "task_start_unreachable")
    assert b'"reason":"task_start_unreachable"' in events(local.robot, "task")[-1]


async def test_a_quick_plan_is_answered_whole_and_a_task_without_a_way_refused(local: Local):
    assert (await local.good("task_add", TASK))["planning"] is False
    answer = await local("task_add", TASK | {"name": "Wall", "start": [2.8, 1.8]})
    assert (answer["code"], answer["reason"]) == (RelayCode.BAD_INPUT, "task_start_unreachable")
    assert [task["name"] for task in (await local.good("task_list"))["task_list"]] == ["Hall"]


async def test_report_no_result_of_a_task_deleted_while_it_was_planned(local: Local, slow: SlowPlanner):
    await local.good("task_add", TASK)
    await local.good("task_del", {"name": "Hall"})
    before = len(events(local.robot, "task"))
    slow.go.set()
    await planned(local)
    assert len(events(local.robot, "task")) == before
    assert not local.robot.store.tasks


async def test_two_who_save_the_same_task_at_once_do_not_overwrite_each_other(local: Local, slow: SlowPlanner):
    first, second = await asyncio.gather(local("task_add", TASK), local("task_add", TASK | {"speed": "low"}))
    assert sorted(answer["code"] for answer in (first, second)) == [0, RelayCode.CONFLICT]


async def test_a_power_cut_does_not_leave_a_task_in_planning(local: Local, slow: SlowPlanner):
    await local.good("task_add", TASK)
    again = open_robot(local.robot.store.folder)
    assert again.store.tasks["hall", "Hall"].planning
    slow.go.set()
    await task_plans.plan_unfinished(again)
    await asyncio.sleep(0)
    assert not again.store.tasks["hall", "Hall"].planning
    assert again.store.tasks["hall", "Hall"].reachable > 0


async def test_a_forecast_is_asked_again_until_it_is_there_and_is_worked_out_once(local: Local, slow: SlowPlanner):
    for _ in range(3):
        answer = await local.good("clean_area_pre", PREVIEW)
        assert (answer["planning"], answer["path"]) == (True, [])
    assert slow.questions == 1
    slow.go.set()
    await planned(local)
    answer = await local.good("clean_area_pre", PREVIEW)
    assert answer["planning"] is False
    assert answer["length"] > 0


async def test_a_forecast_without_a_way_is_refused_when_it_is_asked_again(local: Local):
    unreachable = PREVIEW | {"start": [2.8, 1.8]}
    for _ in range(2):
        assert (await local("clean_area_pre", unreachable))["reason"] == "task_start_unreachable"


async def test_the_state_counts_what_is_still_planned_and_says_so_at_once(local: Local, slow: SlowPlanner):
    voice = TelemetryPublisher(local.robot, Native(Access("SC0001", "", (("127.0.0.1", 1),))))
    await voice.tick(0.0)
    await local.good("clean_area_pre", PREVIEW)
    await voice.tick(0.1)
    slow.go.set()
    await planned(local)
    await voice.tick(0.2)
    states = [json.loads(data) for data in local.robot.outbox.unacknowledged()]
    assert [state.get("planning", 0) for state in states] == [0, 1, 0]


async def test_a_start_that_takes_long_to_plan_is_accepted_and_begins_later(busy: Local, slow: SlowPlanner):
    answer = await busy.good("task_start", {"name": "Hall"})
    assert (answer["run"], answer["planning"]) == ("", True)
    assert (await busy.good("task_state"))["planning"] is True
    assert (await busy("task_start", {"name": "Hall"}))["reason"] == "task_running"
    slow.go.set()
    await planned(busy)
    assert busy.robot.machine.run
    assert (await busy.good("task_state"))["planning"] is False


STOPS = {
    "task_cancel": ("task_cancel", {}),
    "task_cancel_one": ("task_cancel_one", {"name": "Hall"}),
    "emergency stop": ("robot_safe", {"robot_safe": 1}),
    "brake": ("robot_lock", {"lock": 1}),
    "another map": ("map_load", {"name": "cellar"}),
}


@pytest.mark.parametrize("stop", STOPS)
async def test_begin_no_run_that_was_stopped_while_it_was_planned(busy: Local, slow: SlowPlanner, stop: str):
    busy.robot.save_map(Floor("cellar", np.full((120, 160), FREE, np.uint8)))
    await busy.good("task_start", {"name": "Hall"})
    await busy.good(*STOPS[stop])
    if stop == "emergency stop":
        await busy.good("robot_safe", {"robot_safe": 0})
    if stop == "brake":
        await busy.good("robot_lock", {"lock": 0})
    slow.go.set()
    await planned(busy)
    busy.robot.step(1.0)
    assert busy.robot.machine.run is None
    assert busy.robot.machine.speed == 0


async def test_begin_paused_when_paused_while_planning(busy: Local, slow: SlowPlanner):
    await busy.good("task_start", {"name": "Hall"})
    await busy.good("task_pause")
    slow.go.set()
    await planned(busy)
    busy.robot.step(1.0)
    assert busy.robot.machine.mode == "paused"
    await busy.good("task_resume")
    drive(busy.robot, lambda: busy.robot.machine.cleaning)


async def test_a_group_that_was_ended_while_it_was_planned_begins_none_of_its_tasks(busy: Local, slow: SlowPlanner):
    await busy.good("taskgroup_add", {"name": "Night", "tasks": ["Hall", "Hall"]})
    await busy.good("task_start", {"group": "Night"})
    await busy.good("task_cancel")
    slow.go.set()
    await planned(busy)
    await schedule.step(busy.robot, now_ms())
    assert busy.robot.machine.run is None
    assert busy.robot.sequence is None


def large_hall() -> Floor:
    """18,000 m² with shelves."""
    grid = np.full((1900, 3800), FREE, np.uint8)
    grid[:4], grid[-4:], grid[:, :4], grid[:, -4:] = (OCCUPIED,) * 4
    for y in range(80, 1800, 140):
        for x in range(80, 3600, 420):
            grid[y : y + 20, x : x + 360] = OCCUPIED
    return Floor("depot", grid)


async def test_during_the_planning_of_a_large_hall_the_robot_answers_steps_and_stops(local: Local):
    """Real planning, not held back: it must not starve the robot's loop."""
    local.robot.save_map(large_hall())
    whole = [[0.3, 0.3], [189.7, 0.3], [189.7, 94.7], [0.3, 94.7]]
    task = asyncio.create_task(
        local("task_add", {"name": "All", "map_name": "depot", "areas": [{"points": whole}], "start": [2, 2]})
    )
    stops = 0
    while not task.done() or local.robot.planner.late:
        await local.good("robot_safe", {"robot_safe": 1})
        local.robot.step(0.1)
        stops += 1
    assert (await task)["code"] == 0
    assert stops >= LEAST_STOPS
    await planned(local)
    assert local.robot.store.tasks["depot", "All"].reachable > 15_000
