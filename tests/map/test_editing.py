"""Maps are drawn on: every change is a revision, nothing is overwritten, nothing lies beyond the edge."""

import io
import math
import zipfile
from datetime import datetime, timezone
from typing import Any

import msgspec
import pytest
from shapely import LineString, Polygon

from lustra.core.errors import Code
from lustra.domains.map.formats.bundle import Notes
from lustra.live.ingest import state as hot
from lustra.protocol.hours import Hours
from lustra.robot.maps.bundle import read_bundle
from tests.map.test_maps import import_files, list_maps, mirrored
from tests.world import World, state

WALL = {"name": "W1", "points": [[0, 0], [2, 0]], "id": "w1"}


async def mirror_of(world: World) -> int:
    await mirrored(world)
    return (await list_maps(world))[0]["mapId"]


async def library(world: World) -> int:
    """A library map like the mirrored one: 20 x 15 m, origin turned by 0.1."""
    answer = await world.post("user", "/map/bundle", mapId=await mirror_of(world))
    _, row = await import_files(world, files=(("b.zip", answer.content),))
    return row["mapId"]


async def post_refused(world: World, path: str, **payload: Any) -> tuple[int, str]:
    message = (await world.post("user", path, **payload)).json()["message"]
    return message["code"], message["message"]


def inside(u: float, v: float) -> list[float]:
    """Metres along the map's own axes from its origin."""
    return [-1 + u * math.cos(0.1) - v * math.sin(0.1), -2 + u * math.sin(0.1) + v * math.cos(0.1)]


async def test_save_the_next_revision_and_leave_the_former(world: World):
    of = await library(world)
    saved = await world.call("user", "/map/saveMap", mapId=of, revision=1, virtualWalls=[WALL])
    assert saved["revision"] == 2
    answer = await world.call("user", "/map/versions", mapId=of)
    assert [(v["revision"], v["newest"], v["elements"]) for v in answer["list"]] == [(2, True, 1), (1, False, 1)]
    old = await world.call("user", "/map/version", mapId=of, revision=1)
    new = await world.call("user", "/map/version", mapId=of, revision=2)
    assert (old["virtualWalls"], [f["name"] for f in old["flags"]]) == ([], ["Dock"])
    assert new["virtualWalls"] == [{"name": "W1", "points": [[0, 0], [2, 0]], "id": "w1"}]


async def test_store_answer_and_send_the_hours_of_zones_and_maps(world: World):
    of = await library(world)
    night, noon = {"start": "22:00", "end": "06:00"}, {"start": "12:00", "end": "14:00"}
    zone = {"name": "Buffet", "points": [inside(1, 1), inside(3, 1), inside(3, 3)], "id": "z"}
    drawn = {"forbiddenZones": [zone | {"hours": night}], "freeAreas": [zone], "hours": noon}
    await world.call("user", "/map/saveMap", mapId=of, revision=1, **drawn)
    row = next(m for m in await list_maps(world) if m["mapId"] == of)
    assert (row["hours"], row["forbiddenZones"][0]["hours"]) == (noon, night)
    assert "hours" not in row["freeAreas"][0]
    version = await world.call("user", "/map/version", mapId=of, revision=2)
    assert (version["hours"], version["forbiddenZones"]) == (noon, row["forbiddenZones"])
    assert (await world.call("user", "/map/version", mapId=of, revision=1))["hours"] is None
    assert (await world.call("user", "/map/versions", mapId=of))["list"][0]["elements"] == 2
    answer = await world.post("user", "/map/bundle", mapId=of)
    taken = read_bundle(answer.content, "any")
    assert (taken.hours, taken.forbidden_zones[0].hours) == (Hours(**noon), Hours(**night))


async def test_a_room_without_pictures_is_kept_shown_and_given_to_robots(world: World):
    of = await library(world)
    room = {"name": "Ward", "points": [inside(1, 1), inside(3, 1), inside(3, 3)], "id": "z"}
    await world.call("user", "/map/saveMap", mapId=of, revision=1, freeAreas=[room | {"private": True}, room])
    row = next(m for m in await list_maps(world) if m["mapId"] == of)
    assert [area.get("private") for area in row["freeAreas"]] == [True, None]
    taken = read_bundle((await world.post("user", "/map/bundle", mapId=of)).content, "any")
    assert taken.private_rooms == [taken.free_areas[0].points]
    foreign, _ = await world.raw("rival", "/map/saveMap", mapId=of, revision=2, freeAreas=[room])
    assert foreign == Code.NOT_FOUND


@pytest.mark.parametrize(("start", "end"), [("8:00", "09:00"), ("24:00", "01:00"), ("08:00", "08:00"), ("", "08:00")])
async def test_hours_that_are_none_are_refused_and_nothing_is_saved(world: World, start: str, end: str):
    of, hours = await library(world), {"start": start, "end": end}
    zone = {"points": [inside(1, 1), inside(3, 1), inside(3, 3)], "hours": hours}
    for wrong in ({"hours": hours}, {"forbiddenZones": [zone]}, {"freeAreas": [zone]}):
        assert (await post_refused(world, "/map/saveMap", mapId=of, revision=1, **wrong))[0] == Code.MAP_REFUSED
    assert [m["revision"] for m in await list_maps(world) if m["mapId"] == of] == [1]


async def test_refuse_to_save_over_a_newer_revision(world: World):
    of = await library(world)
    await world.call("user", "/map/saveMap", mapId=of, revision=1, virtualWalls=[WALL])
    code, _ = await post_refused(world, "/map/saveMap", mapId=of, revision=1)
    assert code == Code.CONFLICT
    row = next(m for m in await list_maps(world) if m["mapId"] == of)
    assert (row["revision"], len(row["virtualWalls"])) == (2, 1)


async def test_a_mirror_is_not_saved_here_but_becomes_what_its_robot_takes(world: World):
    of = await mirror_of(world)
    assert (await post_refused(world, "/map/saveMap", mapId=of, revision=5))[0] == Code.MAP_REFUSED
    zone = {"name": "Buffet", "points": [[0, 0], [2, 0], [2, 2]], "id": "z"}
    drawn = {
        "virtualWalls": [WALL],
        "forbiddenZones": [zone],
        "freeAreas": [zone | {"name": "Hall"}],
        "erasers": [{"points": [[1, 1], [3, 1]], "width": 0.5}],
        "flags": [{"name": "P", "type": "stop", "x": 1, "y": 1}],
    }
    answer = await world.post("user", "/map/draft", mapId=of, revision=5, **drawn)
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as bundle:
        notes = msgspec.json.decode(bundle.read("annotations.json"), type=Notes)
    assert [w.id for w in notes.virtual_walls] == ["w1"]
    assert (notes.free_areas[0].name, notes.erasers[0].width, notes.flags[0].type) == ("Hall", 0.5, "stop")
    assert len((await list_maps(world))[0]["virtualWalls"]) == 0  # the robot has the say


@pytest.mark.spec("rule.map.edge")
@pytest.mark.parametrize("kind", ["virtualWalls", "forbiddenZones", "freeAreas", "erasers"])
@pytest.mark.parametrize(
    ("corner", "well"),
    [((0, 0), True), ((20, 15), True), ((-0.1, 1), False), ((1, -0.1), False), ((20.1, 1), False), ((1, 15.1), False)],
)
async def test_draw_nothing_beyond_any_side_of_a_rotated_map(
    world: World, kind: str, corner: tuple[Any, ...], well: bool
):
    of = await library(world)
    shape = {"name": "S", "width": 0.4, "points": [inside(*corner), inside(5, 5), inside(6, 5)]}
    code, reason = await post_refused(world, "/map/saveMap", mapId=of, revision=1, **{kind: [shape]})
    assert code == (0 if well else Code.MAP_REFUSED), reason


@pytest.mark.spec("rule.map.flag_name")
@pytest.mark.parametrize(
    ("flags", "says"),
    [
        ([{"name": "", "x": 1, "y": 1}], "needs a name"),
        ([{"name": " ", "x": 1, "y": 1}], "needs a name"),
        ([{"name": "A", "x": 1, "y": 1}, {"name": "A", "x": 2, "y": 2}], "A"),
        ([{"name": "Far", "x": 900, "y": 1}], "Far"),
    ],
)
async def test_points_have_names_of_their_own_and_stand_on_the_map(world: World, flags: list[Any], says: str):
    of = await library(world)
    code, reason = await post_refused(world, "/map/saveMap", mapId=of, revision=1, flags=flags)
    assert code == Code.MAP_REFUSED
    assert says in reason


async def test_a_point_in_a_wall_is_refused_unless_it_stood_there_or_the_wall_is_erased(world: World):
    sheet = b"image: a.pgm\nresolution: 1\norigin: [0, 0, 0]\n"
    _, row = await import_files(world, files=(("a.yaml", sheet), ("a.pgm", b"P5 2 1 255\n\xfe\0")))
    of, inner = row["mapId"], {"name": "In", "x": 1.5, "y": 0.5}
    assert (await post_refused(world, "/map/saveMap", mapId=of, revision=1, flags=[inner]))[0] == Code.MAP_REFUSED
    stroke = {"points": [[1.2, 0.5], [1.8, 0.5]], "width": 0.5}
    assert (await post_refused(world, "/map/saveMap", mapId=of, revision=1, flags=[inner], erasers=[stroke]))[0] == 0
    assert (await post_refused(world, "/map/saveMap", mapId=of, revision=2, flags=[inner]))[0] == 0


@pytest.mark.spec("rule.map.name")
async def test_a_map_of_the_library_is_renamed_and_never_left_without_a_name(world: World):
    of = await library(world)
    row = next(m for m in await list_maps(world) if m["mapId"] == of)
    await world.call("user", "/map/editMap", mapId=of, name=" Annex ", floor="3", updateTime=row["updateTime"])
    now = next(m for m in await list_maps(world) if m["mapId"] == of)
    assert (now["name"], now["floor"]) == ("Annex", "3")
    late = {"mapId": of, "name": "Barn", "floor": "3", "updateTime": row["updateTime"]}
    assert (await post_refused(world, "/map/editMap", **late))[0] == Code.CONFLICT
    assert (await post_refused(world, "/map/editMap", mapId=of, name="  "))[0] != 0


async def drive_on(world: World, name: str) -> None:
    async with world.as_ingest() as db:
        await hot.store(db, [hot.row("SC0001", datetime.now(timezone.utc), state(map=name))])


@pytest.mark.spec(
    "call.map.deleteMap2.a.b",
    "odd.map.deleteMap2.a.b.deleteMap2",
    "odd.map.deleteMap2.a.b.del",
    "q.delete_map2_params",
    "const.x.map_delete_force",
)
async def test_delete_a_robots_map_by_force_only_and_never_the_loaded_one(world: World):
    await mirrored(world)

    async def delete(account: str, query: str = "?force=1", method: str = "GET") -> int:
        headers = {"token": await world.token(account)}
        url = f"/api/map/deleteMap2/SC0001/Ground{query}"
        message = (await world.http.request(method, url, headers=headers)).json()["message"]
        assert "imported" not in message["message"]
        return message["code"]

    assert await delete("rival") == Code.NOT_FOUND
    await drive_on(world, "Ground")
    assert await delete("admin") == Code.MAP_NOT_DELETED
    await drive_on(world, "Attic")
    for method in ("GET", "POST"):
        assert await delete("admin", "", method) == Code.MAP_NOT_DELETED
        assert await delete("rival", method=method) == Code.NOT_FOUND
    assert len(await list_maps(world)) == 1
    assert await delete("admin", method=method) == 0
    assert await list_maps(world) == []
    assert await delete("admin") == Code.NOT_FOUND


@pytest.mark.parametrize("form", ["bundle", "plain", "png"])
async def test_a_map_is_taken_away_as_bundle_as_plain_files_or_as_a_picture(world: World, form: str):
    of = await library(world)
    answer = await world.post("user", "/map/bundle", mapId=of, form=form)
    if form == "png":
        assert answer.content.startswith(b"\x89PNG")
        return
    with zipfile.ZipFile(io.BytesIO(answer.content)) as bundle:
        assert bundle.namelist() == ["map.yaml", "map.pgm"] + ["annotations.json"] * (form == "bundle")
    message, row = await import_files(world, files=(("again.zip", answer.content),), again="true")
    assert (message["code"], len(row["flags"])) == (0, int(form == "bundle"))


async def test_a_foreign_tenant_neither_reads_nor_draws(world: World):
    of = await library(world)
    for path in ("/map/versions", "/map/version", "/map/draft", "/map/saveMap", "/map/editMap"):
        code, _ = await world.raw("rival", path, mapId=of, revision=1, name="Mine")
        assert code == Code.NOT_FOUND, path
    assert [v["revision"] for v in (await world.call("user", "/map/versions", mapId=of))["list"]] == [1]


async def test_export_no_go_zones_as_a_mask_and_import_the_same_zones(world: World):
    of = await library(world)
    zone = {"name": "Stairs", "points": [inside(4, 4), inside(8, 4), inside(8, 7), inside(4, 7)], "id": "z"}
    wall = WALL | {"points": [inside(12, 2), inside(12, 8)]}
    await world.call("user", "/map/saveMap", mapId=of, revision=1, forbiddenZones=[zone], virtualWalls=[wall])
    answer = await world.post("user", "/map/bundle", mapId=of, form="keepout")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.namelist() == ["map.yaml", "map.pgm"]
    headers = {"token": await world.token("user")}
    files = [("files", ("mask.zip", answer.content))]
    read = await world.http.post("/api/map/keepout", files=files, data={"mapId": of}, headers=headers)
    shapes = [Polygon(row["points"]) for row in read.json()["data"]["list"]]
    strip, area = sorted(shapes, key=lambda shape: shape.area)
    cell = 0.5
    assert area.symmetric_difference(Polygon(zone["points"])).area <= area.length * cell
    assert strip.area == pytest.approx(6 * cell, abs=2 * cell * cell)  # a wall is at least one cell wide
    assert strip.distance(LineString(wall["points"])) == 0
