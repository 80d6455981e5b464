"""An API key, or a role, reads what its pages show, and nothing else."""

from typing import Any

import pytest

from lustra.app.wiring import wire
from lustra.core.calls.registry import CALLS
from lustra.core.errors import Code
from lustra.core.security.permission import FIRST, PUBLIC, SESSION, keys_of
from lustra.domains.account.keys import ALWAYS, PRESETS, preset_keys
from tests.wall import tenants
from tests.wall.test_matrix import payload, send
from tests.world import World

REPORTS = {  # what the page of reports shows, its filter included
    "/taskReport/list",
    "/taskReport/listChildTask",
    "/taskReport/detail",
    "/taskReport/neighbours",
    "/taskReport/floor",
    "/taskReport/notCleaned",
    "/taskReport/replay",
    "/taskReport/proof",
    "/taskReport/proofKeys",
    "/taskReport/verifyProof",
    "/taskReport/export",
    "/taskReport/wetFloors",
    "/taskReport/chartMap",
    "/taskReport/chartSummary",
    "/taskReport/editTaskReport",
    "/taskReport/insertTaskReport",
    "/taskReport/deleteTaskReport",
    "/taskReport/month",
    "/taskReport/letterhead",
    "/taskReport/updateLetterhead",
    "/taskReport/uploadLogo",
    "/device/selectDeviceByDeviceId",
    "/device/selectOwnUser",
}
ONES_OWN = {  # what any person may do who is logged in: about the own account, or who stands in for it
    "/user/me",
    "/user/preferences",
    "/user/updateUserInfo",
    "/user/updateHeadPicture",
    "/public/uploadAvatar",
    "/user/selectPadConfig",
    "/user/updatePadConfig",
    "/user/selectPadDeliveryPageList",
    "/user/sendPadConfig",
    "/user/uploadPadPicture",
    "/user/testMail",
    "/user/sessions",
    "/user/endSession",
    "/user/exportPerson",
    "/user/erasePerson",
    "/user/apiKey/list",
    "/user/apiKey/insert",
    "/user/apiKey/delete",
    "/sso/ask",
    "/sso/connect",
    "/sso/disconnect",
    "/sso/mine",
    "/oss/upload",
    "/oss/downloadUrl",
    "/oss/delete",
    "/oss/holdings",
    "/retention/list",
    "/retention/update",
    "/support/ask",
    "/support/close",
    "/support/default",
    "/support/looks",
    "/support/open",
    "/support/state",
    "/tencent/ttsUrl",
    "/clientError",
    "/wmCloudVersion/news",
}

KEYS = [  # each but those that a test of its own page cites
    "perm.page.index",
    "perm.page.device.index",
    "perm.page.device.maplist",
    "perm.page.device.taskList",
    "perm.page.device.report",
    "perm.page.device.index.hostManage",
    "perm.page.device.repair",
    "perm.page.device.hire",
    "perm.page.device.ad",
    "perm.page.device.deviceAmap",
    "perm.page.device.info",
    "perm.page.device_control.index",
    "perm.page.user.index",
    "perm.page.elevator.index",
    "perm.page.file.host",
    "perm.page.message.index",
    "perm.button.device.index.consumables",
    "perm.button.device.index.maintenance",
    "perm.button.device.repair.delete",
    "perm.button.device.hire.stop",
    "perm.button.device.maplist.delete",
    "perm.button.device.maplist.sync",
    "perm.button.device_control.index.drive",
]


async def key_of(world: World, account: Any, *keys: Any) -> str:
    return (await world.call(account, "/user/apiKey/insert", name="Program", keys=list(keys)))["secret"]


def test_need_no_right_only_for_calls_about_ones_own_account():
    wire()
    assert {each.path for each in CALLS.values() if each.needs is SESSION} == ONES_OWN


def test_the_key_that_everybody_holds_opens_sums_alone():
    wire()
    everybody = {each.path for each in CALLS.values() if ALWAYS & set(keys_of(each.needs))}
    counts = {f"/device/selectDeviceCount{by}" for by in ("", "ByCountry", "ByProvince")}
    assert everybody == {"/board/overview", "/oss/diskSpace", *counts}


@pytest.mark.parametrize("role", PRESETS)
def test_each_preset_role_reads_what_its_start_page_and_its_list_of_robots_show(role: int):
    wire()
    held = ALWAYS | set(preset_keys(role))
    shown = ["/board/overview", "/device/selectDeviceCount", "/device/selectDevicePc", "/map/selectMap", "/map/grid"]
    shown += ["/device/selectOwnUser", "/device/selectDeviceType", "/message/findMessageByUnRead"]
    assert [path for path in shown if not held & set(keys_of(CALLS["POST", path].needs))] == []


async def test_a_key_for_reports_makes_the_calls_of_that_page_alone(world: World):
    things = await tenants.furnished(world)
    secret, opened = await key_of(world, "admin", "device/report"), set()
    for each in CALLS.values():
        if each.needs is PUBLIC:
            continue
        code, _ = await send(world, each, secret, payload(each, things["user"]))
        if code != Code.FORBIDDEN:
            opened.add(each.path)
    assert opened == REPORTS


async def test_a_key_makes_no_call_that_is_for_persons(world: World):
    secret = await key_of(world, "admin", *keys_held(world))
    for each in CALLS.values():
        if each.person or each.needs in (SESSION, FIRST):
            assert (await send(world, each, secret, {}))[0] == Code.FORBIDDEN, each.path


def keys_held(_: Any) -> list[str]:
    return sorted({key for each in CALLS.values() for key in keys_of(each.needs)})


@pytest.mark.parametrize(
    ("page", "path"),
    [
        ("device/maplist", "/map/versions"),
        ("device/taskList", "/task/plans"),
        ("message/index", "/message/findAllMessage"),
        ("device/index", "/device/selectDeviceType"),
    ],
)
async def test_a_role_without_the_page_reads_nothing_of_it(world: World, page: str, path: str):
    things = await tenants.furnished(world)
    read = next(call for call in CALLS.values() if call.path == path)
    token, fields = await world.token("user"), payload(read, things["user"])
    assert (await send(world, read, token, fields))[0] not in (Code.FORBIDDEN, Code.NOT_FOUND)
    pages = [key for key in ("index", "device/report", "device/maplist", "device/taskList") if key != page]
    await world.pool.execute("update account set keys = $1 where account = 'user'", pages)
    world.services.logins.forget_account(world.accounts["user"])
    assert (await send(world, read, token, fields))[0] == Code.FORBIDDEN


async def test_the_floor_of_a_report_is_its_own_alone(world: World):
    things = await tenants.furnished(world)
    answer = await world.post("user", "/taskReport/floor", taskReportId=things["user"].report)
    assert answer.headers["content-type"] == "image/png"
    for foreign in ("rival", "sub"):
        assert (await world.raw(foreign, "/taskReport/floor", taskReportId=things["user"].report))[0] == Code.NOT_FOUND


@pytest.mark.spec(*KEYS)
async def test_each_key_opens_its_calls_and_without_it_they_are_closed(world: World):
    """The key is asked for before the payload: an empty one is refused as such by whoever may call."""
    token = await world.token("user")
    every = keys_held(world)

    async def hold(keys: list[str]) -> None:
        await world.pool.execute("update account set keys = $1 where account = 'user'", keys)
        world.services.logins.forget_account(world.accounts["user"])

    for cited in KEYS:
        key = "/".join(cited.split(".")[2:])
        calls = [each for each in CALLS.values() if key in keys_of(each.needs) and each.method == "POST"]
        calls = [each for each in calls if not (each.upload or each.person)]
        calls = [each for each in calls if key in ALWAYS or not ALWAYS & set(keys_of(each.needs))][:3]
        assert calls, key
        for each in calls:
            await hold([key])
            assert (await send(world, each, token, {}))[0] != Code.FORBIDDEN, (key, each.path)
            await hold([other for other in every if other not in keys_of(each.needs)])
            closed = (await send(world, each, token, {}))[0] == Code.FORBIDDEN
            assert closed != (key in ALWAYS), (key, each.path)  # the start page is everybody's
