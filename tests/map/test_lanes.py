"""Lanes of a building are kept with its map for reference, and robots are given none (ADR 29)."""

import io
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from lustra.domains.map import service
from lustra.domains.map.formats import detection
from lustra.domains.map.formats.bundle import NOTES, Notes
from lustra.domains.map.formats.lane_graph import MOST_LANES, Lane, LaneCorner, LaneGraph
from tests.map.robots import crews, lines
from tests.map.test_formats import refusal
from tests.map.test_importing import preview
from tests.map.test_maps import import_files, list_maps
from tests.map.test_rmf import GROUND, SCALE, SQUARE, yaml_of
from tests.map.test_sync import deliver, settled, start
from tests.world import World

CORNERS = [[20, 20, 0, "lobby", {"is_holding_point": [4, True]}], [80, 20, 0, "", {}], [80, 80, 0, "door"]]
ONE_WAY = {"bidirectional": [4, False], "orientation": [1, "backward"], "speed_limit": [3, 0.5], "graph_idx": [2, 1]}
LANES = {"lanes": [[4, 5, ONE_WAY], [5, 6, {"bidirectional": [4, True]}]], "human_lanes": [[6, 4, {}]]}
LEVEL: dict[str, Any] = {"vertices": SQUARE + CORNERS} | SCALE | GROUND | LANES
GRAPH = {
    "corners": [
        {"x": 2, "y": -2, "name": "lobby", "properties": {"is_holding_point": True}},
        {"x": 8, "y": -2, "name": "", "properties": {}},
        {"x": 8, "y": -8, "name": "door", "properties": {}},
    ],
    "lanes": [
        {
            "start": 0,
            "end": 1,
            "bidirectional": False,
            "orientation": "backward",
            "speed": 0.5,
            "human": False,
            "properties": {"graph_idx": 1},
        },
        {"start": 1, "end": 2, "orientation": "", "speed": 0, "bidirectional": True, "human": False, "properties": {}},
        {"start": 2, "end": 0, "orientation": "", "speed": 0, "bidirectional": False, "human": True, "properties": {}},
    ],
}


def building(**level: Any) -> bytes:
    return yaml_of({"name": "Quay", "levels": {"L1": LEVEL | level}})


async def library(world: World) -> dict[str, Any]:
    _, row = await import_files(world, files=(("quay.yaml", building()),))
    assert row is not None
    return row


async def notes_of(world: World, path: str, **payload: Any) -> Notes:
    answer = await world.post("user", path, **payload)
    with zipfile.ZipFile(io.BytesIO(answer.content)) as bundle:
        return msgspec.json.decode(bundle.read(NOTES), type=Notes)


async def test_all_that_a_building_says_of_its_lanes_is_seen_and_stored(world: World):
    (seen,) = await preview(world, files=(("quay.yaml", building()),))
    row = await library(world)
    assert (seen["laneGraph"], seen["leftOut"]) == (GRAPH, [])
    assert row["laneGraph"] == GRAPH
    assert [entry["laneGraph"] for entry in await list_maps(world)] == [GRAPH]
    assert await list_maps(world, "rival") == []


async def test_lanes_stay_while_a_map_is_drawn_on_and_in_each_version(world: World):
    of = (await library(world))["mapId"]
    await world.call("user", "/map/saveMap", mapId=of, revision=1, virtualWalls=[{"points": [[1, -1], [2, -1]]}])
    assert [entry["laneGraph"] for entry in await list_maps(world)] == [GRAPH]
    for revision in (1, 2):
        version = await world.call("user", "/map/version", mapId=of, revision=revision)
        assert version["laneGraph"] == GRAPH


async def test_the_map_file_keeps_lanes_and_the_robots_bundle_has_none(world: World):
    of = (await library(world))["mapId"]
    whole = await notes_of(world, "/map/bundle", mapId=of)
    assert msgspec.to_builtins(whole.lane_graph) == GRAPH
    for path, more in (("/map/bundle", {"form": "robot"}), ("/map/draft", {"revision": 1})):
        assert (await notes_of(world, path, mapId=of, **more)).lane_graph is msgspec.UNSET, path
    answer = await world.post("user", "/map/bundle", mapId=of)
    _, again = await import_files(world, files=(("again.zip", answer.content),), again="true")
    assert again is not None
    assert again["laneGraph"] == GRAPH


async def test_a_robots_map_shows_the_lanes_of_the_map_that_it_was_sent(world: World, tmp_path: Path):
    row = await library(world)
    async with lines(world), crews(world, tmp_path / "robots") as crew:
        robot = await crew.switch_on("SC0002")
        await start(world, row["mapId"], "SC0002")
        await deliver(world)
        await settled(world, crew, "received")
        mirror = {"deviceId": world.devices["SC0002"]}
        assert [entry["laneGraph"] for entry in await list_maps(world, **mirror)] == [GRAPH]
        floor = robot.store.maps[row["name"]]
        floor.flags = []
        robot.save_map(floor)
        await crew.listen()
        assert [(entry["laneGraph"], entry["flags"]) for entry in await list_maps(world, **mirror)] == [(GRAPH, [])]
        floor.origin = (floor.origin[0] + 1, *floor.origin[1:])  # it was built anew: where lanes lie is not known
        robot.save_map(floor)
        await crew.listen()
        assert [entry["laneGraph"] for entry in await list_maps(world, **mirror)] == [None]


@pytest.mark.parametrize(
    "level",
    [
        {"lanes": [[4, 99, {}]]},
        {"lanes": [[-1, 4, {}]]},
        {"lanes": [[4]]},
        {"lanes": [[4, 5, {"orientation": [1, "sideways"]}]]},
        {"lanes": [[4, 5, {"graph_idx": 3}]]},
        {"lanes": [[4, 5, {"graph_idx": [2, [1]]}]]},
        {"lanes": [[4, 5, {"x" * 300: [2, 1]}]]},
        {"lanes": [[4, 5, {"note": [1, "x" * 300]}]]},
    ],
)
def test_lanes_that_are_none_are_refused(level: dict[str, Any]):
    assert refusal({"b.yaml": building(**level)}) == "map_broken"


@pytest.mark.parametrize(
    ("graph", "why"),
    [
        (LaneGraph([LaneCorner(0, 0)], [Lane(0, 1)]), "map_broken"),
        (LaneGraph([LaneCorner(0, 0)], [Lane(0, -1)]), "map_broken"),
        (LaneGraph([LaneCorner(0, 1e9)], []), "map_range"),
        (LaneGraph([LaneCorner(0, 0)] * (MOST_LANES + 1), []), "map_many_marks"),
    ],
)
def test_a_map_file_with_bad_lanes_is_refused(graph: LaneGraph, why: str):
    sheet = yaml.safe_dump({"image": "a.pgm", "resolution": 0.05, "origin": [0, 0, 0], "negate": 0}).encode()
    notes = msgspec.json.encode(Notes(lane_graph=graph))
    files = {"a.yaml": sheet, "a.pgm": b"P5 1 1 255\n\xfe", NOTES: notes}
    assert refusal(files) == why


def test_a_speed_that_is_no_number_is_refused():
    endless = building().replace(b"- 0.5", b"- .inf")
    assert refusal({"b.yaml": endless}) == "map_range"


def test_a_map_without_lanes_stays_as_it_was():
    (plan,) = detection.read_plans({"b.yaml": building(lanes=[], human_lanes=[])})
    assert plan.lane_graph is None


@pytest.mark.parametrize(("closed", "lanes"), [(False, GRAPH), (True, None)])
def test_a_floor_plan_that_is_closed_to_support_shows_no_lanes(closed: bool, lanes: Any):
    row = {"closed": closed, "marks": {}, "lane_graph": GRAPH, "grid": "", "customer": 1}
    assert service.build_row(row)["laneGraph"] == lanes
