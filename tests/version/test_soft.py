"""Lines of software, their builds, and the robots that get them, through the wire."""

from typing import Any

import pytest

from lustra.core.errors import Code
from tests.version.helpers import (
    CONTENT,
    KEYS,
    add_build,
    add_line,
    of_robot,
    other_type,
    publish,
    refusal,
    selected,
    type_of,
    upload,
)
from tests.world import World


@pytest.fixture(autouse=True)
async def keys(world: World):
    await world.pool.execute(KEYS)


async def lines(world: World, **filters: Any) -> list[dict[str, Any]]:
    return (await world.call("admin", "/version/selectVersion", **filters))["list"]


@pytest.mark.spec("call.version.insertVersion", "call.version.selectVersion", "perm.page.version.soft")
@pytest.mark.spec("ent.version_record", "ent.version_public")
@pytest.mark.spec("ent.version_record.versionId", "ent.version_record.typeId", "ent.version_record.typeName")
@pytest.mark.spec("state.soft_version", "state.soft_version.unpublished", "ent.version_record.publicId")
async def test_a_line_of_software_begins_unpublished(world: World):
    line, kind = await add_line(world), await type_of(world)
    [row] = await lines(world)
    expected = {"versionId": line, "typeId": kind, "typeName": "Navigation", "publicId": None, "builds": 0}
    assert row.items() >= expected.items()
    assert await lines(world, typeName="nav", typeId=kind) == [row]
    assert await lines(world, typeName="Other") == []
    assert await lines(world, typeId=await other_type(world)) == []


@pytest.mark.spec("call.version.insertVersionPublic", "call.version.selectVersionPublic", "ent.version_public.log")
@pytest.mark.spec("ent.version_public.publicId", "ent.version_public.versionId", "ent.version_public.name")
@pytest.mark.spec("ent.version_public.version", "ent.version_public.file")
async def test_a_build_has_its_file_whatever_becomes_of_the_upload(world: World):
    line = await add_line(world)
    build = await add_build(world, line)
    [row] = (await world.call("admin", "/version/selectVersionPublic", versionId=line))["list"]
    expected = {"publicId": build, "versionId": line, "name": "v2024.5", "version": "2.0.0", "log": "Faster"}
    assert row.items() >= (expected | {"file": "build.zip", "published": False}).items()
    assert row["stored"]["size"] == len(CONTENT)
    assert (await world.raw("admin", "/oss/downloadUrl", savePath="build.zip"))[0] == Code.NOT_FOUND  # it was taken
    url = await world.call("admin", "/version/downloadUrl", id=row["stored"]["id"])
    assert (await world.http.get(url)).content == CONTENT


@pytest.mark.spec("call.version.updateVersionTypeAndPublish", "call.version.selectVersionByTypeName")
@pytest.mark.spec("state.soft_version.published", "state.soft_version.t01", "ent.version_record.deviceSerialNumber")
async def test_robots_in_the_range_of_a_published_build_get_it(world: World):
    line = await add_line(world)
    build = await add_build(world, line)
    await publish(world, line, build, "SC0001")
    fields = {"typeName": "Navigation", "deviceSerialNumber": "SC0001"}
    record = await world.call("admin", "/version/selectVersionByTypeName", **fields)
    expected = {"publicId": build, "versionId": line, "deviceSerialNumber": "SC0001", "published": True}
    assert record.items() >= expected.items()
    assert await of_robot(world, "SC0002") is None
    [row] = await lines(world)
    assert (row["publicId"], row["name"], row["version"]) == (build, "v2024.5", "2.0.0")


async def test_an_internal_test_device_gets_what_is_published_without_being_chosen(world: World):
    line = await add_line(world)
    await publish(world, line, await add_build(world, line))
    assert await of_robot(world) is None
    await world.pool.execute("update device set test_device = true where serial_number = 'SC0001'")
    assert await of_robot(world) == "v2024.5"


@pytest.mark.spec("call.version.selectDeviceRange", "call.version.updateVersionSelectedRange")
async def test_the_range_of_a_line_is_changed_while_it_is_published(world: World):
    line = await add_line(world)
    await publish(world, line, await add_build(world, line), "SC0001")
    assert await selected(world, "/version/selectDeviceRange", versionId=line) == ["SC0001"]
    chosen = {"versionId": line, "deviceSerialNumbers": ["SC0002", "SC0003"]}
    await world.call("admin", "/version/updateVersionSelectedRange", **chosen)
    assert await selected(world, "/version/selectDeviceRange", versionId=line) == ["SC0002", "SC0003"]
    assert [await of_robot(world, serial) for serial in ("SC0001", "SC0003")] == [None, "v2024.5"]


@pytest.mark.spec("call.version.selectHistoryDeviceRange", "call.version.updateHistoryVersionSelectedRange")
async def test_robots_keep_the_former_build_until_they_are_chosen_for_the_new_one(world: World):
    line = await add_line(world)
    first, second = await add_build(world, line), await add_build(world, line, "v2024.6")
    await publish(world, line, first, "SC0001", "SC0002")
    await publish(world, line, second, "SC0001")
    assert [await of_robot(world, serial) for serial in ("SC0001", "SC0002")] == ["v2024.6", "v2024.5"]
    assert await selected(world, "/version/selectHistoryDeviceRange", publicId=first) == ["SC0001", "SC0002"]
    assert await selected(world, "/version/selectHistoryDeviceRange", publicId=second) == ["SC0001"]
    chosen = {"publicId": first, "deviceSerialNumbers": ["SC0003"]}
    await world.call("admin", "/version/updateHistoryVersionSelectedRange", **chosen)
    assert [await of_robot(world, serial) for serial in ("SC0002", "SC0003")] == [None, "v2024.5"]
    await publish(world, line, first, "SC0002")  # back to the former, for these robots
    assert [await of_robot(world, serial) for serial in ("SC0001", "SC0002")] == ["v2024.6", "v2024.5"]


async def test_a_build_that_is_published_again_keeps_the_chosen_robots(world: World):
    line = await add_line(world)
    build = await add_build(world, line)
    await publish(world, line, build, "SC0001")
    await world.call("admin", "/version/updateVersionTypeAndPublish", versionId=line, publicId=build)
    assert await of_robot(world) == "v2024.5"


@pytest.mark.spec("call.version.updateVersionTypeAndPublishDel", "state.soft_version.t02")
async def test_an_unpublished_line_gives_no_robot_anything(world: World):
    line = await add_line(world)
    build = await add_build(world, line)
    await publish(world, line, build, "SC0001")
    await world.call("admin", "/version/updateVersionTypeAndPublishDel", versionId=line)
    assert await of_robot(world) is None
    code, _ = await world.raw("admin", "/version/updateVersionTypeAndPublishDel", versionId=line)
    assert code == Code.BAD_INPUT
    await world.call("admin", "/version/updateVersionTypeAndPublish", versionId=line, publicId=build)
    assert await of_robot(world) == "v2024.5"  # those that were chosen before


@pytest.mark.spec("call.version.updateVersion")
async def test_a_line_moves_to_another_type_while_no_robot_is_chosen(world: World):
    line, other = await add_line(world), await other_type(world)
    await world.call("admin", "/version/updateVersion", versionId=line, typeId=other)
    assert (await lines(world))[0]["typeId"] == other
    await world.call("admin", "/version/updateVersion", versionId=line, typeId=other)  # there already
    await world.call("admin", "/version/updateVersion", versionId=line, typeId=await type_of(world))
    await world.call("admin", "/version/updateVersionSelectedRange", versionId=line, deviceSerialNumbers="SC0001")
    code, _ = await world.raw("admin", "/version/updateVersion", versionId=line, typeId=other)
    assert code == Code.BAD_INPUT
    code, _ = await world.raw("admin", "/version/updateVersion", versionId=line, typeId=999_999)
    assert code == Code.BAD_INPUT


@pytest.mark.spec("call.version.deleteVersionPublic", "call.version.deleteVersion")
async def test_refuse_to_delete_what_is_published(world: World):
    line = await add_line(world)
    first, second = await add_build(world, line), await add_build(world, line, "v2024.6")
    await publish(world, line, first, "SC0001")
    assert (await world.raw("admin", "/version/deleteVersionPublic", publicId=first))[0] == Code.BAD_INPUT
    assert (await world.raw("admin", "/version/deleteVersion", versionId=line))[0] == Code.BAD_INPUT
    assert (await world.raw("admin", "/version/updateVersion", versionId=line, typeId=await other_type(world)))[0] == (
        Code.BAD_INPUT
    )
    places = [row["place"] for row in await world.pool.fetch("select place from version_file")]
    await world.call("admin", "/version/deleteVersionPublic", publicId=second)
    await world.call("admin", "/version/updateVersionTypeAndPublishDel", versionId=line)
    await world.call("admin", "/version/deleteVersion", versionId=line)
    assert await lines(world) == []
    assert [await world.services.objects.exists(place) for place in places] == [False, False]


@pytest.mark.spec("rule.version.model", "err.text.model_not_valid")
async def test_robots_of_another_type_are_not_valid_for_a_version(world: World):
    line = await add_line(world)
    build = await add_build(world, line)
    await world.pool.execute("update device set type_id = $1 where serial_number = 'SC0002'", await other_type(world))
    fields = {"versionId": line, "publicId": build, "deviceSerialNumbers": ["SC0001", "SC0002"]}
    code, text = await refusal(world, "admin", "/version/updateVersionTypeAndPublish", **fields)
    assert code == Code.BAD_INPUT
    assert "Device model not valid for this version" in text
    question = {"typeName": "Navigation", "deviceSerialNumber": "SC0002"}
    assert (await world.raw("admin", "/version/selectVersionByTypeName", **question))[0] == Code.BAD_INPUT
    unknown = question | {"typeName": "Unknown"}
    assert (await world.raw("admin", "/version/selectVersionByTypeName", **unknown))[0] == Code.NOT_FOUND


async def test_publishing_may_move_the_line_to_the_type_of_its_robots(world: World):
    line = await add_line(world, type_id=await other_type(world))
    build = await add_build(world, line)
    fields = {"versionId": line, "publicId": build, "typeId": await type_of(world), "deviceSerialNumbers": ["SC0001"]}
    await world.call("admin", "/version/updateVersionTypeAndPublish", **fields)
    assert await of_robot(world) == "v2024.5"


@pytest.mark.spec("rule.version.name", "rule.version.soft_version", "err.text.duplicate_version_name")
async def test_names_are_required_and_unique_and_a_build_has_a_version(world: World):
    line, kind = await add_line(world), await type_of(world)
    assert (await world.raw("admin", "/version/insertVersion", typeName="NAVIGATION", typeId=kind))[0] == Code.EXISTS
    assert (await world.raw("admin", "/version/insertVersion", typeName=" ", typeId=kind))[0] == Code.BAD_INPUT
    await add_line(world, type_id=await other_type(world))  # of another type
    await add_build(world, line)
    fields = {"versionId": line, "name": "V2024.5", "version": "2.0.1", "file": await upload(world)}
    assert await refusal(world, "admin", "/version/insertVersionPublic", **fields) == (
        Code.EXISTS,
        "Duplicate version name",
    )
    code, text = await refusal(
        world, "admin", "/version/insertVersionPublic", **(fields | {"name": "b", "version": ""})
    )
    assert (code, text) == (Code.BAD_INPUT, "Version: Enter the software version")


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/version/insertVersionPublic", {"name": "b", "version": "1", "file": "none.zip"}),
        ("/version/insertVersionPublic", {"name": "b", "version": "1", "file": ""}),
        ("/version/insertVersionPublic", {"name": "b", "version": "x" * 65, "file": "none.zip"}),
        ("/version/updateVersionSelectedRange", {"deviceSerialNumbers": ["-- no serial --"]}),
        ("/version/updateVersionSelectedRange", {}),
    ],
)
async def test_refuse_invalid_values(world: World, path: str, fields: dict[str, Any]):
    line = await add_line(world)
    assert (await world.raw("admin", path, versionId=line, **fields))[0] == Code.BAD_INPUT


async def test_an_empty_file_is_refused(world: World):
    line = await add_line(world)
    ticket = await world.call("admin", "/oss/upload", file="empty.bin")
    stored = (await world.http.put("/api/oss/object", params={"token": ticket}, content=b"")).json()["data"]
    path = stored["savePath"]
    fields = {"versionId": line, "name": "b", "version": "1", "file": path}
    code, text = await refusal(world, "admin", "/version/insertVersionPublic", **fields)
    assert (code, text) == (Code.BAD_INPUT, "File: The file is empty")


async def test_answer_not_found_for_what_does_not_exist(world: World):
    line, other = await add_line(world), await add_line(world, "Voice")
    build = await add_build(world, line)
    for path, fields in (
        ("/version/updateVersionTypeAndPublish", {"versionId": other, "publicId": build}),  # of another line
        ("/version/deleteVersion", {"versionId": 999}),
        ("/version/downloadUrl", {"id": 999}),
        ("/version/updateVersionSelectedRange", {"versionId": line, "deviceSerialNumbers": ["SC9999"]}),
        ("/version/selectVersionByTypeName", {"typeName": "Navigation", "deviceSerialNumber": "SC9999"}),
    ):
        assert (await world.raw("admin", path, **fields))[0] == Code.NOT_FOUND, path
    code, _ = await world.raw("admin", "/version/selectHistoryDeviceRange", publicId=build)  # never published
    assert code == Code.BAD_INPUT


async def test_a_range_shows_and_changes_robots_in_scope_alone(world: World):
    line = await add_line(world)
    await publish(world, line, await add_build(world, line), "SC0001", "SC0010")
    assert await selected(world, "/version/selectDeviceRange", "user", versionId=line) == ["SC0001"]
    assert await selected(world, "/version/selectDeviceRange", "rival", versionId=line) == ["SC0010"]
    await world.call("rival", "/version/updateVersionSelectedRange", versionId=line, deviceSerialNumbers=[])
    assert await selected(world, "/version/selectDeviceRange", versionId=line) == ["SC0001"]
    foreign = {"versionId": line, "deviceSerialNumbers": ["SC0001"]}
    assert (await world.raw("rival", "/version/updateVersionSelectedRange", **foreign))[0] == Code.NOT_FOUND
    assert await of_robot(world, "SC0001", "rival") is None
    assert await of_robot(world, "SC0001", "user") == "v2024.5"


async def test_a_type_that_versions_are_for_is_not_deleted(world: World):
    kind = await other_type(world)
    await add_line(world, type_id=kind)
    code, text = await refusal(world, "admin", "/device/deleteDeviceType", typeId=kind)
    assert code == Code.BAD_INPUT
    assert "In use by 1 version (Navigation)" in text
