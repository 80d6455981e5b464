"""Versions of whole machines, cloud versions and configuration parameters, through the wire."""

from typing import Any

import pytest

from lustra.core.errors import Code
from tests.version.helpers import KEYS, add_build, add_line, other_type, refusal, selected, type_of
from tests.world import World

WHOLE = {
    "name": "v2024.5",
    "versionNumber": "20240501",
    "appVersion": "Pad 3.1",
    "firmwareVersion": "1.0.4",
    "softVersion": "2.0.0",
}


@pytest.fixture(autouse=True)
async def keys(world: World):
    await world.pool.execute(KEYS)


async def add(world: World, **fields: Any) -> int:
    return (await world.call("admin", "/wmWholeVersion/add", **(WHOLE | fields)))["id"]


async def rows(world: World, account: str = "admin", **filters: Any) -> list[dict[str, Any]]:
    return (await world.call(account, "/wmWholeVersion/queryByPage", **filters))["list"]


@pytest.mark.spec("call.wmWholeVersion.add", "call.wmWholeVersion.queryByPage")
@pytest.mark.spec("perm.page.version.index.whole_version", "state.whole_version", "state.whole_version.unpublished")
@pytest.mark.spec("ent.whole_version.id", "ent.whole_version.name", "ent.whole_version.appVersion")
@pytest.mark.spec("ent.whole_version.firmwareVersion", "ent.whole_version.softVersion")
@pytest.mark.spec("ent.whole_version.versionNumber", "ent.whole_version.published", "ent.whole_version")
async def test_a_whole_version_names_what_belongs_together(world: World):
    whole = await add(world)
    [row] = await rows(world, name="2024")
    assert row.items() >= (WHOLE | {"id": whole, "published": False, "publishTime": None}).items()
    assert await rows(world, name="other") == []


async def test_a_whole_version_may_be_without_an_app(world: World):
    whole = await add(world)
    await world.call("admin", "/wmWholeVersion/edit", id=whole, appVersion=None)
    await add(world, name="v2024.6", appVersion=None)
    assert [row["appVersion"] for row in await rows(world)] == ["", ""]


@pytest.mark.spec("call.wmWholeVersion.edit")
@pytest.mark.spec("state.whole_version.published", "state.whole_version.t01", "state.whole_version.t02")
@pytest.mark.spec("ent.whole_version.publishTime")
async def test_a_whole_version_is_published_by_an_edit_and_the_server_says_when(world: World):
    whole = await add(world)
    for _ in range(2):  # the second time nothing changes
        await world.call("admin", "/wmWholeVersion/edit", id=whole, published=1)
    [row] = await rows(world)
    assert row["published"]
    assert row["publishTime"] is not None
    await world.call("admin", "/wmWholeVersion/edit", id=whole, published=0)
    [row] = await rows(world)
    assert (row["published"], row["publishTime"]) == (False, None)


@pytest.mark.spec("call.wmWholeVersion.deleteById")
async def test_a_published_whole_version_is_neither_changed_nor_deleted(world: World):
    whole = await add(world)
    await world.call("admin", "/wmWholeVersion/edit", id=whole, versionNumber="20240502", published=1)
    assert (await world.raw("admin", "/wmWholeVersion/edit", id=whole, versionNumber="3"))[0] == Code.BAD_INPUT
    assert (await world.raw("admin", "/wmWholeVersion/deleteById", id=whole))[0] == Code.BAD_INPUT
    await world.call("admin", "/wmWholeVersion/edit", id=whole, name="v2024.6", published=0)
    assert (await rows(world))[0]["name"] == "v2024.6"
    await world.call("admin", "/wmWholeVersion/deleteById", id=whole)
    assert await rows(world) == []


@pytest.mark.spec("rule.version.number", "rule.version.name", "err.text.name_exists")
async def test_a_whole_version_has_a_name_of_its_own_and_numbers(world: World):
    whole = await add(world)
    taken = await refusal(world, "admin", "/wmWholeVersion/add", **WHOLE)
    assert taken == (Code.EXISTS, "This name already exists")
    await world.call("admin", "/wmWholeVersion/edit", id=whole, name="v2024.5")  # its own
    for field, text in (
        ("versionNumber", "versionNumber: Enter the version number"),
        ("firmwareVersion", "firmwareVersion: Enter the firmware version"),
        ("softVersion", "softVersion: Enter the software version"),
        ("name", "Name: Enter a name"),
    ):
        payload = WHOLE | {"name": "b", field: " "}
        assert await refusal(world, "admin", "/wmWholeVersion/add", **payload) == (Code.BAD_INPUT, text)


@pytest.mark.spec("call.wmWholeVersionWhiteBlack.add", "call.wmWholeVersionWhiteBlack.addWhite")
@pytest.mark.spec("call.wmWholeVersion.selectDeviceRange", "call.wmWholeVersion.selectDeviceWhiteRange")
@pytest.mark.spec("ent.whole_version.blackList", "ent.whole_version.whiteList")
async def test_a_robot_stands_in_the_black_list_or_in_the_white_one(world: World):
    whole = await add(world)
    lists = {"black": "/wmWholeVersion/selectDeviceRange", "white": "/wmWholeVersion/selectDeviceWhiteRange"}
    chosen = {"wholeVersionId": whole, "deviceSerialNumbers": ["SC0001", "SC0010"]}
    await world.call("admin", "/wmWholeVersionWhiteBlack/add", **chosen)
    await world.call("admin", "/wmWholeVersionWhiteBlack/addWhite", wholeVersionId=whole, deviceSerialNumbers="SC0001")
    assert await selected(world, lists["black"], id=whole) == ["SC0010"]
    assert await selected(world, lists["white"], id=whole) == ["SC0001"]
    [row] = await rows(world, "user")
    assert (row["blackList"], row["whiteList"]) == ([], ["SC0001"])  # those in scope
    assert (await world.raw("rival", "/wmWholeVersionWhiteBlack/add", **chosen))[0] == Code.NOT_FOUND
    await world.call("rival", "/wmWholeVersionWhiteBlack/addWhite", wholeVersionId=whole, deviceSerialNumbers=[])
    assert await selected(world, lists["white"], id=whole) == ["SC0001"]


@pytest.mark.spec("call.wmWholeVersion.querySoftVersionList")
async def test_a_whole_version_may_have_any_build_for_its_type(world: World):
    build = await add_build(world, await add_line(world))
    for fields, expected in (({}, [build]), ({"typeId": await type_of(world)}, [build]), ({"typeId": 999}, [])):
        answer = await world.call("admin", "/wmWholeVersion/querySoftVersionList", **fields)
        assert [row["publicId"] for row in answer["list"]] == expected
    answer = await world.call("admin", "/wmWholeVersion/querySoftVersionList", typeId=await other_type(world))
    assert answer["list"] == []


async def add_cloud(world: World, **fields: Any) -> int:
    payload = {"version": "1.20.0", "log": "Updates", "publishTime": "2026-01-02T03:04:05Z"}
    return (await world.call("admin", "/wmCloudVersion/add", **(payload | fields)))["id"]


@pytest.mark.spec("call.wmCloudVersion.add", "call.wmCloudVersion.queryByPage", "call.wmCloudVersion.queryById")
@pytest.mark.spec("call.wmCloudVersion.edit", "call.wmCloudVersion.deleteById")
@pytest.mark.spec("perm.page.version.index.cloud_version", "ent.cloud_version.id", "ent.cloud_version.version")
@pytest.mark.spec("ent.cloud_version.log", "ent.cloud_version.publishTime", "ent.cloud_version")
async def test_cloud_versions_are_added_changed_and_deleted(world: World):
    cloud = await add_cloud(world)
    row = await world.call("admin", "/wmCloudVersion/queryById", id=cloud)
    expected = {"id": cloud, "version": "1.20.0", "log": "Updates", "publishTime": "2026-01-02T03:04:05Z"}
    assert row.items() >= expected.items()
    assert (await world.raw("admin", "/wmCloudVersion/add", version="1.20.0"))[0] == Code.EXISTS
    assert (await world.raw("admin", "/wmCloudVersion/add", version=""))[0] == Code.BAD_INPUT
    await world.call("admin", "/wmCloudVersion/edit", id=cloud, version="1.20.1", publishTime=None)
    await world.call("admin", "/wmCloudVersion/edit", id=cloud, log="More")
    [row] = (await world.call("admin", "/wmCloudVersion/queryByPage"))["list"]
    assert (row["version"], row["log"], row["publishTime"]) == ("1.20.1", "More", "2026-01-02T03:04:05Z")
    await world.call("admin", "/wmCloudVersion/deleteById", id=cloud)
    assert (await world.raw("admin", "/wmCloudVersion/queryById", id=cloud))[0] == Code.NOT_FOUND


async def test_everybody_reads_what_is_new_once_it_is_out(world: World):
    await add_cloud(world)
    await add_cloud(world, version="1.21.0", publishTime="")  # at once
    await add_cloud(world, version="2.0.0", publishTime="2199-01-01T00:00:00Z")
    news = (await world.call("sub", "/wmCloudVersion/news"))["list"]
    assert [row["version"] for row in news] == ["1.21.0", "1.20.0"]


@pytest.mark.spec("call.configure.findAll", "call.configure.add", "call.configure.del", "perm.page.version.configure")
@pytest.mark.spec("ent.configuration_parameter.id", "ent.configuration_parameter.key")
@pytest.mark.spec("ent.configuration_parameter.value", "ent.configuration_parameter")
async def test_a_parameter_has_a_key_of_its_own_and_a_value(world: World):
    parameter = (await world.call("admin", "/configure/add", key="map.scale", value="1"))["id"]
    code, text = await refusal(world, "admin", "/configure/add", key="map.scale", value="2")
    assert (code, text) == (Code.EXISTS, "This key already exists")
    for key in ("", "map scale", "x" * 101):
        assert (await world.raw("admin", "/configure/add", key=key, value="2"))[0] == Code.BAD_INPUT
    await world.call("admin", "/configure/edit", id=parameter, value="3")
    [row] = (await world.call("admin", "/configure/findAll"))["list"]
    assert (row["id"], row["key"], row["value"]) == (parameter, "map.scale", "3")
    other = (await world.call("admin", "/configure/add", key="map.size", value="1"))["id"]
    assert (await world.raw("admin", "/configure/edit", id=other, key="map.scale"))[0] == Code.EXISTS
    await world.call("admin", "/configure/edit", id=other, key="map.width")
    await world.call("admin", "/configure/del", id=other)
    await world.call("admin", "/configure/del", id=parameter)
    assert (await world.call("admin", "/configure/findAll"))["list"] == []


async def test_without_their_pages_versions_are_closed(world: World):
    await world.pool.execute("update role set keys = '{index}'")
    for path in (
        "/version/selectVersion",
        "/version/selectVersionFireware",
        "/version/selectVersionApp",
        "/wmWholeVersion/queryByPage",
        "/wmCloudVersion/queryByPage",
        "/configure/findAll",
        "/configure/edit",
        "/version/publishVersionApp",
        "/version/updateVersionFireware",
        "/wmWholeVersion/edit",
    ):
        assert (await world.raw("admin", path))[0] == Code.FORBIDDEN, path


@pytest.mark.spec("perm.button.version.app.publish", "perm.button.version.fireware.enable")
@pytest.mark.spec("perm.button.version.index.whole_version.publish")
async def test_publishing_and_enabling_need_keys_of_their_own(world: World):
    for key in ("version/app/publish", "version/fireware/enable", "version/index/whole_version/publish"):
        await world.pool.execute("update role set keys = array_remove(keys, $1)", key)
    await add(world)
    for path in ("/version/publishVersionApp", "/version/updateVersionFireware", "/wmWholeVersion/edit"):
        assert (await world.raw("admin", path, id=1, published=1, enabled=1))[0] == Code.FORBIDDEN, path
