"""Recordings that begin by themselves: by the plan of a robot's week, and from an alarm on."""

from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lustra.core.context import NOBODY
from lustra.core.errors import Code
from lustra.domains.device.api import OwnerChanged
from lustra.domains.video import records
from lustra.domains.video.rules import Rule
from lustra.video.rules import Recorder
from tests.video.theatre import SN, Theatre, theatre
from tests.world import World, until

RULE = "/qiniuQvs/recordRule"
SET = "/qiniuQvs/recordRuleUpdate"
ALWAYS = {"cameras": ["front"], "days": [1, 2, 3, 4, 5, 6, 7]}
NEVER = {"cameras": [], "days": [], "startTime": "", "endTime": "", "alarmLevel": 0, "alarmSec": 120}
ALARM = (
    "insert into alarm (device_id, owner_id, owner_path, code, type, level, state, source, count, raised_at, last_at,"
    " detail, map_name, run, round) select id, owner_id, owner_path, '0x' || $2::int, 2, $2, 1, 'robot', 1, now(),"
    " now(), '', '', '', 0 from device where serial_number = $1"
)
MONDAY = datetime(2026, 11, 23, tzinfo=timezone.utc)
CLOCKS = st.integers(0, 24 * 60 - 1)


async def set_rule(world: World, account: str = "user", **rule: Any) -> None:
    await world.call(account, SET, deviceSerialNumber=SN, **rule)


async def load_rule(world: World, account: str = "user") -> dict[str, Any]:
    rule = await world.call(account, RULE, deviceSerialNumber=SN)
    return {name: rule[name] for name in NEVER}


async def reason_of(house: Theatre) -> str:
    """Why the front camera is being stored; empty: it is not."""
    rows = [row for row in await house.live() if row["recording"] and row["camera"] == "front"]
    return rows[0]["reason"] if rows and await house.is_recording() else ""


def clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


@given(CLOCKS, CLOCKS, st.sets(st.integers(1, 7)), st.integers(0, 7 * 24 * 60 - 1))
def test_a_plan_holds_from_its_start_for_its_length_on_each_of_its_days(
    starts: int, ends: int, days: set[int], minute: int
):
    rule = Rule(["front"], sorted(days), clock(starts), clock(ends), 0, 30)
    length = (ends - starts - 1) % (24 * 60) + 1  # the same time: a whole day
    in_week = 7 * 24 * 60
    begins = [(day - 1) * 24 * 60 + starts for day in days]
    planned = any((minute - begin) % in_week < length for begin in begins)
    assert rule.find_reason(MONDAY + timedelta(minutes=minute), {}) == ("plan" if planned else None)


@pytest.mark.parametrize(
    ("level", "age_s", "reason"), [(3, 0, "alarm"), (4, 59, "alarm"), (2, 0, None), (3, 60, None), (3, -1, None)]
)
def test_an_alarm_of_its_level_records_for_its_time(level: int, age_s: int, reason: str | None):
    rule = Rule(["front"], [], "", "", 3, 60)
    assert rule.find_reason(MONDAY, {level: MONDAY - timedelta(seconds=age_s)}) == reason
    assert Rule(["front"], [], "", "", 0, 60).find_reason(MONDAY, {level: MONDAY}) is None


async def test_a_plan_records_by_itself_and_a_person_does_not_end_it(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        assert await load_rule(world) == NEVER
        await set_rule(world, **ALWAYS)
        assert await load_rule(world, "dealer") == NEVER | ALWAYS
        await until(lambda: reason_of(house))
        assert await reason_of(house) == "plan"
        off = {"deviceSerialNumber": SN, "camera": "front", "on": False}
        code, data = await world.raw("user", "/qiniuQvs/record", **off)
        assert (code, data["field"]) == (Code.BAD_INPUT, "on")
        await set_rule(world, cameras=[])
        assert await load_rule(world) == NEVER
        await until(house.recordings)
        [row] = await house.recordings(reason="plan")
        assert (row["camera"], row["reason"]) == ("front", "plan")
        assert await house.recordings(reason="person") == []


async def test_a_rule_without_a_camera_records_nothing_and_stays_as_it_was_entered(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        await set_rule(world, **ALWAYS | {"cameras": []})
        assert await load_rule(world) == NEVER | ALWAYS | {"cameras": []}
        await Recorder(house.hall).look()
        assert await house.live() == []


async def test_continue_a_persons_recording_when_the_plan_ends(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house, house.watching(await house.start()):
        await house.record(on=True)
        await set_rule(world, **ALWAYS)
        await until(house.is_recording)
        await set_rule(world, cameras=[])
        await until(lambda: reason_of(house))
        assert await reason_of(house) == "person"


async def test_an_alarm_has_the_camera_recorded_for_its_time(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        await set_rule(world, cameras=["front"], alarmLevel=3, alarmSec=60)
        await world.pool.execute(ALARM, SN, 2)
        await world.pool.execute(ALARM, SN, 4)
        await until(lambda: reason_of(house))
        assert await reason_of(house) == "alarm"
        house.late = timedelta(seconds=61)
        await until(house.recordings)
        [row] = await house.recordings(reason="alarm")
        assert row["camera"] == "front"


async def test_an_alarm_during_a_plan_has_a_recording_of_its_own(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        await set_rule(world, **ALWAYS, alarmLevel=3, alarmSec=60)
        await until(lambda: reason_of(house))
        await world.pool.execute(ALARM, SN, 4)
        await until(house.recordings)  # the plan's has ended
        assert await reason_of(house) == "alarm"
        house.late = timedelta(seconds=61)

        async def alarms() -> list[dict[str, Any]]:
            return await house.recordings(reason="alarm")

        await until(alarms)
        assert [row["reason"] for row in await house.recordings()] == ["alarm", "plan"]


async def test_a_robot_that_does_not_answer_is_asked_again_later(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        await set_rule(world, cameras=["none", "front"], days=ALWAYS["days"])  # it has no camera of the first name
        await until(lambda: reason_of(house))
        assert [row["camera"] for row in await house.live()] == ["front"]


@pytest.mark.parametrize(
    ("rule", "field"),
    [
        (ALWAYS | {"startTime": "08:00"}, "endTime"),
        (ALWAYS | {"endTime": "08:00"}, "startTime"),
        (ALWAYS | {"startTime": "24:00", "endTime": "08:00"}, "startTime"),
        (ALWAYS | {"days": [0]}, "days"),
        (ALWAYS | {"cameras": ["../front"]}, "cameras"),
        (ALWAYS | {"alarmLevel": 5}, "alarmLevel"),
        (ALWAYS | {"alarmSec": 29}, "alarmSec"),
        (ALWAYS | {"alarmSec": 601}, "alarmSec"),
    ],
)
async def test_refuse_a_rule_that_cannot_hold(world: World, rule: dict[str, Any], field: str):
    code, data = await world.raw("user", SET, deviceSerialNumber=SN, **rule)
    assert (code, data["field"].partition(".")[0]) == (Code.BAD_INPUT, field)
    assert await load_rule(world) == NEVER


async def test_a_rule_is_its_owners_and_goes_with_a_change_of_owner(world: World):
    await set_rule(world, **ALWAYS)
    owner = world.accounts["user"]
    async with world.services.sessions.begin() as db:
        await records.owner_changed(db, OwnerChanged(world.devices[SN], SN, owner, owner, "hand_over", NOBODY))
    assert await load_rule(world) == NEVER
