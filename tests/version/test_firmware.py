"""Firmware versions, through the wire."""

from typing import Any

import pytest

from lustra.core.errors import Code
from tests.version.helpers import KEYS, other_type, refusal, type_of, upload
from tests.world import World


@pytest.fixture(autouse=True)
async def keys(world: World):
    await world.pool.execute(KEYS)


async def add(world: World, **fields: Any) -> int:
    payload = {"name": "FW-7", "version": "1.0.4", "description": "Motors", "file": await upload(world)}
    payload |= {"enabled": 0, "deviceTypes": [await type_of(world)]}
    return (await world.call("admin", "/version/insertVersionFireware", **(payload | fields)))["id"]


async def rows(world: World) -> list[dict[str, Any]]:
    return (await world.call("admin", "/version/selectVersionFireware"))["list"]


async def of_robot(world: World, serial: str = "SC0001", account: str = "admin") -> list[str]:
    fields = {"deviceSerialNumber": serial}
    answer = await world.call(account, "/version/getVersionFirewareBySerialNumber", **fields)
    return [row["name"] for row in answer["list"]]


@pytest.mark.spec("call.version.insertVersionFireware", "call.version.selectVersionFireware")
@pytest.mark.spec("perm.page.version.fireware", "state.firmware_version", "state.firmware_version.disabled")
@pytest.mark.spec("ent.firmware_version.id", "ent.firmware_version.name", "ent.firmware_version.version")
@pytest.mark.spec("ent.firmware_version.description", "ent.firmware_version.file", "ent.firmware_version.enabled")
@pytest.mark.spec("ent.firmware_version.applicableDevices", "ent.firmware_version")
async def test_firmware_is_added_for_types_of_robots_and_is_disabled(world: World):
    firmware, kind = await add(world), await type_of(world)
    [row] = await rows(world)
    expected = {"id": firmware, "name": "FW-7", "version": "1.0.4", "description": "Motors", "file": "build.zip"}
    assert row.items() >= (expected | {"enabled": False, "deviceTypes": [kind]}).items()
    token = await world.token("admin")
    answer = await world.http.post("/api/version/selectVersionFireware", headers={"token": token})  # without a body
    assert answer.json()["data"]["list"] == [row]


@pytest.mark.spec("call.version.updateVersionFireware", "call.version.getVersionFirewareBySerialNumber")
@pytest.mark.spec("state.firmware_version.enabled", "state.firmware_version.t01", "state.firmware_version.t02")
async def test_robots_of_its_types_may_take_firmware_while_it_is_enabled(world: World):
    firmware = await add(world)
    assert await of_robot(world) == []
    await world.call("admin", "/version/updateVersionFireware", id=firmware, enabled=1)
    assert await of_robot(world) == ["FW-7"]
    await world.call("admin", "/version/updateVersionFireware", id=firmware, deviceTypes=[await other_type(world)])
    assert await of_robot(world) == []
    await world.call("admin", "/version/updateVersionFireware", id=firmware, enabled=0)
    assert not (await rows(world))[0]["enabled"]


async def test_of_enabled_firmware_name_version_and_file_stay(world: World):
    firmware = await add(world, enabled=1)
    for fields in ({"name": "FW-8"}, {"version": "2"}, {"file": await upload(world, name="new.bin")}):
        assert (await world.raw("admin", "/version/updateVersionFireware", id=firmware, **fields))[0] == Code.BAD_INPUT
    await world.call("admin", "/version/updateVersionFireware", id=firmware, description="Motors and pumps")
    [row] = await rows(world)
    same = {name: row[name] for name in ("id", "name", "version", "file")}
    await world.call("admin", "/version/updateVersionFireware", **same)  # a form sends back what it was shown
    assert (await rows(world))[0]["stored"] == row["stored"]


async def test_disabled_firmware_gets_another_file(world: World):
    firmware = await add(world)
    place = await world.pool.fetchval("select place from version_file")
    path = await upload(world, content=b"PK\x03\x04 other")  # by the same name
    await world.call("admin", "/version/updateVersionFireware", id=firmware, file=path, name="FW-8")
    [row] = await rows(world)
    assert (row["name"], row["stored"]["size"]) == ("FW-8", 10)
    assert not await world.services.objects.exists(place)


async def test_a_late_change_is_refused(world: World):
    firmware = await add(world)
    [row] = await rows(world)
    late = {"id": firmware, "updateTime": row["updateTime"]}
    await world.call("admin", "/version/updateVersionFireware", **late, version="1.0.5")
    code, data = await world.raw("admin", "/version/updateVersionFireware", **late, version="1.0.6")
    assert (code, data["fields"]) == (Code.CONFLICT, ["version"])


@pytest.mark.spec("call.version.delVersionFireware")
async def test_enabled_firmware_is_not_deleted(world: World):
    firmware = await add(world, enabled=1)
    assert (await world.raw("admin", "/version/delVersionFireware", id=firmware))[0] == Code.BAD_INPUT
    await world.call("admin", "/version/updateVersionFireware", id=firmware, enabled=0)
    await world.call("admin", "/version/delVersionFireware", id=firmware)
    assert await rows(world) == []
    assert await world.pool.fetchval("select count(*) from version_file") == 0


@pytest.mark.spec("rule.version.firmware_name", "rule.version.firmware_version")
@pytest.mark.spec("err.text.firmware_name_saved")
async def test_firmware_has_a_name_of_its_own_and_a_version(world: World):
    await add(world)
    other = {"name": "fw-7", "version": "1.0.5", "file": await upload(world)}
    assert await refusal(world, "admin", "/version/insertVersionFireware", **other) == (
        Code.EXISTS,
        "This firmware version name is already saved",
    )
    code, text = await refusal(world, "admin", "/version/insertVersionFireware", **(other | {"version": " "}))
    assert (code, text) == (Code.BAD_INPUT, "Version: Enter the firmware version")
    for fields in ({"name": ""}, {"name": "x", "deviceTypes": [999_999]}):
        code, _ = await world.raw("admin", "/version/insertVersionFireware", **(other | fields))
        assert code == Code.BAD_INPUT


async def test_the_robot_of_a_stranger_is_not_found(world: World):
    await add(world, enabled=1)
    assert await of_robot(world, account="user") == ["FW-7"]
    code, _ = await world.raw("rival", "/version/getVersionFirewareBySerialNumber", deviceSerialNumber="SC0001")
    assert code == Code.NOT_FOUND


async def test_a_type_that_firmware_is_for_is_not_deleted(world: World):
    kind = await other_type(world)
    await add(world, deviceTypes=[kind])
    code, text = await refusal(world, "admin", "/device/deleteDeviceType", typeId=kind)
    assert code == Code.BAD_INPUT
    assert "FW-7" in text
