"""Scheduled tasks on the robot: kept, begun by itself, ended, missed with why; by its own clock and zone."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from lustra.protocol.bus import Occurrence
from lustra.protocol.refusals import RelayCode
from lustra.robot.robot import Robot
from lustra.robot.schedules import schedule
from tests.robot.conftest import TASK, Local, drive, hall, open_robot
from tests.robot.test_api import events
from tests.robot.test_tasks import furnished

BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = datetime(2036, 11, 24, 22, 0, tzinfo=BERLIN)  # later than any clock that the tests run under
TIMED = {"name": "Night", "map_name": "hall", "task_list": ["A", "B"], "start_time": "22-30", "days": [1, 3]}


def at(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


@pytest.fixture
def robot(tmp_path: Path) -> Robot:
    return open_robot(tmp_path / "SC0001", floor=hall(), zone="Europe/Berlin", battery=95.0)


def newest(robot: Robot) -> Occurrence:
    return robot.plans.occurrences[-1]


async def night(local: Local, **changed: Any) -> None:
    """The two tasks, their schedule, and a clock that shows 22:00 on a Monday."""
    await furnished(local)
    await local.good("timetask_save", TIMED | changed)
    local.robot.machine.battery = 95.0
    await schedule.step(local.robot, at(MONDAY))


async def live(robot: Robot, now: datetime, until: Any, step: float = 1.0, most_s: float = 7200) -> datetime:
    """Robot and clock go on together."""
    last = now + timedelta(seconds=most_s)
    while not until():
        assert now < last, "it never comes"
        robot.step(step)
        now += timedelta(seconds=step)
        await schedule.step(robot, at(now))
    return now


@pytest.mark.spec(
    "call.relay.task.timetask_save",
    "call.relay.task.timetask_list",
    "call.relay.task.timetask_info",
    "call.relay.task.timetask_edit",
    "call.relay.task.timetask_enable",
    "call.relay.task.timetask_rename",
    "call.relay.task.timetask_delete",
    "call.relay.task.timetask_set_top",
    "ent.timetask",
    "rule.timetask.mapping",
    "state.timetask.t01",
    "state.timetask.t02",
)
async def test_a_scheduled_task_from_creation_to_deletion(local: Local):
    await furnished(local)
    saved = await local.good("timetask_save", TIMED | {"start_time": "22:30", "forced_end": 1, "end_time": "05:00"})
    assert saved["revision"] == 1
    assert datetime.fromtimestamp(saved["next"] / 1000, BERLIN).strftime("%H:%M") == "22:30"
    assert (await local("timetask_save", TIMED))["reason"] == "schedule_same_name"
    answer = await local.good("timetask_list")
    assert answer["zone"] == "Europe/Berlin"
    (row,) = answer["timetask_info"]
    assert (row["start_time"], row["end_time"], row["days"], row["enable"]) == ("22-30", "05-00", [1, 3], 1)
    assert (row["charge_below"], row["task_list"], row["state"]) == (20.0, ["A", "B"], "")
    edited = TIMED | {"days": [7, 6, 7], "revision": 1}
    assert (await local.good("timetask_edit", edited))["revision"] == 2
    assert (await local("timetask_edit", edited))["reason"] == "revision_conflict"
    assert (await local("timetask_edit", edited | {"name": "Noon"}))["reason"] == "schedule_unknown"
    assert (await local.good("timetask_info", {"name": "Night"}))["days"] == [6, 7]
    assert (await local.good("timetask_enable", {"name": "Night", "enable": 0}))["next"] == 0
    assert (await local("timetask_enable", {"name": "Night", "enable": 2}))["code"] == RelayCode.BAD_INPUT
    await local.good("timetask_save", TIMED | {"name": "Noon", "start_time": "12-00"})
    await local.good("timetask_set_top", {"name": "Noon"})
    assert [r["name"] for r in (await local.good("timetask_list"))["timetask_info"]] == ["Noon", "Night"]
    assert (await local("timetask_rename", {"name": "Noon", "new_name": "Night"}))["reason"] == "schedule_same_name"
    await local.good("timetask_rename", {"name": "Noon", "new_name": "Midday"})
    again = open_robot(local.robot.store.folder).plans.timetasks.in_order()
    assert [(e.item.name, e.item.enable) for e in again] == [("Midday", 1), ("Night", 0)]
    for name in ("Midday", "Night"):
        await local.good("timetask_delete", {"name": name})
    assert (await local("timetask_delete", {"name": "Night"}))["reason"] == "schedule_unknown"
    assert b'"deleted":true' in events(local.robot, "schedule")[-1]


@pytest.mark.spec("rule.timetask.mapping")
@pytest.mark.parametrize(("active", "enable"), [(True, 1), (False, 0), (0, 0)])
async def test_a_schedule_in_the_words_of_the_specifications_console(local: Local, active: bool | int, enable: int):
    await furnished(local)
    words = {key: value for key, value in TIMED.items() if key not in {"days", "enable", "start_time"}}
    await local.good("timetask_save", words | {"repeat": [5, 1], "isActive": active, "start_time": "08:30"})
    (row,) = (await local.good("timetask_list"))["timetask_info"]
    assert (row["days"], row["enable"], row["start_time"]) == ([1, 5], enable, "08-30")
    bad = words | {"name": "Other", "repeat": [8], "isActive": 1, "start_time": "08:30"}
    assert (await local("timetask_save", bad))["reason"] == "schedule_day_unknown"


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no name": ({"name": " "}, "schedule_name_required"),
    "no start": ({"start_time": ""}, "schedule_start_required"),
    "no time of day": ({"start_time": "24-00"}, "schedule_time_unknown"),
    "no days": ({"days": []}, "schedule_days_required"),
    "a day beyond the week": ({"days": [0]}, "schedule_day_unknown"),
    "no forced end": ({"forced_end": 1}, "schedule_end_required"),
    "a task twice": ({"task_list": ["A", "A"]}, "schedule_task_twice"),
    "no task": ({"task_list": []}, "schedule_task_required"),
    "an unknown task": ({"task_list": ["Z"]}, "task_unknown"),
    "an unknown map": ({"map_name": "attic"}, "map_unknown"),
    "a limit beyond sense": ({"charge_below": 95}, "input_less_than_equal"),
    "a move to no date": ({"moves": [{"day": "2036-11-24", "to": "soon"}]}, "input_date_from_datetime_parsing"),
    "a move to no time of day": (
        {"moves": [{"day": "2036-11-24", "to": "2036-11-25", "start_time": "late"}]},
        "schedule_time_unknown",
    ),
    "a skip that is no date": ({"skips": ["soon"]}, "input_date_from_datetime_parsing"),
}


@pytest.mark.spec(
    "rule.timetask.name",
    "rule.timetask.start",
    "rule.timetask.repeat",
    "rule.timetask.forced_end",
    "rule.timetask.duplicate",
)
@pytest.mark.parametrize("case", BAD)
async def test_a_bad_schedule_is_refused_and_not_stored(local: Local, case: str):
    changed, reason = BAD[case]
    await furnished(local)
    assert (await local("timetask_save", TIMED | changed))["reason"] == reason
    await local.good("timetask_save", TIMED)
    assert (await local("timetask_edit", TIMED | changed))["code"] != 0
    assert (await local.good("timetask_list"))["timetask_info"][0]["revision"] == 1


async def test_a_schedule_begins_by_itself_runs_its_tasks_and_is_reported(local: Local):
    await night(local)
    robot = local.robot
    now = await live(robot, MONDAY, lambda: robot.machine.run)
    assert now == MONDAY + timedelta(minutes=30, seconds=1)
    assert (await local.good("task_state"))["schedule"] == "Night"
    await live(robot, now, lambda: newest(robot).state == "done")
    occurrence = newest(robot)
    assert (occurrence.day, occurrence.start, occurrence.kind) == (
        "2036-11-24",
        at(MONDAY + timedelta(minutes=30)),
        "timetask",
    )
    assert [unit.task for unit in occurrence.units] == ["A", "B"]
    assert [message.id for message in robot.outbox.unconfirmed() if message.kind == "report"] == [
        u.run for u in occurrence.units
    ]
    assert (await local.good("timetask_info", {"name": "Night"}))["state"] == "done"
    assert all(b'"kind":"timetask"' in data for data in events(robot, "occurrence"))
    await schedule.step(robot, at(MONDAY + timedelta(days=1, hours=3)))
    assert len(robot.plans.occurrences) == 1  # Tuesday is none of its days


@pytest.mark.parametrize("factor", [1.0, 20.0])
async def test_the_clock_runs_true_whatever_the_speed_factor(local: Local, factor: float):
    await night(local)
    local.robot.machine.factor = factor
    now = await live(local.robot, MONDAY, lambda: local.robot.machine.run, step=5)
    assert now - MONDAY == timedelta(minutes=30, seconds=5)


@pytest.mark.spec("state.timetask", "state.timetask.on", "state.timetask.off")
async def test_a_disabled_one_a_skipped_day_and_a_deleted_one_do_not_begin(local: Local):
    await night(local, enable=0)
    await local.good("timetask_save", TIMED | {"name": "Skips", "skips": ["2036-11-24"]})
    await schedule.step(local.robot, at(MONDAY + timedelta(hours=1)))
    assert local.robot.plans.occurrences == []
    wednesday = MONDAY + timedelta(days=2)
    await schedule.step(local.robot, at(wednesday))
    await schedule.step(local.robot, at(wednesday + timedelta(minutes=31)))
    assert [(o.schedule, o.day, o.state) for o in local.robot.plans.occurrences] == [("Skips", "2036-11-26", "running")]


async def test_begin_a_moved_occurrence_at_its_new_time_alone(local: Local):
    moves = [{"day": "2036-11-24", "to": "2036-11-25", "start_time": "03-00"}]
    await night(local, moves=moves)
    assert (await local.good("timetask_info", {"name": "Night"}))["moves"] == moves
    await schedule.step(local.robot, at(MONDAY + timedelta(hours=1)))
    assert local.robot.plans.occurrences == []
    tuesday = MONDAY + timedelta(days=1)
    await schedule.step(local.robot, at(tuesday + timedelta(hours=6)))
    occurrences = [(o.day, o.start) for o in local.robot.plans.occurrences]
    [(day, start)] = occurrences
    assert day == "2036-11-24"
    assert schedule.to_datetime(start).astimezone(ZoneInfo(local.robot.spec.zone)).strftime("%d %H:%M") == "25 03:00"


@pytest.mark.spec("rule.timetask.forced_end", "q.forced_end_midnight")
async def test_a_forced_end_over_midnight_ends_what_runs_and_sends_the_robot_home(local: Local):
    robot = local.robot
    await local.good("task_add", TASK)
    await night(local, start_time="23-59", forced_end=1, end_time="00-00", task_list=["Hall", "A", "B"])
    late = MONDAY + timedelta(hours=1, minutes=59)
    await schedule.step(robot, at(late))
    now = await live(robot, late + timedelta(seconds=1), lambda: robot.machine.run)
    now = await live(robot, now, lambda: newest(robot).state != "running")
    assert now == late + timedelta(minutes=1)
    assert newest(robot).state == "forced_end"
    assert robot.last
    assert robot.last.end == "cancelled"
    assert robot.sequence is None
    drive(robot, lambda: robot.machine.charging)


@pytest.mark.spec("const.timed_task_auto_charge_battery_threshold", "q.auto_charge_threshold")
async def test_below_its_limit_the_robot_charges_first(local: Local):
    robot = local.robot
    await night(local)
    assert robot.plans.timetasks.in_order()[0].item.charge_below == 20.0  # where nobody chose another
    robot.machine.battery = 18.0  # a minute on the charger later it is 19
    now = await live(
        robot,
        MONDAY + timedelta(minutes=29),
        lambda: newest(robot).state == "charging" if robot.plans.occurrences else False,
    )
    robot.machine.factor = 20.0
    await live(robot, now, lambda: newest(robot).state == "running")
    assert robot.machine.battery >= 85
    assert robot.machine.run


async def test_with_enough_battery_it_begins_at_once(local: Local):
    await night(local, charge_below=50)
    local.robot.machine.battery = 51.0
    await schedule.step(local.robot, at(MONDAY + timedelta(minutes=31)))
    assert newest(local.robot).state == "running"


async def test_a_robot_that_cannot_charge_misses_the_run(local: Local):
    await night(local)
    robot = local.robot
    robot.save_map(robot.find_map("hall").changed(flags=[]))
    robot.machine.dock(on=False)
    robot.machine.battery = 12.0
    await schedule.step(robot, at(MONDAY + timedelta(minutes=31)))
    assert (newest(robot).state, newest(robot).reason) == ("missed", "low_battery")
    assert robot.sequence is None


HINDRANCES = {
    "0x0535": lambda robot: robot.machine.stop(pressed=True),
    "map_not_selected": lambda robot: robot.machine.leave_floor(),
    "task_other_map": lambda robot: robot.machine.load(hall(name="cellar"), 0),
    "stuck": lambda robot: robot.machine.fault("stuck", on=True),
    "task_unknown": lambda robot: robot.store.tasks.clear(),
}


@pytest.mark.parametrize("reason", HINDRANCES)
async def test_report_an_occurrence_as_missed_with_its_reason_after_ten_minutes(local: Local, reason: str):
    await night(local)
    robot = local.robot
    HINDRANCES[reason](robot)
    for minutes in (31, 39):
        await schedule.step(robot, at(MONDAY + timedelta(minutes=minutes)))
        assert newest(robot).state == "waiting"
    await schedule.step(robot, at(MONDAY + timedelta(minutes=41)))
    assert (newest(robot).state, newest(robot).reason) == ("missed", reason)
    assert f'"reason":"{reason}"'.encode() in events(robot, "occurrence")[-1]
    assert open_robot(robot.store.folder).plans.occurrences == robot.plans.occurrences


async def test_a_hindrance_that_goes_in_time_lets_it_begin(local: Local):
    await night(local)
    robot = local.robot
    robot.machine.stop(pressed=True)
    await schedule.step(robot, at(MONDAY + timedelta(minutes=31)))
    robot.machine.stop(pressed=False)
    await schedule.step(robot, at(MONDAY + timedelta(minutes=39)))
    assert newest(robot).state == "running"


async def test_a_busy_robot_misses_the_second_of_two_at_one_time(local: Local):
    await night(local)
    await local.good("timetask_save", TIMED | {"name": "Other", "task_list": ["B"]})
    await schedule.step(local.robot, at(MONDAY + timedelta(minutes=31)))
    await schedule.step(local.robot, at(MONDAY + timedelta(minutes=45)))
    assert {o.schedule: (o.state, o.reason) for o in local.robot.plans.occurrences} == {
        "Night": ("running", ""),
        "Other": ("missed", "robot_busy"),
    }


async def test_a_robot_that_was_off_tells_what_it_missed_once(local: Local):
    await night(local)
    robot = local.robot
    robot.keep()
    again = open_robot(robot.store.folder, zone="Europe/Berlin")
    thursday = MONDAY + timedelta(days=3)
    await schedule.step(again, at(thursday))
    await schedule.step(again, at(thursday + timedelta(minutes=5)))
    missed = [(o.day, o.state, o.reason) for o in again.plans.occurrences]
    assert missed == [("2036-11-24", "missed", "robot_off"), ("2036-11-26", "missed", "robot_off")]


async def test_begin_an_occurrence_after_a_short_switch_off(local: Local):
    await night(local)
    local.robot.keep()
    again = open_robot(local.robot.store.folder, zone="Europe/Berlin")
    await schedule.step(again, at(MONDAY + timedelta(minutes=35)))
    assert newest(again).state == "running"


async def test_a_run_broken_by_a_power_cut_is_reported_interrupted_and_not_restarted(local: Local):
    await night(local)
    await schedule.step(local.robot, at(MONDAY + timedelta(minutes=31)))
    local.robot.keep()
    again = open_robot(local.robot.store.folder, zone="Europe/Berlin")
    await schedule.step(again, at(MONDAY + timedelta(minutes=33)))
    assert [(o.state, o.reason) for o in again.plans.occurrences] == [("interrupted", "robot_off")]
    assert again.machine.run is None


async def test_an_occurrence_begun_before_a_power_cut_is_not_begun_again(local: Local):
    await night(local)
    await schedule.step(local.robot, at(MONDAY + timedelta(minutes=31)))
    again = open_robot(local.robot.store.folder, zone="Europe/Berlin")
    again.store.facts.looked = at(MONDAY)
    await schedule.step(again, at(MONDAY + timedelta(minutes=33)))
    assert [o.state for o in again.plans.occurrences] == ["interrupted"]


async def test_a_clock_that_was_wrong_for_a_while_makes_nothing_missed(local: Local):
    await night(local)
    await schedule.step(local.robot, 0)
    await schedule.step(local.robot, at(MONDAY + timedelta(minutes=5)))
    assert local.robot.plans.occurrences == []


async def test_a_clock_that_goes_back_begins_nothing_twice(local: Local):
    await night(local)
    robot = local.robot
    await schedule.step(robot, at(MONDAY + timedelta(minutes=31)))
    await local.good("task_cancel")
    for minutes in (10, 29, 31, 45):
        await schedule.step(robot, at(MONDAY + timedelta(minutes=minutes)))
    assert [o.state for o in robot.plans.occurrences] == ["cancelled"]


@pytest.mark.spec("call.relay.task.timetask_cancel")
async def test_cancelling_ends_what_the_schedule_has_begun_and_it_comes_again(local: Local):
    await night(local)
    robot = local.robot
    assert (await local("timetask_cancel", {"name": "Night"}))["reason"] == "schedule_not_running"
    await schedule.step(robot, at(MONDAY + timedelta(minutes=31)))
    assert (await local("timetask_delete", {"name": "Night"}))["reason"] == "schedule_running"
    assert (await local("timetask_rename", {"name": "Night", "new_name": "Eve"}))["reason"] == "schedule_running"
    await local.good("timetask_cancel", {"name": "Night"})
    assert (robot.machine.run, newest(robot).state) == (None, "cancelled")
    robot.machine.stop(pressed=True)
    wednesday = MONDAY + timedelta(days=2)
    await schedule.step(robot, at(wednesday))
    await schedule.step(robot, at(wednesday + timedelta(minutes=31)))
    assert newest(robot).state == "waiting"
    await local.good("timetask_cancel", {"name": "Night"})
    robot.machine.stop(pressed=False)
    await schedule.step(robot, at(wednesday + timedelta(minutes=32)))
    assert (robot.machine.run, newest(robot).state) == (None, "cancelled")


async def test_an_occurrence_begins_once_in_hours_that_dst_removes_or_repeats(local: Local):
    await furnished(local)
    await local.good("timetask_save", TIMED | {"start_time": "02-30", "days": [7], "task_list": ["A"]})
    robot = local.robot
    for sunday in (datetime(2037, 3, 29, tzinfo=BERLIN), datetime(2037, 10, 25, tzinfo=BERLIN)):
        robot.store.facts.looked = at(sunday)
        before = len(robot.plans.occurrences)
        for minutes in range(0, 6 * 60, 4):
            if robot.machine.run:
                await local.good("task_cancel")
            robot.machine.battery = 95.0
            await schedule.step(robot, at(sunday) + minutes * 60_000)
        assert [o.day for o in robot.plans.occurrences[before:]] == [sunday.date().isoformat()]


async def test_another_owner_finds_no_plans(local: Local):
    await night(local)
    await local.good("hppath_save", {"name": "Round", "map_name": "hall", "path": [[0, 0], [2, 0]]})
    await schedule.step(local.robot, at(MONDAY + timedelta(minutes=31)))
    local.robot.erase(1)
    again = open_robot(local.robot.store.folder)
    for robot in (local.robot, again):
        assert all(not shelf.rows for shelf in robot.plans.lists.values())
        assert (robot.plans.occurrences, robot.sequence) == ([], None)
