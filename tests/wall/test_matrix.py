"""Every call, by every kind of account, for the things of every other: the answer follows from the rules alone.

A call joins by being registered; a field that names a thing must be known here, else the first test fails.
Rules: no log-in, no answer; no key, refused; not within scope, not found, and nothing is changed; otherwise not denied.
Administrators, dealers and staff are kept out of what a customer's closed support access guards, and nobody else is.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import async_sessionmaker

from lustra.app.wiring import wire
from lustra.core.bus import Bucket
from lustra.core.calls.registry import CALLS, Call, types_of
from lustra.core.errors import Code
from lustra.core.security.permission import PUBLIC, Need, keys_of
from tests.wall import answers, tenants
from tests.wall.tenants import ABOVE, OWNERS, STAFF, Things, sees, sees_handed_out, sees_robot
from tests.world import World, forget_logins

KINDS = {  # what a field names
    "user_id": "account",
    "target_user_id": "account",
    "device_id": "device",
    "device_ids": "device",
    "map_id": "map",
    "task_report_id": "report",
    "save_path": "file",
    "elevator_id": "elevator",
    "owner_user_id": "account",
    "advert_id": "advert",
    "advert_ids": "advert",
    "sync_id": "sync",
    "lessee_user_id": "account",
}
ID_OF = {  # what the field `id` names
    "/user/role/group/update": "group",
    "/user/role/group/delete": "group",
    "/repair/updateRepair": "repair",
    "/repair/deleteRepair": "repair",
    "/hire/stopHire": "lease",
    "/deviceGroup/addDevices": "devices",
    "/deviceGroup/update": "devices",
    "/deviceGroup/delete": "devices",
    "/deviceHard/updateDeviceHard": "fitted",
    "/device/updateDeviceAdvertising": "advert",
    "/device/deleteDeviceAdvertising": "advert",
    "/file/del": "document",
    "/file/delKnowledge": "article",
    "/file/downloadUrl": "document",
    "/file/findAllKnowledge": "article",
    "/deviceLog/cancleUploadFile": "log",
    "/deviceLog/deleteDeviceLog": "log",
    "/deviceLog/cutUrl": "log",
    "/deviceLog/downloadUrl": "log",
    "/deviceLog/openRecording": "log",
    "/deviceLog/viewerUrl": "log",
    "/deviceLog/recordingFloor": "log",
    "/deviceLog/replayRecording": "log",
    "/deviceLog/read": "log",
    "/device/backup": "backup",
    "/device/deleteDataBackupById": "backup",
    "/device/selectDataBackupContents": "backup",
    "/device/previewDataBackupRestore": "backup",
    "/device/restoreDataBackup": "backup",
    "/device/cancelDataBackupRestore": "restore",
    "/warn/endSnooze": "snooze",
    "/spotCheck/photo": "check",
    "/spotCheck/deleteSpotCheck": "check",
    "/version/selectRollout": "rollout",
    "/version/changeRollout": "rollout",
    "/version/rollBack": "rollout",
}
NAMED_BY = {  # what names a thing without being an id
    "/file/downloadUrl": ("file", "file"),
    "/device/updateDevicesAddressByLbs": ("device_serial_number", "serial"),
    "/device/selectDeviceByHash": ("hash", "hash"),
    "/device/getSimInfo": ("c_no", "sim"),
    "/deviceConsumable/consumableInfo": ("device_serial_number", "serial"),
    "/deviceConsumable/consumableEdit": ("device_serial_number", "serial"),
    "/deviceConsumable/consumableUpdate": ("device_serial_number", "serial"),
    "/maintain/findMaintainBySn": ("device_serial_number", "serial"),
    "/maintain/updateMaintainBySn": ("device_serial_number", "serial"),
    "/warn/resumeWarn": ("device_serial_number", "serial"),
    "/warn/takeWarn": ("device_serial_number", "serial"),
    "/warn/snoozeWarn": ("device_serial_number", "serial"),
    "/deviceLog/rosbagList": ("device_serial_number", "serial"),
    "/deviceLog/navlogList": ("device_serial_number", "serial"),
    "/deviceLog/getUpLoadStatus": ("device_serial_number", "serial"),
    "/deviceLog/upLoadFile": ("device_serial_number", "serial"),
    "/deviceLog/rosAndNavDelete": ("device_serial_number", "serial"),
    "/version/getVersionFirewareBySerialNumber": ("device_serial_number", "serial"),
    "/qiniuQvs/cameraList": ("device_serial_number", "serial"),
    "/qiniuQvs/startStream": ("device_serial_number", "serial"),
    "/qiniuQvs/stopStream": ("device_serial_number", "serial"),
    "/qiniuQvs/liveList": ("device_serial_number", "serial"),
    "/qiniuQvs/record": ("device_serial_number", "serial"),
    "/qiniuQvs/recordList": ("device_serial_number", "serial"),
    "/qiniuQvs/recordRule": ("device_serial_number", "serial"),
    "/qiniuQvs/recordRuleUpdate": ("device_serial_number", "serial"),
    "/qiniuQvs/viewList": ("device_serial_number", "serial"),
    "/qiniuQvs/clipList": ("device_serial_number", "serial"),
}
# Calls whose `warnId` names an alarm, and narrows nothing.
ALARM_OF = {"/warn/takeWarn", "/warn/listNotifications", "/warn/replay", "/warn/floor"}
SHARED_IDS = {  # what belongs to the whole installation: roles, nodes, file servers, parts, codes of alarms, versions
    "/wmWarnSet/edit",
    "/user/role/update",
    "/user/role/delete",
    "/device/updateDeviceType",
    "/device/deleteDeviceType",
    "/deviceHardSupport/update",
    "/deviceHardSupport/delete",
    "/wmDeviceHostInfo/queryById",
    "/wmDeviceHostInfo/edit",
    "/wmDeviceHostInfo/deleteById",
    "/host/edit",
    "/host/del",
    "/version/updateVersionFireware",
    "/version/delVersionFireware",
    "/version/updateVersionApp",
    "/version/publishVersionApp",
    "/version/deleteVersionApp",
    "/version/downloadUrl",
    "/version/selectAppBlackRange",
    "/version/selectAppWhiteRange",
    "/wmWholeVersion/edit",
    "/wmWholeVersion/deleteById",
    "/wmWholeVersion/selectDeviceRange",
    "/wmWholeVersion/selectDeviceWhiteRange",
    "/wmCloudVersion/queryById",
    "/wmCloudVersion/edit",
    "/wmCloudVersion/deleteById",
    "/configure/edit",
    "/configure/del",
}
OWN_IDS = {  # one's own alone, or tried elsewhere: tests/message, tests/account/test_sessions
    "/message/updateMessageRead",
    "/message/updateMessageDelete",
    "/user/endSession",
    "/user/apiKey/delete",
    "/webhook/update",
    "/webhook/delete",
    "/webhook/rotateSecret",
    "/webhook/test",
    "/qiniuQvs/clipAdd",  # tests/video
    "/qiniuQvs/clipDel",
    "/webPush/test",  # tests/alarm
    "/webPush/unsubscribe",
    "/file/addKnowledge",  # tests/document
}
MANY = {"advert_ids", "device_ids", "group_ids"}
BESIDES = {  # what some calls want beside ids, so that scope decides and not their form
    "account": "nobody1",
    "file": "no-ticket",
    "factor": 5,
    "name": "stuck",
    "password": "Lustra-demo-1",
    "new_password": "Better-one-2",
    "keys": ["index"],
    "language": "en",
    "on": True,
    "minutes": 30,
    "elevator_name": "Named",
    "building_name": "Named",
    "floor": "1",
    "reason": "Serviced",
    "serial_number": "NEW1",
    "device_serial_numbers": ["NEW1"],
    "type_id": 1,
    "hard_beans_json": '[{"hardSupportId": 1}]',
    "confirm": True,
    "batch_id": 1,
    "revision": 1,
    "out": True,
    "item": "filter",
    "items": [{"item": "filter", "life_hours": 1}],
    "list": [],
    "start_date": "2020-01-01",
    "time": "2020-01-01T00:00:00Z",
    "type": 1,
    "detail": "Worn",
    "date": "2020-01-01",
    "customer_name": "Named",
    "channel": "terminal",
    "month": "2020-01",
}
BESIDES_OF = {  # the same, of one call
    "/deviceLog/list": {"start_date": None, "kind": "rosbag"},
    "/deviceLog/listPad": {"start_date": None},
    "/deviceLog/cutUrl": {"start_time": "2020-01-01T00:00:00Z", "end_time": "2020-01-01T00:00:01Z"},
    "/deviceLog/upLoadFile": {"kind": "rosbag"},
    "/deviceLog/rosAndNavDelete": {"kind": "rosbag", "names": ["stuck"]},
    "/qiniuQvs/startStream": {"camera": "front"},
    "/qiniuQvs/record": {"camera": "front"},
    "/qiniuQvs/recordList": {"start_date": None, "reason": "plan"},
    "/qiniuQvs/recordRuleUpdate": {"cameras": [], "days": []},
    "/device/backup": {"action": "cancel"},
    "/version/changeRollout": {"action": "pause"},
    "/device/updateDataBackupPlan": {"every_days": 7},
    "/spotCheck/insertSpotCheck": {"items": {"floor": 3}, "ref": "form-0001"},
    "/taskReport/editTaskReport": {"cleaned_area": 40},
    "/taskReport/updateTarget": {"target_area": 250},
    "/taskReport/insertTaskReport": {
        "task_name": "Lobby",
        "start_time": "2020-01-01T10:00:00Z",
        "end_time": "2020-01-01T11:00:00Z",
        "work_area": 50,
        "cleaned_area": 40,
    },
}
NOT_OTHERS = {  # about the session's own account, whatever userId says
    "/user/updatePassword",
    "/setLanguage",
    "/user/updatePadConfig",
}
DEALERS_ALONE = {"/user/sendPadConfig"}  # and once it was planned: tests/tablet
MORE_KEYS = {  # for another's data
    "/user/updateUserInfo": "user/index/edit",
    "/user/updateHeadPicture": "user/index/edit",
    "/user/testMail": "user/index",
    "/user/exportPerson": "user/index/edit",
    "/user/erasePerson": "user/index/delete",
    "/sso/disconnect": "user/index/init_password",
    "/device/updateUserDeviceStatus": "device/index/bind_user",
}
ROBOTS = {
    "device",
    "map",
    "report",
    "serial",
    "hash",
    "sim",
    "fitted",
    "sync",
    "alarm",
    "log",
    "backup",
    "restore",
    "snooze",
    "check",
}  # come with the robot: a bound account sees them too
HANDED_OUT = {"/file/downloadUrl", "/file/findAllKnowledge"}  # those below read it, too
OWNERS_ALONE = {  # who is bound to a robot sees it and its maps, and changes neither
    "/configure/send",
    "/device/sendAdverts",
    "/spotCheck/deleteSpotCheck",
    "/map/deleteMapById",
    "/map/saveMap",
    "/map/editMap",
    "/device/updateDeviceInfo",
    "/device/updateDeviceUserInfo",
    "/device/deleteDevice",
    "/device/updateUserDeviceStatus",
    "/device/selectPasswordByDeviceId",
    "/device/resetPassword",
    "/device/updateDevicesAddressByLbs",
    "/device/workInfoResetById",
    "/deviceHard/addDeviceHard",
    "/deviceHard/updateDeviceHard",
    "/deviceHard/updateDeviceHardByBatchId",
    "/deviceConsumable/consumableEdit",
    "/deviceConsumable/consumableUpdate",
    "/maintain/updateMaintainBySn",
    "/hire/insertHire",
    "/taskReport/editTaskReport",
    "/taskReport/insertTaskReport",
    "/taskReport/deleteTaskReport",
    "/deviceLog/deleteDeviceLog",
    "/deviceLog/rosAndNavDelete",
    "/device/backup",
    "/device/deleteDataBackupById",
    "/device/previewDataBackupRestore",
    "/device/restoreDataBackup",
    "/device/cancelDataBackupRestore",
    "/device/updateDataBackupPlan",
}
GUARDED = {  # by the customer's support access
    "/map/grid",
    "/map/bundle",
    "/map/versions",
    "/map/version",
    "/map/draft",
    "/map/keepout",
    "/map/findRooms",
    "/map/saveMap",
    "/taskReport/floor",
    "/warn/floor",
    "/taskReport/proof",
    "/taskReport/chartMap",
    "/taskReport/cleanedFloor",
    "/taskReport/cleanedRooms",
    "/spotCheck/photo",
    "/spotCheck/zones",
    "/spotCheck/zone",
    "/spotCheck/insertSpotCheck",
    "/map/syncTargets",
    "/map/syncMap",
    "/map/selectSync",
    "/device/selectPasswordByDeviceId",
    "/device/takeControl",
    "/device/takeOverControl",
    "/device/askControl",
    "/device/handOverControl",
    "/deviceLog/upLoadFile",
    "/deviceLog/cutUrl",
    "/deviceLog/downloadUrl",
    "/deviceLog/viewerUrl",
    "/deviceLog/openRecording",
    "/deviceLog/read",
    "/qiniuQvs/cameraList",
    "/qiniuQvs/startStream",
    "/qiniuQvs/stopStream",
    "/qiniuQvs/liveList",
    "/qiniuQvs/record",
    "/qiniuQvs/recordList",
    "/qiniuQvs/recordRule",
    "/qiniuQvs/recordRuleUpdate",
    "/qiniuQvs/clipList",
    "/device/selectDataBackupContents",
    "/device/previewDataBackupRestore",
    "/device/restoreDataBackup",
}
DENIED = {Code.NOT_FOUND, Code.FORBIDDEN}
TABLES = (
    "account",
    "device",
    "device_account",
    "control_lock",
    "floor_map",
    "robot_task",
    "task_report",
    "stored_file",
    "elevator",
    "advert",
    "advert_delivery",
    "advert_showing",
    "tablet_branding",
    "parameter_delivery",
    "tablet_delivery",
    "role",
    "role_group",
    "account_subject",
    "former_owner",
    "robot_errand",
    "device_password",
    "password_access",
    "work_reset",
    "one_time_code",
    "node_port",
    "device_group",
    "device_group_member",
    "device_hard",
    "upkeep",
    "upkeep_done",
    "repair",
    "lease",
    "robot_plan",
    "robot_occurrence",
    "map_sync",
    "map_sync_target",
    "device_log",
    "live_video",
    "video_record",
    "video_clip",
    "video_view",
    "document",
    "document_file",
    "version_device",
    "rollout",
    "rollout_robot",
    "update_token",
    "data_backup",
    "data_restore",
    "backup_plan",
    "alarm_snooze",
    "spot_check",
    "(select id, account_id from login)",  # a session's own row says when it was last seen
)


def fields_of(entry: Call) -> set[str]:
    payload, _ = types_of(entry)
    return set(payload.model_fields) if payload else set()


def kinds_of(entry: Call) -> dict[str, str]:
    """Fields that name a thing. `userId` narrows, or repeats who acts, where another field names whom it is about."""
    named = {name: KINDS[name] for name in fields_of(entry) if name in KINDS}
    if entry.path in ID_OF:
        named["id"] = ID_OF[entry.path]
    if entry.path in NAMED_BY:
        field, kind = NAMED_BY[entry.path]
        named[field] = kind
    if entry.path in ALARM_OF:
        named["warn_id"] = "alarm"
    if len(named) > 1:
        named.pop("user_id", None)
    return named


def matrix() -> list[Call]:
    return [
        c for c in CALLS.values() if c.needs is not PUBLIC and kinds_of(c) and c.path not in NOT_OTHERS | DEALERS_ALONE
    ]


def payload(entry: Call, things: Things) -> dict[str, Any]:
    ids = {name: getattr(things, kind) for name, kind in kinds_of(entry).items()}
    ids = {name: [value] if name in MANY else value for name, value in ids.items()}
    fields = fields_of(entry)
    besides = {name: value for name, value in BESIDES.items() if name in fields} | BESIDES_OF.get(entry.path, {})
    return besides | ids


def is_held(entry: Call, keys: set[str]) -> bool:
    """Whether any key suffices, or one of those that the call needs is there."""
    needed = {*keys_of(entry.needs)}
    return not needed or bool(needed & keys)


def expected(entry: Call, actor: str, owner: str, keys: set[str]) -> bool:
    """May it? By the rules."""
    if not is_held(entry, keys):
        return False
    if entry.path in MORE_KEYS and MORE_KEYS[entry.path] not in keys and owner != actor:
        return False
    if entry.path in HANDED_OUT:
        return sees_handed_out(actor, owner)
    bound = ROBOTS if entry.path not in OWNERS_ALONE else set[str]()
    return all((sees_robot if kind in bound else sees)(actor, owner) for kind in kinds_of(entry).values())


def decides(entry: Call, actor: str, keys: dict[str, set[str]]) -> bool:
    """Whether the answer depends on whose thing it is, as it does for nobody else. Without the key the call is refused
    before it is read, and all staff see from one place on down; of these each tries one owner's, in turn."""
    if not is_held(entry, keys[actor]):
        return False
    return actor not in STAFF or actor == min(staff for staff in STAFF if is_held(entry, keys[staff]))


def owners_of(entry: Call, actor: str, keys: dict[str, set[str]], turn: int, *, whole: bool) -> list[str]:
    """Whose things are tried: on either side of the rule one owner's, from call to call the next one's; or all."""
    if not decides(entry, actor, keys):
        return [OWNERS[turn % len(OWNERS)]]
    if whole:
        return [*OWNERS]
    allowed = [owner for owner in OWNERS if expected(entry, actor, owner, keys[actor])]
    refused = [owner for owner in OWNERS if owner not in allowed]
    return [side[turn % len(side)] for side in (allowed, refused) if side]


@asynccontextmanager
async def undone(world: World) -> AsyncIterator[None]:
    """What calls write within is rolled back."""
    services, before, put = world.services, world.services.sessions, world.services.bus.put

    async def put_but_revoked(name: Bucket, key: str, value: dict[str, Any] | int) -> None:
        """The bus would tell that a session ended after the roll-back has brought it back."""
        if name != "revoked":
            await put(name, key, value)

    services.bus.put = put_but_revoked
    async with services.engine.connect() as link:
        outer = await link.begin()
        services.sessions = async_sessionmaker(link, expire_on_commit=False, join_transaction_mode="create_savepoint")
        try:
            yield
        finally:
            services.sessions, services.bus.put = before, put
            await outer.rollback()
    forget_logins(services, revoked=True)


STANDING = "select " + ", ".join(f"(select md5(json_agg(t order by t::text)::text) from {name} t)" for name in TABLES)


async def standing(world: World) -> list[Any]:
    """What all rows are, in short."""
    return [*await world.pool.fetchrow(STANDING)]


def tells(answer: str, owner: str) -> bool:
    """Everything of an owner bears this name (tenants._thing). A list that an id only narrows answers without it."""
    return f'"T{owner}"' in answer or f"T{owner}.txt" in answer


async def send(world: World, entry: Call, token: str, fields: dict[str, Any]) -> tuple[int, str]:
    answer = await world.http.request(
        entry.method,
        f"/api{entry.path}",
        **({"params": fields} if entry.method == "GET" else {"json": fields}),
        headers={"token": token} if token else {},
    )
    if "json" not in answer.headers["content-type"]:
        return 0, answers.text(answer)
    return answer.json()["message"]["code"], answer.text


async def test_every_field_that_names_a_thing_is_known():
    """`id`, `uuid` and fields in Id or Ids must be sorted into KINDS or ID_OF."""
    wire()
    assert matrix()
    like = {
        (entry.path, name)
        for entry in CALLS.values()
        if entry.needs is not PUBLIC
        for name in fields_of(entry)
        if (name in ("id", "uuid") or name.endswith(("_id", "_ids")))
        and name not in kinds_of(entry)
        and name not in KINDS
    }
    known = {"parent_id", "role_ids", "group_ids"}  # granted or stood below: by rules of their own, tests/account
    known |= {"type_id", "type_ids"}  # of the shared catalogue of types
    known |= {"batch_id", "cate_id", "hard_support_id", "hard_support_ids"}  # of those of hardware and batches
    known |= {"group_id", "module_id", "robot_id"}  # an elevator's, as its provider numbers them
    known |= {"webhook_id", "delivery_id"}  # one's own alone: tests/webhook
    known |= {"version_id", "public_id", "whole_version_id"}  # of that of versions: tests/version
    known |= {"warn_id"}  # an alarm of a robot that is named too, or how far a list was read: tests/alarm
    known |= {"customer_id"}  # that support asks: tests/account/test_support
    assert {(path, name) for path, name in like if name not in known and path not in SHARED_IDS | OWN_IDS} == set()


@pytest.mark.spec("prule.server_enforce", "prule.acting", "prule.shadow")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.proof)], ids=["either_side", "whole"])
async def test_allow_exactly_what_the_rules_allow_for_each_account_and_owner(
    world: World, record_property: Callable[[str, object], None], *, whole: bool
):
    things = await tenants.furnished(world)
    roles = await tenants.roles(world)
    keys = {actor: tenants.held(roles, actor) for actor in ABOVE}
    tokens = {actor: await world.token(actor) for actor in ABOVE}
    before, tried, wrong = await standing(world), 0, []
    pairs: set[tuple[str, str]] = set()
    for turn, entry in enumerate(matrix()):
        for place, actor in enumerate(ABOVE):
            for owner in owners_of(entry, actor, keys, turn + place, whole=whole):
                pairs.add((actor, owner))
                may = expected(entry, actor, owner, keys[actor])
                async with undone(world) if may else _nothing():
                    code, answer = await send(world, entry, tokens[actor], payload(entry, things[owner]))
                tried += 1
                shut = code in DENIED or (not entry.audit and not tells(answer, owner))
                refused_support = may and entry.path in GUARDED and tenants.shut_out(actor, owner)
                if (code in DENIED) if may else not shut:
                    wrong.append((entry.path, actor, owner, code))
                if (code == Code.SUPPORT_CLOSED) is not refused_support:
                    wrong.append((entry.path, actor, owner, code))
        assert await standing(world) == before, entry.path
    assert pairs == {(actor, owner) for actor in ABOVE for owner in OWNERS}  # also where one side of a call is tried
    tried_of = f"{len(matrix())} calls and {len(ABOVE)} accounts"
    owners = f"each of {len(OWNERS)} owners" if whole else "an owner on either side of the rule"
    record_property("tried", f"{tried} requests for each combination of {tried_of} with {owners}")
    assert wrong == [], "\n".join(map(str, wrong[:50]))


@asynccontextmanager
async def _nothing() -> AsyncIterator[None]:
    yield


async def test_without_a_session_or_with_an_expired_one_nothing_is_answered(world: World):
    things = await tenants.furnished(world)
    expired = await world.token("user")
    forget_logins(world.services)
    await world.pool.execute("update login set seen_at = now() - interval '1 year'")
    for entry in CALLS.values():
        if isinstance(entry.needs, Need) and entry.needs is PUBLIC:
            continue
        for token in ("", "no-token", expired):
            fields = payload(entry, things["user"]) if kinds_of(entry) else {}
            assert (await send(world, entry, token, fields))[0] == Code.SESSION_INVALID, entry.path


async def test_leave_rows_with_the_owner_of_their_time(world: World):
    """The robot is seen by its new owner alone; maps and reports of before by the former alone."""
    await tenants.people(world)
    sold = await tenants.sold(world)
    former, new = tenants.SOLD
    for path, fields, who, other in (
        ("/device/selectDeviceByDeviceId", {"deviceId": sold.device}, new, former),
        ("/taskReport/detail", {"taskReportId": sold.report}, former, new),
        ("/map/grid", {"mapId": sold.map}, former, new),
    ):
        entry = next(c for c in CALLS.values() if c.path == path)
        assert (await send(world, entry, await world.token(who), fields))[0] not in DENIED, path
        assert (await send(world, entry, await world.token(other), fields))[0] in DENIED, path
