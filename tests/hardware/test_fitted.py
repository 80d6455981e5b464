"""What is fitted in a robot, what was and by whom, and who sees it."""

import json
from typing import Any

import pytest

from lustra.core.errors import Code
from tests.hardware.fleet import category, everyone_may, names, part
from tests.world import World

HARD = "/deviceHard"


@pytest.fixture
async def parts(world: World) -> dict[str, int]:
    pumps, lidars = await category(world, "Pump"), await category(world, "Lidar")
    return {
        "pumps": pumps,
        "lidars": lidars,
        "P-40": await part(world, pumps, "P-40", "1"),
        "P-50": await part(world, pumps, "P-50", "2"),
        "L-16": await part(world, lidars, "L-16", "3"),
    }


async def fit(world: World, *beans: dict, sn: str = "SC0001", account: str = "making"):
    payload = {"deviceId": world.devices[sn], "hardBeansJson": json.dumps(beans)}
    return await world.raw(account, f"{HARD}/addDeviceHard", **payload)


async def list_fitted(world: World, sn: str = "SC0001", account: str = "making", **filters: Any) -> list[dict]:
    filters = {"deviceId": world.devices[sn]} | filters
    return (await world.call(account, f"{HARD}/getDeviceHardByDeviceId", **filters))["list"]


async def list_history(world: World, sn: str = "SC0001", account: str = "making") -> list[dict]:
    payload = {"deviceId": world.devices[sn]}
    return (await world.call(account, f"{HARD}/getDeviceHardHistoryListBean", **payload))["list"]


@pytest.mark.spec(
    "call.deviceHard.addDeviceHard",
    "odd.field.hardBeansJson.addDeviceHard",
    "call.deviceHard.getDeviceHardByDeviceId",
    "perm.button.device.index.edit_hardware",
)
async def test_parts_of_the_catalogue_are_fitted(world: World, parts: dict[str, int]):
    pump = {"cate_id": parts["pumps"], "name": "p-40", "version": "1b"}
    assert (await fit(world, {"hardSupportId": parts["L-16"]}, pump))[0] == 0
    [lidar, own] = await list_fitted(world)
    assert (lidar["name"], lidar["version"], lidar["cate_name"]) == ("L-16", "3", "Lidar")
    expected = {"hardSupportId": parts["P-40"], "name": "P-40", "version": "1b", "cate_id": parts["pumps"]}
    assert own.items() >= expected.items()
    payload = {"deviceId": world.devices["SC0001"], "showCateList": 1}
    answer = await world.call("making", f"{HARD}/getDeviceHardByDeviceId", **payload)
    assert [c["cate_name"] for c in answer["cateList"]] == ["Lidar", "Pump"]


@pytest.mark.parametrize(
    "beans",
    [
        "",
        "no JSON",
        "{}",
        "[]",
        "[{}]",
        '[{"name": "P-40"}]',
        '[{"cate_id": 1}]',
        '[{"hardSupportId": 999999}]',
        '[{"cate_id": 1, "name": "no such"}]',
        json.dumps([{"hardSupportId": 1}] * 201),
    ],
)
async def test_refuse_to_fit_a_part_outside_of_the_catalogue(world: World, parts: dict[str, int], beans: Any):
    good = {"deviceId": world.devices["SC0001"]}
    code, data = await world.raw("making", f"{HARD}/addDeviceHard", **good, hardBeansJson=beans)
    assert code == Code.BAD_INPUT
    assert data["field"].startswith(("hardBeansJson", "hardSupportId"))
    assert await list_fitted(world) == []


async def test_all_beans_are_fitted_or_none_and_a_robot_holds_so_many(world: World, parts: dict[str, int]):
    assert (await fit(world, {"hardSupportId": parts["P-40"]}, {"hardSupportId": 999_999}))[0] == Code.BAD_INPUT
    assert await list_fitted(world) == []
    many = [{"hardSupportId": parts["P-40"]}] * 200
    assert (await fit(world, *many))[0] == 0
    assert (await fit(world, {"hardSupportId": parts["P-40"]}))[0] == Code.BAD_INPUT


@pytest.mark.spec("call.deviceHard.updateDeviceHard", "call.deviceHard.getDeviceHardHistoryListBean")
async def test_a_part_is_replaced_and_the_history_says_from_when_to_when_and_by_whom(
    world: World, parts: dict[str, int]
):
    await fit(world, {"hardSupportId": parts["P-40"]})
    [old] = await list_fitted(world)
    payload = {"deviceId": world.devices["SC0001"], "id": old["id"]}
    await world.call("hardware", f"{HARD}/updateDeviceHard", **payload, hardSupportId=parts["P-40"])  # as it is
    assert (await list_fitted(world))[0]["id"] == old["id"]
    await world.call("hardware", f"{HARD}/updateDeviceHard", **payload, hardSupportId=parts["P-50"])
    assert await names(world, "SC0001") == ["P-50 2"]
    [now, before] = await list_history(world)
    assert (before["operator"], before["endOperator"], before["after"]) == ("Factory", "Hardware desk", "P-40 1")
    assert (now["operator"], now["before"], now["after"]) == ("Hardware desk", "P-40 1", "P-50 2")
    assert (now["fitted"], now["endTime"], before["fitted"]) == (True, None, False)
    assert before["time"] < before["endTime"] <= now["time"]
    payload["id"] = now["id"]
    await world.call("making", f"{HARD}/updateDeviceHard", **payload, hardSupportId=parts["P-50"], version="2b")
    [row] = await list_fitted(world)
    assert row["version"] == "2b"
    await world.call("making", f"{HARD}/updateDeviceHard", deviceId=payload["deviceId"], id=row["id"])
    assert await list_fitted(world) == []
    assert [row["fitted"] for row in await list_history(world)] == [False] * 3


async def test_refuse_the_second_of_two_replacements_of_a_part(world: World, parts: dict[str, int]):
    await fit(world, {"hardSupportId": parts["P-40"]})
    [old] = await list_fitted(world)
    payload = {"deviceId": world.devices["SC0001"], "id": old["id"], "hardSupportId": parts["P-50"]}
    await world.call("making", f"{HARD}/updateDeviceHard", **payload)
    assert (await world.raw("hardware", f"{HARD}/updateDeviceHard", **payload))[0] == Code.CONFLICT
    other = payload | {"deviceId": world.devices["SC0002"]}
    assert (await world.raw("hardware", f"{HARD}/updateDeviceHard", **other))[0] == Code.NOT_FOUND
    assert await names(world, "SC0001") == ["P-50 2"]


async def test_a_history_outlives_the_catalogue(world: World, parts: dict[str, int]):
    await fit(world, {"hardSupportId": parts["P-40"]})
    [old] = await list_fitted(world)
    await world.call("making", f"{HARD}/updateDeviceHard", deviceId=world.devices["SC0001"], id=old["id"])
    await world.call("making", "/deviceHardSupport/delete", id=parts["P-40"])
    [row] = await list_history(world)
    assert (row["name"], row["cate_name"], row["hardSupportId"]) == ("P-40", "Pump", None)


@pytest.mark.spec("call.deviceHard.getDeviceHardByUserId")
async def test_find_fitted_parts_by_account_and_part(world: World, parts: dict[str, int]):
    await everyone_may(world)
    for sn in ("SC0001", "SC0003", "SC0010"):
        await fit(world, {"hardSupportId": parts["P-40"]}, {"hardSupportId": parts["L-16"]}, sn=sn)

    async def list_serials(account: str, **filters: Any) -> list[str]:
        rows = (await world.call(account, f"{HARD}/getDeviceHardByUserId", **filters))["list"]
        return [f"{row['deviceSerialNumber']} {row['name']}" for row in rows]

    only = {"hardSupportId": parts["P-40"]}
    assert await list_serials("admin", **only) == ["SC0001 P-40", "SC0003 P-40", "SC0010 P-40"]
    assert await list_serials("user", **only) == ["SC0001 P-40", "SC0003 P-40"]
    assert await list_serials("user", userId=world.accounts["sub"]) == ["SC0003 P-40", "SC0003 L-16"]
    assert (await world.raw("user", f"{HARD}/getDeviceHardByUserId", userId=world.accounts["rival"]))[0] != 0


@pytest.mark.parametrize("account", ["rival", "rivaluser", "sub"])
async def test_hardware_of_a_foreign_robot_is_neither_seen_nor_changed(
    world: World, parts: dict[str, int], account: str
):
    await everyone_may(world)
    await fit(world, {"hardSupportId": parts["P-40"]})
    [row] = await list_fitted(world)
    payload = {
        "deviceId": world.devices["SC0001"],
        "id": row["id"],
        "hardBeansJson": [{"hardSupportId": parts["P-50"]}],
    }
    for path in ("getDeviceHardByDeviceId", "getDeviceHardHistoryListBean", "addDeviceHard", "updateDeviceHard"):
        assert (await world.raw(account, f"{HARD}/{path}", **payload))[0] == Code.NOT_FOUND, path
    assert await list_fitted(world) == [row]


async def test_let_a_bound_account_read_parts_and_change_none(world: World, parts: dict[str, int]):
    await everyone_may(world)
    await fit(world, {"hardSupportId": parts["P-40"]})
    await world.pool.execute(
        "insert into device_account select $1, id, path from account where account = 'rival'", world.devices["SC0001"]
    )
    [row] = await list_fitted(world, account="rival")
    payload = {"deviceId": world.devices["SC0001"], "id": row["id"]}
    assert (await world.raw("rival", f"{HARD}/updateDeviceHard", **payload))[0] == Code.NOT_FOUND
    assert (await fit(world, {"hardSupportId": parts["P-40"]}, account="rival"))[0] == Code.NOT_FOUND


async def test_a_new_owner_sees_the_parts_but_not_who_worked_on_the_robot_before(world: World, parts: dict[str, int]):
    await everyone_may(world)
    await fit(world, {"hardSupportId": parts["P-40"]}, {"hardSupportId": parts["L-16"]}, account="user")
    [lidar, _] = await list_fitted(world)
    removal = {"deviceId": world.devices["SC0001"], "id": lidar["id"]}
    await world.call("user", f"{HARD}/updateDeviceHard", **removal)
    owner = {"deviceId": world.devices["SC0001"], "ownerUserId": world.accounts["rivaluser"]}
    await world.call("admin", "/device/updateDeviceUserInfo", **owner)
    [row] = await list_history(world, account="rivaluser")
    assert (row["name"], row["time"], row["operator"]) == ("P-40", None, None)
    payload = {"deviceId": world.devices["SC0001"], "id": row["id"], "hardSupportId": parts["P-50"]}
    await world.call("rivaluser", f"{HARD}/updateDeviceHard", **payload)
    [new, old] = await list_history(world, account="rivaluser")
    assert (new["operator"] or "", old["operator"], old["endOperator"]) == (new["operator"], None, new["operator"])
    assert old["endTime"] is not None
    assert len(await list_history(world, account="admin")) == 3
    assert all(row["operator"] for row in await list_history(world, account="admin"))
