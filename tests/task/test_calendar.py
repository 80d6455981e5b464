"""Groups and schedules of robots as the server knows them, and the calendar that is reckoned from them."""

from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from lustra.core.db import now
from lustra.domains.report import keep as reports
from lustra.domains.task import mirror, plans
from lustra.domains.task.calendar import Entry, Plan, build_calendar
from lustra.live.ingest import events
from lustra.protocol import bus
from lustra.protocol.flaws import Flawed
from lustra.protocol.payloads.groups import TaskGroup
from lustra.protocol.payloads.schedules import ElevatorTimeTask, TimeTask
from lustra.protocol.payloads.tasks import Task
from lustra.robot.local_api.api import HANDLERS
from lustra.robot.schedules.schedule import step
from tests.live.test_ingest_bus import count, ingesting, tell
from tests.robot.conftest import TASK, hall, open_robot
from tests.task.conftest import NOON, SCHEDULE, group, occurrence, schedule
from tests.world import World, report, until

DAY = timedelta(days=1)
THEN = round(NOON.timestamp() * 1000)


def ms(at: datetime) -> int:
    return round(at.timestamp() * 1000)


async def keep_events(world: World, *sent: bus.Event, sn: str = "SC0001") -> None:
    async with world.as_ingest() as db:
        for event in sent:
            await (plans.keep_occurrence if event.kind == "occurrence" else plans.keep)(db, sn, event)


async def list_calendar(world: World, account: str = "user", first: date | None = None, days: int = 7, **more: Any):
    begin = first or now().date()
    payload = {"startDate": begin.isoformat(), "endDate": (begin + timedelta(days=days - 1)).isoformat()}
    return (await world.call(account, "/task/calendar", **payload, **more))["list"]


async def test_mirror_a_robots_plans_once_and_only_forward(world: World):
    new, old = schedule(20, enable=0), schedule(10)
    async with ingesting(world):
        for event in (new, old, new, group(30), occurrence(THEN)):
            await tell(world, bus.event("SC0001"), event)

        async def all_there():
            return await count(world, "robot_occurrence") == 1

        await until(all_there)
        rows = (await world.call("user", "/task/plans", deviceId=world.devices["SC0001"]))["list"]
        assert [(row["kind"], row["name"], row["content"].get("enable")) for row in rows] == [
            ("group", "Night", None),
            ("timetask", "Evening", 0),
        ]
        deletion = bus.Event(at=40, id="x", kind="schedule", name="timetask/Evening", revision=2, deleted=True)
        await tell(world, bus.event("SC0001"), deletion)
        await tell(world, bus.event("SC0001"), schedule(35))  # said before it was deleted, heard after

        async def one_left():
            return await world.pool.fetchval("select count(*) from robot_plan where deleted_at is null") == 1

        await until(one_left)
    rows = (await world.call("user", "/task/plans", deviceId=world.devices["SC0001"]))["list"]
    assert [row["kind"] for row in rows] == ["group"]


async def test_ignore_a_late_message_about_plans(world: World):
    deletion = bus.Event(at=40, id="x", kind="schedule", name="timetask/Evening", revision=2, deleted=True)

    async def stands() -> list[int]:
        rows = (await world.call("user", "/task/plans", deviceId=world.devices["SC0001"]))["list"]
        return [row["content"]["enable"] for row in rows]

    await keep_events(world, schedule(20, enable=0), schedule(10), schedule(20))
    assert await stands() == [0]
    await keep_events(world, deletion, schedule(35))
    assert await stands() == []
    await keep_events(world, schedule(50), deletion)
    assert await stands() == [1]
    await keep_events(world, occurrence(THEN, at=THEN + 9), occurrence(THEN, state="running", at=THEN + 5))
    assert await world.pool.fetchval("select state from robot_occurrence") == "done"


@pytest.mark.parametrize(
    "event",
    [
        schedule(5, start_time="25-00"),
        schedule(5, zone="Mars/Olympus"),
        schedule(5, zone=7),
        schedule(5, kind="often"),
        group(5, tasks=[]),
        occurrence(THEN, state="lost"),
        occurrence(THEN, day="Friday"),
        occurrence(-1),
        bus.Event(at=5, id="n", kind="schedule", name="timetask/Evening", content=["no", "object"]),
    ],
    ids=str,
)
async def test_store_no_invalid_plan_or_occurrence(world: World, event: Any):
    with pytest.raises(Flawed):
        await keep_events(world, event)
    assert await count(world, "robot_plan") + await count(world, "robot_occurrence") == 0


async def test_the_calendar_shows_what_was_and_what_comes(world: World):
    robot = world.devices["SC0001"]
    today = now()
    async with world.as_ingest() as db:
        await reports.keep(db, [("SC0001", report(id="r1", task="Lobby", coverage=0.97))])
        await db.execute(
            "insert into robot_task (device_id, owner_id, owner_path, name, map_name, revision, at, content) select $1,"
            " id, path, 'floor 1/Lobby', 'floor 1', 1, 1, $2 from account where account = 'user'",
            robot,
            {"name": "Lobby", "map_name": "floor 1", "seconds": 1200},
        )
    unit = {"map": "floor 1", "task": "Lobby"}
    skipped = (today + 2 * DAY).date().isoformat()
    await keep_events(
        world,
        schedule(ms(today - 3 * DAY), skips=[skipped], forced_end=1, end_time="05-00"),
        schedule(ms(today - 3 * DAY), name="Off", enable=0),
        occurrence(ms(today - 2 * DAY), units=[unit | {"run": "r1"}]),
        occurrence(ms(today - 2 * DAY), state="missed", reason="robot_off", schedule="Noon"),
    )
    await world.pool.execute("update robot_plan set updated_at = now() - interval '3 days'")
    rows = await list_calendar(world, first=(today - 3 * DAY).date(), days=8)
    was = {row["schedule"]: row for row in rows if row["state"] in {"done", "missed"}}
    report_id = await world.pool.fetchval("select id from task_report")
    assert was["Evening"]["units"] == [
        {
            "mapName": "floor 1",
            "task": "Lobby",
            "run": "r1",
            "reason": "",
            "taskReportId": report_id,
            "coverage": pytest.approx(0.97),
        }
    ]
    assert (was["Noon"]["state"], was["Noon"]["reason"]) == ("missed", "robot_off")
    coming = [row for row in rows if row["schedule"] == "Evening" and row["state"] in {"planned", "skipped"}]
    assert {row["day"]: row["state"] for row in coming}[skipped] == "skipped"
    assert [row["state"] for row in coming].count("planned") >= 2
    for row in coming:
        assert (row["seconds"], row["deviceCode"], row["zone"]) == (1200, "Robot 01 机器", "Europe/Berlin")
        shown = datetime.fromisoformat(row["start"])
        assert datetime.fromisoformat(row["end"]) - shown in (timedelta(hours=h + 0.5) for h in (5, 6, 7))
    assert not [row for row in rows if row["schedule"] == "Off"]
    unheard = [row["start"] for row in rows if row["state"] == "unheard"]
    assert all(today - 3 * DAY <= datetime.fromisoformat(start) < now() for start in unheard)
    assert unheard


async def test_a_window_has_its_bounds(world: World):
    for begin, end, code in (
        ("2026-01-02", "2026-01-01", 40000),
        ("2026-01-01", "2026-02-12", 40000),
        ("2026-01-01", "2026-02-11", 0),
    ):
        refusal = await world.raw("user", "/task/calendar", startDate=begin, endDate=end)
        assert refusal[0] == code, (begin, end)
    assert (await world.raw("user", "/task/calendar", startDate="2026-01-01", endDate="2026-01-01", zone="Mars/X"))[0]


async def test_a_building_and_robots_narrow_the_calendar(world: World):
    today = now()
    for sn in ("SC0001", "SC0002"):
        await keep_events(world, schedule(ms(today)), sn=sn)
    await world.pool.execute("update device set address = 'Tower' where serial_number = 'SC0002'")
    assert {row["building"] for row in await list_calendar(world, building="Tower")} == {"Tower"}
    own = [world.devices["SC0001"]]
    assert {row["deviceId"] for row in await list_calendar(world, deviceIds=own)} == set(own)
    assert {row["deviceId"] for row in await list_calendar(world)} == {world.devices[sn] for sn in ("SC0001", "SC0002")}


async def test_the_calendar_names_the_robots_of_a_building_also_idle_ones(world: World):
    await world.pool.execute("update device set address = 'Tower', zone = 'Asia/Tokyo' where serial_number = 'SC0002'")
    (tower,) = [
        building
        for building in (await world.call("user", "/task/buildings"))["list"]
        if building["building"] == "Tower"
    ]
    assert tower == {"building": "Tower", "robots": 1, "zone": "Asia/Tokyo"}
    day = now().date().isoformat()
    answer = await world.call("user", "/task/calendar", startDate=day, endDate=day, building="Tower")
    assert [(row["deviceId"], row["zone"]) for row in answer["robots"]] == [(world.devices["SC0002"], "Asia/Tokyo")]
    assert answer["list"] == []
    for account in ("rival", "rivaluser"):
        own = [building["building"] for building in (await world.call(account, "/task/buildings"))["list"]]
        assert "Tower" not in own
        answer = await world.call(account, "/task/calendar", startDate=day, endDate=day, building="Tower")
        assert answer["robots"] == []


async def test_a_schedule_can_name_the_elevators_of_its_building_with_a_code(world: World):
    for name, code, building in (
        ("Lift 2", "T-2", "Tower"),
        ("Lift 1", "T-1", "Tower"),
        ("Old", "", "Tower"),
        ("Lift 1", "H-1", "Hotel"),
    ):
        given = {"elevatorName": name, "code": code, "buildingName": building, "floor": "1,2"}
        await world.call("user", "/elevator/insertElevator", **given)
    for account, codes in (("user", ["T-1", "T-2"]), ("dealer", ["T-1", "T-2"]), ("rival", [])):
        elevators = (await world.call(account, "/task/elevators", building="Tower"))["list"]
        assert [elevator["code"] for elevator in elevators] == codes, account


@pytest.mark.spec("prule.acting")
async def test_another_tenant_sees_neither_plans_nor_calendar(world: World):
    await keep_events(world, schedule(ms(now())), group(5), occurrence(THEN))
    robot = world.devices["SC0001"]
    assert len(await list_calendar(world, "dealer")) >= 6
    for account in ("rival", "rivaluser"):
        assert (await world.call(account, "/task/plans", deviceId=robot))["list"] == []
        assert await list_calendar(world, account) == []
        assert await list_calendar(world, account, deviceIds=[robot]) == []
        assert await list_calendar(world, account, first=NOON.date()) == []


@pytest.mark.parametrize("things", ["keep", "hand_over", "erase"])
async def test_plans_go_the_way_of_the_robots_things_when_it_is_given_away(world: World, things: str):
    await keep_events(world, schedule(5), group(5), occurrence(THEN))
    robot, week = world.devices["SC0001"], await list_calendar(world)
    assert len(week) >= 6
    code, _ = await world.raw(
        "admin", "/device/updateDeviceUserInfo", deviceId=robot, ownerUserId=world.accounts["rivaluser"], things=things
    )
    assert code == 0
    seen = {a: len((await world.call(a, "/task/plans", deviceId=robot))["list"]) for a in ("dealer", "rivaluser")}
    assert seen == {"dealer": 2 if things == "keep" else 0, "rivaluser": 2 if things == "hand_over" else 0}
    assert await list_calendar(world, "rivaluser", first=NOON.date(), days=1) == []
    assert len(await list_calendar(world, "rivaluser")) == (len(week) if things == "hand_over" else 0)
    assert await list_calendar(world, "dealer") == []
    (was,) = await list_calendar(world, "dealer", first=NOON.date(), days=1)
    assert was["state"] == "done"


async def test_old_occurrences_go_with_the_reports_of_their_time(world: World):
    await keep_events(world, occurrence(ms(now() - 364 * DAY)), occurrence(ms(now() - 366 * DAY)))
    await world.call("admin", "/user/cleanCache")
    assert await count(world, "robot_occurrence") == 2
    await world.call("admin", "/user/cleanCache", confirm=1)
    assert await count(world, "robot_occurrence") == 1


UTC = timezone.utc
START = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)


def plan(name: str, start: str, **changed: Any) -> Plan:
    content = SCHEDULE | {"name": name, "start_time": start, "zone": "UTC", "days": [1]} | changed
    return Plan(1, "timetask", content, START - DAY)


def test_two_that_overlap_are_a_conflict_and_two_that_do_not_are_none():
    window, seconds = (START - DAY, START + 3 * DAY), {(1, "floor 1", "Lobby"): 3600.0}

    def marked(*schedules: Plan) -> dict[str, str]:
        return {entry.schedule: entry.conflict for entry in build_calendar([], schedules, seconds, window, START - DAY)}

    assert marked(plan("A", "08-00"), plan("B", "08-59")) == {"A": "overlap", "B": "overlap"}
    assert marked(plan("A", "08-00"), plan("B", "09-00")) == {"A": "", "B": ""}
    assert marked(plan("A", "08-00", forced_end=1, end_time="08-30"), plan("B", "08-30")) == {"A": "", "B": ""}
    assert marked(plan("A", "08-00"), plan("B", "08-00")) == {"A": "overlap", "B": "overlap"}
    assert marked(plan("A", "08-00", skips=["2026-11-23"]), plan("B", "08-30")) == {"A": "", "B": ""}


def test_mark_an_occurrence_unheard_a_minute_after_it_was_due():
    def state(after: timedelta) -> str:
        (entry,) = build_calendar([], [plan("A", "08-00")], {}, (START - DAY, START + DAY), START + after)
        return entry.state

    assert [state(timedelta(seconds=s)) for s in (-1, 59, 61)] == ["planned", "planned", "unheard"]


def test_prefer_the_robots_report_to_the_calculated_occurrence():
    occurrence = Entry(1, "timetask", "A", START, START.date(), None, "running")
    entries = build_calendar([occurrence], [plan("A", "08-00")], {}, (START - DAY, START + DAY), START)
    assert [entry.state for entry in entries] == ["running"]


async def test_read_back_the_plans_that_a_robot_publishes(world: World, tmp_path: Path):
    """From the local API over the robot's outbox to the calendar, in one go."""
    robot = open_robot(tmp_path / "r", floor=hall(), zone="Europe/Berlin")
    added: Any = HANDLERS["task_add"](robot, Task.model_validate(TASK))
    await added
    night = {"name": "Night", "map_name": "hall", "start_time": "22:30", "days": [1, 2, 3, 4, 5, 6, 7]}
    HANDLERS["timetask_save"](robot, TimeTask.model_validate(night | {"task_list": ["Hall"]}))
    floors = {"floors": [{"map_name": "hall", "task_list": ["Hall"]}]}
    HANDLERS["elevator_timetask_add"](robot, ElevatorTimeTask.model_validate(night | floors))
    HANDLERS["taskgroup_add"](robot, TaskGroup.model_validate({"name": "Round", "tasks": ["Hall"]}))
    robot.machine.stop(pressed=True)
    start = ms(now())
    robot.store.facts.looked = start
    await step(robot, start + 24 * 3600_000 + 60_000)
    sent = [events.read(letter.data) for letter in robot.outbox.unconfirmed() if letter.kind == "event"]
    await keep_events(world, *(event for event in sent if event and event.kind in {"group", "schedule", "occurrence"}))
    rows = (await world.call("user", "/task/plans", deviceId=world.devices["SC0001"]))["list"]
    assert [(row["kind"], row["name"]) for row in rows] == [
        ("elevator_timetask", "Night"),
        ("group", "Round"),
        ("timetask", "Night"),
    ]
    kinds = {row["kind"] for row in await list_calendar(world) if row["state"] in {"waiting", "missed"}}
    assert kinds == {"timetask", "elevator_timetask"}


async def test_store_a_result_with_the_forced_end_of_its_schedule(world: World):
    ends = THEN + 3_600_000
    await keep_events(world, schedule(10), occurrence(THEN, "forced_end", end=ends), occurrence(THEN + 60_000, end=0))
    rows = await list_calendar(world, first=NOON.date(), days=1)
    states_and_ends = [(row["state"], row["end"] and ms(datetime.fromisoformat(row["end"]))) for row in rows]
    assert states_and_ends == [("forced_end", ends), ("done", None)]


async def test_runs_that_no_schedule_began_stand_in_the_calendar_too(world: World):
    start = ms(now() - timedelta(hours=1))
    began = {"units": [{"map": "floor 1", "task": "Lobby", "run": "planned1"}]}
    await keep_events(world, occurrence(start, **began, day=now().date().isoformat()))
    sent = [report(id=run, started=start, ended=start + 60_000) for run in ("planned1", "byhand1")]
    async with world.pool.acquire() as db:
        await reports.keep(db, [("SC0001", item) for item in sent])
    day = now().date()
    span = {"startDate": (day - DAY).isoformat(), "endDate": day.isoformat()}
    [run] = (await world.call("user", "/task/calendar", **span))["runs"]
    assert (run["deviceId"], run["task"], run["result"]) == (world.devices["SC0001"], "Lobby", "finished")
    assert (await world.call("user", "/task/calendar", **span, deviceIds=[world.devices["SC0002"]]))["runs"] == []
    assert (await world.call("rivaluser", "/task/calendar", **span))["runs"] == []


async def test_move_one_start_of_a_schedule_and_leave_the_others(world: World):
    day = (now() + 2 * DAY).date()
    move = {"day": day.isoformat(), "to": (day + DAY).isoformat(), "start_time": "06-15"}
    await keep_events(world, schedule(ms(now() - DAY), moves=[move]))
    rows = await list_calendar(world, first=day, days=2, zone="Europe/Berlin")
    assert [(row["day"], row["state"]) for row in rows] == [
        (day.isoformat(), "planned"),
        ((day + DAY).isoformat(), "planned"),
    ]
    moved = datetime.fromisoformat(rows[0]["start"]).astimezone(ZoneInfo("Europe/Berlin"))
    assert (moved.date(), moved.strftime("%H:%M")) == (day + DAY, "06:15")


async def test_a_task_that_is_deleted_at_the_robot_is_gone_here(world: World):
    new = bus.Event(id="a", at=THEN, kind="task", name="Lobby", revision=1, content={"map_name": "Ground"})
    deleted = bus.Event(id="b", at=THEN + 1, kind="task", name="Lobby", deleted=True)
    device = {"deviceId": world.devices["SC0001"]}
    async with world.as_ingest() as db:
        await mirror.keep(db, "SC0001", new)
        assert [row["name"] for row in (await world.call("user", "/task/mirror", **device))["list"]] == ["Lobby"]
        await mirror.keep(db, "SC0001", deleted)
    assert (await world.call("user", "/task/mirror", **device))["list"] == []
