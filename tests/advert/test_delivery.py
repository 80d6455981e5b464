"""Adverts come to the robots that shall show them, whenever they are online; each says how far it is, and how often it
showed what."""

import contextlib
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from lustra.app.processes import worker
from lustra.core.errors import Code
from lustra.domains.advert import delivery
from lustra.protocol.bus import Event
from lustra.robot.clock import now_ms
from lustra.robot.robot import Robot
from tests.advert.test_adverts import add, keys, own_adverts, picture
from tests.map.robots import Crew, crews, lines
from tests.world import World, until

__all__ = ["keys"]
PAGE = "/device/selectAdvertDeliveryPageList"


@pytest.fixture
async def crew(world: World, tmp_path: Path) -> AsyncIterator[Crew]:
    async with contextlib.AsyncExitStack() as stack:
        await stack.enter_async_context(lines(world))
        yield await stack.enter_async_context(crews(world, tmp_path / "robots"))


async def rows(world: World, account: str = "user") -> dict[str, dict[str, Any]]:
    return {row["deviceSerialNumber"]: row for row in (await world.call(account, PAGE))["list"]}


async def until_row(crew: Crew, sn: str = "SC0001", **values: Any) -> None:
    """The jobs that wait, and what robots have said since."""

    async def look() -> bool:
        await worker.run_worker(crew.world.services.settings, until_empty=True)
        await crew.listen()
        row = (await rows(crew.world)).get(sn, {})
        return all(row.get(name) == value for name, value in values.items())

    await until(look)


async def later(world: World) -> None:
    await world.pool.execute("update advert_delivery set tried_at = tried_at - interval '20 minutes'")
    await delivery.deliver_all(world.services)


def planned(robot: Robot) -> list[int]:
    return [advert.id for advert in robot.adverts.shown.adverts]


def play(robot: Robot, seconds: int) -> None:
    began = now_ms()
    for second in range(seconds + 1):
        robot.adverts.step(began + 1000 * second, free=True)


async def test_a_robot_fetches_its_adverts_in_their_order_and_says_that_it_shows_them(crew: Crew):
    world, robot = crew.world, await crew.switch_on("SC0001")
    first, second = await add(world, seconds=3), await add(world, name="Sale", startTime="08:00", endTime="20:00")
    await until_row(crew, state="shown", reason="")
    assert planned(robot) == [first, second]
    shown = robot.adverts.shown.adverts[1]
    assert (shown.name, shown.start_time, shown.end_time) == ("Sale", "08:00", "20:00")
    assert robot.adverts.file(shown).read_bytes() == picture()
    assert shown.sha256 == hashlib.sha256(picture()).hexdigest()
    await world.call("user", "/device/orderDeviceAdvertising", advertIds=[second, first])
    await until_row(crew, state="shown")
    assert planned(robot) == [second, first]
    page = await world.call("user", PAGE, state="waiting")
    assert {row["deviceSerialNumber"] for row in page["list"]} == {"SC0002", "SC0003"}
    assert page["counts"] == {"waiting": 2, "sent": 0, "shown": 1, "failed": 0}


async def test_robots_that_are_online_get_the_same_advert_together(crew: Crew):
    robots = [await crew.switch_on(sn) for sn in ("SC0001", "SC0002")]
    number = await add(crew.world)
    for sn in crew.robots:
        await until_row(crew, sn, state="shown")
    assert [planned(robot) for robot in robots] == [[number], [number]]


async def test_a_robot_that_was_away_gets_them_and_one_that_is_deleted_goes(crew: Crew):
    world = crew.world
    advert = await add(world)
    robot = await crew.switch_on("SC0001")
    await later(world)
    await until_row(crew, state="shown")
    await world.call("user", "/device/deleteDeviceAdvertising", id=advert)
    await until_row(crew, state="shown")
    assert planned(robot) == []
    assert [file.suffix for file in robot.adverts.folder.iterdir()] == [".json"]


async def test_a_robot_shows_what_its_new_owner_has_made(crew: Crew):
    world, robot = crew.world, await crew.switch_on("SC0001")
    await add(world)
    other = await add(world, "rivaluser")
    await until_row(crew, state="shown")
    device, to = world.devices["SC0001"], world.accounts["rivaluser"]
    await world.call("admin", "/device/updateDeviceUserInfo", deviceId=device, ownerUserId=to, things="hand_over")

    async def changed() -> bool:
        await worker.run_worker(world.services.settings, until_empty=True)
        return planned(robot) == [other]

    await until(changed)


async def test_count_a_complete_view_once_for_its_owner(crew: Crew):
    world, robot = crew.world, await crew.switch_on("SC0001")
    advert = await add(world, seconds=2)
    await until_row(crew, state="shown")
    play(robot, 600)
    await crew.listen()
    assert sum(day[str(advert)] for day in robot.adverts.counts.days.values()) == 300

    async def counted() -> bool:
        await crew.listen()
        return (await own_adverts(world))[0]["shown"] > 0

    await until(counted)
    showings = await world.call("user", "/device/selectAdvertShowings", advertId=advert)
    assert showings["list"][0]["deviceSerialNumber"] == "SC0001"
    times = showings["list"][0]["times"]
    assert times == sum(day["times"] for day in showings["days"]) == (await own_adverts(world))[0]["shown"]
    await tell(world, {str(advert): 1})
    assert (await own_adverts(world))[0]["shown"] == showings["list"][0]["times"]
    assert (await world.raw("rival", "/device/selectAdvertShowings", advertId=advert))[0] == Code.NOT_FOUND
    await world.call(
        "admin",
        "/device/updateDeviceUserInfo",
        deviceId=world.devices["SC0001"],
        ownerUserId=world.accounts["rivaluser"],
        things="keep",
    )
    showings = await world.call("user", "/device/selectAdvertShowings", advertId=advert)
    assert (showings["list"][0]["deviceSerialNumber"], showings["list"][0]["deviceCode"]) == ("", "")


async def tell(world: World, times: dict[str, int], day: str = "2026-01-12") -> None:
    async with world.as_ingest() as db:
        content = {"day": day, "times": times}
        await delivery.keep_advert(db, "SC0001", Event(at=1, id="a", kind="adverts", name="shown", content=content))


async def test_a_robot_counts_only_adverts_that_it_was_given(crew: Crew):
    world = crew.world
    own, foreign = await add(world), await add(world, "rivaluser")
    await tell(world, {str(own): 4, str(foreign): 9, "x": 2}, str(await world.pool.fetchval("select current_date")))
    assert [row["shown"] for row in await own_adverts(world)] == [4]
    assert [row["shown"] for row in await own_adverts(world, "rivaluser")] == [0]


async def test_a_file_that_came_damaged_or_is_gone_leaves_the_former_plan(crew: Crew):
    world, robot = crew.world, await crew.switch_on("SC0001")
    former = await add(world)
    await until_row(crew, state="shown")
    await add(world, name="Newer")
    await world.pool.execute("update advert set sha256 = repeat('1', 64) where name = 'Newer'")
    await until_row(crew, state="failed", reason="advert_file")
    assert planned(robot) == [former]
    place = await world.pool.fetchval("select place from advert where name = 'Newer'")
    await world.services.objects.delete(place)
    await world.call("user", "/device/sendAdverts")
    await until_row(crew, state="failed", reason="advert_link")
    assert planned(robot) == [former]


async def test_an_advert_of_before_gets_its_checksum_when_a_robot_needs_it(crew: Crew):
    world = crew.world
    await add(world)
    await world.pool.execute("update advert set sha256 = ''")
    await crew.switch_on("SC0001")
    await later(world)
    await until_row(crew, state="shown")
    assert await world.pool.fetchval("select sha256 from advert") == hashlib.sha256(picture()).hexdigest()


async def test_a_foreign_account_sees_and_sends_nothing(crew: Crew):
    world = crew.world
    await add(world)
    assert await rows(world, "rivaluser") == {}
    device = world.devices["SC0001"]
    assert (await world.raw("rivaluser", "/device/sendAdverts", deviceId=device))[0] == Code.NOT_FOUND
