"""Rooms that a map marks: no camera shows or stores what is seen there, by the robot and by the server."""

from itertools import pairwise
from pathlib import Path

import pytest

from lustra.core.db import now
from lustra.core.errors import Code
from lustra.live.ingest import state as ingest
from lustra.protocol import bus
from lustra.robot.simulation.body import Pose
from tests.map.robots import mirrored
from tests.video.theatre import LIVE, SN, Theatre, Viewer, theatre
from tests.world import World, drawn, state, until

INSIDE, OUTSIDE = (3.0, 3.0), (9.0, 3.0)
ROOM = bus.Zone(name="Ward", points=[(2, 2), (5, 2), (5, 5), (2, 5)], private=True)
APART_S = 0.3  # nobody who sees every picture sees two so far apart


def mark_room_on_the_robot(house: Theatre) -> None:
    assert house.robot.machine.floor
    house.robot.machine.floor = house.robot.machine.floor.changed(free_areas=[ROOM])


def stand(house: Theatre, at: tuple[float, float]) -> None:
    house.robot.machine.pose = Pose(*at, 0.0)


async def say_place(world: World, at: tuple[float, float]) -> None:
    """As a robot of another maker says where it is, whatever its camera does."""
    async with world.as_ingest() as db:
        await ingest.store(db, [ingest.row(SN, now(), state(x=at[0], y=at[1], map="Ground"))])


async def wait_until_private(house: Theatre, *, private: bool) -> None:
    async def is_so() -> bool:
        return [row["private"] for row in await house.live()] == [private]

    await until(is_so)


def find_gap(viewer: Viewer) -> int:
    """The place of the key frame that came after a pause."""
    assert viewer.reader.init
    apart = APART_S * viewer.reader.init.ticks
    pairs = enumerate(pairwise(viewer.fragments), start=1)
    places = [n for n, (before, after) in pairs if after.time - before.time > apart and after.key]
    assert places, "a picture was passed on at least each third of a second"
    return places[0]


async def test_a_robot_sends_no_picture_of_a_marked_room_and_says_so(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        mark_room_on_the_robot(house)
        stand(house, OUTSIDE)
        async with house.watching(await house.start()) as viewer:
            await viewer.see(15)
            assert [row["private"] for row in await house.live()] == [False]
            stand(house, INSIDE)
            await wait_until_private(house, private=True)
            late = await house.start("user")  # who comes now waits, and sees nothing old
            async with house.watching(late) as second:
                stand(house, OUTSIDE)
                await second.see(3)
            await viewer.see(3)
        await wait_until_private(house, private=False)
        find_gap(viewer)
        assert second.fragments[0].key
        assert second.fragments[0].time > viewer.fragments[find_gap(viewer) - 1].time


async def test_a_camera_that_begins_in_a_marked_room_shows_its_first_picture_outside(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        mark_room_on_the_robot(house)
        stand(house, INSIDE)
        async with house.watching(await house.start()) as viewer:
            await wait_until_private(house, private=True)
            stand(house, OUTSIDE)
            await viewer.see(3)
        assert viewer.fragments[0].key


@pytest.mark.parametrize("marks", ["free_areas", "forbidden_zones"])
async def test_the_server_passes_on_and_records_nothing_of_a_marked_room(world: World, tmp_path: Path, marks: str):
    """The robot goes on sending: it does not know of the room."""
    content = drawn()
    setattr(content, marks, [ROOM])
    async with theatre(world, tmp_path) as house:
        await mirrored(world, SN, content)
        await say_place(world, OUTSIDE)
        async with house.watching(await house.start()) as viewer:
            await house.record(on=True)
            await until(house.is_recording)
            await viewer.see(15)
            await say_place(world, INSIDE)
            await wait_until_private(house, private=True)
            await until(house.recordings)  # what was recorded outside is whole
            await say_place(world, OUTSIDE)
            await until(house.is_recording)
            await viewer.see(15)
            await house.record(on=False)
            assert (await world.raw("rival", LIVE, deviceSerialNumber=SN))[0] == Code.NOT_FOUND

            async def are_both_whole() -> bool:
                return len(await house.recordings()) == 2  # before the room, and after it

            await until(are_both_whole)
        find_gap(viewer)
        after, before = await house.recordings()
        assert before["end"] < after["start"]
