"""Who sees which robot, and how the list is searched and sorted."""

import time
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from lustra.core.errors import Code
from lustra.domains.device.api import store_commands
from lustra.live.ingest import presence
from lustra.live.ingest import state as hot
from lustra.protocol import bus
from tests.world import World, state

FOREIGN = "rivaluser"


async def store_state(world: World, sn: str, **fields: Any):
    async with world.pool.acquire() as db:
        await hot.store(db, [hot.row(sn, datetime.now(timezone.utc), state(**fields))])


async def names(world: World, account: str = "user", **filters: Any):
    return [
        row["deviceSerialNumber"] for row in (await world.call(account, "/device/selectDevicePc", **filters))["list"]
    ]


@pytest.mark.spec("call.device.selectDevicePc")
async def test_each_account_sees_what_it_or_those_below_own(world: World):
    assert set(await names(world)) == {"SC0001", "SC0002", "SC0003"}
    assert await names(world, "sub") == ["SC0003"]
    assert await names(world, FOREIGN) == ["SC0010"]
    assert len(await names(world, "admin")) == 4
    assert len(await names(world, "shadow")) == 3
    assert len(await names(world, "software")) == 4


async def test_a_bound_account_sees_the_robot_and_loses_it_again(world: World):
    bind = (
        "insert into device_account select $1, id, path from account where account = 'rivaluser'",
        "delete from device_account where device_id = $1",
    )
    await world.pool.execute(bind[0], world.devices["SC0001"])
    assert set(await names(world, FOREIGN)) == {"SC0001", "SC0010"}
    await world.pool.execute(bind[1], world.devices["SC0001"])
    assert await names(world, FOREIGN) == ["SC0010"]


async def test_the_scope_follows_an_account_that_moves_in_the_tree(world: World):
    await world.pool.execute(
        "update account set path = (select path from account where account = 'rival') || id::text where account = 'sub'"
    )
    assert set(await names(world)) == {"SC0001", "SC0002"}
    assert set(await names(world, "rival")) == {"SC0003", "SC0010"}


async def test_a_user_id_only_narrows_the_scope(world: World):
    assert await names(world, userId=world.accounts["sub"]) == ["SC0003"]
    code, _ = await world.raw("user", "/device/selectDevicePc", userId=world.accounts[FOREIGN])
    assert code == Code.NOT_FOUND


async def test_text_finds_a_part_of_name_serial_number_or_place_in_any_script(world: World):
    assert await names(world, deviceCode="0002") == ["SC0002"]
    assert await names(world, deviceCode="2") == ["SC0002"]
    assert await names(world, deviceCode="Ｋ") == ["SC0001", "SC0002", "SC0003"]  # full width, one letter
    assert await names(world, deviceCode="q") == ["SC0001", "SC0002", "SC0003"]
    assert await names(world, deviceCode="x") == []
    assert await names(world, deviceCode="机") == ["SC0001", "SC0002", "SC0003"]
    assert await names(world, deviceCode="机器") == ["SC0001", "SC0002", "SC0003"]
    assert await names(world, deviceCode="KESTREL ｑ") == ["SC0001", "SC0002", "SC0003"]  # full width, other case
    assert await names(world, deviceCode="器机") == []
    assert await names(world, deviceCode="%") == []


@pytest.mark.spec("call.device.selectDeviceCount")
async def test_list_robots_that_need_help_first_and_count_modes(world: World):
    await store_state(world, "SC0001", mode="charging")
    await store_state(world, "SC0002", mode="cleaning", help="0x0205")
    answer = await world.call("user", "/device/selectDevicePc")
    assert [row["mode"] for row in answer["list"]] == ["help", "charging", "offline"]
    assert answer["counts"] == {"help": 1, "charging": 1, "offline": 1}
    assert await names(world, mode="charging") == ["SC0001"]
    assert (await world.call("user", "/device/selectDeviceCount"))["online"] == 2
    first, second = await names(world, pageSize=1), await names(world, pageSize=1, currentPage=2)
    assert (first, second) == (["SC0002"], ["SC0001"])


@pytest.mark.spec("state.device_online", "call.device.selectDeviceByDeviceId")
async def test_an_offline_robot_tells_since_when_and_why(world: World):
    ref = {"deviceId": world.devices["SC0001"]}
    row = await world.call("user", "/device/selectDeviceByDeviceId", **ref)
    assert (row["online"], row["offlineReason"]) == (0, "never_connected")
    await store_state(world, "SC0001")
    assert (await world.call("user", "/device/selectDeviceByDeviceId", **ref))["online"] == 1
    async with world.pool.acquire() as db:
        assert await presence.mark_silent(db, datetime.now(timezone.utc) - timedelta(seconds=15)) == []
        await presence.mark_silent(db, datetime.now(timezone.utc) + timedelta(seconds=1))
    row = await world.call("user", "/device/selectDeviceByDeviceId", **ref)
    assert (row["mode"], row["offlineReason"]) == ("offline", "no_heartbeat")
    assert row["offlineSince"] == row["heartbeatTime"]


async def test_tell_a_good_bye_from_silence_and_ignore_states_from_before(world: World):
    at = int(time.time() * 1000)
    await store_state(world, "SC0001", at=at)
    off = bus.Event(at=at + 1000, id="e1", kind="power", name="off")
    async with world.pool.acquire() as db:
        assert len(await presence.mark_switched_off(db, "SC0001", off, datetime.now(timezone.utc))) == 1
    await store_state(world, "SC0001", at=at + 500)
    ref = {"deviceId": world.devices["SC0001"]}
    assert (await world.call("user", "/device/selectDeviceByDeviceId", **ref))["offlineReason"] == "switched_off"
    await store_state(world, "SC0001", at=at + 2000)
    assert (await world.call("user", "/device/selectDeviceByDeviceId", **ref))["online"] == 1
    async with world.pool.acquire() as db:
        assert (
            await presence.mark_switched_off(db, "SC0001", off, datetime.now(timezone.utc)) == []
        )  # handed over again, late


@pytest.mark.spec("call.relay.common.robot_reboot")
async def test_show_a_restarting_robot_as_such_until_it_takes_too_long(world: World):
    at, ref = int(time.time() * 1000), {"deviceId": world.devices["SC0001"]}
    await store_state(world, "SC0001", at=at)
    off = bus.Event(at=at + 1000, id="e1", kind="power", name="off", content={"reason": "reboot"})
    now = datetime.now(timezone.utc)
    async with world.pool.acquire() as db:
        await presence.mark_switched_off(db, "SC0001", off, now)
        assert await presence.mark_silent(db, now + presence.RESTART - timedelta(seconds=1)) == []
        row = await world.call("user", "/device/selectDeviceByDeviceId", **ref)
        assert (row["mode"], row["offlineReason"]) == ("offline", "restarting")
        assert len(await presence.mark_silent(db, now + presence.RESTART + timedelta(seconds=1))) == 1
    late = await world.call("user", "/device/selectDeviceByDeviceId", **ref)
    assert (late["offlineReason"], late["offlineSince"]) == ("no_heartbeat", row["offlineSince"])


OF_ONE = (
    ("/device/selectDeviceByDeviceId", {}),
    ("/device/relayGrant", {}),
    ("/device/control", {}),
    ("/device/takeControl", {"minutes": 30}),
    ("/device/takeOverControl", {"minutes": 30, "reason": "Leak"}),
    ("/device/askControl", {}),
    ("/device/handOverControl", {}),
    ("/device/releaseControl", {}),
    ("/device/simulate", {"factor": 5}),
    ("/device/fault", {"name": "stuck"}),
)


@pytest.mark.parametrize(("path", "payload"), OF_ONE)
async def test_a_foreign_tenant_finds_no_robot(world: World, path: str, payload: dict[str, Any]):
    code, _ = await world.raw(FOREIGN, path, deviceId=world.devices["SC0001"], **payload)
    assert code == Code.NOT_FOUND


@pytest.mark.spec("call.device.selectAllDevice", "call.device.selectAllOnLineDevice")
async def test_lists_in_short_keep_to_the_scope(world: World):
    await store_state(world, "SC0001")
    for path, account, expected in (
        ("/device/selectAllDevice", "user", 3),
        ("/device/selectAllOnLineDevice", "user", 1),
        ("/device/selectAllDevice", FOREIGN, 1),
        ("/device/selectAllOnLineDevice", FOREIGN, 0),
    ):
        assert len((await world.call(account, path))["list"]) == expected
    (top,) = (await world.call("user", "/device/selectOwnUser"))["list"]
    assert (top["userId"], [c["name"] for c in top["childs"]]) == (world.accounts["user"], ["Bright Floors East"])
    assert [t["typeName"] for t in (await world.call("user", "/device/selectDeviceType"))["list"]] == ["Scrubber"]


async def test_a_list_is_narrowed_by_sim_card_and_type(world: World):
    await world.pool.execute("update device set sim_no = '898600123' where serial_number = 'SC0002'")

    assert await names(world, deviceCodeForSim=" 600123 ") == ["SC0002"]
    [kind] = (await world.call("user", "/device/selectDeviceType"))["list"]
    assert await names(world, deviceType=kind["typeId"], pageSize=2) == ["SC0001", "SC0002"]
    assert await names(world, deviceType=999) == []


async def test_a_robot_says_which_commands_and_abilities_it_has(world: World):
    device = {"deviceId": world.devices["SC0001"]}
    for content in (
        {"commands": ["robot_safe", "robot_pose", "robot_safe"], "abilities": ["scrub"]},
        {"commands": ["home"]},
    ):
        async with world.as_ingest() as db:
            await store_commands(db, "SC0001", bus.Event(id="c", at=1, kind="commands", name="", content=content))
        row = await world.call("user", "/device/selectDeviceByDeviceId", **device)
        assert row["commands"] == sorted(set(content["commands"]))
        assert row["abilities"] == ["scrub"]  # what it leaves out stays


async def test_a_list_stands_in_the_order_of_the_heading_that_was_pressed(world: World):
    await store_state(world, "SC0002", battery=20.0)
    await store_state(world, "SC0003", battery=90.0, mode="charging")

    assert await names(world, sort="name") == ["SC0001", "SC0002", "SC0003"]
    assert await names(world, sort="name", descending=True) == ["SC0003", "SC0002", "SC0001"]
    assert await names(world, sort="name", mode="charging") == ["SC0003"]
    assert await names(world, sort="name", deviceCode="02") == ["SC0002"]
