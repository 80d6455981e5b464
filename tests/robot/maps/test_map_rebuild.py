"""A map that is built anew keeps what was drawn on the old one, where the floor is still the same."""

import json
import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from lustra.protocol.bus import Eraser, Flag, Zone
from lustra.protocol.hours import Hours
from lustra.protocol.refusals import RobotRefusal
from lustra.robot.buildings import catalogue
from lustra.robot.maps.alignment import find_move
from lustra.robot.maps.floor import FREE, OCCUPIED, UNKNOWN, Floor
from lustra.robot.maps.rebuild import rebuild
from tests.robot.conftest import Local, drive

NIGHT = Hours(start="22:00", end="06:00")
BOX = [(0.0, 0.0), (1.5, 0.0), (1.5, 1.0), (0.0, 1.0)]


def rooms() -> Floor:
    """Three rooms of different shape side by side, with marks in each."""
    grid = np.full((200, 320), UNKNOWN, np.uint8)
    for x0, x1, y0, y1 in ((10, 110, 10, 150), (114, 200, 10, 120), (204, 310, 10, 190)):
        grid[y0 - 2 : y1 + 2, x0 - 2 : x1 + 2] = np.where(
            grid[y0 - 2 : y1 + 2, x0 - 2 : x1 + 2] == FREE, FREE, OCCUPIED
        )
        grid[y0:y1, x0:x1] = FREE
    grid[40:60, 104:118] = grid[60:80, 196:208] = FREE
    grid[100:110, 40:48] = grid[30:50, 250:256] = OCCUPIED
    at = [(2.0, 2.0), (7.0, 2.0), (12.0, 6.0)]
    return Floor(
        "floor",
        grid,
        0.05,
        (0.0, 0.0, 0.0),
        "House",
        "1",
        flags=[Flag(name=f"P{n}", type="stop", x=x, y=y, id=f"f{n}") for n, (x, y) in enumerate(at)],
        forbidden_zones=[
            Zone(points=[(x + dx, y + dy) for dx, dy in BOX], name=f"Z{n}", id=f"z{n}", hours=NIGHT)
            for n, (x, y) in enumerate([(1.0, 3.0), (6.5, 3.5), (12.5, 4.0)])
        ],
        virtual_walls=[Zone(points=[(1.0, 1.0), (4.0, 1.0)], name="W", id="w")],
        erasers=[Eraser(points=[(2.0, 5.1), (2.4, 5.1)], width=0.4, name="E")],
        hours=NIGHT,
    )


def drawn_anew(floor: Floor, dx: float, dy: float, degrees: float) -> tuple[Floor, np.ndarray]:
    """The same floor as a robot draws it from a frame of its own, and what takes old places there (2 x 3)."""
    turn = math.radians(degrees)
    c, s = math.cos(turn), math.sin(turn)
    way = np.array([[c, -s, dx], [s, c, dy]])  # old metres to new ones
    pad, res = 80, floor.resolution
    height, width = floor.grid.shape
    cells = np.array([[c, -s, (dx / res) + pad], [s, c, (dy / res) + pad]])
    grid = cv2.warpAffine(
        floor.grid, cells, (width + 2 * pad, height + 2 * pad), flags=cv2.INTER_NEAREST, borderValue=UNKNOWN
    )
    return Floor("new", grid.astype(np.uint8), res, (-pad * res, -pad * res, 0.0)), way


def wall_moved(floor: Floor) -> Floor:
    """The right room is a metre shorter than it was."""
    grid = floor.grid.copy()
    grid[168:172, 204:310] = OCCUPIED
    grid[172:192, 202:312] = UNKNOWN
    grid[80:112, 202:206] = OCCUPIED
    grid[140:160, 240:262] = OCCUPIED
    return replace(floor, grid=grid)


@pytest.mark.parametrize(("dx", "dy", "degrees"), [(0, 0, 0), (0.4, -0.7, 3), (-0.9, 0.3, -7), (0.05, 0.02, 0.5)])
def test_marks_on_unchanged_floor_keep_their_places(dx: float, dy: float, degrees: float):
    old = rooms()
    new, way = drawn_anew(old, dx, dy, degrees)
    done = rebuild(old, new)
    assert done.dropped == []
    assert done.carried == 8
    for flag, was in zip(done.floor.flags, old.flags, strict=True):
        expected = done.move.apply((way @ [was.x, was.y, 1])[None])[
            0
        ]  # where that place of the floor is on the new map
        assert math.dist((flag.x, flag.y), expected) < 0.1
        assert (flag.name, flag.id) == (was.name, was.id)
    assert [z.hours for z in done.floor.forbidden_zones] == [NIGHT] * 3
    assert (done.floor.hours, done.floor.revision, done.floor.building) == (NIGHT, old.revision + 1, "House")


def test_marks_where_a_wall_has_moved_are_dropped_and_reported():
    old = rooms()
    changed = wall_moved(old)
    new, way = drawn_anew(changed, 0.4, -0.3, 4)
    done = rebuild(old, new)
    assert {(mark["name"], mark["reason"]) for mark in done.dropped} == {("P2", "floor_changed")}
    assert [f.name for f in done.floor.flags] == ["P0", "P1"]
    for flag in done.floor.flags:
        expected = done.move.apply((way @ [flag.x, flag.y, 1])[None])[0]
        assert math.dist((flag.x, flag.y), expected) < 0.1
    assert len(old.flags) == 3  # the version before has it still


def test_marks_where_the_robot_has_not_been_are_dropped_and_reported():
    old = rooms()
    seen = replace(old, grid=np.where(np.arange(320)[None] < 203, old.grid, UNKNOWN).astype(np.uint8))
    done = rebuild(old, drawn_anew(seen, 0.2, 0.2, 2)[0])
    assert {(mark["name"], mark["reason"]) for mark in done.dropped} == {("P2", "floor_unseen"), ("Z2", "floor_unseen")}


@pytest.mark.parametrize("other", ["clinic", "empty", "corridor"])
def test_a_map_of_another_floor_is_not_put_in_its_place(other: str):
    if other == "clinic":
        names = next(key for key in catalogue.PLANS)
        new = catalogue.floor(*names)
    else:
        grid = np.full((60, 300), UNKNOWN, np.uint8)
        if other == "corridor":  # nothing says how far along it the robot is
            grid[20:40], grid[18:20], grid[40:42] = FREE, OCCUPIED, OCCUPIED
        new = Floor("new", grid)
    old = Floor("old", new.grid.copy()) if other == "corridor" else rooms()
    with pytest.raises(RobotRefusal) as refused:
        find_move(old, new)
    assert refused.value.reason == "map_not_matched"


async def test_a_robot_builds_its_map_anew(local: Local):
    robot = local.robot
    mark = {"map_name": "hall", "name": "P", "type": "stop", "x": 1.0, "y": 3.0}
    await local.good("map_flag_add", mark)
    before = robot.store.maps["hall"]
    assert (await local("draw_new_map", {"name": "hall"}))["reason"] == "map_same_name"
    assert (await local("draw_new_map", {"name": "attic", "rebuild": True}))["reason"] == "map_unknown"
    await local.good("draw_new_map", {"name": "hall", "rebuild": True, "explore": True})
    drive(robot, lambda: robot.machine.mapping.done and robot.machine.transit is None)
    answer = await local.good("map_save", {})
    assert (answer["map_name"], answer["revision"], answer["left"]) == ("hall", before.revision + 1, [])
    now = robot.store.maps["hall"]
    assert {f.name for f in now.flags} == {f.name for f in before.flags}
    assert robot.machine.floor is now
    messages = [json.loads(message.data) for message in robot.outbox.messages.values() if b'"map"' in message.data]
    assert messages[-1]["revision"] == now.revision


async def test_a_map_that_was_built_anew_may_be_saved_as_another(local: Local):
    robot = local.robot
    await local.good("draw_new_map", {"name": "hall", "rebuild": True})
    answer = await local.good("map_save", {"name": "second"})
    assert "left" not in answer
    assert {"hall", "second"} <= set(robot.store.maps)
