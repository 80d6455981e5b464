"""Each rule raises one alarm of what it sees, clears it as that is gone, and a trial says how often it would have."""

from datetime import UTC, datetime
from typing import Any

import pytest

from lustra.core import texts
from lustra.core.errors import Code
from lustra.domains.alarm_rule import kinds, service
from lustra.domains.alarm_rule.kinds import KINDS, Name
from lustra.domains.telemetry.api import chunk_codec
from lustra.live.ingest import state as hot
from tests.alarm.test_alarms import RESOLVED, UNRESOLVED, alarm_message, alarms, say
from tests.alarm.test_notifications import work
from tests.world import World, state

STAMP = "d.id, d.owner_id, d.owner_path"
OF_ROBOT = "from device d where d.serial_number = 'SC0001'"
OCCURRENCE = (
    "insert into robot_occurrence (device_id, owner_id, owner_path, kind, schedule, start, day, state, units, at)"
    f" select {STAMP}, 'timetask', '{{schedule}}', now() - interval '{{ago}}', current_date, '{{state}}',"
    f" jsonb_build_array(jsonb_build_object('run', '{{run}}')), 0 {OF_ROBOT}"
)
SCHEDULE = (
    "insert into robot_plan (device_id, owner_id, owner_path, kind, name, revision, at, content)"
    f" select {STAMP}, 'timetask', 'Night', 1, 0, '{{}}' {OF_ROBOT}"
)
CLEANED = (
    "insert into area_hour (robot, hour, owner_id, owner_path, area)"
    f" select d.id, date_trunc('hour', now() - interval '{{ago}}'), d.owner_id, d.owner_path, 50 {OF_ROBOT}"
)
RUN = (
    'insert into task_report (device_id, owner_id, owner_path, run, map_name, task_name, started, ended, "end",'
    " planned, cleaned, battery_to)"
    f" select {STAMP}, '{{run}}', 'Ground', 'Lobby', now() - interval '{{ago}}', now() - interval '{{ended}}',"
    f" 'finished', 9, 9, {{battery}} {OF_ROBOT}"
)
PART = (
    "insert into upkeep (device_id, kind, name, since, hours, used_before, told)"
    f" select d.id, 'consumable', 'filter', now() - interval '90 days', {{hours}}, {{used}} * 3600, {{told}} {OF_ROBOT}"
)
RIDE = (
    "with made as (insert into elevator (account_id, elevator_name, building_name, floor)"
    f" select d.owner_id, 'East', 'Kestrel', '1,2' {OF_ROBOT} returning id, account_id)"
    " insert into lift_ride (elevator_id, account_id, device_id, sn, name, ride, from_floor, to_floor, phase,"
    " created_at) select made.id, account_id, d.id, 'SC0001', d.name, 'r1', '1', '2', 'waiting',"
    " now() - interval '{ago}'"
    f" {OF_ROBOT.replace('from device d', 'from made, device d')}"
)


def happened(schedule: str, ago: str, became: str, run: str = "") -> str:
    return OCCURRENCE.format(schedule=schedule, ago=ago, state=became, run=run)


MISSED = happened("Night", "2 hours", "missed")
LATE = happened("Night", "40 minutes", "waiting")
# What a rule sees, and what makes it good again.
SCENES: dict[Name, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "low_battery": (("update robot_state set battery = 19",), ("update robot_state set battery = 25",)),
    "disinfectant_level": (("update robot_state set liquid = 14",), ("update robot_state set liquid = 20",)),
    "task_missed": ((SCHEDULE, MISSED), (happened("Night", "1 hour", "running"),)),
    "task_late": ((LATE,), ("update robot_occurrence set state = 'running'",)),
    "not_cleaned": ((CLEANED.format(ago="8 days"),), (CLEANED.format(ago="1 hour"),)),
    "upkeep_due": ((PART.format(hours=100, used=101, told=100),), ("update upkeep set told = 0",)),
    "clock_off": (("update robot_state set clock_off = -700000",), ("update robot_state set clock_off = 0",)),
    "elevator_wait": ((RIDE.format(ago="11 minutes"),), ("update lift_ride set boarded_at = now()",)),
}
# What stands in the past, then by threshold how often that would have raised an alarm.
PASTS: dict[Name, tuple[tuple[str, ...], dict[int, int]]] = {
    "low_battery": (
        (
            RUN.format(run="a", ago="3 days", ended="2 days", battery=10),
            RUN.format(run="b", ago="2 days", ended="1 day", battery=30),
            RUN.format(run="c", ago="41 days", ended="40 days", battery=5),
        ),
        {1: 0, 20: 1, 31: 2},
    ),
    "task_missed": (
        (
            *(happened("Night", f"{days} days", "missed") for days in (2, 3, 4, 8)),
            happened("Night", "6 days", "done"),
            happened("Day", "5 days", "missed"),
        ),
        {1: 3, 2: 1, 3: 1, 4: 0},
    ),
    "task_late": (
        (
            RUN.format(run="a", ago="1430 minutes", ended="2 hours", battery=50),
            happened("Night", "1 day", "done", "a"),
            happened("Day", "1 day", "missed"),
        ),
        {9: 1, 11: 0},
    ),
    "not_cleaned": ((CLEANED.format(ago="20 days"), CLEANED.format(ago="3 days")), {2: 2, 7: 1, 20: 0}),
    "upkeep_due": (
        (
            PART.format(hours=100, used=99.5, told=90),
            RUN.format(run="a", ago="5 days", ended="4 days", battery=50),
        ),
        {100: 1, 90: 0},
    ),
    "clock_off": (("update robot_state set clock_off = 700000",), {10: 1, 12: 0}),
    "elevator_wait": (
        (RIDE.format(ago="3 days"), "update lift_ride set boarded_at = created_at + interval '6 minutes'"),
        {5: 1, 7: 0},
    ),
}


@pytest.fixture
async def fleet(world: World) -> World:
    """One robot that has said how it is."""
    async with world.pool.acquire() as db:
        await hot.store(db, [hot.row("SC0001", datetime.now(UTC), state())])
    await world.online("SC0001")
    return world


async def run(world: World, *statements: str) -> None:
    for statement in statements:
        await world.pool.execute(statement)


async def evaluate(world: World, name: Name) -> None:
    await service.evaluate(world.services, KINDS[name])


async def switch_on(world: World, name: Name, account: str = "admin", **more: Any) -> None:
    change = {"kind": name, "enabled": True, "threshold": KINDS[name].threshold}
    await world.call(account, "/wmWarnSet/editRule", **(change | more))


async def read_rule(world: World, name: Name, **more: Any) -> dict[str, Any]:
    rows = (await world.call("admin", "/wmWarnSet/listRules", **more))["list"]
    return next(row for row in rows if row["kind"] == name)


@pytest.mark.parametrize("name", kinds.NAMES)
async def test_each_rule_raises_what_it_sees_once_and_clears_it_as_it_is_gone(fleet: World, name: Name):
    await switch_on(fleet, name)
    await evaluate(fleet, name)
    assert await alarms(fleet) == []
    scene, cure = SCENES[name]
    await run(fleet, *scene)
    await evaluate(fleet, name)
    await evaluate(fleet, name)
    (row,) = await alarms(fleet)
    assert (row["code"], row["state"], row["count"]) == (name, UNRESOLVED, 1)
    assert row["content"] != name
    assert await alarms(fleet, "rivaluser") == []
    await run(fleet, *cure)
    await evaluate(fleet, name)
    assert [row["state"] for row in await alarms(fleet)] == [RESOLVED]


def test_each_rule_has_its_alarm_in_nine_languages_and_a_scene_here():
    assert tuple(KINDS) == tuple(SCENES) == kinds.NAMES
    for language in texts.LANGUAGES:
        assert all(texts.known(f"alarm.{name}") for name in kinds.NAMES), language


async def test_a_level_that_moves_around_its_threshold_raises_once(fleet: World):
    await switch_on(fleet, "low_battery")
    for battery in (19, 21, 19, 24.9, 19):
        await fleet.pool.execute("update robot_state set battery = $1", battery)
        await evaluate(fleet, "low_battery")
    assert [(row["state"], row["count"]) for row in await alarms(fleet)] == [(UNRESOLVED, 1)]
    await fleet.pool.execute("update robot_state set mode = 'charging'")
    await evaluate(fleet, "low_battery")
    assert [row["state"] for row in await alarms(fleet)] == [RESOLVED]


async def test_a_robot_that_fell_silent_is_no_better_for_that(fleet: World):
    await switch_on(fleet, "low_battery")
    await run(fleet, *SCENES["low_battery"][0])
    await evaluate(fleet, "low_battery")
    await fleet.pool.execute("update presence set online = false, reason = 'bye'")
    await evaluate(fleet, "low_battery")
    assert [row["state"] for row in await alarms(fleet)] == [UNRESOLVED]


async def test_merge_the_robots_own_alarm_with_that_of_the_server(fleet: World):
    await switch_on(fleet, "low_battery")
    await say(fleet, alarm_message("raised", ("a1", "low_battery")))
    await run(fleet, *SCENES["low_battery"][0])
    await evaluate(fleet, "low_battery")
    await say(fleet, alarm_message("snapshot", at=int(datetime.now(UTC).timestamp() * 1000)))
    assert [(row["state"], row["count"]) for row in await alarms(fleet)] == [(UNRESOLVED, 2)]


async def test_raise_no_released_alarm_again_while_its_cause_lasts(fleet: World):
    await run(fleet, *SCENES["clock_off"][0])
    await evaluate(fleet, "clock_off")
    await fleet.call("user", "/warn/resumeWarn", deviceSerialNumber="SC0001")
    await evaluate(fleet, "clock_off")
    assert [row["state"] for row in await alarms(fleet)] == [RESOLVED]


async def test_a_new_owner_gets_an_alarm_of_the_own(fleet: World):
    await run(fleet, *SCENES["clock_off"][0])
    await evaluate(fleet, "clock_off")
    new = {"deviceIds": str(fleet.devices["SC0001"]), "ownerUserId": fleet.accounts["rivaluser"]}
    await fleet.call("admin", "/device/updateDevicesOwner", **new)
    await fleet.pool.execute("update former_owner set until = epoch_ms(now()) - 1000")
    await evaluate(fleet, "clock_off")
    await evaluate(fleet, "clock_off")
    assert [row["state"] for row in await alarms(fleet)] == [RESOLVED]
    assert [(row["state"], row["count"]) for row in await alarms(fleet, "rivaluser")] == [(UNRESOLVED, 1)]


async def test_the_nearest_account_above_a_robot_decides(fleet: World):
    await run(fleet, *SCENES["clock_off"][0])
    await switch_on(fleet, "clock_off", enabled=False)
    await evaluate(fleet, "clock_off")
    assert await alarms(fleet) == []
    assert (await read_rule(fleet, "clock_off"))["decided"] == "own"
    customer = {"userId": fleet.accounts["user"]}
    assert (await read_rule(fleet, "clock_off", **customer))["decided"] == "above"
    await switch_on(fleet, "clock_off", threshold=11, **customer)
    row = await read_rule(fleet, "clock_off", **customer)
    assert (row["decided"], row["enabled"], row["threshold"]) == ("own", True, 11)
    await evaluate(fleet, "clock_off")
    assert [row["code"] for row in await alarms(fleet)] == ["clock_off"]
    for _ in range(2):  # the second time there is nothing to take back
        await switch_on(fleet, "clock_off", enabled=None, threshold=None, **customer)
    await evaluate(fleet, "clock_off")
    assert [row["state"] for row in await alarms(fleet)] == [RESOLVED]
    await switch_on(fleet, "clock_off", enabled=None)
    assert (await read_rule(fleet, "clock_off"))["decided"] == "default"


@pytest.mark.parametrize(
    "values",
    [
        {"kind": "low_battery", "threshold": 91},
        {"kind": "upkeep_due", "threshold": 95},
        {"kind": "task_late", "threshold": 1},
        {"kind": "task_late", "threshold": None},
        {"kind": "moon", "threshold": 5},
    ],
)
async def test_a_threshold_out_of_its_bounds_is_refused(world: World, values: dict[str, Any]):
    assert (await world.raw("admin", "/wmWarnSet/editRule", enabled=True, **values))[0] == Code.BAD_INPUT
    assert (await world.raw("admin", "/wmWarnSet/tryRule", **values))[0] == Code.BAD_INPUT
    assert await world.pool.fetchval("select count(*) from alarm_rule") == 0


@pytest.mark.parametrize("name", PASTS)
async def test_a_trial_counts_what_a_threshold_would_have_raised(fleet: World, name: Name):
    statements, counts = PASTS[name]
    await run(fleet, *statements)
    for threshold, count in counts.items():
        answer = await fleet.call("admin", "/wmWarnSet/tryRule", kind=name, threshold=threshold)
        assert answer == {"count": count, "days": 30}, threshold
        other = {"kind": name, "threshold": threshold, "userId": fleet.accounts["rival"]}
        assert (await fleet.call("admin", "/wmWarnSet/tryRule", **other))["count"] == 0


async def test_a_trial_of_the_tank_reads_the_end_of_each_run_from_the_history(fleet: World):
    for name, ended in (("packed", "1 day"), ("fresh", "1 hour"), ("unknown", "3 hours"), ("later", "5 hours")):
        await run(fleet, RUN.format(run=name, ago="2 days", ended=ended, battery=50))
    robot = fleet.devices["SC0001"]
    ends = dict(await fleet.pool.fetch("select run, extract(epoch from ended)::bigint from task_report"))
    at = ends["packed"]
    points = [((at - 1) * 1000, 0.0, 0.0, 0.0, 50.0, 12.0), ((at + 5) * 1000, 0.0, 0.0, 0.0, 50.0, 90.0)]
    data = chunk_codec.encode([(*point, *(0.0,) * (len(chunk_codec.SCALE) - 6)) for point in points])
    for minute in {(at - 1) // 60, at // 60}:
        await fleet.pool.execute("insert into chunk (robot, minute, data) values ($1, $2, $3)", robot, minute, data)
    after = chunk_codec.encode([((ends["later"] + 1) * 1000, *(0.0,) * (len(chunk_codec.SCALE) - 1))])
    await fleet.pool.execute(
        "insert into chunk (robot, minute, data) values ($1, $2, $3)", robot, ends["later"] // 60, after
    )
    slot = ends["fresh"] - 5
    values = robot, slot, slot * 1000
    await fleet.pool.execute(
        "insert into point (robot, slot, at, x, y, yaw, battery, liquid) values ($1, $2, $3, 0, 0, 0, 50, 8)", *values
    )
    for threshold, count in {5: 0, 10: 1, 13: 2}.items():
        answer = await fleet.call("admin", "/wmWarnSet/tryRule", kind="disinfectant_level", threshold=threshold)
        assert answer["count"] == count, threshold


async def test_a_kind_that_another_worker_evaluates_is_left_to_it(fleet: World):
    await run(fleet, *SCENES["clock_off"][0])
    async with fleet.pool.acquire() as db, db.transaction():
        assert await db.fetchval(service.ALONE, "clock_off")
        await evaluate(fleet, "clock_off")
    assert await alarms(fleet) == []


async def test_a_rule_that_fails_holds_no_other_up(fleet: World, monkeypatch: pytest.MonkeyPatch):
    await run(fleet, *SCENES["clock_off"][0])
    monkeypatch.setitem(service.queries.EVALUATE, "task_late", service.queries.HOLDING)
    await fleet.pool.execute(
        "select procrastinate_defer_jobs_v1(array[row('alarms', 'alarm.rules', 0, null, null,"
        " '{}'::jsonb, null)::procrastinate_job_to_defer_v1])"
    )
    await work(fleet)
    assert [row["code"] for row in await alarms(fleet)] == ["clock_off"]
