"""What a robot does with a map that is sent to it, when its power goes at the worst moment."""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aiohttp import web

from lustra.protocol.bus import TakeMap
from lustra.robot.robot import Robot
from lustra.robot.simulation.elevator_trip import Trip
from tests.robot.conftest import bundle, hall, open_robot


def take_map(data: bytes, name: str = "hall", **more: Any) -> TakeMap:
    fields = {"number": 1, "name": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest(), "revision": 1}
    return TakeMap(**fields | more)


async def carry_on(robot: Robot) -> list[tuple[str, str]]:
    for order in list(robot.downloads.orders.values()):
        await robot.downloads.advance(order)
    return [(order.report.state, order.report.reason) for order in robot.downloads.orders.values()]


@pytest.fixture
async def place():
    """A server of one file, that knows parts."""
    served = {"data": bundle()}

    async def give(request: web.Request) -> web.Response:
        start = int(request.headers.get("Range", "bytes=0-")[6:-1])
        served["from"] = start
        return web.Response(body=served["data"][start:], status=206 if start else 200, content_type="application/zip")

    app = web.Application()
    app.router.add_get("/map", give)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await (site := web.TCPSite(runner, "127.0.0.1", 0)).start()
    served["url"] = f"http://127.0.0.1:{runner.addresses[0][1]}/map"
    yield served
    await site.stop()
    await runner.cleanup()


async def test_a_robot_that_restarts_while_it_saves_has_its_old_map(tmp_path: Path):
    robot = open_robot(tmp_path / "SC0001", floor=hall())
    file = robot.store.map_file("hall")
    file.with_suffix(".part").write_bytes(file.read_bytes()[:100])  # the power went in the middle of the new one
    again = open_robot(tmp_path / "SC0001", floor=hall())
    assert again.machine.floor.name == "hall"
    assert np.array_equal(again.machine.floor.grid, hall().grid)


async def test_a_map_that_cannot_be_saved_leaves_the_old_one(tmp_path: Path, place: dict[str, Any]):
    robot = open_robot(tmp_path / "SC0001", floor=hall())
    robot.downloads.accept(take_map(place["data"], url=place["url"]))
    robot.store.map_file("hall").with_suffix(".part").mkdir()  # nothing can be written there
    assert await carry_on(robot) == [("failed", "robot_failed")]
    assert robot.store.maps["hall"].size == robot.machine.floor.size == hall().size
    assert open_robot(tmp_path / "SC0001").store.maps["hall"].size == hall().size


async def test_after_a_restart_it_fetches_the_rest_alone(tmp_path: Path, place: dict[str, Any]):
    place["data"] = bundle(**{"more.bin": np.random.default_rng(1).bytes(2 << 20)})
    robot = open_robot(tmp_path / "SC0001", floor=hall())
    robot.downloads.accept(take_map(place["data"], url=place["url"]))
    robot.downloads.orders.file(1).write_bytes(place["data"][: (1 << 20) + 1000] + b"not sure to be on the disk")
    again = open_robot(tmp_path / "SC0001", floor=hall())
    assert await carry_on(again) == [("received", "")]
    assert place["from"] == 1 << 20
    assert again.store.maps["hall"].revision == 2
    assert not again.downloads.orders.file(1).exists()


async def test_a_map_installed_just_before_a_power_cut_is_no_conflict(tmp_path: Path, place: dict[str, Any]):
    robot = open_robot(tmp_path / "SC0001", floor=hall())
    robot.downloads.accept(take_map(place["data"], url=place["url"]))
    [order] = robot.downloads.orders.values()
    await robot.downloads.download(order)
    before = order.report
    assert await carry_on(robot) == [("received", "")]
    order.report = before  # what the disk would say
    robot.downloads.orders.file(1).write_bytes(place["data"])
    assert await carry_on(robot) == [("received", "")]
    assert robot.store.maps["hall"].revision == 2


async def test_an_order_sent_twice_is_one(tmp_path: Path, place: dict[str, Any]):
    robot = open_robot(tmp_path / "SC0001", floor=hall())
    take = take_map(place["data"], url=place["url"])
    robot.downloads.accept(take)
    assert await carry_on(robot) == [("received", "")]
    assert robot.downloads.accept(take).state == "received"
    assert robot.store.maps["hall"].revision == 2


async def test_a_file_that_is_no_map_is_refused(tmp_path: Path, place: dict[str, Any]):
    place["data"] = b"PK no zip at all"
    robot = open_robot(tmp_path / "SC0001", floor=hall())
    robot.downloads.accept(take_map(place["data"], url=place["url"]))
    assert await carry_on(robot) == [("failed", "map_archive")]
    assert robot.store.maps["hall"].revision == 1


async def test_a_map_waits_until_the_ride_from_it_or_to_it_is_over(tmp_path: Path, place: dict[str, Any]):
    robot = open_robot(tmp_path / "SC0001", floor=hall())
    robot.downloads.accept(take_map(place["data"], url=place["url"]))
    for trip in (Trip(origin="hall", target="upstairs", point=""), Trip(origin="upstairs", target="hall", point="")):
        robot.trips.current = trip
        assert await carry_on(robot) == [("whole", "lift_riding")]
    robot.trips.current = Trip(origin="upstairs", target="cellar", point="")
    assert await carry_on(robot) == [("received", "")]
