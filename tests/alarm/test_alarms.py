"""An alarm is raised once, counted, resolved when its cause is gone or somebody releases it, and never lost."""

import itertools
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from lustra.core import texts
from lustra.core.errors import Code
from lustra.domains.alarm import keep, service
from lustra.live.ingest import presence
from lustra.live.ingest import state as hot
from lustra.protocol.bus import Alarm, AlarmKind, OpenAlarm, encode
from lustra.protocol.flaws import Flawed
from lustra.robot.simulation.faults import FAULTS
from tests.world import World, state

NOW = time.time_ns() // 1_000_000
IDS = itertools.count()
FOREIGN = ("rivaluser", "rival")
UNKNOWN = 0
UNRESOLVED = 1
RESOLVED = 2
GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.yaml"


def alarm_message(kind: AlarmKind, *alarms: tuple[str, str], at: int = NOW, **more: Any) -> Alarm:
    """Of pairs of the robot's id and a code."""
    opened = [OpenAlarm(id=id_, code=code, since=at, **more) for id_, code in alarms]
    return Alarm(at=at, id=f"m{next(IDS)}", kind=kind, alarms=opened)


async def say(world: World, *messages: Alarm, sn: str = "SC0001") -> dict[str, list[str]]:
    async with world.pool.acquire() as db:
        return await keep.keep(db, [(sn, message) for message in messages])


async def alarms(world: World, account: str = "user", **filters: Any) -> list[dict[str, Any]]:
    return (await world.call(account, "/warn/list", **filters))["list"]


@pytest.mark.spec("call.warn.list", "state.alarm", "state.alarm.unresolved", "ent.warn")
@pytest.mark.spec(
    "ent.warn.code",
    "ent.warn.content",
    "ent.warn.deviceId",
    "ent.warn.level",
    "ent.warn.state",
    "ent.warn.time",
    "ent.warn.type",
    "ent.warn.warnId",
)
async def test_a_raised_alarm_is_listed_with_its_text_type_and_level(world: World):
    raised = alarm_message("raised", ("a1", "0x0610"), detail="third try")
    assert await say(world, raised) == {"SC0001": [raised.id]}
    (row,) = await alarms(world)
    assert row["content"] == "Upper lidar fault: docking failed 3 times"
    assert (row["code"], row["type"], row["level"], row["state"]) == ("0x0610", 2, 3, UNRESOLVED)
    assert (row["deviceSerialNumber"], row["detail"], row["count"]) == ("SC0001", "third try", 1)
    assert row["deviceId"] == world.devices["SC0001"]
    assert datetime.fromisoformat(row["time"]) == datetime.fromtimestamp(NOW / 1000, UTC)
    assert row["warnId"] == await world.pool.fetchval("select id from alarm")
    assert row["resolveDate"] is None
    assert row["clearedTime"] is None


async def test_count_a_repeated_alarm_once(world: World):
    raised = alarm_message("raised", ("a1", "0x0610"))
    await say(world, raised, raised)
    await say(world, raised)
    assert [row["count"] for row in await alarms(world)] == [1]


async def test_a_code_raised_again_while_it_is_open_is_counted_in_one_row(world: World):
    await say(world, *(alarm_message("raised", (f"a{n}", "stuck"), at=NOW + n) for n in range(5)))
    (row,) = await alarms(world)
    assert row["count"] == 5
    assert row["lastTime"] > row["time"]


@pytest.mark.spec("state.alarm.resolved", "state.alarm.t03", "ent.warn.resolveDate")
async def test_an_alarm_is_resolved_when_its_last_cause_is_gone(world: World):
    await say(world, alarm_message("raised", ("a1", "stuck"), ("a2", "stuck")))
    await say(world, alarm_message("cleared", ("a1", "stuck"), at=NOW + 1000))
    assert [row["state"] for row in await alarms(world)] == [UNRESOLVED]
    await say(world, alarm_message("cleared", ("a2", "stuck"), at=NOW + 2000))
    (row,) = await alarms(world)
    assert row["state"] == RESOLVED
    assert row["resolvedBy"] == ""
    assert datetime.fromisoformat(row["resolveDate"]) == datetime.fromtimestamp((NOW + 2000) / 1000, UTC)


async def test_an_end_that_comes_before_its_beginning_leaves_nothing_open(world: World):
    await say(world, alarm_message("cleared", ("a1", "stuck"), at=NOW + 1000), alarm_message("raised", ("a1", "stuck")))
    assert [row["state"] for row in await alarms(world)] == [RESOLVED]


async def test_continue_an_alarm_that_comes_back_within_ten_minutes(world: World):
    minute = 60_000
    await say(
        world, alarm_message("raised", ("a1", "stuck")), alarm_message("cleared", ("a1", "stuck"), at=NOW + minute)
    )
    await say(world, alarm_message("raised", ("a2", "stuck"), at=NOW + 9 * minute))
    assert [(row["state"], row["count"]) for row in await alarms(world)] == [(UNRESOLVED, 2)]
    await say(world, alarm_message("cleared", ("a2", "stuck"), at=NOW + 10 * minute))
    await say(world, alarm_message("raised", ("a3", "stuck"), at=NOW + 21 * minute))
    assert [(row["state"], row["count"]) for row in await alarms(world)] == [(UNRESOLVED, 1), (RESOLVED, 2)]


async def test_a_snapshot_takes_the_place_of_all_that_was_open(world: World):
    await say(world, alarm_message("raised", ("a1", "stuck"), ("a2", "lidar")))
    await say(world, alarm_message("snapshot", ("a2", "lidar"), ("a3", "imu"), at=NOW + 5000))
    assert {row["code"]: row["state"] for row in await alarms(world)} == {
        "stuck": RESOLVED,
        "lidar": UNRESOLVED,
        "imu": UNRESOLVED,
    }


async def test_an_older_snapshot_changes_nothing(world: World):
    await say(world, alarm_message("snapshot", at=NOW + 5000), alarm_message("raised", ("a1", "stuck"), at=NOW + 6000))
    await say(world, alarm_message("snapshot", at=NOW), alarm_message("snapshot", ("a9", "imu"), at=NOW + 4000))
    assert [(row["code"], row["state"]) for row in await alarms(world)] == [("stuck", UNRESOLVED)]


@pytest.mark.spec("state.alarm.unknown", "state.alarm.t02")
async def test_a_code_that_nobody_has_decided_on_is_shown_and_waits_for_a_person(world: World):
    await say(
        world, alarm_message("raised", ("a1", "0x9999")), alarm_message("cleared", ("a1", "0x9999"), at=NOW + 1000)
    )
    (row,) = await alarms(world)
    assert (row["code"], row["content"], row["state"]) == ("0x9999", "0x9999", UNKNOWN)
    assert row["clearedTime"] is not None
    await world.call("admin", "/warn/resumeWarn", deviceSerialNumber="SC0001")
    assert [row["state"] for row in await alarms(world)] == [RESOLVED]


@pytest.mark.spec("call.wmWarnSet.queryByPage", "call.wmWarnSet.edit", "ent.warn_setting", "const.alarm_channels")
@pytest.mark.spec(
    "ent.warn_setting.app",
    "ent.warn_setting.cloud",
    "ent.warn_setting.code",
    "ent.warn_setting.email",
    "ent.warn_setting.id",
    "ent.warn_setting.offSitePush",
    "ent.warn_setting.officialAccount",
    "ent.warn_setting.sms",
    "ent.warn_setting.terminal",
)
async def test_a_code_is_decided_on_by_its_setting(world: World):
    await say(world, alarm_message("raised", ("a1", "0x9999")))
    first = (await world.call("admin", "/wmWarnSet/queryByPage"))["list"][0]
    assert (first["code"], first["known"]) == ("0x9999", False)
    await world.call("admin", "/wmWarnSet/edit", id=first["id"], sms=1, level=4)
    (row,) = (await world.call("admin", "/wmWarnSet/queryByPage", keyword="9999"))["list"]
    channels = ("app", "cloud", "email", "officialAccount", "sms", "terminal", "offSitePush")
    assert [row[channel] for channel in channels] == [1, 1, 0, 0, 1, 0, 0]
    assert (row["level"], row["type"], row["known"]) == (4, 2, True)
    await say(world, alarm_message("raised", ("b1", "0x9999")), sn="SC0002")
    assert [(row["level"], row["state"]) for row in await alarms(world, deviceId=world.devices["SC0002"])] == [
        (4, UNRESOLVED)
    ]


async def test_settings_are_found_by_their_text_in_the_readers_language(world: World):
    rows = (await world.call("admin", "/wmWarnSet/queryByPage", keyword="LIDAR FAULT"))["list"]
    assert {row["code"] for row in rows} == {"lidar", "0x0610", "0x0612", "0x0614", "0x0616"}


async def test_show_who_is_on_an_open_alarm_until_it_is_given_back(world: World):
    await say(world, alarm_message("raised", ("a1", "stuck")))
    (row,) = await alarms(world)
    assert (row["takenUserId"], row["takenBy"], row["takenTime"]) == (None, "", None)
    ref = {"deviceSerialNumber": "SC0001", "warnId": row["warnId"]}
    assert (await world.call("user", "/warn/listUnProcess"))["taken"] == 0
    await world.call("user", "/warn/takeWarn", **ref, on=True)
    assert (await world.call("user", "/warn/listUnProcess"))["taken"] == 1
    (row,) = await alarms(world, "admin")
    assert (row["takenUserId"], row["takenBy"]) == (world.accounts["user"], "Bright Floors")
    assert row["takenTime"] is not None
    await world.call("admin", "/warn/takeWarn", **ref, on=True)
    assert [row["takenUserId"] for row in await alarms(world)] == [world.accounts["admin"]]
    await world.call("user", "/warn/takeWarn", **ref, on=False)
    assert [row["takenBy"] for row in await alarms(world)] == [""]
    await world.call("user", "/warn/resumeWarn", deviceSerialNumber="SC0001")
    assert (await world.raw("user", "/warn/takeWarn", **ref, on=True))[0] == Code.NOT_FOUND


@pytest.mark.spec("call.warn.resumeWarn", "state.alarm.t01", "perm.button.warn.index.warn.resume")
async def test_resolve_one_alarm_or_all_of_a_robot_whatever_a_snapshot_repeats(world: World):
    await say(world, alarm_message("raised", ("a1", "stuck"), ("a2", "lidar"), ("a3", "imu")))
    await say(world, alarm_message("raised", ("b1", "stuck")), sn="SC0002")
    number = next(row["warnId"] for row in await alarms(world) if row["code"] == "imu")
    released = await world.call("user", "/warn/resumeWarn", deviceSerialNumber="SC0001", warnId=number)
    assert released == {"count": 1}
    assert await world.call("user", "/warn/resumeWarn", deviceSerialNumber="SC0001") == {"count": 2}
    assert await world.call("user", "/warn/resumeWarn", deviceSerialNumber="SC0001", warnId=number) == {"count": 0}
    await say(world, alarm_message("snapshot", ("a1", "stuck"), ("a2", "lidar"), ("a3", "imu"), at=NOW + 5000))
    rows = await alarms(world, deviceId=world.devices["SC0001"])
    assert {row["state"] for row in rows} == {RESOLVED}
    assert {row["resolvedBy"] for row in rows} != {""}
    assert [row["state"] for row in await alarms(world, deviceIds=[world.devices["SC0002"]])] == [UNRESOLVED]


@pytest.mark.spec("call.warn.listUnProcess", "call.warn.now", "odd.field.userID.now")
async def test_the_badge_counts_what_is_open_and_new_ones_follow_the_last(world: World):
    await say(world, alarm_message("raised", ("a1", "0x0205"), ("a2", "serial_error"), ("a3", "imu")))
    await say(world, alarm_message("cleared", ("a3", "imu"), at=NOW + 1))
    unprocessed = await world.call("user", "/warn/listUnProcess")
    assert unprocessed["count"] == 2
    assert unprocessed["newest"] == max(row["warnId"] for row in unprocessed["list"])
    assert [row["code"] for row in unprocessed["list"]] == ["serial_error", "0x0205"]  # the gravest first
    new = await world.call("user", "/warn/now", userID=world.accounts["user"])
    assert (new["count"], [row["code"] for row in new["list"]]) == (3, ["0x0205", "serial_error", "imu"])
    last = new["list"][1]["warnId"]
    assert [row["code"] for row in (await world.call("user", "/warn/now", warnId=last))["list"]] == ["imu"]
    await say(world, alarm_message("raised", ("b1", "lidar")), sn="SC0002")
    of_robot = await world.call("user", "/warn/listUnProcess", deviceId=world.devices["SC0002"])
    assert (of_robot["count"], [row["code"] for row in of_robot["list"]]) == (1, ["lidar"])
    later = datetime.fromtimestamp(NOW / 1000 + 60, UTC).isoformat()
    assert (await world.call("user", "/warn/now", time=later))["list"] == []


@pytest.mark.spec("call.warn.chart", "call.warn.warnSummary", "const.alarm_chart")
async def test_chart_and_summary_count_by_day_level_and_code(world: World):
    day = 86_400_000
    await say(world, alarm_message("raised", ("a1", "stuck"), at=NOW - day), alarm_message("raised", ("a2", "0x0470")))
    await say(world, alarm_message("raised", ("b1", "stuck")), sn="SC0002")
    await world.pool.execute("update alarm set raised_at = raised_at - interval '8 days' where code = '0x0470'")
    chart = (await world.call("user", "/warn/chart"))["list"]
    assert [(row["type"], row["level"], row["count"]) for row in chart] == [(2, 3, 1), (2, 3, 1)]
    assert chart[0]["date"] < chart[1]["date"]
    summary = await world.call("user", "/warn/warnSummary")
    assert [(row["deviceSerialNumber"], row["count"], row["open"]) for row in summary["devices"]] == [
        ("SC0001", 2, 2),
        ("SC0002", 1, 1),
    ]
    codes = summary["list"]
    assert [(row["code"], row["content"], row["count"], row["open"], row["devices"]) for row in codes] == [
        ("stuck", "Stuck", 2, 2, 2),
        ("0x0470", "Left disinfectant too low", 1, 1, 1),
    ]


CODES = ("0x0610", "0x0612", "0x0614", "0x0616", "0x0205", "0x0534", "0x0535", "0x0536", "0x0470", "0x0471", "0x0472")
NAMED = {
    "odometer": "odometer",
    "imu": "imu",
    "lidar": "lidar",
    "depth_camera": "depth-camera",
    "path_error": "path-error",
    "p2p_path": "p2p-path",
    "network_abnormal": "network",
    "map_load_failed": "map-load",
    "low_positioning_accuracy": "positioning",
    "map_beyond_border": "beyond-border",
    "elevator_task": "elevator-task",
    "path_not_solved": "path-not-solved",
    "map_building": "building-map",
}


@pytest.mark.spec(
    "err.robot.0x0610",
    "err.robot.0x0612",
    "err.robot.0x0614",
    "err.robot.0x0616",
    "err.robot.0x0205",
    "err.robot.0x0534",
    "err.robot.0x0470",
    "err.robot.0x0471",
    "err.robot.0x0472",
    "err.robot.0x0473",
    "err.robot_msg.odometer",
    "err.robot_msg.imu",
    "err.robot_msg.lidar",
    "err.robot_msg.depth_camera",
    "err.robot_msg.path_error",
    "err.robot_msg.dynamic_point_to_point_path_request_failed",
    "err.robot_msg.network_abnormal",
    "err.robot_msg.map_load_failed",
    "err.robot_msg.low_positioning_accuracy",
    "err.robot_msg.map_elements_beyond_the_map_border",
)
def test_each_code_of_the_catalogue_says_the_glossarys_words_in_nine_languages():
    entries = {entry["id"]: entry["t"] for entry in yaml.safe_load(GLOSSARY.read_text())["entries"]}
    ids = {code: f"alarm-{code[2:]}" for code in (*CODES, "0x0473")}
    ids |= {code: f"alarm-{name}" for code, name in NAMED.items()}
    for code, entry in ids.items():
        for language in texts.LANGUAGES:
            assert texts.name_alarm(code, language) == entries[entry][language], (code, language)


async def test_each_fault_of_the_virtual_robot_has_a_code_that_is_decided_on(world: World):
    rows = {row["code"]: row for row in (await world.call("admin", "/wmWarnSet/queryByPage", pageSize=1000))["list"]}
    for name, fault in FAULTS.items():
        row = rows[fault.help or fault.banner or name]
        assert row["known"], name
        assert row["content"] != row["code"], name


def test_a_chart_without_days_is_of_the_last_seven():
    today = date(2026, 3, 8)
    assert service.last_days(today, None, None) == (date(2026, 3, 2), today)
    assert service.last_days(today, date(2026, 1, 1), None) == (date(2026, 1, 1), today)
    assert service.last_days(today, None, date(2026, 2, 10)) == (date(2026, 2, 4), date(2026, 2, 10))


async def test_a_list_is_narrowed_by_each_of_its_filters(world: World):
    await say(
        world, alarm_message("raised", ("a1", "stuck"), ("a2", "0x0470")), alarm_message("cleared", ("a1", "stuck"))
    )
    await say(world, alarm_message("raised", ("b1", "offline")), sn="SC0002")
    robot = world.devices["SC0001"]
    for filters, codes in (
        ({"deviceId": robot}, {"stuck", "0x0470"}),
        ({"code": "stuck"}, {"stuck"}),
        ({"level": 2}, {"0x0470"}),
        ({"type": 1}, {"0x0470"}),
        ({"state": RESOLVED}, {"stuck"}),
        ({"userId": world.accounts["user"]}, {"stuck", "0x0470", "offline"}),
        ({"endDate": "2020-01-01"}, set[str]()),
        ({"run": "r9"}, set[str]()),
        ({"startDate": "2020-01-01"}, {"stuck", "0x0470", "offline"}),
    ):
        assert {row["code"] for row in await alarms(world, **filters)} == codes, filters


@pytest.mark.spec("call.warn.deleteWarn", "perm.button.device.warn.delete")
async def test_delete_resolved_alarms_of_a_robot_before_a_time_and_no_open_ones(world: World):
    await say(world, alarm_message("raised", ("a1", "stuck"), ("a2", "imu")), alarm_message("cleared", ("a1", "stuck")))
    await say(world, alarm_message("raised", ("b1", "stuck")), alarm_message("cleared", ("b1", "stuck")), sn="SC0002")
    robot = world.devices["SC0001"]
    before, after = ((datetime.now(UTC) + timedelta(hours=hours)).isoformat() for hours in (-1, 1))
    assert await world.call("admin", "/warn/deleteWarn", deviceId=robot, time=before) == {"count": 0}
    assert await world.call("admin", "/warn/deleteWarn", deviceId=robot, time=after) == {"count": 1}
    assert {(row["deviceSerialNumber"], row["code"]) for row in await alarms(world)} == {
        ("SC0001", "imu"),
        ("SC0002", "stuck"),
    }
    for missing in ({"deviceId": robot}, {"time": after}):
        assert (await world.raw("admin", "/warn/deleteWarn", **missing))[0] == Code.BAD_INPUT


async def test_clearing_old_data_takes_resolved_alarms_of_more_than_a_year(world: World):
    await say(world, alarm_message("raised", ("a1", "stuck"), ("a2", "imu"), ("a3", "lidar")))
    await world.call("user", "/warn/resumeWarn", deviceSerialNumber="SC0001")
    await world.pool.execute("update alarm set raised_at = now() - interval '366 days' where code <> 'lidar'")
    await world.pool.execute("update alarm set state = 1 where code = 'imu'")
    counts = (await world.call("admin", "/user/cleanCache"))["list"]
    assert {"kind": "warn", "kindName": "Alarm", "count": 1} in counts
    assert len(await alarms(world)) == 3
    await world.call("admin", "/user/cleanCache", confirm=1)
    assert {row["code"] for row in await alarms(world)} == {"imu", "lidar"}


async def test_take_only_the_alarm_itself_when_it_is_in_no_group(world: World):
    await say(world, alarm_message("raised", ("a1", "stuck"), ("a2", "imu")))
    ref = {"deviceSerialNumber": "SC0001", "on": True}
    first = await world.pool.fetchval("select min(id) from alarm")
    await world.call("user", "/warn/takeWarn", **ref, warnId=first)
    assert {row["warnId"]: row["takenUserId"] is not None for row in await alarms(world)} == {
        first: True,
        first + 1: False,
    }


@pytest.mark.parametrize("account", FOREIGN)
async def test_a_foreign_account_sees_and_releases_no_alarm(world: World, account: str):
    await say(world, alarm_message("raised", ("a1", "stuck")))
    assert await alarms(world, account) == []
    assert (await world.call(account, "/warn/listUnProcess"))["count"] == 0
    assert (await world.call(account, "/warn/now"))["list"] == []
    assert (await world.call(account, "/warn/chart"))["list"] == []
    assert (await world.call(account, "/warn/warnSummary"))["list"] == []
    number = await world.pool.fetchval("select id from alarm")
    code, _ = await world.raw(account, "/warn/takeWarn", deviceSerialNumber="SC0001", warnId=number, on=True)
    assert code in (Code.NOT_FOUND, Code.FORBIDDEN)
    code, _ = await world.raw(account, "/warn/resumeWarn", deviceSerialNumber="SC0001")
    assert code in (Code.NOT_FOUND, Code.FORBIDDEN)


async def test_the_owner_of_then_keeps_the_alarm_and_it_is_over_when_the_robot_goes(world: World):
    await say(world, alarm_message("raised", ("a1", "stuck")))
    await world.call(
        "admin",
        "/device/updateDevicesOwner",
        deviceIds=str(world.devices["SC0001"]),
        ownerUserId=world.accounts["rivaluser"],
    )
    assert [(row["code"], row["state"]) for row in await alarms(world)] == [("stuck", RESOLVED)]
    await world.pool.execute("update former_owner set until = epoch_ms(now())")  # the robot has heard of it
    await say(world, alarm_message("raised", ("a2", "stuck"), at=time.time_ns() // 1_000_000 + 1000))
    assert [row["count"] for row in await alarms(world, "rivaluser")] == [1]
    assert len(await alarms(world)) == 1


async def test_a_robot_of_before_says_what_is_wrong_in_its_state(world: World):
    async def store(at: int, **fields: Any) -> None:
        async with world.pool.acquire() as db:
            await hot.store(db, [hot.row("SC0001", datetime.now(UTC), state(at, **fields))])

    await store(NOW, help="stuck", banners=["low_battery", "brake"])
    await store(NOW + 1000, help="stuck", banners=["low_battery"])
    assert {(row["code"], row["state"]) for row in await alarms(world)} == {
        ("stuck", UNRESOLVED),
        ("low_battery", UNRESOLVED),
    }
    await store(NOW + 2000, help="", banners=["low_battery"])
    assert {row["code"]: row["state"] for row in await alarms(world)} == {
        "stuck": RESOLVED,
        "low_battery": UNRESOLVED,
    }
    await say(world, alarm_message("snapshot", at=NOW + 3000))  # from now on it says alarms itself
    await store(NOW + 4000, help="lidar", banners=[])
    assert {row["code"]: row["state"] for row in await alarms(world)} == {"stuck": RESOLVED, "low_battery": RESOLVED}


async def test_a_robot_that_falls_silent_raises_an_alarm_until_it_is_back(world: World):
    async def store(at: int) -> None:
        async with world.pool.acquire() as db:
            await hot.store(db, [hot.row("SC0001", datetime.now(UTC), state(at))])

    await store(NOW)
    async with world.pool.acquire() as db:
        await presence.mark_silent(db, datetime.now(UTC) + timedelta(minutes=1))
    assert [(row["code"], row["state"]) for row in await alarms(world)] == [("offline", UNRESOLVED)]
    await say(world, alarm_message("snapshot", at=NOW + 1))  # what the server says is not the robot's to end
    assert [row["state"] for row in await alarms(world)] == [UNRESOLVED]
    await store(NOW + 1000)
    assert [row["state"] for row in await alarms(world)] == [RESOLVED]


async def test_a_robot_of_nobody_gets_no_receipt(world: World):
    assert await say(world, alarm_message("raised", ("a1", "stuck")), sn="SC9999") == {}


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        (b'"id":"m"', "id", "missing"),
        (b'"kind":"raised"', "kind", "missing"),
        (b'"code":"stuck"', "alarms[0].code", "missing"),
    ],
)
def test_a_message_without_what_it_needs_is_refused(change: bytes, field: str, reason: str):
    whole = b'{"v":1,"at":1,"id":"m","kind":"raised","alarms":[{"id":"a","since":1,"code":"stuck"}]}'
    assert keep.read(whole).alarms[0].code == "stuck"
    with pytest.raises(Flawed) as why:
        keep.read(whole.replace(change, b'"other":0'))
    assert (why.value.flaw.field, why.value.flaw.reason) == (field, reason)


@pytest.mark.parametrize(
    "message",
    [
        alarm_message("raised", ("a", "stuck"), detail="x" * 65536),
        alarm_message("raised", ("a", "x" * 65)),
        alarm_message("raised", *((f"a{n}", "stuck") for n in range(101))),
        alarm_message("raised", ("a", "stuck"), level=5),
        alarm_message("raised", ("a", "stuck"), at=10**18),
    ],
    ids=["detail", "code", "number", "level", "at"],
)
def test_refuse_values_beyond_their_bounds(message: Alarm):
    with pytest.raises(Flawed) as why:
        keep.read(encode(message))
    assert why.value.flaw.reason == "out_of_range"


def test_date_messages_older_than_three_days_by_their_arrival():
    day = 86_400_000
    message = alarm_message("raised", ("a", "stuck"), at=NOW - 4 * day)
    shifted = keep.shift(message, message.at, NOW)
    assert (shifted.at, shifted.alarms[0].since) == (NOW, NOW)
    recent = alarm_message("raised", ("a", "stuck"), at=NOW - 2 * day)
    assert keep.shift(recent, recent.at, NOW) == recent
    ahead = alarm_message("raised", ("a", "stuck"), at=NOW + 2 * day)  # the clock was judged wrong: `at` counts
    assert keep.shift(ahead, NOW, NOW).alarms[0].since == NOW
