"""Where robots stand in the world, and the borders that an operator lays over it."""

import json
from typing import Any

import pytest

from lustra.core.errors import Code
from tests.world import World

HUNAN = {"type": "Feature", "properties": {"name": "Hunan"}, "geometry": None}
PROVINCES = {"type": "FeatureCollection", "features": [HUNAN]}


@pytest.fixture(autouse=True)
async def keys(world: World):
    await world.pool.execute("update role set keys = keys || '{device/deviceAmap}'::text[]")


async def list_places(world: World, account: str, **payload: Any) -> dict[str, dict]:
    answer = await world.call(account, "/device/selectDevicePlaces", **payload)
    return {row["deviceSerialNumber"]: row for row in answer["list"]}


async def test_everyone_sees_where_their_robots_are_and_those_without_a_place(world: World):
    await world.pool.execute("update device set latitude = 51.5, longitude = -0.02 where serial_number = 'SC0001'")
    await world.online("SC0001")
    places = await list_places(world, "dealer")
    assert sorted(places) == ["SC0001", "SC0002", "SC0003"]
    assert places["SC0001"].items() >= {"latitude": 51.5, "longitude": -0.02, "mode": "idle", "area": "GB"}.items()
    assert places["SC0002"].items() >= {"latitude": None, "longitude": None, "mode": "offline"}.items()
    assert sorted(await list_places(world, "dealer", userId=world.accounts["sub"])) == ["SC0003"]
    assert sorted(await list_places(world, "rivaluser")) == ["SC0010"]
    code, _ = await world.raw("rival", "/device/selectDevicePlaces", userId=world.accounts["user"])
    assert code == Code.NOT_FOUND


async def test_the_operators_borders_are_served_and_broken_ones_are_none(world: World):
    assert await world.call("user", "/world/layers") == {"countries": None, "provinces": None}
    folder = world.services.settings.folder / "map"
    folder.mkdir()
    (folder / "provinces.geojson").write_text(json.dumps(PROVINCES))
    assert await world.call("user", "/world/layers") == {"countries": None, "provinces": PROVINCES}
    for broken in ('{"type": "Feature"}', "<html>", "", '{"type": "Feature", "features": []}'):
        (folder / "countries.geojson").write_text(broken)
        assert (await world.call("user", "/world/layers"))["countries"] is None


@pytest.mark.spec("route.device.deviceAmap")
async def test_refuse_the_map_of_the_world_without_its_right(world: World):
    await world.pool.execute(
        "update role set keys = array_remove(array_remove(keys, 'device/deviceAmap'), 'bigScreen')"
    )
    for path in ("/device/selectDevicePlaces", "/world/layers"):
        assert (await world.raw("dealer", path))[0] == Code.FORBIDDEN
