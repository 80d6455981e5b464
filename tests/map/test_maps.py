"""Maps of the library and mirrors of robots: seen by their owner's scope, bad ones refused whole."""

import asyncio
import io
import json
import zipfile
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from PIL import Image

from lustra.core.errors import Code, Refusal
from lustra.domains.map import mirror
from lustra.live.ingest import state as hot
from lustra.protocol.bus import Event
from lustra.protocol.flaws import Flawed
from tests.map.test_map_server import PGM, YAML
from tests.world import World, drawn, keep_map, state


async def import_files(
    world: World, account: str = "user", files: Any = (("a.yaml", YAML), ("floor.pgm", PGM)), **fields: Any
):
    parts = [("files", (name, data)) for name, data in files]
    headers = {"token": await world.token(account)}
    answer = (await world.http.post("/api/map/importMap", files=parts, data=fields, headers=headers)).json()
    return answer["message"], next(iter(answer["data"].get("list", [])), None)


async def list_maps(world: World, account: str = "user", **filters: Any):
    return (await world.call(account, "/map/selectMap", **filters))["list"]


async def mirrored(world: World, sn: str = "SC0001", name: str = "Ground", at: int = 5, **event: Any):
    async with world.as_ingest() as db:
        map_event = Event(at=at, id=f"e{at}", kind="map", name=name, revision=at, content=drawn(name), **event)
        await keep_map(db, world.services.objects, sn, map_event)


async def test_an_imported_map_stands_in_the_library(world: World):
    message, row = await import_files(world, name="Annex", building="East", floor="2")
    assert message["code"] == 0
    assert (row["name"], row["building"], row["floor"], row["deviceId"], row["mirrored"]) == (
        "Annex",
        "East",
        "2",
        None,
        False,
    )
    assert row["origin"] == [-1.5, -2.5, 0.1]
    assert await list_maps(world) == [row]


LEVEL = """
    vertices: [[0, 0, 0, ""], [100, 0, 0, ""], [100, 50, 0, ""], [0, 50, 0, ""]]
    measurements: [[0, 1, {distance: [3, 10]}]]
    floors: [{vertices: [0, 1, 2, 3]}]"""
BUILDING = f"name: Quay\nlevels:\n  L1:{LEVEL}\n  L2:{LEVEL}\n".encode()


async def test_floors_that_come_together_have_names_of_their_own_and_one_building(world: World):
    message, _ = await import_files(world, files=(("b.yaml", BUILDING),), name="Annex", building="East", floor="9")
    assert message["code"] == 0
    rows = sorted((m["name"], m["building"], m["floor"]) for m in await list_maps(world))
    assert rows == [("Quay L1", "East", "L1"), ("Quay L2", "East", "L2")]


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ((("a.yaml", YAML), ("floor.pgm", b"GIF89a")), "Not a PGM or PNG"),
        ((("a.yaml", YAML), ("floor.pgm", b"P5 20000 20 255\n")), "20000"),
        ((("a.yaml", YAML.replace(b"resolution: 0.05", b"")), ("floor.pgm", PGM)), "resolution"),
        ((("a.yaml", YAML),), "floor.pgm"),
        ((("floor.pgm", PGM),), "yaml"),
    ],
)
async def test_a_bad_map_is_refused_with_the_reason_and_nothing_is_stored(
    world: World, files: tuple[Any, ...], says: str, tmp_path: Path
):
    message, _ = await import_files(world, files=files)
    assert message["code"] == Code.MAP_REFUSED
    assert says in message["message"]
    assert await list_maps(world) == []
    assert not list((tmp_path / "objects").rglob("*.png"))


@pytest.mark.parametrize("path", ["/map/importMap", "/map/keepout"])
async def test_a_yaml_that_once_ended_the_server_is_refused_with_the_reason(world: World, path: str):
    _, row = await import_files(world)
    nested = b"levels: \nvertices: " + b"[" * 50_000
    files = [("files", ("a.yaml", nested))]
    headers = {"token": await world.token("user")}
    answer = await world.http.post(f"/api{path}", files=files, data={"mapId": row["mapId"]}, headers=headers)
    assert answer.json()["message"] == {
        "code": Code.MAP_REFUSED,
        "message": "The map was not accepted: The map yaml is too large or nested too deeply",
    }
    assert await list_maps(world) == [row]


async def test_the_grid_is_a_grey_picture_kept_for_each_revision(world: World):
    _, row = await import_files(world)
    answer = await world.post("user", "/map/grid", mapId=row["mapId"], revision=1)
    assert answer.headers["content-type"] == "image/png"
    assert "immutable" in answer.headers["cache-control"]
    assert np.asarray(Image.open(io.BytesIO(answer.content))).tolist() == [[254, 0, 205], [0, 254, 254]]


async def test_the_bundle_is_what_a_robot_takes(world: World):
    _, row = await import_files(world, name="Annex", building="East")
    answer = await world.post("user", "/map/bundle", mapId=row["mapId"])
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.namelist() == ["map.yaml", "map.pgm", "annotations.json"]
        assert json.loads(archive.read("annotations.json"))["building"] == "East"
    _, again = await import_files(world, files=(("b.zip", answer.content),), again="true")
    assert (again["name"], again["building"], again["area"]) == ("Annex", "East", row["area"])


async def test_a_foreign_tenant_finds_no_map(world: World):
    _, row = await import_files(world)
    await mirrored(world)
    assert await list_maps(world, "rivaluser") == []
    assert await list_maps(world, "rivaluser", deviceId=world.devices["SC0001"]) == []
    for path in ("/map/grid", "/map/bundle", "/map/deleteMapById"):
        assert (await world.raw("rival", path, mapId=row["mapId"]))[0] == Code.NOT_FOUND
    assert len(await list_maps(world)) == 2


async def test_a_robot_that_changes_hands_leaves_its_floor_plans_behind(world: World):
    await mirrored(world)
    await world.pool.execute(
        "update device set owner_id = a.id, owner_path = a.path from account a"
        " where a.account = 'rivaluser' and serial_number = 'SC0001'"
    )
    assert await list_maps(world, "rivaluser") == []
    assert len(await list_maps(world)) == 1
    await mirrored(world, at=9)
    assert [m["revision"] for m in await list_maps(world, "rivaluser")] == [9]
    assert [m["revision"] for m in await list_maps(world)] == [5]


@pytest.mark.spec("call.map.selectMap", "call.map.deleteMapById")
async def test_the_list_is_filtered_and_a_map_of_the_library_is_deleted_softly(world: World):
    _, row = await import_files(world, name="Annex")
    await mirrored(world)
    assert [m["name"] for m in await list_maps(world, text="anne")] == ["Annex"]
    assert [m["name"] for m in await list_maps(world, deviceId=world.devices["SC0001"])] == ["Ground"]
    own = (await list_maps(world, deviceId=world.devices["SC0001"]))[0]
    assert (await world.raw("user", "/map/deleteMapById", mapId=own["mapId"]))[0] in (Code.MAP_REFUSED, Code.FORBIDDEN)
    await world.call("admin", "/map/deleteMapById", mapId=row["mapId"])
    assert [m["name"] for m in await list_maps(world)] == ["Ground"]
    assert await world.pool.fetchval("select count(*) from floor_map") == 2


async def test_a_map_deleted_at_the_robot_is_gone_from_the_list(world: World):
    await mirrored(world)
    async with world.as_ingest() as db:
        await keep_map(
            db, world.services.objects, "SC0001", Event(at=3, id="o", kind="map", name="Ground", deleted=True)
        )
        assert len(await list_maps(world)) == 1  # said before the map was made
        await keep_map(
            db, world.services.objects, "SC0001", Event(at=8, id="d", kind="map", name="Ground", deleted=True)
        )
    assert await list_maps(world) == []


async def test_a_map_renamed_at_the_robot_keeps_its_number_and_its_versions(world: World):
    await mirrored(world)
    [before] = await list_maps(world)
    await mirrored(world, at=8, name="Lobby", was="Ground")
    [after] = await list_maps(world)
    assert (after["mapId"], after["name"], after["revision"]) == (before["mapId"], "Lobby", 8)
    assert [v["revision"] for v in (await world.call("user", "/map/versions", mapId=after["mapId"]))["list"]] == [8, 5]
    await mirrored(world, at=9, name="Hall")
    await mirrored(world, at=10, name="Hall", was="Lobby")  # one of that name has a past of its own
    assert {m["mapId"] for m in await list_maps(world)} >= {before["mapId"]}


async def test_the_maps_of_one_floor_that_robots_drive_on_now_are_listed_alone(world: World):
    for sn, at in (("SC0001", 5), ("SC0002", 6)):
        await mirrored(world, sn, at=at)
        await mirrored(world, sn, name="Attic", at=at + 10)
    await world.pool.execute(
        "update floor_map set building = 'House', floor = case name when 'Ground' then '0' else '9' end"
    )
    async with world.as_ingest() as db:
        await hot.store(db, [hot.row("SC0001", datetime.now(timezone.utc), state(map="Ground"))])
    ground = await list_maps(world, building="House", floor="0")
    assert {m["deviceId"] for m in ground} == {world.devices["SC0001"], world.devices["SC0002"]}
    assert await list_maps(world, building="Barn", floor="0") == []
    assert {m["name"] for m in await list_maps(world, building="House", floor="9")} == {"Attic"}
    [loaded] = await list_maps(world, building="House", floor="0", loaded=True)
    assert (loaded["deviceId"], loaded["loaded"]) == (world.devices["SC0001"], True)
    assert await list_maps(world, building="House", floor="9", loaded=True) == []
    assert await list_maps(world, "rivaluser", building="House", loaded=True) == []


async def test_place_a_robot_by_its_map_unless_people_wrote_its_place(world: World):
    await world.pool.execute("update device set address = '', address1 = '' where serial_number = 'SC0001'")
    await asyncio.gather(*(mirrored(world, name=f"Map {n}", at=n) for n in range(5, 9)))
    places = "select address, address1 from device where serial_number = $1"
    assert tuple(await world.pool.fetchrow(places, "SC0001")) == ("Kestrel", "1")
    await mirrored(world, "SC0002", at=5)
    assert tuple(await world.pool.fetchrow(places, "SC0002")) == ("Kestrel Quay Hotel", "Ground")


async def test_a_map_without_a_place_is_its_robots_floor_unless_another_map_is(world: World):
    for at, name in enumerate(("Ground", "Attic", "Ground"), 5):
        bare = drawn(name)
        bare.building = bare.floor = ""
        async with world.as_ingest() as db:
            event = Event(at=at, id=f"b{at}", kind="map", name=name, revision=at, content=bare)
            await keep_map(db, world.services.objects, "SC0001", event)
    places = {row["name"]: (row["building"], row["floor"]) for row in await list_maps(world)}
    assert places == {"Ground": ("Kestrel Quay Hotel", "Ground"), "Attic": ("", "")}


async def test_a_map_of_before_the_hand_over_says_nothing_of_where_the_robot_stands_now(world: World):
    await world.call(
        "admin",
        "/device/updateDeviceUserInfo",
        deviceId=world.devices["SC0001"],
        ownerUserId=world.accounts["rivaluser"],
        things="keep",
    )
    await world.pool.execute("update device set address = '', address1 = '' where serial_number = 'SC0001'")
    await mirrored(world, at=5)
    assert await world.pool.fetchval("select address from device where serial_number = 'SC0001'") == ""


@pytest.mark.parametrize(
    ("code", "error"), [(Code.BUSY, Refusal), (Code.UNAVAILABLE, Refusal), (Code.MAP_REFUSED, Flawed)]
)
async def test_a_map_that_cannot_be_read_now_is_read_later(
    world: World, monkeypatch: pytest.MonkeyPatch, code: Code, error: type[Exception]
):
    intake = world.services.intake
    event = Event(at=5, id="e", kind="map", name="Ground", revision=5, content=drawn("Ground"))
    read = await mirror.read(intake, "SC0001", event)
    assert read is not None
    assert (read.width, read.height) == (40, 30)

    async def refuse(*_: Any, **__: Any) -> None:
        raise Refusal(code)

    monkeypatch.setattr(intake, "read", refuse)
    with pytest.raises(error):
        await mirror.read(intake, "SC0001", event)
    assert await mirror.read(intake, "SC0001", msgspec.structs.replace(event, content=None, deleted=True)) is None
