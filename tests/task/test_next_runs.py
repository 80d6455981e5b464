"""What a list says of a robot that stands idle: what its schedules start next."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from lustra.core.db import now
from lustra.domains.task import plans
from lustra.protocol import bus
from tests.task.conftest import schedule
from tests.world import World

BERLIN = ZoneInfo("Europe/Berlin")


async def keep_schedules(world: World, *sent: bus.Event, sn: str = "SC0001") -> None:
    async with world.pool.acquire() as db:
        for event in sent:
            await plans.keep(db, sn, event)


def clock(ahead: timedelta) -> str:
    return (now() + ahead).astimezone(BERLIN).strftime("%H-%M")


async def test_the_earliest_start_of_each_robot_is_shown(world: World):
    soon, later = clock(timedelta(hours=2)), clock(timedelta(hours=5))
    await keep_schedules(
        world,
        schedule(10, name="Later", start_time=later),
        schedule(20, name="Soon", start_time=soon, task_list=["Lobby", "Corridor"]),
        schedule(30, name="Off", start_time=clock(timedelta(hours=1)), enable=0),
    )
    ids = [world.devices[sn] for sn in ("SC0001", "SC0002")]
    [row] = (await world.call("user", "/task/nextRuns", deviceIds=ids))["list"]
    assert (row["deviceId"], row["schedule"], row["tasks"]) == (ids[0], "Soon", ["Lobby", "Corridor"])
    assert row["zone"] == "Europe/Berlin"
    start = datetime.fromisoformat(row["start"])
    assert start.astimezone(BERLIN).strftime("%H-%M") == soon
    assert now() < start < now() + timedelta(days=1)


async def test_a_start_that_is_skipped_is_not_the_next(world: World):
    soon = clock(timedelta(hours=2))
    day = (now() + timedelta(hours=2)).astimezone(BERLIN).date()
    await keep_schedules(world, schedule(10, start_time=soon, skips=[day.isoformat()]))
    [row] = (await world.call("user", "/task/nextRuns", deviceIds=[world.devices["SC0001"]]))["list"]
    assert datetime.fromisoformat(row["start"]).astimezone(BERLIN).date() == day + timedelta(days=1)


async def test_hide_what_foreign_robots_start(world: World):
    await keep_schedules(world, schedule(10))
    answer = await world.call("rivaluser", "/task/nextRuns", deviceIds=[world.devices["SC0001"]])
    assert answer["list"] == []
