"""The status page counts by the day of each site, floor by floor, and each account its own robots alone."""

from datetime import datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from lustra.domains.report import keep as reports
from lustra.live.ingest import state as hot
from lustra.protocol.bus import Event
from tests.world import World, drawn, keep_map, report, state

LONDON = ZoneInfo("Europe/London")
EARLIEST_ZONE, LATEST_ZONE = "Pacific/Kiritimati", "Pacific/Pago_Pago"  # 25 hours apart: never one day
SWEPT = """insert into area_hour (robot, hour, owner_id, owner_path, area)
  select id, $2, owner_id, owner_path, $3 from device where serial_number = $1"""


def ago(days: int) -> datetime:
    """Noon at the site, so many days before its today."""
    today = datetime.now(LONDON).replace(hour=12, minute=0, second=0, microsecond=0)
    return (today - timedelta(days=days)).astimezone(timezone.utc)


async def keep_run(world: World, days: int, sn: str = "SC0001", **fields: Any) -> None:
    started = int(ago(days).timestamp() * 1000)
    async with world.pool.acquire() as db:
        await reports.keep(db, [(sn, report(started=started, ended=started + 600_000, **fields))])


async def load_floor(world: World, sn: str, floor: str = "1", at: int = 5) -> int:
    """The robot drives on its own mirror of that floor; the mirror's id."""
    content = drawn(f"Floor {floor}")
    content.floor = floor
    async with world.pool.acquire() as db:
        event = Event(at=at, id=f"{sn}{at}", kind="map", name=content.name, revision=at, content=content)
        await keep_map(db, world.services.objects, sn, event)
        await hot.store(db, [hot.row(sn, datetime.now(timezone.utc), state(map=content.name))])
    return await world.pool.fetchval(
        "select id from floor_map where device_id = $1 and name = $2", world.devices[sn], content.name
    )


async def overview(world: World, account: str = "user") -> dict[str, Any]:
    return await world.call(account, "/board/overview")


async def test_today_is_the_day_at_the_robots_site(world: World):
    for sn, zone in (("SC0001", EARLIEST_ZONE), ("SC0002", LATEST_ZONE)):
        await world.pool.execute("update device set zone = $2 where serial_number = $1", sn, zone)
    now = datetime.now(timezone.utc).replace(minute=0, second=0, microsecond=0)
    for sn in ("SC0001", "SC0002"):
        for hours in range(30):
            await world.pool.execute(SWEPT, sn, now - timedelta(hours=hours), 10.0)
    shown = await overview(world)
    by_zone = {site["zone"]: site["cleanedToday"] for site in shown["sites"]}
    hours_today = {zone: now.astimezone(ZoneInfo(zone)).hour + 1 for zone in (EARLIEST_ZONE, LATEST_ZONE)}
    assert by_zone == {zone: 10.0 * hours for zone, hours in hours_today.items()} | {"Europe/London": 0.0}
    assert shown["cleanedToday"] == sum(by_zone.values())
    assert shown["hours"] == [10.0 * sum(hour < until for until in hours_today.values()) for hour in range(24)]


async def test_the_week_shows_coverage_by_day_with_today_last(world: World):
    await keep_run(world, 0, cleaned=45.0, reachable=90.0)
    await keep_run(world, 0, cleaned=45.0, reachable=90.0, planned=50.0)
    await keep_run(world, 2, cleaned=30.0, reachable=20.0)
    await keep_run(world, 3, cleaned=0.0, reachable=0.0)
    await keep_run(world, 6, cleaned=9.0, reachable=12.0)
    await keep_run(world, 7, cleaned=9.0, reachable=9.0)
    (site,) = (await overview(world))["sites"]
    assert site["week"] == [0.75, None, None, None, 1.0, None, 0.5]
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
    async with world.pool.acquire() as db:
        await hot.store(db, [hot.row("SC0001", datetime.now(timezone.utc), running)])
        await reports.follow(db)
    (site,) = (await overview(world))["sites"]
    assert (site["plannedToday"], site["week"][-1]) == (50.0, 0.4)


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
    await world.pool.execute(SWEPT, "SC0001", datetime.now(timezone.utc), 70.0)
    await keep_run(world, 0)
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
