"""The status page counts by the day of each site, floor by floor, and each account its own robots alone."""

import random
from datetime import datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from lustra.domains.report import keep as reports
from lustra.domains.task import plans
from lustra.live.ingest import state as hot
from lustra.protocol.bus import Event
from tests.task.conftest import occurrence, schedule
from tests.world import World, drawn, keep_map, report, state

LONDON = ZoneInfo("Europe/London")
EARLIEST_ZONE = "Pacific/Kiritimati"  # 25 hours apart: never one day
LATEST_ZONE = "Pacific/Pago_Pago"
SWEPT = """insert into area_hour (robot, hour, owner_id, owner_path, area)
  select id, $2, owner_id, owner_path, $3 from device where serial_number = $1"""


def ago(days: int) -> datetime:
    """Noon at the site, so many days before its today."""
    today = datetime.now(LONDON).replace(hour=12, minute=0, second=0, microsecond=0)
    return (today - timedelta(days=days)).astimezone(timezone.utc)


async def keep_run(world: World, days: int, sn: str = "SC0001", **fields: Any) -> None:
    started = int(ago(days).timestamp() * 1000)
    async with world.as_ingest() as db:
        await reports.keep(db, [(sn, report(started=started, ended=started + 600_000, **fields))])


async def load_floor(world: World, sn: str, floor: str = "1", at: int = 5) -> int:
    """The robot drives on its own mirror of that floor; the mirror's id."""
    content = drawn(f"Floor {floor}")
    content.floor = floor
    async with world.as_ingest() as db:
        event = Event(at=at, id=f"{sn}{at}", kind="map", name=content.name, revision=at, content=content)
        await keep_map(db, world.services.objects, sn, event)
        await hot.store(db, [hot.row(sn, datetime.now(timezone.utc), state(map=content.name))])
    return await world.pool.fetchval(
        "select id from floor_map where device_id = $1 and name = $2", world.devices[sn], content.name
    )


async def overview(world: World, account: str = "user") -> dict[str, Any]:
    return await world.call(account, "/board/overview")


async def test_hours_are_by_the_clock_of_each_site(world: World):
    for sn, zone in (("SC0001", EARLIEST_ZONE), ("SC0002", LATEST_ZONE)):
        await world.pool.execute("update device set zone = $2 where serial_number = $1", sn, zone)
    now = datetime.now(timezone.utc).replace(minute=0, second=0, microsecond=0)
    for sn in ("SC0001", "SC0002"):
        for hours in range(30):
            await world.pool.execute(SWEPT, sn, now - timedelta(hours=hours), 10.0)
    hours_today = {zone: now.astimezone(ZoneInfo(zone)).hour + 1 for zone in (EARLIEST_ZONE, LATEST_ZONE)}
    assert (await overview(world))["hours"] == [
        10.0 * sum(hour < until for until in hours_today.values()) for hour in range(24)
    ]


async def test_the_week_shows_coverage_by_day_with_today_last(world: World):
    await keep_run(world, 0, cleaned=45.0, reachable=90.0)
    await keep_run(world, 0, cleaned=45.0, reachable=90.0, planned=50.0)
    await keep_run(world, 2, cleaned=30.0, reachable=20.0)
    await keep_run(world, 3, cleaned=0.0, reachable=0.0)
    await keep_run(world, 6, cleaned=9.0, reachable=12.0)
    await keep_run(world, 7, cleaned=9.0, reachable=9.0)
    (site,) = (await overview(world))["sites"]
    assert site["week"] == [0.75, None, None, None, 1.0, None, 0.5]
    assert site["weekCoverage"] == (45 + 45 + 30 + 9) / (90 + 90 + 20 + 12)
    assert sorted(site["deviceIds"]) == sorted(world.devices[sn] for sn in ("SC0001", "SC0002", "SC0003"))


async def test_the_plan_of_a_day_is_what_its_runs_can_reach(world: World):
    await keep_run(world, 0, planned=120.0, reachable=100.0)
    await keep_run(world, 0, sn="SC0002", reachable=40.0)
    await keep_run(world, 1, reachable=1000.0)
    shown = await overview(world)
    assert (shown["plannedToday"], shown["sites"][0]["plannedToday"]) == (140.0, 140.0)


async def test_a_run_that_goes_on_counts_by_what_is_planned_of_it(world: World):
    now = int(datetime.now(timezone.utc).timestamp() * 1000)
    running = state(now, run="r1", task="Lobby", planned=50.0, cleaned=20.0)
    async with world.as_ingest() as db:
        await hot.store(db, [hot.row("SC0001", datetime.now(timezone.utc), running)])
        await reports.follow(db)
    (site,) = (await overview(world))["sites"]
    assert (site["plannedToday"], site["week"][-1]) == (50.0, 0.4)


@pytest.mark.parametrize("zone", [EARLIEST_ZONE, LATEST_ZONE, "Europe/London"])
async def test_all_figures_of_a_day_are_the_sums_of_its_reports(world: World, zone: str):
    """Tile, site, whole, wall, list, chart: with runs over midnight, running ones, and more than was planned."""
    await world.pool.execute("update device set zone = $1, address = 'Kestrel', latitude = 1, longitude = 2", zone)
    today = datetime.now(ZoneInfo(zone))
    for sn in ("SC0001", "SC0002"):
        await load_floor(world, sn)
    choice = random.Random(zone)
    runs = [("SC0001", 0, 0), ("SC0002", 0, 23), ("SC0002", 1, 23), ("SC0001", -1, 0)]
    runs += [("SC0001", choice.randint(0, 1), choice.randint(0, 23)) for _ in range(6)]
    for sn, days, hour in runs:
        began = (today - timedelta(days=days)).replace(hour=hour, minute=59, second=0)
        ms = int(began.timestamp() * 1000)
        reachable = round(choice.uniform(5, 50), 2)
        cleaned = round(reachable * choice.uniform(0, 1.2), 2)  # a tool sweeps a little beyond the edge
        event = report(
            started=ms,
            ended=ms + choice.randint(60_000, 10_000_000),
            planned=reachable + 9,
            reachable=reachable,
            cleaned=cleaned,
            coverage=min(1.0, cleaned / reachable),
            map="Floor 1",
        )
        async with world.as_ingest() as db:
            await reports.keep(db, [(sn, event)])
    async with world.as_ingest() as db:
        at = int(datetime.now(timezone.utc).timestamp() * 1000)
        running = state(at, run="r9", task="Lobby", planned=50.0, cleaned=20.0, map="Floor 1")
        await hot.store(db, [hot.row("SC0002", datetime.now(timezone.utc), running)])
        await reports.follow(db)
    day = today.date().isoformat()
    listed = await world.call("user", "/taskReport/list", startDate=day, endDate=day, pageSize=50)
    rows = listed["list"]
    assert len(rows) == 1 + sum(days == 0 for _, days, _ in runs)
    board = await overview(world)
    [floor] = board["floors"]
    site = next(site for site in board["sites"] if site["deviceIds"])
    wall = (await world.call("dealer", "/board/bigScreen"))["sites"]
    chart = await world.call("user", "/taskReport/chart", startDate=day, endDate=day)
    total = chart["list"][0]
    cleaned, planned = (pytest.approx(sum(row[name] for row in rows)) for name in ("cleanedArea", "plannedArea"))
    whole = {
        "tile": (floor["cleaned"], floor["planned"]),
        "site": (site["cleanedToday"], site["plannedToday"]),
        "all": (board["cleanedToday"], board["plannedToday"]),
        "list": (listed["sums"]["cleanedArea"], listed["sums"]["plannedArea"]),
        "chart": (total["cleanedArea"], total["plannedArea"]),
        "wall": (wall[0]["cleaned"], planned),
    }
    assert whole == dict.fromkeys(whole, (cleaned, planned))
    assert total["runs"] == len(rows)
    shares = [site["week"][-1], site["weekCoverage"], total["coverage"] / 1000]
    assert all(0 <= share <= 1 for share in [*shares, *(row["coverage"] / 1000 for row in rows)])


async def keep_task(world: World, name: str, reachable: float | None, map_name: str = "Floor 1") -> None:
    content = {"name": name, "map_name": map_name} | ({} if reachable is None else {"reachable": reachable})
    await world.pool.execute(
        "insert into robot_task (device_id, owner_id, owner_path, name, map_name, revision, at, content)"
        " select id, owner_id, owner_path, $1, $2, 1, 1, $3 from device where serial_number = 'SC0001'",
        name,
        map_name,
        content,
    )


async def test_the_plan_of_a_day_has_what_schedules_will_start_and_what_they_missed(world: World):
    """Not what was skipped or has begun, nor what another day starts."""
    await load_floor(world, "SC0001")
    for name, area in (("Lobby", 30.0), ("Ward", 12.5), ("New", None)):
        await keep_task(world, name, area)
    await keep_task(world, "Attic", 7.0, map_name="Floor 9")
    zone = "Europe/London"
    now = datetime.now(LONDON)
    tasks = ["Lobby", "Ward", "New", "Gone"]
    day = {"days": [now.isoweekday()], "map_name": "Floor 1", "zone": zone}
    other = day | {"days": [now.isoweekday() % 7 + 1]}
    sent = [
        schedule(5, name="All day", start_time="00-00", task_list=tasks, **day),
        schedule(5, name="Elsewhere", start_time="23-56", task_list=["Attic"], **day | {"map_name": "Floor 9"}),
        schedule(5, name="Late", start_time="23-59", task_list=["Ward"], **day),
        schedule(5, name="Off", start_time="23-58", task_list=["Ward"], enable=0, **day),
        schedule(5, name="Skipped", start_time="23-57", task_list=["Ward"], skips=[now.date().isoformat()], **day),
        schedule(5, name="Other day", start_time="23-59", task_list=["Ward"], **other),
    ]
    async with world.as_ingest() as db:
        for event in sent:
            await plans.keep(db, "SC0001", event)
        await db.execute("update robot_plan set updated_at = now() - interval '3 days'")
    shown = await overview(world)
    expected = 30.0 + 12.5 + 12.5  # `All day` is due, of `New` and `Gone` nothing is known
    assert (shown["plannedToday"], shown["floors"][0]["planned"]) == (expected + 7.0, expected)
    assert next(site["plannedToday"] for site in shown["sites"] if site["deviceIds"]) == expected + 7.0
    midnight = int(now.replace(hour=0, minute=0, second=0, microsecond=0).timestamp() * 1000)
    units = [{"map": "Floor 1", "task": "Lobby", "run": "r1"}, {"map": "Floor 1", "task": "Ward", "run": ""}]
    event = occurrence(midnight, "running", "All day", units=units, day=now.date().isoformat())
    async with world.as_ingest() as db:
        await plans.keep_occurrence(db, "SC0001", event)
    assert (await overview(world))["plannedToday"] == 12.5 + 12.5 + 7.0
    assert (await overview(world, "rivaluser"))["plannedToday"] == 0.0


async def test_a_floor_is_one_line_for_all_robots_that_drive_on_it(world: World):
    second = await load_floor(world, "SC0002")
    first = await load_floor(world, "SC0001", at=6)
    await keep_run(world, 0, map="Floor 1", cleaned=8.0, reachable=10.0)
    await keep_run(world, 0, sn="SC0002", map="Floor 1", cleaned=2.0, reachable=5.0)
    await keep_run(world, 0, map="Floor 9", cleaned=500.0)
    await keep_run(world, 1, map="Floor 1", cleaned=700.0)
    (floor,) = (await overview(world))["floors"]
    assert floor == {
        "mapId": first,
        "building": "Kestrel",
        "floor": "1",
        "deviceIds": [world.devices["SC0001"], world.devices["SC0002"]],
        "deviceNames": ["Robot 01 机器", "Robot 02 机器"],
        "mapIds": [first, second],
        "cleaned": 10.0,
        "planned": 15.0,
    }


async def test_floors_stand_in_the_order_of_their_names(world: World):
    await load_floor(world, "SC0001", "2")
    await load_floor(world, "SC0002", "1")
    assert [floor["floor"] for floor in (await overview(world))["floors"]] == ["1", "2"]


@pytest.mark.parametrize(("days", "shown"), [((), (1.0, True)), ((True, False), (0.5, False)), ((True,), (1.0, True))])
async def test_the_demos_past_is_done_when_each_planned_day_is(
    world: World, days: tuple[bool, ...], shown: tuple[float, bool]
):
    for day, ready in enumerate(days):
        await world.pool.execute(
            "insert into history_day (robot, day, made) values ($1, current_date - $2::int, $3)",
            world.devices["SC0001"],
            day,
            ready,
        )
    assert tuple((await overview(world))["history"].values()) == shown


async def test_a_robot_that_was_handed_over_takes_nothing_of_its_old_owners_day_along(world: World):
    """Its site is none of the old owner's any more; what was cleaned there stays in the sum."""
    await world.pool.execute("update device set address = 'Annex' where serial_number = 'SC0001'")
    await keep_run(world, 0, cleaned=70.0)
    await load_floor(world, "SC0001")
    await world.pool.execute(
        "update device set owner_id = a.id, owner_path = a.path from account a"
        " where a.account = 'rivaluser' and serial_number = 'SC0001'"
    )
    foreign = await overview(world, "rivaluser")
    assert (foreign["cleanedToday"], foreign["plannedToday"], foreign["floors"]) == (0.0, 0.0, [])
    former = await overview(world)
    assert (former["cleanedToday"], former["plannedToday"]) == (70.0, 90.0)
    assert [(site["site"], site["cleanedToday"]) for site in former["sites"]] == [("Kestrel Quay Hotel", 0.0)]
