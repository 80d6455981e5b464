"""Whatever names a thing of somebody else's finds nothing and changes nothing: every registered call, by its fields.

A new call is taken in by itself; a field that this file does not know yet must be sorted here first.
"""

import json
from typing import Any

import msgspec
import pytest

from lustra.core.calls.registry import CALLS, Call, types_of
from lustra.core.errors import Code
from lustra.core.security.permission import PUBLIC
from lustra.domains.account.keys import catalogue
from lustra.domains.report import keep as reports
from lustra.domains.task import mirror as tasks
from lustra.domains.task import plans
from lustra.protocol import bus
from tests.task.conftest import plan_events as planned
from tests.world import SYNCED, World, drawn, keep_map, report

IDS = {
    "user_id",
    "target_user_id",
    "owner_user_id",
    "device_id",
    "device_ids",
    "map_id",
    "task_report_id",
    "save_path",
    "elevator_id",
    "gid",
    "lessee_user_id",
    "sync_id",
}
FILLED = {  # what some calls want besides
    "device_serial_numbers": ["NEW1"],
    "account": "nobody1",
    "factor": 5,
    "name": "stuck",
    "file": "no-ticket",
    "elevator_name": "Lift",
    "building_name": "Tower",
    "floor": "1",
    "serial_number": "NEW1",
    "type_id": 1,
    "reason": "Serviced",
    "out": True,
    "type": 1,
    "detail": "Worn",
    "date": "2020-01-01",
    "start_date": "2020-01-01",
    "end_date": "2020-01-07",
    "revision": 1,
    "group_ids": [],
    "cleaned_area": 40,
    "month": "2020-01",
}
FILLED_OF = {
    "/deviceLog/deleteDeviceLogByDate": {"time": "2020-01-01"},
    "/wmWarnSet/editRule": {"kind": "clock_off", "enabled": True, "threshold": 5},
    "/wmWarnSet/tryRule": {"kind": "clock_off", "threshold": 5},
    "/taskReport/updateTarget": {"target_area": 5},
    "/spotCheck/insertSpotCheck": {"items": {"floor": 4}, "ref": "12345678"},
}  # the same, of one call
HARMLESS = {
    "from_s",
    "length_s",
    "version_kind",
    "target_area",  # of an account that is named too
    "manual_rate",
    "manual_water",
    "care_minutes",
    "most",
    "per_minute",
    "ref",  # of the sender's own form
    "room",
    "target",
    "topics",  # of a recording that is one's own
    "triggered",
    "within",
    "x",
    "y",
    "month",
    "monthly",
    "logo",  # a picture by its content
    "colour",
    "health_runs",
    "health_days",
    "alarms_worse",
    "assists_worse",
    "coverage_worse",
    "area_worse",
    "battery_worse",
    "content",
    "token",
    "every_days",
    "before_updates",
    "group",  # narrows alarms in scope
    "note",
    "notify_after_s",
    "off_delay_s",
    "endpoint",  # of a browser of one's own
    "public",
    "auth",
    "label",
    "ticket",  # of a pushed message: whoever has none finds nothing
    "threshold",
    "waits",  # of codes, which are everybody's
    "quiet_from",
    "quiet_until",
    "alarms_pass",
    "digest",
    "steps",  # of a roll-out that begins, of a build of the shared catalogue
    "failure_share",
    "pause_minutes",
    "charging",
    "from_minute",
    "to_minute",
    "keep",
    "run",  # narrows alarms in scope
    "names",  # of files of a robot that is named too
    "camera",  # of a robot that is named too
    "offset",  # of a log that is named too
    "size",
    "sha256",
    "channel",
    "by",
    "range",
    "work_area",
    "cleaned_area",
    "category",
    "codes",
    "sort",
    "descending",
    "again",
    "traffic",
    "message",
    "route",
    "stack",
    "action",
    "button_keys",
    "confirm",
    "days",
    "email",
    "email_to_task",
    "email_to_task_report",
    "email_to_warn",
    "end_time",
    "is_shadow",
    "keys",
    "keyword",
    "levels",
    "page_keys",
    "paging",
    "permission_keys",
    "phone",
    "read",
    "redirect",
    "refused",
    "role",
    "show_child",
    "start_time",
    "url",
    "words",
    "zone",
    "default",
    "about_us",
    "theme_color",
    "picture",
    "boot_animation",
    "idle_animation",
    "login_background",
    "login_logo",
    "main_logo",
    "home_tiles",
    "hours",
    "kind",
    "kinds",
    "active",
    "limit",
    "since",
    "loaded",
    "account",
    "building",
    "current_page",
    "device_code",
    "device_code_for_sim",
    "device_type",
    "end",
    "end_date",
    "factor",
    "file",
    "floor",
    "is_pc",
    "is_private",
    "language",
    "map_name",
    "minutes",
    "mode",
    "name",
    "new_password",
    "abilities",
    "address",
    "address1",
    "area",
    "boot_time",
    "c_no",
    "customer_address",
    "customer_name",
    "description",
    "device_serial_number",
    "device_serial_numbers",
    "frp_host",
    "hash",
    "latitude",
    "longitude",
    "protocol",
    "province",
    "rack_number",
    "reason",
    "serial_number",
    "sim_no",
    "sim_support",
    "status",
    "test_device",
    "things",
    "type_id",
    "type_name",
    "type_url",
    "batch_name",
    "building_address",
    "building_name",
    "cate_id",
    "cate_name",
    "hard_beans_json",
    "hard_support_text",
    "rack_range",
    "show_cate_list",
    "type_ids",
    "version",
    "code",
    "contact_name",
    "contact_phone",
    "country",
    "elevator_name",
    "flag",
    "frp_port",
    "frp_port_end",
    "group_id",
    "module_id",
    "position",
    "provider",
    "region",
    "robot_id",
    "server",
    "ssh_port",
    "support_type",
    "update_time",
    "web_port",
    "rank",
    "seconds",
    "out",
    "secret",
    "date",
    "detail",
    "item",
    "items",
    "life_hours",
    "list",
    "operator",
    "overdue",
    "process_plan",
    "process_time",
    "processor",
    "remark",
    "replace_date",
    "state",
    "time",
    "used_hours",
    "on",
    "page_size",
    "password",
    "revision",
    "set",
    "start_date",
    "target_path",
    "task_name",
    "text",
    "type",
    "erasers",
    "flags",
    "forbidden_zones",
    "form",
    "free_areas",
    "virtual_walls",
    "replace",
    "app",
    "cloud",
    "level",
    "official_account",
    "off_site_push",
    "sms",
    "terminal",
    "app_version",
    "black_list",
    "debug_file",
    "device_types",
    "enabled",
    "firmware_version",
    "key",
    "log",
    "publish_time",
    "alarm_level",  # of automatic recording
    "alarm_sec",
    "cameras",
    "published",
    "release_file",
    "soft_version",
    "value",
    "version_number",
    "white_list",
}
BY_OTHER_TESTS = {  # ids of accounts, roles, messages, sessions, keys, versions: their own tests
    "a",
    "b",
    "force",
    "advert_id",  # tests/advert
    "advert_ids",
    "batch_id",
    "file_json_arr",  # of recordings: tests/video
    "customer_id",
    "group_ids",
    "groups",  # tests/rollout
    "photo",  # tests/spot_check
    "public_id",
    "version_id",
    "whole_version_id",
    "hard_support_id",
    "hard_support_ids",
    "id",
    "delivery_id",
    "key_id",
    "parent_id",
    "webhook_id",
    "warn_id",
    "role_ids",
    "uuid",
}
OF_THE_ACTOR_ALONE = {  # its userId is ignored, or may be one's own alone: the session says whose these are
    "/user/updatePadConfig",
    "/setLanguage",
    "/message/findMessageByUnRead",
    "/message/findAllMessage",
    "/user/cleanCache",
}
LISTS = {  # a foreign userId finds nothing, or the asker's own
    "/user/selectUserList",
    "/user/selectUserInfo",
    "/user/role/list",
    "/user/role/group/list",
    "/taskReport/listChildTask",
    "/spotCheck/list",
    "/log/list",
    "/log/export",
    "/file/findAllKnowledge",
}
ONCE = {  # what they name is not found again
    "/oss/delete",
    "/map/deleteMapById",
    "/user/updatePassword",
    "/device/deleteDevice",
    "/elevator/deleteElevator",
}
DEALERS_ALONE = {"/user/sendPadConfig"}  # and once it was planned: tests/tablet
DENIED = {Code.NOT_FOUND, Code.FORBIDDEN}


def fields_of(call: Call) -> set[str]:
    payload, _ = types_of(call)
    return set(payload.model_fields) if payload else set()


def calls_with_ids() -> list[Call]:
    """Calls that name a thing. PUBLIC ones go by a signature (links, upload tokens), not by an id."""
    return [call for call in CALLS.values() if call.needs is not PUBLIC and fields_of(call) & IDS]


async def furnish(world: World) -> dict[str, Any]:
    """Things of `user`: a robot with a map, a task and a report, and a file. Their ids."""
    robot = world.devices["SC0001"]
    async with world.pool.acquire() as db:
        drawing, task = msgspec.to_builtins(drawn("Secret")), {"map_name": "Secret"}
        of_map = bus.Event(at=5, id="map", kind="map", name="Secret", revision=1, content=drawing)
        await keep_map(db, world.services.objects, "SC0001", of_map)
        of_task = bus.Event(at=5, id="task", kind="task", name="Secret", revision=1, content=task)
        await tasks.keep(db, "SC0001", of_task)
        for event in planned("Secret"):
            await (plans.keep_occurrence if event.kind == "occurrence" else plans.keep)(db, "SC0001", event)
        await reports.keep(db, [("SC0001", report(task="Secret", map="Secret", gid="g1"))])
    await world.pool.execute("update role set keys = $1", list(catalogue()))
    upload = await world.http.post(
        "/api/oss/upload", files={"file": ("secret.txt", b"Secret")}, headers={"token": await world.token("user")}
    )
    assert upload.json()["message"]["code"] == 0
    return {
        "user_id": world.accounts["user"],
        "target_user_id": world.accounts["user"],
        "owner_user_id": world.accounts["user"],
        "lessee_user_id": world.accounts["user"],
        "device_id": robot,
        "device_ids": [robot],
        "gid": "g1",
        "save_path": "secret.txt",
        "map_id": await world.pool.fetchval("select id from floor_map"),
        "sync_id": await world.pool.fetchval(
            SYNCED,
            robot,
        ),
        "task_report_id": await world.pool.fetchval("select id from task_report"),
        "elevator_id": await world.pool.fetchval(
            "insert into elevator (account_id, elevator_name, building_name, floor) values ($1, 'Secret', 'Secret',"
            " '1') returning id",
            world.accounts["user"],
        ),
    }


async def dump_tables(world: World) -> str:
    """All that a call could have changed of it."""
    tables = (
        "device",
        "control_lock",
        "floor_map",
        "robot_task",
        "robot_plan",
        "robot_occurrence",
        "task_report",
        "stored_file",
        "account",
        "elevator",
        "map_sync",
        "map_sync_target",
        "device_log",
        "backup_plan",
        "data_backup",
        "rollout",
        "rollout_robot",
        "update_token",
    )
    dumps = [await world.pool.fetchval(f"select json_agg(t order by t::text)::text from {name} t") for name in tables]
    return json.dumps(dumps)


async def send_call(world: World, account: str, call: Call, ids: dict[str, Any]) -> tuple[int, str]:
    fields = fields_of(call)
    payload = {name: value for name, value in (FILLED | ids).items() if name in fields} | FILLED_OF.get(call.path, {})
    secrets = {"password": "Lustra-demo-1", "newPassword": "Better-one-2"} if "new_password" in fields else {}
    answer = await world.post(account, call.path, **payload, **secrets)
    if "json" in answer.headers["content-type"]:
        return answer.json()["message"]["code"], answer.text
    return 0, str(len(answer.content))


async def test_every_field_of_a_call_is_known_here(world: World):
    fields = {name for call in CALLS.values() if call.needs is not PUBLIC for name in fields_of(call)}
    assert fields - IDS - HARMLESS - BY_OTHER_TESTS == set()
    assert {call.path for call in calls_with_ids()} >= {
        "/device/relayGrant",
        "/map/grid",
        "/taskReport/detail",
        "/oss/delete",
    }


@pytest.mark.spec("prule.acting")
@pytest.mark.parametrize("account", ["rival", "rivaluser"])
async def test_no_call_finds_or_changes_what_is_anothers(world: World, account: str):
    ids = await furnish(world)
    before = await dump_tables(world)
    for call in calls_with_ids():
        if call.path in OF_THE_ACTOR_ALONE:
            continue
        named = fields_of(call) & IDS
        for names in (named, named - {"user_id"}):
            if not names:
                continue
            code, text = await send_call(world, account, call, {name: ids[name] for name in names})
            assert "Secret" not in text, call.path
            assert "SC0001" not in text, call.path
            if call.path in LISTS:
                assert '"user"' not in text, call.path
            elif names - {"device_id", "device_ids"}:
                assert code in DENIED, (call.path, code, names)
    assert await dump_tables(world) == before


async def test_the_same_ids_are_the_owners_own(world: World):
    """Else the test above would prove nothing."""
    ids = await furnish(world)
    for call in calls_with_ids():
        if call.path not in ONCE | DEALERS_ALONE:
            code, _ = await send_call(world, "user", call, {name: ids[name] for name in fields_of(call) & IDS})
            assert code not in DENIED, (call.path, code)
