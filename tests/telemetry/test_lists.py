"""The list's order and numbers are kept beside what ingest stores and people edit; whichever way a page is read, they
are the same."""

import time
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from lustra.core.errors import Code
from lustra.core.scope import Scope
from lustra.domains.account.api import OldData
from lustra.domains.device.api import Where
from lustra.domains.telemetry import history, queries, retention, rows
from lustra.domains.telemetry.chunk_codec import encode
from lustra.live.ingest import presence
from lustra.live.ingest import state as hot
from lustra.protocol.telemetry import HISTORY
from tests.world import World, state

TRUTH = f"""
select a.account, {queries.MODE} as mode, count(*)::int as n from {queries.THIN} join account a on a.id = d.owner_id
where d.deleted_at is null group by 1, 2 order by 1, 2"""
STORED = """
select a.account, n.mode, n.n from (
  select owner_path, ($1::text[])[need + 1] as mode, sum(n)::int as n from need_count group by 1, 2
) n join account a on a.path = n.owner_path where n.n <> 0 order by 1, 2"""
LISTED = """
select count(*) from robot_need n full join device d on d.id = n.robot and d.deleted_at is null
where n.robot is null and d.deleted_at is null or d.id is null or n.name <> d.name or n.owner_path <> d.owner_path"""


async def store_state(world: World, sn: str, **fields: Any):
    async with world.as_ingest() as db:
        await hot.store(db, [hot.row(sn, datetime.now(timezone.utc), state(**fields))])


async def assert_counts_true(world: World) -> None:
    for _ in range(2):
        expected = await world.pool.fetch(TRUTH)
        assert await world.pool.fetch(STORED, list(rows.ORDER)) == expected
        assert await world.pool.fetchval(LISTED) == 0
        await rows.sum_counts(world.services)


async def test_order_and_numbers_follow_whatever_happens_to_a_robot(world: World):
    await assert_counts_true(world)
    ref = {"deviceId": world.devices["SC0001"]}
    await store_state(world, "SC0001", mode="cleaning")
    await store_state(world, "SC0001", mode="cleaning", help="0x0205")
    await store_state(world, "SC0002", mode="charging")
    await assert_counts_true(world)
    async with world.as_ingest() as db:
        await presence.mark_silent(db, datetime.now(timezone.utc) + timedelta(seconds=1))
    await assert_counts_true(world)
    await store_state(world, "SC0001", mode="paused")
    await world.call("dealer", "/device/updateDeviceInfo", **ref, deviceCode="Aardvark")
    await world.call("dealer", "/device/updateDeviceUserInfo", **ref, ownerUserId=world.accounts["sub"])
    await world.pool.execute(
        "update account set path = (select path from account where account = 'rival') || id::text where account = 'sub'"
    )
    await assert_counts_true(world)
    await world.call("admin", "/device/deleteDevice", **ref)
    await world.call(
        "admin",
        "/device/insertDevice",
        deviceSerialNumber="SC0099",
        deviceCode="Zebra",
        deviceType=await world.pool.fetchval("select id from device_type"),
        ownerUserId=world.accounts["user"],
    )
    await assert_counts_true(world)
    await world.pool.execute("update device set deleted_at = null where serial_number = 'SC0001'")
    await assert_counts_true(world)
    await world.pool.execute("delete from device where serial_number = 'SC0001'")
    await assert_counts_true(world)


@pytest.mark.parametrize("few", [0, 2000])
async def test_pages_are_the_same_whichever_way_they_are_read(world: World, monkeypatch: pytest.MonkeyPatch, few: int):
    monkeypatch.setattr(rows, "FEW", few)
    await store_state(world, "SC0001", mode="charging")
    await store_state(world, "SC0002", mode="cleaning", help="0x0205")
    await world.pool.execute(
        "insert into device_account select $1, id, path from account where account = 'user'", world.devices["SC0010"]
    )
    whole = await page(world)
    assert whole == ["SC0002", "SC0001", "SC0003", "SC0010"]
    assert [(await page(world, pageSize=1, currentPage=n))[0] for n in (1, 2, 3, 4)] == whole
    assert await page(world, pageSize=3, currentPage=2) == ["SC0010"]
    assert await page(world, pageSize=3, currentPage=3) == []
    assert await page(world, mode="offline") == ["SC0003", "SC0010"]
    assert await page(world, mode="offline", deviceCode="03") == ["SC0003"]
    answer = await world.call("user", "/device/selectDevicePc", deviceCode="robot", mode="help")
    assert (answer["total"], answer["counts"]) == (1, {"help": 1, "charging": 1, "offline": 2})
    assert (await world.call("user", "/device/selectDevicePc"))["counts"] == answer["counts"]


NAMED = {"SC0001": "Robot 10", "SC0002": "Robot 2", "SC0003": "robot 1"}


async def test_a_heading_sorts_the_whole_list_whatever_page_is_shown(world: World):
    for sn, name in NAMED.items():
        await world.pool.execute("update device set name = $2 where serial_number = $1", sn, name)
    await store_state(world, "SC0001", mode="cleaning", battery=40.0)
    await store_state(world, "SC0002", mode="charging", battery=90.0)
    by_name = ["SC0003", "SC0002", "SC0001"]  # as people count, and whatever the letters' size
    assert await page(world, sort="name") == by_name
    assert await page(world, sort="name", descending=True) == by_name[::-1]
    assert [(await page(world, sort="name", pageSize=1, currentPage=n))[0] for n in (1, 2, 3)] == by_name
    assert await page(world, sort="name", deviceCode="robot") == by_name
    assert (await page(world, sort="battery"))[:2] == ["SC0001", "SC0002"]
    assert (await page(world, sort="battery", descending=True))[:2] == ["SC0002", "SC0001"]  # what is unknown, last
    assert await page(world, sort="name", mode="offline") == ["SC0003"]
    answer = await world.call("user", "/device/selectDevicePc", sort="serial", mode="offline", pageSize=1)
    assert (answer["total"], answer["counts"]) == (1, {"cleaning": 1, "charging": 1, "offline": 1})
    assert (await world.raw("user", "/device/selectDevicePc", sort="password"))[0] == Code.BAD_INPUT


@pytest.mark.parametrize("column", queries.SORTS)
async def test_each_column_sorts_the_list_and_its_sheet(world: World, column: str):
    assert len(await page(world, sort=column)) == 3
    answer = await world.post("user", "/device/export", sort=column, form="csv")
    assert len(answer.text.strip().splitlines()) == 4


async def page(world: World, **filters: Any):
    return [r["deviceSerialNumber"] for r in (await world.call("user", "/device/selectDevicePc", **filters))["list"]]


async def test_a_robot_without_a_refused_message_says_so(world: World):
    answer = await world.call("user", "/device/selectRefusal", deviceId=world.devices["SC0001"])
    assert (answer["time"], answer["kind"], answer["reason"]) == (None, None, None)


async def test_robots_are_found_by_what_they_do(world: World):
    await store_state(world, "SC0002", mode="charging")
    path = await world.pool.fetchval("select path::text from account where account = 'user'")
    async with world.pool.acquire() as db:
        by_mode = await rows.find_by_mode(db, Where.of_robots(Scope(path, world.accounts["user"])))
    assert by_mode["charging"] == {world.devices["SC0002"]}
    assert by_mode["offline"] == {world.devices[sn] for sn in ("SC0001", "SC0003")}


async def test_the_newest_message_that_was_not_stored_is_shown_with_its_field(world: World):
    ref = {"deviceId": world.devices["SC0001"]}
    assert (await world.call("user", "/device/selectRefusal", **ref))["kind"] is None
    await world.pool.execute(
        "insert into robot_refusal (robot, at, kind, reference, field, reason)"
        " values ($1, now(), 'report', 'run7', 'ended', 'wrong_type')",
        ref["deviceId"],
    )
    row = await world.call("user", "/device/selectRefusal", **ref)
    assert (row["kind"], row["reference"], row["field"], row["reason"]) == ("report", "run7", "ended", "wrong_type")
    assert (await world.raw("rivaluser", "/device/selectRefusal", **ref))[0] == Code.NOT_FOUND


async def test_a_way_is_read_from_packed_chunks_for_who_owned_the_robot(world: World):
    robot, since = world.devices["SC0001"], int(time.time() // 600) * 600_000 - 3_600_000
    points = [(float(since + 1000 * n), *(1.0 for _ in HISTORY)) for n in range(3)]
    await world.pool.execute(
        "insert into chunk (robot, minute, data) values ($1, $2, $3)", robot, since // 60_000, encode(points)
    )
    paths = dict(await world.pool.fetch("select account, path::text from account"))
    async with world.pool.acquire() as db:
        way = await history.load_points(db, Scope(paths["user"], 0), robot, since + 1, since + 10_000)
        assert [point[0] for point in way] == [since + 1000, since + 2000]
        assert await history.load_points(db, Scope(paths["rivaluser"], 0), robot, since, since + 10_000) == []
        spans = [(robot, since - 86_400_000, since - 1), (robot, since, since + 10_000)]
        assert await history.find_spans(db, Scope(paths["user"], 0), spans) == [1]
        assert await history.find_spans(db, Scope(paths["user"], 0), []) == []


async def test_old_ways_are_counted_before_they_are_removed(world: World):
    minute = int(time.time() // 600) * 10 - 60
    await world.pool.execute(
        "insert into chunk (robot, minute, data) values ($1, $2, '')", world.devices["SC0001"], minute
    )
    path = await world.pool.fetchval("select path::text from account where account = 'user'")
    for remove, left in ((False, 1), (True, 0)):
        request = OldData(path, {"track": datetime.now(timezone.utc)}, remove=remove)
        async with world.services.sessions.begin() as db:
            await retention.purge(db, request)
        assert request.counts == {"track": 1}
        assert await world.pool.fetchval("select count(*) from chunk") == left
