"""A backup goes back to a robot: what would change, that all of it or nothing does, and to whom it may go."""

import hashlib
import io
import json
import zipfile
from typing import Any

import pytest

from lustra.core.errors import Code
from lustra.domains.backup import courier
from lustra.protocol.payloads.tasks import Task
from lustra.robot.backups.archive import FORMAT, MANIFEST
from lustra.robot.robot import Robot
from tests.backup.conftest import Fleet
from tests.robot.conftest import TASK, hall

LATE = "update data_restore set until = now() - interval '1 hour'"


def held(robot: Robot) -> dict[tuple[str, str], str]:
    return {(item.kind, item.name): item.digest for item in robot.backups.contents()[0]}


async def send(fleet: Fleet, row: dict[str, Any], sn: str = "SC0002") -> int:
    answer = await fleet.call("/device/restoreDataBackup", id=row["id"], deviceId=fleet.world.devices[sn])
    return answer["id"]


async def rewrite(fleet: Fleet, row: dict[str, Any], data: bytes) -> None:
    """Another archive stands where the backup's stood, as if it had always been that."""
    await fleet.world.services.objects.put_bytes(await fleet.place(row["id"]), data)
    statement = "update data_backup set size = $2, sha256 = $3 where id = $1"
    await fleet.world.pool.execute(statement, row["id"], len(data), hashlib.sha256(data).hexdigest())


async def test_another_robot_of_the_owner_comes_to_hold_what_the_backup_holds(fleet: Fleet):
    source = await fleet.switch_on()
    row = await fleet.finished()
    target = await fleet.switch_on("SC0002")
    target.save_map(hall(name="cellar"))
    target.machine.params["speed_high"] = 0.9
    target.keep()
    where = {"id": row["id"], "deviceId": fleet.world.devices["SC0002"]}

    preview = await fleet.call("/device/previewDataBackupRestore", **where)
    assert preview["list"] == [
        {"kind": "map", "name": "cellar", "change": "removed"},
        {"kind": "setting", "name": "speed_high", "change": "changed"},
    ]
    assert preview["same"] == len(held(source)) - 1
    assert preview["versions"] == preview["presentVersions"] == source.versions()

    await send(fleet, row)
    restored = await fleet.reached({"state": "restored"}, restore=True)
    assert restored["deviceId"] == fleet.world.devices["SC0002"]
    assert held(target) == held(source)
    again = await fleet.call("/device/previewDataBackupRestore", **where)
    assert again["list"] == []


async def test_show_the_contents_of_a_backup(fleet: Fleet):
    robot = await fleet.switch_on()
    row = await fleet.finished()
    contents = await fleet.call("/device/selectDataBackupContents", id=row["id"])
    named = {(item["kind"], item["name"]) for item in contents["list"]}
    assert named == set(held(robot))
    assert (contents["format"], contents["versions"]) == (FORMAT, robot.versions())


async def test_the_robot_of_the_backup_gets_back_what_somebody_deleted(fleet: Fleet):
    robot = await fleet.switch_on()
    row = await fleet.finished()
    before = held(robot)
    robot.store.drop_map("hall")
    robot.machine.leave_floor()
    await send(fleet, row, "SC0001")
    await fleet.reached({"state": "restored"}, restore=True)
    assert held(robot) == before


async def test_a_restore_waits_for_a_task_and_can_be_cancelled(fleet: Fleet):
    robot = await fleet.switch_on()
    row = await fleet.finished()
    await robot.starts.begin(Task.model_validate(TASK))
    restore = await send(fleet, row, "SC0001")
    await fleet.reached({"state": "waiting", "reason": "map.task_running"}, restore=True)
    assert await fleet.refused("/device/restoreDataBackup", id=row["id"], deviceId=row["deviceId"]) == (
        Code.BAD_INPUT,
        "backup_restoring",
    )
    assert await fleet.refused("/device/deleteDataBackupById", id=row["id"]) == (Code.BAD_INPUT, "backup_restoring")
    await fleet.call("/device/cancelDataBackupRestore", id=restore)
    await fleet.work()
    assert robot.restores.orders[restore].report.state == "dropped"
    assert (await fleet.row())["restore"]["state"] == "cancelled"
    assert await fleet.refused("/device/cancelDataBackupRestore", id=restore) == (Code.BAD_INPUT, "restore_over")


@pytest.mark.parametrize("bad", ["newer", "one byte", "another archive"])
async def test_a_backup_that_cannot_be_held_changes_nothing_on_the_robot(fleet: Fleet, bad: str):
    await fleet.switch_on()
    row = await fleet.finished()
    target = await fleet.switch_on("SC0002")
    target.save_map(hall(name="cellar"))
    before = held(target)
    place = await fleet.place(row["id"])
    data = bytearray(await fleet.world.services.objects.get(place))
    reason = "backup_broken"
    if bad == "newer":
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr(MANIFEST, json.dumps({"format": FORMAT + 1}))
        await rewrite(fleet, row, out.getvalue())
        reason = "backup_newer"
    elif bad == "one byte":
        data[len(data) // 2] ^= 1
        await rewrite(fleet, row, bytes(data))
    else:
        await fleet.world.services.objects.put_bytes(place, bytes(data) + b"more")
        reason = "backup_checksum"
    await send(fleet, row)
    failed = await fleet.reached({"state": "failed"}, restore=True)
    assert failed["reason"] == reason
    assert held(target) == before


async def test_a_robot_that_goes_offline_in_between_takes_it_when_it_is_back(fleet: Fleet):
    source = await fleet.switch_on()
    row = await fleet.finished()
    await fleet.switch_on("SC0002")
    fleet.line.cut_after = 100
    await send(fleet, row)
    await fleet.work()
    await fleet.crew.switch_off("SC0002")
    fleet.line.cut_after = 0
    target = await fleet.crew.switch_on("SC0002")
    await fleet.reached({"state": "restored"}, restore=True)
    assert held(target) == held(source)


async def test_a_silent_robot_fails_the_restore_and_a_late_one_does(fleet: Fleet):
    await fleet.switch_on()
    row = await fleet.finished()
    await fleet.world.online("SC0002")
    await send(fleet, row)
    await fleet.reached({"state": "failed", "reason": "robot_silent"}, restore=True)
    await fleet.world.pool.execute("update data_restore set state = 'sending', reason = ''")
    await courier.end_silent(fleet.world.services)
    assert (await fleet.row())["restore"]["state"] == "sending"
    await fleet.world.pool.execute(LATE)
    await courier.end_silent(fleet.world.services)
    assert (await fleet.row())["restore"]["reason"] == "restore_late"


@pytest.mark.parametrize("answer", [{"code": 404, "reason": "command_unknown"}, {"code": 0, "items": 7}, None])
async def test_a_robot_that_cannot_say_what_it_holds_is_not_previewed(
    fleet: Fleet, answer: dict[str, Any] | None, monkeypatch: pytest.MonkeyPatch
):
    await fleet.switch_on()
    row = await fleet.finished()
    await fleet.world.online("SC0002")
    if answer is not None:

        async def respond(message: Any) -> None:
            await message.respond(json.dumps(answer).encode())

        await fleet.world.services.bus.link.subscribe("robots.SC0002.cmd.contents", cb=respond)
    where = {"id": row["id"], "deviceId": fleet.world.devices["SC0002"]}
    code, _ = await fleet.refused("/device/previewDataBackupRestore", **where)
    assert code == (Code.ROBOT_REFUSED if answer else Code.ROBOT_SILENT)


async def test_a_backup_goes_to_no_robot_of_another_owner_and_to_none_that_is_away(fleet: Fleet):
    await fleet.switch_on()
    row = await fleet.finished()
    for sn, expected in (
        ("SC0003", (Code.BAD_INPUT, "backup_other_owner")),
        ("SC0002", (Code.OFFLINE, "")),
        ("SC0010", (Code.NOT_FOUND, "")),
    ):
        where = {"id": row["id"], "deviceId": fleet.world.devices[sn]}
        for path in ("/device/previewDataBackupRestore", "/device/restoreDataBackup"):
            assert await fleet.refused(path, **where) == expected
    await fleet.world.services.objects.delete(await fleet.place(row["id"]))
    code, _ = await fleet.refused("/device/restoreDataBackup", id=row["id"], deviceId=row["deviceId"])
    assert code == Code.NOT_FOUND


async def test_an_unfinished_backup_holds_nothing_yet(fleet: Fleet):
    await fleet.world.online("SC0001")
    backup = await fleet.begin()
    assert await fleet.refused("/device/selectDataBackupContents", id=backup) == (
        Code.BAD_INPUT,
        "backup_not_finished",
    )


async def test_support_looks_into_a_backup_only_while_it_is_open(fleet: Fleet):
    await fleet.switch_on()
    row = await fleet.finished()
    await fleet.call("/support/close")
    where = {"id": row["id"], "deviceId": row["deviceId"]}
    for path, payload in (
        ("/device/selectDataBackupContents", {"id": row["id"]}),
        ("/device/previewDataBackupRestore", where),
        ("/device/restoreDataBackup", where),
    ):
        assert (await fleet.refused(path, "admin", **payload))[0] == Code.SUPPORT_CLOSED
    await fleet.call("/support/open", hours=1)
    assert (await fleet.call("/device/selectDataBackupContents", "admin", id=row["id"]))["list"]


async def test_a_plan_backs_a_robot_up_and_its_newest_backups_stay(fleet: Fleet):
    robot = await fleet.switch_on()
    device = fleet.world.devices["SC0001"]
    by_hand = await fleet.finished()
    plan = {"deviceId": device, "everyDays": 7, "keep": 2}
    await fleet.call("/device/updateDataBackupPlan", **plan)
    [shown] = (await fleet.call("/device/selectDeviceInfoFromDataBackup"))["list"]
    assert (shown["everyDays"], shown["keep"]) == (7, 2)
    for _ in range(3):
        await courier.begin_planned(fleet.world.services)
        await courier.begin_planned(fleet.world.services)  # one at a time
        newest = await fleet.reached({"status": "finished", "planned": True})
        await courier.begin_planned(fleet.world.services)  # not before its time
        assert (await fleet.row())["id"] == newest["id"]
        await fleet.world.pool.execute("update data_backup set created_at = created_at - interval '8 days'")
    await fleet.work()  # the oldest goes by a job
    planned = [row["id"] for row in await fleet.rows() if row["planned"]]
    assert len(planned) == 2
    assert by_hand["id"] in [row["id"] for row in await fleet.rows()]

    await fleet.call("/device/updateDataBackupPlan", **plan | {"everyDays": 14})
    await fleet.call("/device/updateDataBackupPlan", deviceId=device, everyDays=None)
    await fleet.call("/device/updateDataBackupPlan", deviceId=device, everyDays=None)
    await courier.begin_planned(fleet.world.services)
    assert len(await fleet.rows()) == 3
    assert robot.backups.orders


async def test_a_planned_backup_whose_plan_is_gone_stays(fleet: Fleet):
    await fleet.switch_on()
    device = fleet.world.devices["SC0001"]
    await fleet.call("/device/updateDataBackupPlan", deviceId=device, everyDays=1)
    await courier.begin_planned(fleet.world.services)
    await fleet.call("/device/updateDataBackupPlan", deviceId=device, everyDays=None)
    await fleet.reached({"status": "finished"})


@pytest.mark.parametrize(
    ("things", "former", "new"), [("keep", True, False), ("hand_over", False, True), ("erase", False, False)]
)
async def test_backups_go_with_the_owner_as_its_other_things_do(fleet: Fleet, things: str, former: bool, new: bool):
    await fleet.switch_on()
    row = await fleet.finished()
    await fleet.call("/device/updateDataBackupPlan", deviceId=row["deviceId"], everyDays=7)
    await fleet.crew.switch_off("SC0001")
    await fleet.begin()
    to = fleet.world.accounts["rivaluser"]
    await fleet.call("/device/updateDeviceUserInfo", "admin", deviceId=row["deviceId"], ownerUserId=to, things=things)
    seen = {account: [each["id"] for each in await fleet.rows(account)] for account in ("user", "rivaluser")}
    assert (row["id"] in seen["user"], row["id"] in seen["rivaluser"]) == (former, new)
    assert await fleet.world.pool.fetchval("select count(*) from backup_plan") == 0
    holder = await fleet.world.pool.fetchval("select account_id from holding where place like 'robotfiles/backup/%'")
    assert holder == (fleet.world.accounts["user"] if former else to if new else None)
    if former:
        refused = await fleet.refused("/device/backup", id=row["id"] + 1, action="restart")
        assert refused == (Code.BAD_INPUT, "backup_step")


async def test_a_failed_backup_of_a_former_owner_is_not_begun_again(fleet: Fleet):
    await fleet.world.online("SC0001")
    backup = await fleet.begin()
    await fleet.reached({"status": "failed"})
    await fleet.world.pool.execute(
        "update device set owner_id = a.id, owner_path = a.path from account a"
        " where a.account = 'sub' and serial_number = 'SC0001'"
    )
    assert await fleet.refused("/device/backup", id=backup, action="restart") == (Code.BAD_INPUT, "backup_other_owner")


async def test_a_robot_that_has_to_erase_first_is_not_backed_up(fleet: Fleet):
    await fleet.world.online("SC0001")
    await fleet.world.pool.execute(
        "insert into former_owner (device_id, owner_id, to_id, things, by_id) select id, $1, $1, 'erase', $1"
        " from device where serial_number = 'SC0001'",
        fleet.world.accounts["user"],
    )
    code, _ = await fleet.refused("/device/backup", deviceId=fleet.world.devices["SC0001"])
    assert code == Code.ERASING


async def test_an_order_that_is_outdated_is_not_sent(fleet: Fleet):
    robot = await fleet.switch_on()
    row = await fleet.finished()
    await courier.send_order(fleet.world.services, row["id"], 1, "packing")
    await courier.send_restore(fleet.world.services, 1, "sending")
    assert robot.backups.orders[row["id"]].report.state == "uploaded"


async def test_a_backup_whose_archive_is_gone_goes_to_no_robot(fleet: Fleet):
    await fleet.switch_on()
    row = await fleet.finished()
    await fleet.world.services.objects.delete(await fleet.place(row["id"]))
    code, _ = await fleet.refused("/device/restoreDataBackup", id=row["id"], deviceId=row["deviceId"])
    assert code == Code.NOT_FOUND
