"""Backups of robots, from the order to the archive: every state, and what fails."""

import dataclasses
import hashlib
from typing import Any

import msgspec
import pytest

from lustra.core.calls.registry import CALLS
from lustra.core.errors import Code
from lustra.domains.backup import courier, progress
from lustra.domains.storage import robot_files
from lustra.protocol.backups import BackupProgress
from lustra.protocol.bus import Event
from lustra.robot.backups.archive import read_archive
from tests.backup.conftest import KEY, Fleet

SILENT = "update data_backup set updated_at = now() - interval '4 minutes'"


@pytest.mark.spec(
    "call.device.backup",
    "call.device.selectDataBackups",
    "ent.data_backup",
    "state.data_backup",
    "state.data_backup.packing",
    "state.data_backup.uploading",
    "state.data_backup.finished",
    "state.data_backup.t01",
    "state.data_backup.t02",
)
async def test_a_backup_is_packed_by_the_robot_uploaded_and_lies_here_as_it_was_packed(fleet: Fleet):
    robot = await fleet.switch_on()
    answer = await fleet.call("/device/backup", deviceId=fleet.world.devices["SC0001"])
    assert answer["state"] == "packing"
    assert (await fleet.row())["status"] == "packing"
    await fleet.reached({"status": "uploading", "packed": True})
    row = await fleet.reached({"status": "finished"})
    assert row["id"] == answer["id"]
    assert (row["deviceId"], row["deviceSerialNumber"]) == (fleet.world.devices["SC0001"], "SC0001")
    assert row["fileName"].startswith("SC0001-")
    assert row["time"] < row["finishedTime"]
    assert (row["counts"]["map"], row["counts"]["task"]) == (1, 1)
    data = await fleet.world.services.objects.get(await fleet.place(row["id"]))
    assert (len(data), row["sent"]) == (row["size"], row["size"])
    manifest, _ = read_archive(data)
    assert manifest.items == robot.backups.contents()[0]


@pytest.mark.spec("call.device.selectDeviceInfoFromDataBackup")
async def test_robots_that_have_backups_are_listed_with_their_newest(fleet: Fleet):
    assert await fleet.call("/device/selectDeviceInfoFromDataBackup") == {"list": []}
    await fleet.switch_on()
    row = await fleet.finished()
    own = {"userId": fleet.world.accounts["user"]}
    for filters in ({}, own):
        [robot] = (await fleet.call("/device/selectDeviceInfoFromDataBackup", **filters))["list"]
        assert (robot["deviceId"], robot["deviceSerialNumber"]) == (row["deviceId"], "SC0001")
        assert (robot["deviceCode"], robot["backups"], robot["online"]) == (row["deviceCode"], 1, True)
        assert (robot["lastTime"], robot["everyDays"]) == (row["finishedTime"], None)
    below = {"userId": fleet.world.accounts["sub"]}
    assert await fleet.call("/device/selectDeviceInfoFromDataBackup", **below) == {"list": []}
    assert await fleet.rows(**below) == []
    assert [row["id"] for row in await fleet.rows(**own)] == [row["id"]]
    assert await fleet.rows(deviceId=fleet.world.devices["SC0002"]) == []


@pytest.mark.spec("state.data_backup.t04", "state.data_backup.t05", "state.data_backup.failed", "q.backup_retry_call")
async def test_an_upload_that_failed_is_done_again_with_the_same_archive(fleet: Fleet, monkeypatch: pytest.MonkeyPatch):
    await fleet.switch_on()
    monkeypatch.setattr(robot_files, "TOKEN_LIFE_MS", -1)
    backup = await fleet.begin()
    failed = await fleet.reached({"status": "failed"})
    assert (failed["reason"], failed["packed"], failed["sent"]) == ("backup_link", True, 0)
    monkeypatch.undo()
    answer = await fleet.call("/device/backup", id=backup, action="upload")
    assert answer == {"id": backup, "state": "uploading"}
    row = await fleet.reached({"status": "finished"})
    assert (row["size"], row["reason"]) == (failed["size"], "")


@pytest.mark.spec("state.data_backup.t03", "state.data_backup.t06")
async def test_a_robot_that_does_not_answer_fails_the_backup_which_is_packed_anew(fleet: Fleet):
    await fleet.world.online("SC0001")
    backup = await fleet.begin()
    failed = await fleet.reached({"status": "failed", "reason": "robot_silent", "packed": False})
    assert await fleet.refused("/device/backup", id=backup, action="upload") == (Code.BAD_INPUT, "backup_not_packed")
    await fleet.switch_on()
    assert (await fleet.call("/device/backup", id=backup, action="restart"))["state"] == "packing"
    row = await fleet.reached({"status": "finished"})
    assert row["id"] == failed["id"]


@pytest.mark.spec("state.data_backup.t07", "state.data_backup.t08", "state.data_backup.cancelled")
@pytest.mark.parametrize("status", ["packing", "uploading"])
async def test_a_backup_that_is_cancelled_is_dropped_by_the_robot(
    fleet: Fleet, status: str, monkeypatch: pytest.MonkeyPatch
):
    robot = await fleet.switch_on()
    if status == "packing":
        await fleet.crew.switch_off("SC0001")
        backup = await fleet.begin()
    else:
        backup = await fleet.begin()
        await fleet.reached({"status": "uploading"})
    assert (await fleet.call("/device/backup", id=backup, action="cancel"))["state"] == "cancelled"
    await fleet.work()
    await fleet.crew.listen()
    assert (await fleet.row())["status"] == "cancelled"
    assert not robot.backups.orders.file(backup).exists()
    for action in ("cancel", "upload", "restart"):
        assert await fleet.refused("/device/backup", id=backup, action=action) == (Code.BAD_INPUT, "backup_step")


async def test_an_archive_that_is_not_as_it_was_packed_does_not_count(fleet: Fleet, monkeypatch: pytest.MonkeyPatch):
    robot = await fleet.switch_on()
    backup = await fleet.begin()
    await fleet.reached({"status": "uploading"})
    archive = robot.backups.orders.file(backup)
    data = bytearray(archive.read_bytes())
    data[-1] ^= 1
    archive.write_bytes(data)
    failed = await fleet.reached({"status": "failed"})
    assert failed["reason"] == "backup_checksum"
    assert await fleet.place(backup) == ""
    await fleet.call("/device/backup", id=backup, action="restart")
    await fleet.reached({"status": "finished"})


@pytest.mark.parametrize("status", ["finished", "uploading"])
async def test_another_archive_than_the_one_that_is_waited_for_is_not_stored(fleet: Fleet, status: str):
    await fleet.switch_on()
    row = await fleet.finished()
    await fleet.world.pool.execute("update data_backup set status = $1", status)
    ticket = fleet.world.services.objects.ticket({robot_files.ORDER: ["backup", row["id"]]}, 60_000)
    query = {"token": ticket, "size": 4, "sha256": hashlib.sha256(b"late").hexdigest()}
    answer = await fleet.world.http.put("/api/oss/object", params=query, content=b"late")
    assert answer.json()["message"]["code"] == Code.UPLOAD_EXPIRED
    assert (await fleet.row())["status"] == status


async def test_a_full_account_keeps_no_backup(fleet: Fleet):
    await fleet.switch_on()
    services = fleet.world.services
    services.settings = dataclasses.replace(services.settings, quota_gb="files=0.000000001")
    await fleet.begin()
    failed = await fleet.reached({"status": "failed"})
    assert failed["reason"] == "no_room"


@pytest.mark.parametrize("answer", [{"code": 1, "reason": "disk_full"}, {"code": 1}])
async def test_a_robot_that_refuses_a_backup_says_why(fleet: Fleet, answer: dict[str, Any]):
    async def refuse(message: Any) -> None:
        await message.respond(msgspec.json.encode(answer))

    await fleet.world.online("SC0001")
    listener = await fleet.world.services.bus.link.subscribe("robots.SC0001.cmd.backup", cb=refuse)
    await fleet.begin()
    await fleet.work()
    row = await fleet.row()
    assert (row["status"], row["reason"]) == ("failed", answer.get("reason", "robot_failed"))
    await listener.unsubscribe()


async def test_backups_of_a_plan_that_is_gone_stay(fleet: Fleet):
    await fleet.switch_on()
    row = await fleet.finished()
    owner = fleet.world.accounts["user"]
    await courier.prune(fleet.world.services, row["deviceId"], owner)
    assert [each["id"] for each in await fleet.rows()] == [row["id"]]


async def test_a_backup_whose_archive_never_came_is_deleted_too(fleet: Fleet):
    await fleet.switch_on()
    row = await fleet.finished()
    await fleet.world.pool.execute("update data_backup set place = '', status = 'failed'")
    await fleet.call("/device/deleteDataBackupById", id=row["id"])
    assert await fleet.rows() == []


async def test_a_robot_that_says_nothing_more_has_failed_and_is_not_waited_for(fleet: Fleet):
    await fleet.switch_on()
    await fleet.crew.switch_off("SC0001")
    await fleet.world.pool.execute("update presence set online = true")
    await fleet.begin()
    await courier.end_silent(fleet.world.services)
    assert (await fleet.row())["status"] == "packing"
    await fleet.world.pool.execute(SILENT)
    await courier.end_silent(fleet.world.services)
    row = await fleet.row()
    assert (row["status"], row["reason"]) == ("failed", "robot_silent")


async def test_refuse_a_second_backup_and_one_of_an_offline_robot(fleet: Fleet):
    await fleet.world.online("SC0001")
    robot = fleet.world.devices["SC0001"]
    await fleet.begin()
    assert await fleet.refused("/device/backup", deviceId=robot) == (Code.BAD_INPUT, "backup_runs")
    other = fleet.world.devices["SC0002"]
    assert (await fleet.refused("/device/backup", deviceId=other))[0] == Code.OFFLINE
    assert await fleet.refused("/device/backup") == (Code.BAD_INPUT, "required")
    backup = (await fleet.row())["id"]
    assert await fleet.refused("/device/backup", id=backup) == (Code.BAD_INPUT, "required")


@pytest.mark.spec("call.device.deleteDataBackupById")
async def test_a_backup_is_deleted_with_its_archive_and_makes_room(fleet: Fleet):
    await fleet.switch_on()
    row = await fleet.finished()
    place, objects = await fleet.place(row["id"]), fleet.world.services.objects
    held = "select count(*) from holding where place = $1"
    assert await fleet.world.pool.fetchval(held, place) == 1
    await fleet.call("/device/deleteDataBackupById", id=row["id"])
    assert await fleet.rows() == []
    assert not await objects.exists(place)
    assert await fleet.world.pool.fetchval(held, place) == 0


async def test_an_open_backup_is_not_deleted(fleet: Fleet):
    await fleet.world.online("SC0001")
    backup = await fleet.begin()
    assert await fleet.refused("/device/deleteDataBackupById", id=backup) == (Code.BAD_INPUT, "backup_runs")


async def test_archives_without_a_row_go_at_night(fleet: Fleet, monkeypatch: pytest.MonkeyPatch):
    await fleet.switch_on()
    row = await fleet.finished()
    objects = fleet.world.services.objects
    await objects.put_bytes(f"{courier.FOLDER}lost", b"nobody's")
    monkeypatch.setattr(courier, "UNUSED", -courier.UNUSED)
    await courier.purge(fleet.world.services)
    assert not await objects.exists(f"{courier.FOLDER}lost")
    assert await objects.exists(await fleet.place(row["id"]))


async def test_news_of_a_backup_that_is_over_changes_nothing(fleet: Fleet):
    robot = await fleet.switch_on()
    row = await fleet.finished()
    order = robot.backups.orders[row["id"]]
    robot.backups.fail(order, "")
    await fleet.crew.listen()
    assert (await fleet.row())["status"] == "finished"


async def test_no_foreign_account_sees_or_touches_a_backup(fleet: Fleet):
    await fleet.switch_on()
    row = await fleet.finished()
    for account in ("rivaluser", "rival"):
        assert await fleet.rows(account) == []
        assert await fleet.call("/device/selectDeviceInfoFromDataBackup", account) == {"list": []}
        foreign: list[tuple[str, dict[str, Any]]] = [
            ("/device/backup", {"deviceId": row["deviceId"]}),
            ("/device/backup", {"id": row["id"], "action": "cancel"}),
            ("/device/deleteDataBackupById", {"id": row["id"]}),
            ("/device/selectDataBackupContents", {"id": row["id"]}),
            ("/device/previewDataBackupRestore", {"id": row["id"], "deviceId": row["deviceId"]}),
            ("/device/restoreDataBackup", {"id": row["id"], "deviceId": row["deviceId"]}),
            ("/device/updateDataBackupPlan", {"deviceId": row["deviceId"], "everyDays": 7}),
        ]
        for path, payload in foreign:
            assert (await fleet.refused(path, account, **payload))[0] == Code.NOT_FOUND, path


@pytest.mark.spec("perm.page.device.dataBackup")
async def test_refuse_a_backup_without_its_right(fleet: Fleet):
    await fleet.world.pool.execute(
        "update role set keys = array_remove(keys, $1) where id not in (10, 13, 17, 18)", KEY
    )
    paths = {call.path for call in CALLS.values() if call.needs == KEY}
    assert "/device/backup" in paths
    for account in ("user", "dealer", "sub"):
        for path in paths:
            assert (await fleet.refused(path, account, id=1, deviceId=1))[0] == Code.FORBIDDEN
    assert await fleet.rows("admin") == []
    assert await fleet.rows("aftersales") == []


async def test_bytes_that_a_robot_has_sent_are_kept_by_its_clock(fleet: Fleet):
    content = BackupProgress(number=0, attempt=1, state="uploading", have=7)
    event = Event(id="e", at=2**42, kind="backup", name="0", content=msgspec.to_builtins(content))
    async with fleet.world.as_ingest() as db:
        await progress.keep_backup(db, "SC0001", event)  # of no backup that is known: passed over
    assert await fleet.world.pool.fetchval("select count(*) from data_backup") == 0
