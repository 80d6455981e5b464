"""An import is seen before it is stored, and what the library has already is asked about."""

import base64
import io
import json
from typing import Any

import numpy as np
import pytest
from PIL import Image

from lustra.core.errors import Code
from lustra.domains.map import reading
from lustra.domains.map.formats.plan import FREE, OCCUPIED, UNKNOWN
from tests.map.test_formats import VALETUDO
from tests.map.test_map_server import PGM, YAML
from tests.map.test_maps import BUILDING, import_files, list_maps
from tests.world import World

FILES = (("a.yaml", YAML), ("floor.pgm", PGM))


async def preview(world: World, account: str = "user", files: Any = FILES, **fields: Any) -> Any:
    parts = [("files", (name, data)) for name, data in files]
    headers = {"token": await world.token(account)}
    response = await world.http.post("/api/map/previewImport", files=parts, data=fields, headers=headers)
    answer: Any = response.json()
    return answer["message"] if answer["message"]["code"] else answer["data"]["list"]


async def test_a_preview_shows_what_an_import_stores_and_stores_nothing(world: World):
    (seen,) = await preview(world, name="Annex", building="East", floor="2")
    assert await list_maps(world) == []
    _, row = await import_files(world, name="Annex", building="East", floor="2")
    same = set(seen) & set(row)
    assert {"name", "building", "floor", "area", "width", "height", "resolution", "origin", "flags"} <= same
    assert {name: seen[name] for name in same} == {name: row[name] for name in same}
    grid = await world.post("user", "/map/grid", mapId=row["mapId"])
    pictures = [np.asarray(Image.open(io.BytesIO(data))) for data in (base64.b64decode(seen["picture"]), grid.content)]
    assert pictures[0].tolist() == pictures[1].tolist()
    assert seen["step"] == 1


async def test_a_preview_of_a_building_shows_each_floor(world: World):
    seen = await preview(world, files=(("b.yaml", BUILDING),), building="East")
    assert [(plan["name"], plan["building"], plan["floor"]) for plan in seen] == [
        ("Quay L1", "East", "L1"),
        ("Quay L2", "East", "L2"),
    ]


async def test_a_preview_counts_what_is_left_out(world: World):
    path = {"type": "path", "points": [510, 1010, 520, 1010]}
    entities: Any = VALETUDO["entities"]
    content = VALETUDO | {"entities": [*entities, path, path]}
    (seen,) = await preview(world, files=(("Home.json", json.dumps(content).encode()),))
    assert (seen["name"], seen["leftOut"]) == ("Home", [{"kind": "paths", "count": 2}])


async def test_a_preview_of_a_bad_map_is_refused_as_its_import_is(world: World):
    message, _ = await import_files(world, files=FILES[:1])
    assert await preview(world, files=FILES[:1]) == message


async def test_a_map_that_is_there_already_is_stored_once_more_only_when_that_is_wished(world: World):
    _, row = await import_files(world, name="Annex")
    assert (await preview(world))[0]["twin"] == {"mapId": row["mapId"], "name": "Annex"}
    message, _ = await import_files(world, name="Other", files=(("b.yaml", YAML), ("floor.pgm", PGM)))
    assert message == {
        "code": Code.MAP_REFUSED,
        "message": "The map was not accepted: This map is in the library already, as “Annex”",
    }
    assert len(await list_maps(world)) == 1
    assert (await import_files(world, name="Other", again="true"))[0]["code"] == 0
    assert {m["name"] for m in await list_maps(world)} == {"Annex", "Other"}


@pytest.mark.parametrize("change", [(b"0.05", b"0.1"), (b"-1.5", b"-1.6"), (b"-2.5", b"-2.6"), (b"0.1]", b"0.2]")])
async def test_the_same_picture_in_another_frame_is_another_map(world: World, change: tuple[bytes, bytes]):
    other = YAML.replace(*change)
    assert other != YAML
    await import_files(world)
    message, _ = await import_files(world, files=(("a.yaml", other), FILES[1]))
    assert message["code"] == 0


async def test_a_map_that_was_deleted_or_is_anothers_is_none_of_the_own_library(world: World):
    _, row = await import_files(world, "rivaluser")
    assert (await preview(world))[0]["twin"] is None
    assert (await import_files(world))[0]["code"] == 0
    await world.call("rival", "/map/deleteMapById", mapId=row["mapId"])
    assert (await preview(world, "rivaluser"))[0]["twin"] is None
    assert (await import_files(world, "rivaluser"))[0]["code"] == 0


def test_a_small_picture_shows_obstacles_first_then_the_unknown_then_floor():
    grid = np.full((5, 3), FREE, np.uint8)
    grid[4, 0], grid[3, 1], grid[0, 0] = UNKNOWN, OCCUPIED, UNKNOWN
    assert reading.shrink(grid, 2).tolist() == [
        [UNKNOWN, UNKNOWN],  # above the grid lies nothing
        [FREE, UNKNOWN],
        [OCCUPIED, UNKNOWN],
    ]
    assert reading.shrink(grid, 1).tolist() == grid.tolist()


@pytest.mark.spec("rule.file.count")
@pytest.mark.parametrize("count", [10, 11])
async def test_as_many_files_are_taken_as_the_form_says(world: World, count: int):
    """Ten are looked at, and are no map; of eleven none is."""
    refused = await preview(world, files=[(f"{place}.txt", b"no map") for place in range(count)])
    assert refused["code"] != 0
    assert (refused["message"] == "File: Too many files: 10 at most") == (count > 10), refused
