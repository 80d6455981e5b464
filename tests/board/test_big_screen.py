"""The screen on a wall shows what the other pages show, each account its own robots, and its key opens nothing else."""

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from lustra.core.calls.registry import CALLS
from lustra.core.errors import Code
from lustra.core.security.permission import keys_of
from lustra.domains.account.api import keys
from lustra.domains.report import keep as reports
from lustra.live.ingest import state as hot
from tests.alarm.test_alarms import NOW, alarm_message, say
from tests.world import World, report, state

DEALER = "dealer"
FOREIGN = "rival"
ORDINARY = "user"


async def screen(world: World, account: str = DEALER) -> dict[str, Any]:
    return await world.call(account, "/board/bigScreen")


async def keep_run(world: World, started: datetime, sn: str = "SC0001", **fields: Any) -> None:
    at = int(started.timestamp() * 1000)
    async with world.as_ingest() as db:
        await reports.keep(db, [(sn, report(id=f"{sn}{at}", started=at, ended=at + 600_000, **fields))])


async def put_into_state(world: World, sn: str, **fields: Any) -> None:
    async with world.as_ingest() as db:
        await hot.store(db, [hot.row(sn, datetime.now(timezone.utc), state(**fields))])
    await world.online(sn)


@pytest.mark.spec("perm.page.bigScreen", "route.bigScreen")
async def test_the_days_of_the_month_are_those_of_the_report_chart(world: World):
    today = datetime.now(timezone.utc)
    for day in range(3):
        await keep_run(world, today - timedelta(days=day), cleaned=10.25 + day, reachable=20.0)
    month = (await screen(world))["month"]
    chart = await world.call(DEALER, "/taskReport/chart", startDate=month[0]["date"], endDate=month[-1]["date"])
    assert month[0]["date"].endswith("-01")
    assert [day["cleaned"] for day in month] == [day["cleanedArea"] for day in chart["list"]]
    assert sum(day["cleaned"] for day in (await screen(world, FOREIGN))["month"]) == 0


async def test_alarms_and_notices_of_seven_days_are_counted_by_day(world: World):
    day = 86_400_000
    await say(world, alarm_message("raised", ("a1", "0x0610")), alarm_message("raised", ("a2", "0x0612"), at=NOW - 1))
    await say(world, alarm_message("raised", ("a3", "0x0614"), at=NOW - 9 * day))
    shown = await screen(world)
    assert len(shown["alarms"]) == 7
    assert sum(each["alarms"] + each["notices"] for each in shown["alarms"]) == 2
    times = [event["time"] for event in shown["events"]]
    assert times == sorted(times, reverse=True)
    assert len(shown["events"]) == 3
    other = await screen(world, FOREIGN)
    assert other["events"] == []
    assert all(each["alarms"] + each["notices"] == 0 for each in other["alarms"])


async def test_the_time_to_help_ends_when_somebody_is_on_it_or_it_is_over(world: World):
    assert (await screen(world))["helpS"] is None
    await say(world, alarm_message("raised", ("a1", "0x0610"), at=NOW - 100_000))
    await say(world, alarm_message("cleared", ("a1", "0x0610"), at=NOW - 40_000))
    assert (await screen(world))["helpS"] == 60
    assert (await screen(world, FOREIGN))["helpS"] is None


async def test_robots_that_wait_stand_by_need_and_no_others(world: World):
    await put_into_state(world, "SC0001", mode="paused")
    await put_into_state(world, "SC0002", mode="cleaning")
    await put_into_state(world, "SC0003", mode="idle", help="stuck")
    needs = (await screen(world))["needs"]
    assert [(need["deviceId"], need["mode"], need["help"]) for need in needs] == [
        (world.devices["SC0003"], "help", "stuck"),
        (world.devices["SC0001"], "paused", ""),
    ]
    assert (await screen(world, FOREIGN))["needs"] == []


async def test_a_site_stands_where_its_robots_are_with_what_they_cleaned_today(world: World):
    await world.pool.execute("update device set address = 'Quay', latitude = null, longitude = null")
    for sn, latitude in (("SC0001", 50.0), ("SC0002", 52.0)):
        await world.pool.execute(
            "update device set latitude = $2, longitude = 8 where serial_number = $1", sn, latitude
        )
    await keep_run(world, datetime.now(timezone.utc), cleaned=12.5)
    await put_into_state(world, "SC0002", mode="emergency")
    (site,) = (await screen(world))["sites"]
    assert site == {
        "site": "Quay",
        "latitude": 51.0,
        "longitude": 8.0,
        "devices": 2,
        "needy": 1,
        "cleaned": 12.5,
    }
    assert (await screen(world, FOREIGN))["sites"] == []


async def test_only_who_holds_the_key_sees_the_screen(world: World):
    assert (await world.raw(ORDINARY, "/board/bigScreen"))[0] == Code.FORBIDDEN


@pytest.mark.spec("q.bigscreen_auth")
async def test_a_key_for_a_wall_reads_the_screen_and_nothing_else(world: World):
    api_key = await world.call(DEALER, "/user/apiKey/insert", name="Lobby", keys=[keys.BIG_SCREEN], days=30)

    async def ask(method: str, path: str) -> int:
        answer = await world.http.request(method, f"/api{path}", json={}, headers={"token": api_key["secret"]})
        content = answer.json() if answer.headers["content-type"].startswith("application/json") else {}
        return content["message"]["code"] if content else 0

    assert await ask("POST", "/board/bigScreen") == 0
    assert await ask("POST", "/board/overview") == 0
    opened = {path for (_, path), entry in CALLS.items() if keys.BIG_SCREEN in keys_of(entry.needs)}
    assert not any(entry.audit or entry.changes for (_, path), entry in CALLS.items() if path in opened)
    closed = [
        (method, path)
        for (method, path), entry in CALLS.items()
        if keys_of(entry.needs) and path not in opened and not entry.upload
    ]
    assert {await ask(method, path) for method, path in closed} == {Code.FORBIDDEN}
