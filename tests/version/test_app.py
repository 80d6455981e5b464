"""App versions of the pad, through the wire."""

from datetime import timedelta
from typing import Any

import pytest

from lustra.core import db
from lustra.core.errors import Code
from lustra.domains.version import files
from tests.version.helpers import KEYS, refusal, selected, upload
from tests.world import World


@pytest.fixture(autouse=True)
async def keys(world: World):
    await world.pool.execute(KEYS)


async def add(world: World, **fields: Any) -> int:
    payload = {"name": "Pad 3.1", "log": "Faster", "releaseFile": await upload(world, name="pad.apk")}
    return (await world.call("admin", "/version/insertVersionApp", **(payload | fields)))["id"]


async def rows(world: World, account: str = "admin") -> list[dict[str, Any]]:
    return (await world.call(account, "/version/selectVersionApp"))["list"]


async def history(world: World) -> list[str]:
    path = "/wmWholeVersion/selectWholeVersionAppByPadPgyerHistory"
    return [row["name"] for row in (await world.call("admin", path))["list"]]


@pytest.mark.spec("call.version.insertVersionApp", "call.version.selectVersionApp", "perm.page.version.app")
@pytest.mark.spec("ent.app_version.id", "ent.app_version.name", "ent.app_version.log", "ent.app_version.releaseFile")
@pytest.mark.spec("ent.app_version.debugFile", "ent.app_version.published", "state.app_version")
@pytest.mark.spec("state.app_version.unpublished", "ent.app_version")
async def test_an_app_has_a_release_and_a_debug_file(world: World):
    app = await add(world, debugFile=await upload(world, name="debug.apk"))
    [row] = await rows(world)
    expected = {"id": app, "name": "Pad 3.1", "log": "Faster", "releaseFile": "pad.apk", "debugFile": "debug.apk"}
    assert row.items() >= (expected | {"published": False, "blackList": [], "whiteList": []}).items()
    assert row["release"]["id"] != row["debug"]["id"]


@pytest.mark.spec("call.version.publishVersionApp", "state.app_version.published", "state.app_version.t01")
@pytest.mark.spec("state.app_version.t02")
@pytest.mark.spec("call.wmWholeVersion.selectWholeVersionAppByPadPgyerHistory")
async def test_an_app_is_published_and_unpublished(world: World):
    app = await add(world)
    assert await history(world) == []
    for _ in range(2):  # the second time nothing changes
        await world.call("admin", "/version/publishVersionApp", id=app, published=1)
    assert await history(world) == ["Pad 3.1"]
    assert (await rows(world))[0]["publishTime"] is not None
    await world.call("admin", "/version/publishVersionApp", id=app, published=0)
    assert not (await rows(world))[0]["published"]


@pytest.mark.spec("ent.app_version.blackList", "ent.app_version.whiteList")
async def test_an_app_has_a_black_and_a_white_list_of_robots_in_scope(world: World):
    app = await add(world, blackList="SC0001,SC0010", whiteList=["SC0002"])
    [row] = await rows(world)
    assert (row["blackList"], row["whiteList"]) == (["SC0001", "SC0010"], ["SC0002"])
    assert (await rows(world, "user"))[0]["blackList"] == ["SC0001"]
    await world.call("admin", "/version/updateVersionApp", id=app, whiteList=["SC0001"], blackList=["SC0010"])
    [row] = await rows(world)
    assert (row["blackList"], row["whiteList"]) == (["SC0010"], ["SC0001"])
    for name, robot in (("Black", "SC0010"), ("White", "SC0001")):
        assert await selected(world, f"/version/selectApp{name}Range", id=app) == [robot]
    both = {"id": app, "whiteList": ["SC0001"], "blackList": ["SC0001"]}
    assert (await world.raw("admin", "/version/updateVersionApp", **both))[0] == Code.BAD_INPUT


@pytest.mark.spec("call.version.updateVersionApp")
async def test_of_a_published_app_name_and_files_stay(world: World):
    app = await add(world)
    await world.call("admin", "/version/updateVersionApp", id=app, name="Pad 3.2", log="Safer")
    await world.call("admin", "/version/publishVersionApp", id=app, published=1)
    for fields in ({"name": "Pad 4"}, {"debugFile": await upload(world, name="debug.apk")}):
        assert (await world.raw("admin", "/version/updateVersionApp", id=app, **fields))[0] == Code.BAD_INPUT
    await world.call("admin", "/version/updateVersionApp", id=app, log="Safest", whiteList=["SC0001"])
    [row] = await rows(world)
    assert (row["name"], row["log"], row["whiteList"]) == ("Pad 3.2", "Safest", ["SC0001"])


async def test_files_of_an_app_are_changed_and_taken_away(world: World):
    app = await add(world)
    await world.call("admin", "/version/updateVersionApp", id=app, debugFile=await upload(world, name="debug.apk"))
    again = await upload(world, name="debug2.apk")
    await world.call("admin", "/version/updateVersionApp", id=app, debugFile=again, releaseFile="pad.apk")
    assert (await rows(world))[0]["debugFile"] == "debug2.apk"
    await world.call("admin", "/version/updateVersionApp", id=app, debugFile="")
    [row] = await rows(world)
    assert (row["releaseFile"], row["debugFile"], row["debug"]) == ("pad.apk", "", None)
    assert await world.pool.fetchval("select count(*) from version_file") == 1


@pytest.mark.spec("call.version.deleteVersionApp")
async def test_a_published_app_is_not_deleted(world: World):
    app = await add(world)
    await world.call("admin", "/version/publishVersionApp", id=app, published=1)
    assert (await world.raw("admin", "/version/deleteVersionApp", id=app))[0] == Code.BAD_INPUT
    await world.call("admin", "/version/publishVersionApp", id=app, published=0)
    await world.call("admin", "/version/deleteVersionApp", id=app)
    assert await rows(world) == []


@pytest.mark.spec("rule.version.app_name", "err.text.app_name_exists")
async def test_an_app_has_a_name_of_its_own(world: World):
    await add(world)
    other = {"name": "PAD 3.1", "releaseFile": await upload(world)}
    assert await refusal(world, "admin", "/version/insertVersionApp", **other) == (
        Code.EXISTS,
        "This app version name already exists",
    )
    for fields in ({"name": ""}, {"name": "x", "releaseFile": "none.apk"}):
        assert (await world.raw("admin", "/version/insertVersionApp", **(other | fields)))[0] == Code.BAD_INPUT


async def test_copies_that_no_version_has_are_purged(world: World, monkeypatch: pytest.MonkeyPatch):
    await add(world)
    place = await world.pool.fetchval("select place from version_file")
    await world.services.objects.put_bytes("versions/left", b"left")
    monkeypatch.setattr(files, "now", lambda: db.now() + 2 * timedelta(days=1))
    await files.purge(world.services)
    assert [await world.services.objects.exists(path) for path in (place, "versions/left")] == [True, False]
