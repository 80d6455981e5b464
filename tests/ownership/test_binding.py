"""Which robots an account sees without owning them: given and taken by whoever sees both."""

import pytest

from lustra.core.errors import Code
from tests.world import World

LIST = "/user/selectUserDeviceList"
BIND = "/user/updateDeviceList"


async def list_bound(world: World, account: str, by: str = "dealer") -> set[str]:
    answer = await world.call(by, LIST, targetUserId=world.accounts[account])
    return {row["deviceSerialNumber"] for row in answer["list"]}


async def list_seen(world: World, account: str) -> set[str]:
    answer = await world.call(account, "/device/selectAllDevice")
    return {row["deviceSerialNumber"] for row in answer["list"]}


@pytest.mark.spec("call.user.updateDeviceList", "call.user.selectUserDeviceList", "perm.button.device.index.bind_user")
async def test_a_bound_account_sees_the_robot_until_it_is_taken_back(world: World):
    assert await list_seen(world, "subsub") == set()
    ids, account = world.devices, world.accounts["subsub"]
    await world.call("dealer", BIND, targetUserId=account, deviceIds=[ids["SC0001"], ids["SC0003"]])
    assert await list_bound(world, "subsub") == await list_seen(world, "subsub") == {"SC0001", "SC0003"}
    await world.call("dealer", BIND, targetUserId=account, deviceIds=[ids["SC0003"]])
    assert await list_bound(world, "subsub") == await list_seen(world, "subsub") == {"SC0003"}


async def test_robots_and_accounts_of_others_are_not_found_and_nothing_changes(world: World):
    ids, accounts = world.devices, world.accounts
    for by, account, sns in (
        ("dealer", "subsub", ("SC0001", "SC0010")),
        ("dealer", "rivaluser", ("SC0001",)),
        ("rival", "sub", ("SC0010",)),
    ):
        payload = {"targetUserId": accounts[account], "deviceIds": [ids[sn] for sn in sns]}
        assert (await world.raw(by, BIND, **payload))[0] == Code.NOT_FOUND, (by, account)
    assert await world.pool.fetchval("select count(*) from device_account") == 0


async def test_show_a_robot_to_accounts_above_a_bound_one(world: World):
    payload = {"targetUserId": world.accounts["subsub"], "deviceIds": [world.devices["SC0010"]]}
    await world.call("admin", BIND, **payload)
    for account in ("subsub", "sub", "user", "dealer"):
        assert "SC0010" in await list_seen(world, account), account
    assert await list_seen(world, "rivaluser") == {"SC0010"}


async def test_refuse_to_bind_ones_own_account(world: World):
    payload = {"targetUserId": world.accounts["dealer"], "deviceIds": [world.devices["SC0001"]]}
    assert (await world.raw("dealer", BIND, **payload))[0] == Code.BAD_INPUT


async def test_binding_what_is_bound_or_unbinding_what_is_not_changes_nothing(world: World):
    payload = {"deviceId": world.devices["SC0001"], "userId": world.accounts["subsub"]}
    for status, seen in ((0, set()), (1, {"SC0001"}), (1, {"SC0001"}), (0, set())):
        await world.call("dealer", "/device/updateUserDeviceStatus", **payload, status=status)
        assert await list_seen(world, "subsub") == seen
    assert await world.pool.fetchval("select count(*) from message") == 2
