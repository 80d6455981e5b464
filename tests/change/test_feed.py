"""The feed of changes: everything once, in one order, for those who may know it."""

import asyncio
import time
from collections.abc import Sequence
from typing import Any, get_args

import asyncpg
import pytest

from lustra.app.processes import worker
from lustra.core.errors import Code
from lustra.domains.account.credentials import sessions
from lustra.domains.change import service
from lustra.domains.change.api import KINDS, ChangeKind, order
from lustra.domains.report import keep as reports
from lustra.live.ingest import presence
from lustra.live.ingest import state as states
from lustra.protocol import bus
from lustra.protocol.telemetry import State
from tests.world import ROBOTS, World, drawn, keep_map, report, state, until

INSERT = "select record_change('device.mode', $1, null, $2, $3)"


OFF = bus.Event(id="e", at=2**42, kind="power", name="off")


async def read(world: World, account: str, **payload: Any) -> tuple[list[Any], str]:
    """What is new after a cursor, and the next cursor."""
    await order(world.services)
    answer = await world.call(account, "/change/list", **payload)
    assert not answer["hasMore"]
    return answer["list"], answer["cursor"]


async def begin(world: World, *accounts: str) -> list[str]:
    """Cursors from which on all is new; the robots are online."""
    await world.online(*ROBOTS)
    return [(await read(world, account, since="now"))[1] for account in accounts]


async def store(world: World, sn: str, *several: State) -> None:
    async with world.pool.acquire() as db:
        for present in several:
            await states.store(db, [states.row(sn, presence.now(), present)])


async def change_mode(world: World, sn: str) -> None:
    await store(world, sn, state(mode="idle"), state(mode="cleaning"))


def kinds(rows: Sequence[Any]) -> list[str]:
    return [row["kind"] for row in rows]


async def test_send_changes_of_a_robots_activity_alone_and_in_sequence(world: World):
    cursor = (await read(world, "user", since="now"))[1]
    await store(
        world,
        "SC0001",
        state(mode="idle"),
        state(mode="cleaning"),
        state(mode="cleaning", battery=79),
        state(mode="paused", help="0x0205"),
        state(mode="paused", help="0x0205", battery=78),
        state(mode="cleaning"),
    )
    async with world.pool.acquire() as db:
        await presence.mark_switched_off(
            db, "SC0001", bus.Event(id="e", at=2**42, kind="power", name="off"), presence.now()
        )
    rows, _ = await read(world, "user", since=cursor)
    assert kinds(rows) == [
        "device.online",
        "device.mode",
        "device.mode",
        "fault.began",
        "alarm.raised",
        "device.mode",
        "fault.ended",
        "alarm.resolved",
        "device.offline",
    ]
    assert {row["deviceSerialNumber"] for row in rows} == {"SC0001"}
    assert rows[1]["data"] == {"mode": "cleaning", "before": "idle"}
    assert rows[3]["data"] == {"fault": "0x0205"}
    assert rows[8]["data"]["reason"] == "switched_off"


async def test_send_runs_reports_maps_and_messages(world: World):
    (cursor,) = await begin(world, "user")
    idle, run = state(mode="idle"), state(mode="cleaning", run="r1", task="Lobby", map="Ground")
    await store(world, "SC0001", idle, run)
    async with world.pool.acquire() as db:
        await reports.follow(db)
        await reports.keep(db, [("SC0001", report(id="r1", started=run.at, ended=run.at + 1000, cleaned=81.25))])
        content = drawn()
        event = bus.Event(id="m1", at=1, kind="map", name=content.name, revision=1, content=content)
        await keep_map(db, world.services.objects, "SC0001", event)
        await keep_map(
            db, world.services.objects, "SC0001", bus.Event(id="m2", at=2, kind="map", name=content.name, deleted=True)
        )
    await world.pool.execute(
        "insert into message (account_id, kind, values) values ($1, 'password', '{}')", world.accounts["user"]
    )
    rows, _ = await read(world, "user", since=cursor)
    data = {row["kind"]: row["data"] for row in rows}
    assert kinds(rows)[-6:] == [
        "run.began",
        "run.ended",
        "report.created",
        "map.changed",
        "map.deleted",
        "message.created",
    ]
    assert (data["run.began"]["run"], data["run.ended"]["end"]) == ("r1", "finished")
    assert data["report.created"]["cleanedArea"] == 81.25
    assert data["map.changed"]["mapName"] == "Ground"
    for row in rows:
        KINDS[row["kind"]].data.model_validate(row["data"])
        assert {*row["data"]} == {field.alias for field in KINDS[row["kind"]].data.model_fields.values()}


async def test_show_a_late_commit_after_what_was_read(world: World):
    """The hole of every feed by sequence numbers: of two that write, the first may commit last."""
    (cursor,) = await begin(world, "user")
    owner, robot = world.accounts["user"], world.devices["SC0001"]
    async with world.pool.acquire() as slow:
        late = slow.transaction()
        await late.start()
        await slow.execute(INSERT, owner, robot, {"mode": "first", "before": ""})
        await world.pool.execute(INSERT, owner, robot, {"mode": "second", "before": ""})
        rows, cursor = await read(world, "user", since=cursor)
        assert [row["data"]["mode"] for row in rows] == ["second"]
        await late.commit()
    rows, cursor = await read(world, "user", since=cursor)
    assert [row["data"]["mode"] for row in rows] == ["first"]
    assert (await read(world, "user", since=cursor))[0] == []


async def test_many_who_write_order_and_read_at_once_miss_nothing_and_see_nothing_twice(world: World):
    (cursor,) = await begin(world, "user")
    owner, robot = world.accounts["user"], world.devices["SC0001"]
    count, writers = 25, 8

    async def write(writer: int) -> None:
        link = await asyncpg.connect(world.services.settings.database_url)
        try:
            for place in range(count):
                async with link.transaction():
                    await link.execute(
                        "select record_change('device.mode', $1, null, $2, $3::jsonb)",
                        owner,
                        robot,
                        f'{{"mode": "{writer}.{place}", "before": ""}}',
                    )
                    await asyncio.sleep(0)
        finally:
            await link.close()

    seen: list[str] = []
    writing = asyncio.gather(*(write(writer) for writer in range(writers)))
    while not writing.done() or len(seen) < count * writers:
        await asyncio.gather(order(world.services), order(world.services))
        answer = await world.call("user", "/change/list", since=cursor, limit=7)
        cursor = answer["cursor"]
        seen += [row["data"]["mode"] for row in answer["list"]]
        if writing.done() and not answer["list"] and not await order(world.services):
            break
    await writing
    assert sorted(seen) == sorted(f"{writer}.{place}" for writer in range(writers) for place in range(count))
    for writer in range(writers):  # those of one stand in their order
        assert [mode for mode in seen if mode.startswith(f"{writer}.")] == [f"{writer}.{p}" for p in range(count)]


async def test_send_nothing_of_another_tenants_robots(world: World):
    cursors = await begin(world, "user", "dealer", "sub", "rivaluser", "rival")
    await change_mode(world, "SC0001")
    counts = [
        len((await read(world, account, since=cursor))[0])
        for account, cursor in zip(("user", "dealer", "sub", "rivaluser", "rival"), cursors, strict=True)
    ]
    assert counts == [1, 1, 0, 0, 0]


async def test_send_a_message_to_its_account_alone(world: World):
    cursors = await begin(world, "user", "dealer", "shadow")
    await world.pool.execute(
        "insert into message (account_id, kind, values) values ($1, 'password', '{}')", world.accounts["user"]
    )
    rows = [
        kinds((await read(world, account, since=cursor))[0])
        for account, cursor in zip(("user", "dealer", "shadow"), cursors, strict=True)
    ]
    assert rows == [["message.created"], [], []]


async def test_after_a_hand_over_the_former_owner_keeps_what_was_and_sees_nothing_new(world: World):
    user, rival = await begin(world, "user", "rivaluser")
    await change_mode(world, "SC0001")
    robot = world.devices["SC0001"]
    await world.call(
        "admin",
        "/device/updateDeviceUserInfo",
        deviceId=robot,
        ownerUserId=world.accounts["rivaluser"],
        things="hand_over",
    )
    await store(world, "SC0001", state(mode="moving"))  # of before: the robot was away meanwhile
    await store(world, "SC0001", state(at=round(time.time() * 1000) + 1000, mode="paused"))
    only = ["device.mode", "device.added", "device.removed"]
    former, _ = await read(world, "user", since=user, kinds=only)
    new, _ = await read(world, "rivaluser", since=rival, kinds=only)
    assert kinds(former) == ["device.mode", "device.removed", "device.mode"]
    assert [former[-1]["data"]["mode"], new[-1]["data"]["mode"]] == ["moving", "paused"]
    assert kinds(new) == ["device.added", "device.mode"]


async def test_send_only_kinds_of_changes_that_the_account_may_read(world: World):
    (cursor,) = await begin(world, "user")
    await change_mode(world, "SC0001")
    async with world.pool.acquire() as db:
        await reports.keep(db, [("SC0001", report())])
    await world.pool.execute("update account set keys = '{index/changes,device/report}' where account = 'user'")
    sessions_of(world).cache.clear()
    assert kinds((await read(world, "user", since=cursor))[0]) == ["run.ended", "report.created"]
    await world.pool.execute("update account set keys = '{device/report}' where account = 'user'")
    sessions_of(world).cache.clear()
    assert (await world.raw("user", "/change/list"))[0] == Code.FORBIDDEN


def sessions_of(world: World) -> sessions.Logins:
    logins = world.services.logins
    assert isinstance(logins, sessions.Logins)
    return logins


async def test_send_no_maps_to_support_without_the_customers_access(world: World):
    dealer, user = await begin(world, "dealer", "user")
    await world.call("user", "/support/default", default="off")
    async with world.pool.acquire() as db:
        content = drawn()
        event = bus.Event(id="m1", at=1, kind="map", name=content.name, revision=1, content=content)
        await keep_map(db, world.services.objects, "SC0001", event)
    assert kinds((await read(world, "dealer", since=dealer))[0]) == []
    assert kinds((await read(world, "user", since=user))[0]) == ["map.changed"]


async def test_an_api_key_follows_with_the_right_of_its_own(world: World):
    key = await world.call("user", "/user/apiKey/insert", name="Tower", keys=["index/changes", "device/index"], days=1)
    bare = await world.call("user", "/user/apiKey/insert", name="Other", keys=["device/index"], days=1)

    async def ask(secret: str) -> Any:
        bearer = {"authorization": f"Bearer {secret}"}
        return (await world.http.post("/api/change/list", json={"since": "now"}, headers=bearer)).json()

    assert (await ask(key["secret"]))["message"]["code"] == 0
    assert (await ask(bare["secret"]))["message"]["code"] == Code.FORBIDDEN


async def test_pages_follow_one_another_until_there_is_no_more(world: World):
    (cursor,) = await begin(world, "user")
    await change_mode(world, "SC0001")
    await change_mode(world, "SC0001")
    await order(world.services)
    whole = (await world.call("user", "/change/list", since=cursor))["list"]
    pages = []
    while True:
        answer = await world.call("user", "/change/list", since=cursor, limit=2)
        cursor = answer["cursor"]
        pages.append(answer["list"])
        if not answer["hasMore"]:
            break
    assert [len(page) for page in pages] == [2, 1]
    assert [row for page in pages for row in page] == whole


async def test_a_cursor_is_ones_own_and_over_when_what_followed_is_gone(world: World):
    (old,) = await begin(world, "user")
    assert await world.raw("dealer", "/change/list", since=old) == (Code.BAD_INPUT, {"field": "since"})
    assert await world.raw("user", "/change/list", since="nonsense") == (Code.BAD_INPUT, {"field": "since"})
    await change_mode(world, "SC0001")
    _, newer = await read(world, "user", since=old)
    await world.pool.execute("update change_entry set created_at = now() - interval '31 days'")
    await service.purge(world.services)
    assert (await world.raw("user", "/change/list", since=old))[0] == Code.CURSOR_OVER
    assert (await read(world, "user", since=newer))[0] == []
    await change_mode(world, "SC0001")
    assert kinds((await read(world, "user", since=newer))[0]) == ["device.mode", "device.mode"]


async def test_a_cursor_of_an_empty_feed_holds_until_its_first_change_is_gone(world: World):
    await world.pool.execute("delete from change_entry")
    _, cursor = await read(world, "user")
    assert (await read(world, "user", since=cursor))[0] == []
    await world.online(*ROBOTS)
    await change_mode(world, "SC0001")
    rows, _ = await read(world, "user", since=cursor)
    assert "device.mode" in kinds(rows)
    await world.pool.execute("update change_entry set created_at = now() - interval '31 days'")
    await service.purge(world.services)
    assert (await world.raw("user", "/change/list", since=cursor))[0] == Code.CURSOR_OVER


async def test_a_cursor_of_before_a_restored_backup_is_over(world: World):
    await change_mode(world, "SC0001")
    _, cursor = await read(world, "user")
    await world.pool.execute("update change_entry set id = gen_random_uuid()")
    assert (await world.raw("user", "/change/list", since=cursor))[0] == Code.CURSOR_OVER


async def test_the_worker_takes_changes_into_the_feed_by_itself(world: World):
    (cursor,) = await begin(world, "user")
    running = asyncio.create_task(worker.run_worker(world.services.settings))
    try:
        await change_mode(world, "SC0001")

        async def ask() -> Any:
            return (await world.call("user", "/change/list", since=cursor))["list"]

        assert kinds(await until(ask)) == ["device.mode"]
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@pytest.mark.parametrize("field", ["limit", "kinds", "since"])
async def test_a_filter_that_cannot_be_is_refused_by_its_name(world: World, field: str):
    bad = {"limit": 0, "kinds": ["device.exploded"], "since": "x" * 300}[field]
    code, data = await world.raw("user", "/change/list", **{field: bad})
    assert (code, data["field"].split(".")[0]) == (Code.BAD_INPUT, field)


def test_each_kind_of_change_is_described():
    assert KINDS.keys() == {*get_args(ChangeKind)}
