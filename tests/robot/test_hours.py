"""What a robot does when zones, rooms and maps have hours."""

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from lustra.protocol.bus import MapContent, Zone
from lustra.protocol.hours import Hours
from lustra.protocol.payloads.tasks import Task
from lustra.protocol.refusals import RobotRefusal
from lustra.robot.clock import now_ms
from lustra.robot.hours import close_zones
from lustra.robot.maps.floor import Floor
from lustra.robot.robot import Robot
from lustra.robot.schedules import closed_zones, schedule
from tests.robot.conftest import TASK, Local, bundle, drive, hall, open_robot
from tests.robot.test_schedules import TIMED
from tests.robot.test_tasks import furnished

RING = [(0.6, -0.5), (2.0, -0.5), (2.0, 0.6), (0.6, 0.6)]
MINUTE = 60_000
AREA = {**TASK, "areas": [{"points": [[-0.5, -0.5], [2.5, -0.5], [2.5, 3.5], [-0.5, 3.5]]}], "start": [-0.2, 3.0]}


def around(minutes_from: float, minutes_to: float) -> Hours:
    """Hours that begin and end so many minutes from now."""
    now = datetime.now(timezone.utc)
    at = ((now + timedelta(minutes=m)).strftime("%H:%M") for m in (minutes_from, minutes_to))
    return Hours(start=next(at), end=next(at))


def floor(*forbidden: Hours, room: Hours | None = None, whole: Hours | None = None) -> Floor:
    floor_map = hall()
    floor_map.forbidden_zones = [Zone(points=RING, name="rug", hours=hours) for hours in forbidden]
    floor_map.free_areas = [Zone(points=RING, name="office", hours=room)] if room else []
    floor_map.hours = whole or msgspec.UNSET
    return floor_map


def inside(floor_map: Floor, xy: np.ndarray) -> bool:
    """Whether any of these places lies in the ring."""
    x, y = xy[:, 0], xy[:, 1]
    return bool(((x > RING[0][0]) & (x < RING[1][0]) & (y > RING[0][1]) & (y < RING[2][1])).any())


async def begun(tmp_path: Path, floor_map: Floor, task: Any = AREA, speed: float = 0.6) -> Robot:
    robot = open_robot(tmp_path / "SC0001", floor=floor_map)
    robot.machine.params["speed_middle"] = speed
    await closed_zones.step(robot, now_ms())
    await robot.starts.begin(Task.model_validate(task))
    return robot


@pytest.mark.parametrize("kind", ["forbidden", "room"])
async def test_clean_no_area_that_is_closed_now(tmp_path: Path, kind: str):
    hours = around(-60, 60)
    robot = await begun(tmp_path, floor(hours) if kind == "forbidden" else floor(room=hours))
    assert not inside(robot.machine.run.floor, robot.machine.run.plan.path)
    assert len(robot.machine.floor.shut) == 1


@pytest.mark.parametrize("kind", ["forbidden", "room"])
async def test_clean_an_area_that_is_open_for_the_whole_run(tmp_path: Path, kind: str):
    hours = around(240, 300)
    robot = await begun(tmp_path, floor(hours) if kind == "forbidden" else floor(room=hours))
    assert inside(robot.machine.run.floor, robot.machine.run.plan.path)


async def test_leave_out_an_area_that_closes_before_the_run_would_end(tmp_path: Path):
    robot = await begun(tmp_path, floor(around(5, 60)))
    assert inside(robot.machine.run.floor, robot.machine.run.plan.path)
    robot.machine.cancel(now_ms())
    await closed_zones.step(robot, now_ms())
    robot.machine.params["speed_middle"] = 0.1
    await robot.starts.begin(Task.model_validate(AREA))
    assert not inside(robot.machine.run.floor, robot.machine.run.plan.path)


async def test_a_zone_that_closes_while_it_cleans_is_left_and_never_entered(tmp_path: Path):
    robot = await begun(tmp_path, floor(around(240, 300)))
    run = robot.machine.run
    drive(robot, lambda: run.cleaned > 3)
    later = now_ms() + 239 * MINUTE
    await closed_zones.step(robot, later)
    assert robot.machine.run is run
    assert len(run.floor.shut) == 1
    assert not inside(run.floor, run.drive.points)
    seen: list[tuple[float, float]] = []
    drive(robot, lambda: seen.append(robot.machine.pose.xy) or robot.machine.run is None)
    assert not inside(run.floor, np.array(seen))
    assert robot.last.end == "finished"
    assert 0.4 < robot.last.coverage < 0.97  # what it could not reach any more is told


async def test_inside_of_what_closes_it_drives_out_and_goes_on_elsewhere(tmp_path: Path):
    robot = await begun(tmp_path, floor(around(240, 300)))
    machine = robot.machine
    run = machine.run
    drive(robot, lambda: machine.cleaning and inside(run.floor, np.array([machine.pose.xy])), step=0.1)
    await closed_zones.step(robot, now_ms() + 239 * MINUTE)
    assert machine.transit is not None
    drive(robot, lambda: not inside(run.floor, np.array([machine.pose.xy])), most_s=60)
    drive(robot, lambda: machine.transit is None, most_s=120)
    assert not inside(run.floor, run.drive.line(run.t, run.drive.seconds))


async def test_resume_a_run_planned_anew_while_charging_when_the_battery_is_full(tmp_path: Path):
    robot = await begun(tmp_path, floor(around(240, 300)))
    machine = robot.machine
    run = machine.run
    drive(robot, lambda: run.cleaned > 3)
    machine.battery = 5.0
    drive(robot, lambda: machine.charging)
    await closed_zones.step(robot, now_ms() + 239 * MINUTE)
    assert len(run.floor.shut) == 1
    assert (machine.charging, machine.transit) == (True, None)
    drive(robot, lambda: not machine.charging)
    assert machine.battery >= machine.params["go_on_above"] - 0.1
    drive(robot, lambda: robot.last is not None)
    assert robot.last.end == "finished"


async def test_a_run_with_nothing_left_outside_ends_and_says_why(tmp_path: Path):
    small = {**TASK, "areas": [{"points": [list(at) for at in RING]}], "start": [1.0, 0.0]}
    robot = await begun(tmp_path, floor(around(240, 300)), small)
    await closed_zones.step(robot, now_ms() + 239 * MINUTE)
    assert robot.machine.run is None
    assert (robot.last.end, robot.last.faults) == ("interrupted", ["zone_closed"])


async def test_a_task_that_lies_in_what_is_closed_is_refused_with_why(tmp_path: Path):
    small = {**TASK, "areas": [{"points": [list(at) for at in RING]}], "start": [1.0, 0.0]}
    with pytest.raises(RobotRefusal) as refused:
        await begun(tmp_path, floor(around(-60, 60)), small)
    assert refused.value.reason == "zone_closed"


async def test_in_a_maps_hours_no_task_begins(tmp_path: Path):
    with pytest.raises(RobotRefusal) as refused:
        await begun(tmp_path, floor(whole=around(-60, 60)))
    assert refused.value.reason == "map_quiet"


async def test_a_run_waits_at_the_charger_during_quiet_hours_and_resumes_after(tmp_path: Path):
    robot = await begun(tmp_path, floor(whole=around(240, 300)))
    machine = robot.machine
    drive(robot, lambda: machine.run.cleaned > 1)
    await closed_zones.step(robot, now_ms() + 250 * MINUTE)
    assert (machine.paused, machine.paused_by) == (True, "map_quiet")
    drive(robot, lambda: machine.charging)
    await closed_zones.step(robot, now_ms() + 310 * MINUTE)
    assert not machine.paused
    drive(robot, lambda: robot.last is not None)
    assert robot.last.end == "finished"


async def test_a_run_that_somebody_paused_stays_so(tmp_path: Path):
    robot = await begun(tmp_path, floor(whole=around(240, 300)))
    drive(robot, lambda: robot.machine.run.cleaned > 1)
    robot.machine.pause()
    await closed_zones.step(robot, now_ms() + 250 * MINUTE)
    await closed_zones.step(robot, now_ms() + 310 * MINUTE)
    assert robot.machine.paused


async def test_a_schedule_in_a_maps_hours_is_missed_with_why(local: Local):
    robot = local.robot
    await furnished(local)
    robot.save_map(robot.store.maps["hall"].changed(hours=Hours(start="22:00", end="06:00")))
    await local.good("timetask_save", TIMED)
    monday = datetime(2036, 11, 24, 22, 0, tzinfo=timezone.utc)
    for minutes in (0, 30, 35, 41):
        await schedule.step(robot, round(monday.timestamp() * 1000) + minutes * MINUTE)
    [occurrence] = robot.plans.occurrences
    assert (occurrence.state, occurrence.reason) == ("missed", "map_quiet")


async def test_hours_that_are_none_are_refused(local: Local):
    for start, end, reason in (("8:00", "09:00", "hours_time"), ("08:00", "08:00", "hours_empty")):
        zones = [{"points": [[0, 0], [0.5, 0], [0.5, 0.5]], "hours": {"start": start, "end": end}}]
        answer = await local.upload("attic", bundle(), forbidden_zone=json.dumps(zones))
        assert answer["reason"] == reason
        notes = json.dumps({"forbidden_zones": zones, "version": 2})
        assert (await local.upload("attic", bundle(**{"annotations.json": notes})))["reason"] == reason
    newer = bundle(**{"annotations.json": json.dumps({"version": 3})})
    assert (await local.upload("attic", newer))["reason"] == "map_newer"


async def test_hours_survive_a_restart_and_are_sent(local: Local, tmp_path: Path):
    zones = [{"points": [[0, 0], [0.5, 0], [0.5, 0.5]], "hours": {"start": "22:00", "end": "06:00"}}]
    assert (await local.upload("attic", bundle(), forbidden_zone=json.dumps(zones)))["code"] == 0
    [zone] = (await local.good("virlines_info", {"map_name": "attic"}))["forbidden_zone"]
    assert zone["hours"] == {"start": "22:00", "end": "06:00"}
    again = open_robot(tmp_path / "SC0001")
    assert again.store.maps["attic"].forbidden_zones[0].hours == Hours(start="22:00", end="06:00")
    content = msgspec.convert(msgspec.to_builtins(again.store.maps["attic"].content()), MapContent)
    assert content.forbidden_zones[0].hours == Hours(start="22:00", end="06:00")


def test_a_robot_goes_by_its_own_zone(tmp_path: Path):
    floor_map = floor(Hours(start="22:00", end="06:00"))
    at = round(datetime(2026, 7, 1, 21, 0, tzinfo=timezone.utc).timestamp() * 1000)
    assert close_zones(floor_map, "UTC", at, at).shut == frozenset()
    assert len(close_zones(floor_map, "Europe/Berlin", at, at).shut) == 1
