"""Support access: what dealers and staff see of a customer while it is closed and open, who opens it, who looked."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any, get_args

import msgspec
import pytest

from lustra.core import texts
from lustra.core.errors import Code
from lustra.core.security import grants
from lustra.domains.account.access import support
from tests.map.test_maps import mirrored
from tests.report.test_reports import keep_reports, list_reports
from tests.world import World, report

SUPPORT = ("admin", "dealer", "software", "hardware", "making", "aftersales", "operations")
OWN = ("user", "shadow")
SUB = ("sub",)


async def grid(world: World, account: str, map_id: int):
    """The code of the envelope, 0 for the picture itself."""
    answer = await world.post(account, "/map/grid", mapId=map_id)
    return 0 if answer.headers["content-type"] == "image/png" else answer.json()["message"]["code"]


async def only_map(world: World, account: str) -> dict:
    (row,) = (await world.call(account, "/map/selectMap"))["list"]
    return row


@pytest.fixture
async def closed(world: World) -> World:
    """The customer's robot has a map and a report; its support access is closed."""
    await mirrored(world)
    await keep_reports(world, report())
    await world.call("user", "/support/close")
    return world


@pytest.mark.parametrize("who", SUPPORT)
async def test_support_sees_no_map_while_it_is_closed_and_all_once_it_is_open(closed: World, who: str):
    await closed.pool.execute("update role set keys = (select keys from role where id = 16) where id in (13, 14, 15)")
    row = await only_map(closed, who)
    assert (row["name"], row["flags"], row["closed"]) == ("Ground", [], True)
    assert await grid(closed, who, row["mapId"]) == Code.SUPPORT_CLOSED
    code, message = await closed.raw(who, "/map/bundle", mapId=row["mapId"])
    assert (code, message["customerId"], message["customer"]) == (
        Code.SUPPORT_CLOSED,
        closed.accounts["user"],
        "Bright Floors",
    )
    (run,) = await list_reports(closed, who)
    seen = await closed.call(who, "/taskReport/detail", taskReportId=run["taskReportId"])
    assert (seen["closed"], seen["map"], seen["cells"], seen["driven"]) == (True, None, None, [])
    assert seen["cleanedArea"] == 81
    await closed.call("user", "/support/open", hours=1)
    assert [flag["name"] for flag in (await only_map(closed, who))["flags"]] == ["Dock"]
    assert await grid(closed, who, row["mapId"]) == 0
    assert (await closed.call(who, "/taskReport/detail", taskReportId=run["taskReportId"]))["map"]


@pytest.mark.parametrize("who", OWN)
async def test_the_customer_and_its_shadow_see_their_maps_always(closed: World, who: str):
    row = await only_map(closed, who)
    assert (len(row["flags"]), row["closed"], await grid(closed, who, row["mapId"])) == (1, False, 0)


async def test_guard_accounts_below_a_customer_together_with_it(world: World):
    await mirrored(world, sn="SC0003")
    await world.call("user", "/support/close")
    row = await only_map(world, "sub")
    assert (await grid(world, "sub", row["mapId"]), await grid(world, "dealer", row["mapId"])) == (
        0,
        Code.SUPPORT_CLOSED,
    )


async def test_hide_everything_from_a_foreign_dealer_whether_open_or_closed(closed: World):
    map_id = (await only_map(closed, "user"))["mapId"]
    assert await grid(closed, "rival", map_id) == Code.NOT_FOUND
    await closed.call("user", "/support/open", hours=1)
    assert await grid(closed, "rival", map_id) == Code.NOT_FOUND
    assert "Bright Floors" not in [row["customerName"] for row in (await closed.call("rival", "/support/list"))["list"]]


async def test_hours_end_by_themselves(closed: World):
    map_id = (await only_map(closed, "user"))["mapId"]
    await closed.call("user", "/support/open", hours=1)
    await closed.pool.execute("update account set support_until = now() where account = 'user'")
    assert await grid(closed, "dealer", map_id) == Code.SUPPORT_CLOSED


async def test_a_default_of_always_is_open_without_hours_and_closing_ends_both(world: World):
    access = await world.call("user", "/support/default", default="always")
    assert (access["open"], access["until"], access["default"]) == (True, None, "always")
    await world.call("user", "/support/open", hours=72)
    access = await world.call("user", "/support/close")
    assert (access["open"], access["until"], access["default"]) == (False, None, "off")


async def test_a_default_of_off_lets_hours_that_run_go_on(world: World):
    await world.call("user", "/support/open", hours=2)
    assert (await world.call("user", "/support/default", default="off"))["open"]


@pytest.mark.parametrize("who", ["admin", "dealer", "software", "sub", "shadow", "rival"])
async def test_let_only_the_customer_open_and_close_its_support_access(closed: World, who: str):
    for path, payload in (("open", {"hours": 1}), ("close", {}), ("default", {"default": "always"})):
        assert (await closed.raw(who, f"/support/{path}", **payload))[0] == Code.FORBIDDEN
    access = (await closed.call("user", "/support/state"))["customer"]
    assert (access["open"], access["default"]) == (False, "off")


async def test_an_api_key_of_the_customer_does_not_open(closed: World):
    api_key = await closed.call("user", "/user/apiKey/insert", name="Program", keys=["index"])
    closed.tokens["user"] = api_key["secret"]
    assert (await closed.raw("user", "/support/open", hours=1))[0] == Code.FORBIDDEN


@pytest.mark.parametrize(("hours", "code"), [(1, 0), (72, 0), (0, Code.BAD_INPUT), (73, Code.BAD_INPUT)])
async def test_open_support_access_for_one_to_seventy_two_hours(closed: World, hours: int, code: Any):
    assert (await closed.raw("user", "/support/open", hours=hours))[0] == code
    assert (await closed.call("user", "/support/state"))["customer"]["open"] is (code == 0)


@pytest.mark.parametrize(("who", "may_open"), [("user", True), ("sub", False), ("shadow", False)])
async def test_show_accounts_below_the_state_of_support_access(closed: World, who: str, may_open: bool):
    access = await closed.call(who, "/support/state")
    assert (access["customer"]["customerName"], access["customer"]["open"], access["mine"]) == (
        "Bright Floors",
        False,
        may_open,
    )


async def test_above_customers_there_is_no_support_access(world: World):
    assert (await world.call("dealer", "/support/state"))["customer"] is None


async def test_let_support_ask_for_access_and_notify_the_customer_once(closed: World):
    payload = {"customerId": closed.accounts["user"]}
    await closed.call("aftersales", "/support/ask", **payload)
    (message,) = (await closed.call("user", "/message/findMessageByUnRead"))["list"]
    assert message["content"].startswith("aftersales would like to see")
    assert (await closed.raw("aftersales", "/support/ask", **payload))[0] == Code.TOO_MANY_TRIES
    await closed.call("user", "/support/open", hours=1)
    assert (await closed.raw("dealer", "/support/ask", **payload))[0] == Code.BAD_INPUT


@pytest.mark.parametrize(
    ("who", "code"), [("rival", Code.NOT_FOUND), ("sub", Code.NOT_FOUND), ("user", Code.FORBIDDEN)]
)
async def test_let_only_support_of_the_customer_ask_for_access(closed: World, who: str, code: Any):
    assert (await closed.raw(who, "/support/ask", customerId=closed.accounts["user"]))[0] == code
    assert (await closed.call("user", "/message/findMessageByUnRead"))["count"] == 0


async def test_notify_the_customer_of_each_visit_once_an_hour(closed: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(support.time, "time", lambda: 1_800_000_000.0)
    await closed.call("user", "/support/open", hours=1)
    map_id = (await only_map(closed, "user"))["mapId"]
    assert await grid(closed, "dealer", map_id) == 0
    monkeypatch.setattr(support.time, "time", lambda: 1_800_003_599.0)
    assert await grid(closed, "dealer", map_id) == 0
    assert await grid(closed, "aftersales", map_id) == 0
    monkeypatch.setattr(support.time, "time", lambda: 1_800_003_600.0)
    assert await grid(closed, "dealer", map_id) == 0
    looks = await closed.call("user", "/support/looks")
    assert [(row["account"], row["what"], row["of"], row["deviceId"]) for row in looks["list"]] == [
        (who, "map", "Ground", closed.devices["SC0001"]) for who in ("dealer", "aftersales", "dealer")
    ]
    assert looks["total"] == 3
    for other in ("sub", "rivaluser", "dealer"):
        assert (await closed.call(other, "/support/looks"))["total"] == 0


async def test_say_in_words_what_support_looked_at(closed: World):
    await closed.call("user", "/support/open", hours=1)
    await grid(closed, "dealer", (await only_map(closed, "user"))["mapId"])
    (look,) = (await closed.call("user", "/support/looks"))["list"]
    assert look["whatName"] == "Map"
    (row,) = (await closed.call("admin", "/log/list", action="support.look"))["list"]
    user = closed.accounts["user"]
    assert row["detail"] == {"viewed": "Map", "name": "Ground", "ownerUserId": f"Bright Floors (#{user})"}
    assert [kind for kind in get_args(support.LookKind) if not texts.known(f"look.{kind}")] == []


async def test_a_refused_look_and_the_customers_own_are_no_looks(closed: World):
    map_id = (await only_map(closed, "user"))["mapId"]
    await grid(closed, "dealer", map_id)
    await grid(closed, "shadow", map_id)
    await only_map(closed, "dealer")
    assert (await closed.call("user", "/support/looks"))["total"] == 0


async def test_opening_and_closing_are_in_the_audit_with_before_and_after(closed: World):
    await closed.call("user", "/support/open", hours=1)
    row = (await closed.call("admin", "/log/list", action="support.open"))["list"][0]
    assert (row["before"], row["after"]["default"]) == ({"default": "off", "until": None}, "off")


async def test_the_grant_of_support_names_the_customer_and_nobody_elses_does(closed: World):
    key = grants.private("11" * 32).public_key()
    for who, customer in (("dealer", closed.accounts["user"]), ("admin", closed.accounts["user"]), ("user", 0)):
        grant = await closed.call(who, "/device/relayGrant", deviceId=closed.devices["SC0001"])
        assert grants.Checker(key).check(grant["grant"]).customer == customer


@pytest.mark.parametrize("who", ["admin", "dealer", "operations"])
async def test_support_takes_control_while_it_is_open_only(closed: World, who: str):
    await closed.pool.execute("update role set keys = keys || '{device_control/index,device_control/index/drive}'")
    robot = {"deviceId": closed.devices["SC0001"], "minutes": 10}
    assert (await closed.raw(who, "/device/takeControl", **robot))[0] == Code.SUPPORT_CLOSED
    await closed.call("user", "/device/takeControl", **robot)
    assert (await closed.raw(who, "/device/takeOverControl", **robot, reason="test"))[0] == Code.SUPPORT_CLOSED
    assert (await closed.raw(who, "/device/askControl", **robot))[0] == Code.SUPPORT_CLOSED  # it could be handed over
    await closed.call("user", "/support/open", hours=1)
    assert (await closed.call(who, "/device/takeOverControl", **robot, reason="test"))["mine"]
    looks = (await closed.call("user", "/support/looks"))["list"]
    assert [(row["account"], row["what"]) for row in looks] == [(who, "robot")]


async def test_an_administrator_runs_the_installation_while_it_is_closed(closed: World):
    device = {"deviceId": closed.devices["SC0001"]}
    assert (await closed.call("admin", "/device/selectDeviceByDeviceId", **device))["deviceSerialNumber"] == "SC0001"
    await closed.call("admin", "/device/updateDeviceInfo", **device, deviceCode="Renamed")
    assert (await closed.call("admin", "/user/selectUserInfo", keyword="user"))["total"] > 0
    assert (await closed.call("admin", "/taskReport/list"))["total"] == 1


async def test_relays_and_sockets_hear_of_each_change(world: World):
    async def entry():
        return await world.services.bus.get("support", str(world.accounts["user"]))

    await world.call("user", "/support/open", hours=1)
    await world.call("user", "/support/default", default="off")
    assert abs((await entry())["until"] / 1000 - time.time() - 3600) < 60
    await world.call("user", "/support/close")
    assert await entry() is None
    await world.pool.execute("update account set support_default = 'always' where account = 'user'")
    await support.publish_all(world.services)  # what was lost between commit and bus is made good at the next start
    assert (await entry())["until"] > time.time() * 1000


@pytest.mark.parametrize(("hours", "is_open", "has_ended"), [(1, True, False), (-1, False, True)])
def test_an_access_is_open_until_its_time_and_has_ended_then(hours: int, is_open: bool, has_ended: bool):
    until = datetime.now(UTC) + timedelta(hours=hours)
    entry = msgspec.convert(support.bucket_entry(until), support.SupportState)
    assert (entry.open, entry.ended) == (is_open, has_ended)
    assert not support.SupportState(until=0).ended  # somebody closed it


async def test_tasks_of_a_closed_customer_are_names_without_areas(closed: World):
    await closed.pool.execute(
        "insert into robot_task (device_id, owner_id, owner_path, name, map_name, revision, at, content)"
        " select id, owner_id, owner_path, 'Lobby', 'Ground', 1, 1, '{\"areas\": [1], \"route\": \"bow\"}' from device"
        " where serial_number = 'SC0001'"
    )
    device = {"deviceId": closed.devices["SC0001"]}
    (task,) = (await closed.call("user", "/task/mirror", **device))["list"]
    (theirs,) = (await closed.call("dealer", "/task/mirror", **device))["list"]
    assert (task["content"]["areas"], theirs["content"]["areas"], theirs["name"]) == ([1], [], "Lobby")


@pytest.mark.parametrize(("setting", "standing"), [("off", False), ("always", True), ("perhaps", False)])
async def test_a_new_customer_begins_as_the_installation_says(world: World, setting: str, standing: bool):
    object.__setattr__(world.services.settings, "support_default", setting)
    headers = {"token": await world.token("dealer")}
    answer = await world.http.post(
        "/api/user/insertUser", json={"account": "Newcomer1", "name": "Ann"}, headers=headers
    )
    account = answer.json()["data"]
    customers = await world.call("dealer", "/support/list", keyword="Newcomer1")
    assert [(row["customerId"], row["open"]) for row in customers["list"]] == [(account["userId"], standing)]


async def test_in_the_demo_one_customer_is_open_and_the_rivals_is_not(world: World):
    customers = await world.call("admin", "/support/list")
    standing = {row["customerName"]: row["open"] for row in customers["list"]}
    assert standing == {"Bright Floors": True, "Polaris Retail": False}


@pytest.mark.parametrize("who", ["admin", "dealer"])
async def test_support_gives_no_maps_away_while_it_is_closed_and_sends_home_always(closed: World, who: str):
    robot = closed.devices["SC0001"]
    home = await closed.call(who, "/device/sendHome", deviceIds=[robot])
    assert [row["outcome"] for row in home["list"]] == ["offline"]  # it was asked for, not refused
    to = {"deviceId": robot, "ownerUserId": closed.accounts["dealer"]}
    code, data = await closed.raw(who, "/device/updateDeviceUserInfo", **to, things="hand_over")
    assert (code, data["field"]) == (Code.SUPPORT_CLOSED, "things")
    await closed.call("user", "/support/open", hours=1)
    await closed.call(who, "/device/updateDeviceUserInfo", **to, things="hand_over")


async def test_support_hands_no_control_on_while_it_is_closed(world: World):
    robot = {"deviceId": world.devices["SC0001"]}
    await world.call("user", "/support/open", hours=1)
    await world.call("dealer", "/device/takeControl", **robot, minutes=10)
    await world.call("admin", "/device/askControl", **robot)
    await world.call("user", "/support/close")
    assert (await world.raw("dealer", "/device/handOverControl", **robot))[0] == Code.SUPPORT_CLOSED
    await world.call("user", "/support/open", hours=1)
    await world.call("dealer", "/device/handOverControl", **robot)


def test_an_entry_of_the_bus_is_open_until_its_time_and_ended_after_it():
    hour = 3_600_000
    now = int(time.time() * 1000)
    closed, over, running = support.SupportState(0), support.SupportState(now - hour), support.SupportState(now + hour)
    assert (closed.open, closed.ended) == (False, False)
    assert (over.open, over.ended) == (False, True)
    assert (running.open, running.ended) == (True, False)
