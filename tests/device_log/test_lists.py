"""Which logs are listed and deleted, by day, by owner and by support access."""

from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from lustra.core.context import NOBODY
from lustra.core.db import now
from lustra.core.errors import Code
from lustra.domains.account.api import OldData
from lustra.domains.device.api import OwnerChanged
from lustra.domains.device_log import mirror, owners, service
from lustra.domains.storage.api import folder_of
from lustra.protocol import bus
from lustra.protocol.flaws import Flaw, Flawed
from tests.device_log.helpers import announce, ask, list_files, list_logs, put_file, say_files, settled
from tests.map.robots import crews, lines
from tests.world import World

ZONE = ZoneInfo("Europe/London")  # of the robots


def day(ago: int) -> str:
    return (datetime.now(ZONE).date() - timedelta(days=ago)).isoformat()


async def refused(world: World, path: str, account: str = "user", **payload: Any) -> tuple[int, str]:
    answer = (await world.post(account, path, **payload)).json()["message"]
    return answer["code"], answer["message"]


async def test_a_list_of_files_of_an_unknown_kind_is_refused(world: World):
    event = bus.Event(id="l", at=1, kind="logs", name="diary", content={"files": []})
    async with world.as_ingest() as db:
        with pytest.raises(Flawed) as refused:
            await mirror.keep_files(db, "SC0001", event)
    assert refused.value.flaw == Flaw("name", "unknown_value")


async def store_copy(world: World, name: str, *, kind: str = "device", sn: str = "SC0001", days_ago: int = 0) -> int:
    """A log of which there is a copy here."""
    await say_files(world, sn, kind, {name: 4}, days_ago=days_ago)
    place = f"{folder_of('device')}{name}"
    await world.services.objects.put_bytes(place, b"data")
    log_id = await world.pool.fetchval(
        "update device_log set place = $1, stored_size = 4, upload_state = 'synchronised' where name = $2 returning id",
        place,
        name,
    )
    await world.pool.execute(
        "insert into holding (account_id, place, kind, size) select owner_id, place, 'files', 4 from device_log"
        " where id = $1 on conflict do nothing",
        log_id,
    )
    return log_id


@pytest.mark.spec("rule.date.within7", "rule.date.not_future", "rule.date.order", "const.date_range")
async def test_the_first_day_is_today_or_one_of_the_last_seven_and_not_after_the_last(world: World):
    for ago in range(9):
        await store_copy(world, f"robot-{ago}.log", days_ago=ago)
    names = [row["name"] for row in await list_logs(world, startDate=day(7), endDate=day(6))]
    assert names == ["robot-6.log", "robot-7.log"]
    assert len(await list_logs(world, startDate=day(0))) == 1
    assert len(await list_logs(world, endDate=day(8), deviceId=world.devices["SC0001"])) == 1
    paging = {"currentPage": 1, "pageSize": 30}
    for path in ("/deviceLog/list", "/deviceLog/listPad"):
        code, text = await refused(world, path, startDate=day(8), **paging)
        assert (code, "last 7 days" in text) == (Code.BAD_INPUT, True)
        code, text = await refused(world, path, startDate=day(-1), **paging)
        assert (code, "after today" in text) == (Code.BAD_INPUT, True)
        code, text = await refused(world, path, startDate=day(0), endDate=day(1), **paging)
        assert (code, "after the end" in text) == (Code.BAD_INPUT, True)


async def test_today_is_that_of_the_robots_site(world: World):
    await world.pool.execute("update device set zone = 'Pacific/Kiritimati' where serial_number = 'SC0001'")
    site_day = datetime.now(ZoneInfo("Pacific/Kiritimati")).date()
    robot = {"deviceId": world.devices["SC0001"], "currentPage": 1, "pageSize": 30}
    await world.call("user", "/deviceLog/list", startDate=site_day.isoformat(), **robot)
    tomorrow = (site_day + timedelta(days=1)).isoformat()
    assert (await world.raw("user", "/deviceLog/list", startDate=tomorrow, **robot))[0] == Code.BAD_INPUT


@pytest.mark.spec("call.deviceLog.deleteDeviceLog")
async def test_a_copy_is_deleted_here_and_what_the_robot_has_stays_in_the_list(world: World):
    log_id = await store_copy(world, "robot-a.log")
    await world.call("user", "/deviceLog/deleteDeviceLog", id=log_id)
    [row] = await list_logs(world)
    assert (row["uploadState"], row["stored"], row["onRobot"]) == ("", False, True)
    assert not await world.services.objects.exists(f"{folder_of('device')}robot-a.log")
    assert await world.pool.fetchval("select count(*) from holding where kind = 'files'") == 0
    assert (await world.raw("user", "/deviceLog/deleteDeviceLog", id=log_id))[0] == Code.BAD_INPUT
    log_id = await store_copy(world, "robot-a.log")
    await say_files(world, "SC0001", "device", {})
    [row] = await list_logs(world)
    assert (row["onRobot"], row["stored"]) == (False, True)
    assert (await ask(world, "device", "robot-a.log"))[0] == Code.NOT_FOUND
    await world.call("user", "/deviceLog/deleteDeviceLog", id=log_id)
    assert await list_logs(world) == []


async def test_refuse_to_delete_a_recording_on_its_way(world: World):
    log_id = await store_copy(world, "robot-a.log", kind="rosbag", days_ago=2)
    await world.pool.execute("update device_log set upload_state = 'uploading'")
    await world.online("SC0001")
    assert (await world.raw("user", "/deviceLog/deleteDeviceLog", id=log_id))[0] == Code.BAD_INPUT
    files = {"deviceSerialNumber": "SC0001", "names": ["robot-a.log"], "kind": "rosbag"}
    assert (await world.raw("user", "/deviceLog/rosAndNavDelete", **files))[0] == Code.BAD_INPUT
    assert await world.call("user", "/deviceLog/deleteDeviceLogByDate", time=day(0)) == {"count": 0}


@pytest.mark.spec("call.deviceLog.deleteDeviceLogByDate", "q.delete_before_time")
async def test_copies_from_before_a_day_are_deleted_and_counted(world: World):
    for ago in (0, 1, 2):
        await store_copy(world, f"robot-{ago}.log", days_ago=ago)
    await store_copy(world, "nav-2.log", kind="navlog", days_ago=2)
    await store_copy(world, "rival.log", sn="SC0010", days_ago=2)
    path = "/deviceLog/deleteDeviceLogByDate"
    assert (await world.raw("user", path))[0] == Code.BAD_INPUT  # never without a day
    assert (await world.raw("user", path, time=day(-1)))[0] == Code.BAD_INPUT
    assert await world.call("user", path, time=day(1), kind="device") == {"count": 1}
    assert await world.call("user", path, time=day(1), userId=world.accounts["user"]) == {"count": 1}
    left = await world.pool.fetch("select name from device_log where place <> '' order by name")
    assert [row["name"] for row in left] == ["rival.log", "robot-0.log", "robot-1.log"]
    audit = await world.pool.fetchval(
        "select detail->>'count' from audit where action = 'device_log.delete_before' and code = 0 order by id limit 1"
    )
    assert audit == "1"


@pytest.mark.spec("call.deviceLog.rosAndNavDelete")
async def test_files_are_deleted_on_the_robot_and_here_but_not_what_it_is_writing(world: World, tmp_path: Path):
    async with lines(world), crews(world, tmp_path / "robots") as crew:
        robot = await crew.switch_on("SC0001")
        robot.journal.navigation.write(1_795_263_600_000, "map=hall x=1.0")
        writing = robot.journal.navigation.name
        old = put_file(robot, "navlog", "nav-2026-11-19-001.log", b"old")
        await announce(crew, robot)
        await ask(world, "navlog", old.name)
        await settled(world, crew, "synchronised")
        of = {"deviceSerialNumber": "SC0001", "kind": "navlog"}
        assert (await world.raw("user", "/deviceLog/rosAndNavDelete", names=["x.log"], **of))[0] == Code.NOT_FOUND
        answer = await world.call("user", "/deviceLog/rosAndNavDelete", names=[old.name, writing], **of)
        assert answer == {"names": [old.name]}
        assert not old.exists()
        await crew.listen()
        assert [row["name"] for row in await list_files(world, "navlog")] == [writing]
        assert await world.pool.fetchval("select count(*) from holding where kind = 'files'") == 0


async def test_files_of_a_robot_that_cannot_be_reached_or_refuses_stay(world: World):
    await say_files(world, "SC0001", "rosbag", {"1.bag": 4})
    of = {"deviceSerialNumber": "SC0001", "kind": "rosbag", "names": ["1.bag"]}
    assert (await world.raw("user", "/deviceLog/rosAndNavDelete", **of))[0] == Code.OFFLINE
    await world.online("SC0001")
    assert (await world.raw("user", "/deviceLog/rosAndNavDelete", **of))[0] == Code.ROBOT_SILENT

    async def refuse(message: Any) -> None:
        await message.respond(b'{"code": 404, "msg": "", "reason": "command_unknown"}')

    ear = await world.services.bus.link.subscribe("robots.SC0001.cmd.>", cb=refuse)
    assert (await world.raw("user", "/deviceLog/rosAndNavDelete", **of))[0] == Code.ROBOT_REFUSED
    await ear.unsubscribe()
    assert len(await list_files(world, "rosbag")) == 1


async def test_a_foreign_account_sees_and_changes_nothing(world: World):
    log_id = await store_copy(world, "robot-a.log", kind="rosbag", days_ago=2)
    of = {"deviceSerialNumber": "SC0001"}
    assert await list_logs(world, "rivaluser", kind="rosbag") == []
    foreign = {"deviceId": world.devices["SC0001"], "currentPage": 1, "pageSize": 30}
    for path, payload in (
        ("/deviceLog/list", foreign),
        ("/deviceLog/listPad", foreign),
        ("/deviceLog/rosbagList", of),
        ("/deviceLog/navlogList", of),
        ("/deviceLog/getUpLoadStatus", of),
        ("/deviceLog/upLoadFile", of | {"name": "robot-a.log", "kind": "rosbag"}),
        ("/deviceLog/rosAndNavDelete", of | {"names": ["robot-a.log"], "kind": "rosbag"}),
        ("/deviceLog/cancleUploadFile", {"id": log_id}),
        ("/deviceLog/deleteDeviceLog", {"id": log_id}),
        ("/deviceLog/downloadUrl", {"id": log_id}),
        ("/deviceLog/openRecording", {"id": log_id}),
        ("/deviceLog/replayRecording", {"id": log_id}),
        ("/deviceLog/recordingFloor", {"id": log_id}),
    ):
        assert (await world.raw("rivaluser", path, **payload))[0] == Code.NOT_FOUND, path
    assert await world.call("rivaluser", "/deviceLog/deleteDeviceLogByDate", time=day(0)) == {"count": 0}
    assert [row["stored"] for row in await list_files(world, "rosbag")] == [True]


@pytest.mark.spec("perm.page.device.log")
async def test_support_opens_a_log_only_while_it_may_and_each_download_is_recorded(world: World):
    log_id = await store_copy(world, "robot-a.log")
    await world.call("user", "/support/close")
    assert len(await list_logs(world, "aftersales")) == 1
    assert (await world.raw("aftersales", "/deviceLog/downloadUrl", id=log_id))[0] == Code.SUPPORT_CLOSED
    assert (await ask(world, "device", "robot-a.log", account="aftersales"))[0] == Code.SUPPORT_CLOSED
    await world.call("user", "/support/open", hours=1)
    await world.call("aftersales", "/deviceLog/downloadUrl", id=log_id)
    looks = (await world.call("user", "/support/looks"))["list"]
    assert [row["what"] for row in looks] == ["log"]
    done = await world.pool.fetch("select code from audit where action = 'device_log.download' order by id")
    assert [row["code"] for row in done] == [Code.SUPPORT_CLOSED, 0]
    await world.pool.execute("update role set keys = array_remove(keys, 'device/log')")
    world.tokens.clear()
    code, _ = await world.raw("user", "/deviceLog/list", currentPage=1, pageSize=30)
    assert code == Code.FORBIDDEN


async def change_owner(world: World, things: Any) -> None:
    before, to = world.accounts["user"], world.accounts["rivaluser"]
    async with world.services.sessions.begin() as db:
        event = OwnerChanged(world.devices["SC0001"], "SC0001", before, to, things, NOBODY)
        await owners.owner_changed(db, event)


@pytest.mark.parametrize(
    ("things", "left"),
    [
        ("keep", [("kept.log", "user", False)]),
        ("hand_over", [("kept.log", "rivaluser", True), ("plain.log", "rivaluser", True)]),
        ("erase", []),
    ],
)
async def test_divide_logs_between_the_owners_of_a_transferred_robot(world: World, things: str, left: list[Any]):
    await store_copy(world, "kept.log")
    await say_files(world, "SC0001", "device", {"kept.log": 4, "plain.log": 4})
    await change_owner(world, things)
    rows = await world.pool.fetch(
        "select l.name, a.account, l.on_robot from device_log l join account a on a.id = l.owner_id order by l.name"
    )
    assert [tuple(row) for row in rows] == left
    held = await world.pool.fetch("select a.account from holding h join account a on a.id = h.account_id")
    assert [row["account"] for row in held] == ["rivaluser" if things == "hand_over" else "user"]


@pytest.mark.spec("const.clear_data", "rule.clear_data.age")
async def test_clearing_old_data_removes_logs_of_more_than_a_year_ago(world: World):
    await store_copy(world, "old.log", days_ago=366)
    await store_copy(world, "new.log", days_ago=364)
    counts = {row["kind"]: row["count"] for row in (await world.call("admin", "/user/cleanCache"))["list"]}
    assert counts["log"] == 1
    await world.call("admin", "/user/cleanCache", confirm=True)
    assert await world.pool.fetchval("select array_agg(name) from device_log where place <> ''") == ["new.log"]


async def test_bytes_that_no_log_names_any_more_go_at_night(world: World, monkeypatch: pytest.MonkeyPatch):
    await store_copy(world, "old.log")
    await store_copy(world, "new.log")
    async with world.services.sessions.begin() as db:
        await owners.purge(db, OldData("1", {}, remove=True))  # of other kinds
    await world.pool.execute("delete from device_log where name = 'old.log'")
    monkeypatch.setattr(service, "UNUSED", timedelta(seconds=-60))
    await service.purge(world.services)
    places = {name: f"{folder_of('device')}{name}.log" for name in ("old", "new")}
    assert not await world.services.objects.exists(places["old"])
    assert await world.services.objects.exists(places["new"])
    held = await world.pool.fetch("select place from holding where kind = 'files'")
    assert [row["place"] for row in held] == [places["new"]]


async def test_a_branch_that_moves_takes_its_logs_along(world: World):
    await store_copy(world, "old.log")
    await world.pool.execute("update account set path = path where account = 'user'")
    path = await world.pool.fetchval(
        "update account set path = (select path from account where account = 'rival') || text2ltree(id::text)"
        " where account = 'user' returning path::text"
    )
    assert await world.pool.fetchval("select owner_path::text from device_log") == path
    assert now().tzinfo is timezone.utc
