"""A lift that speaks Gausium's protocol V1.5, over a real socket: the building's end is the virtual building's."""

import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, cast

import aiohttp
import pytest
from aiohttp import web

from lustra.core.http import outbound_http
from lustra.elevators import gausium
from lustra.elevators.adapters import adapters
from lustra.elevators.elevator_worker import ElevatorWorker
from lustra.elevators.provider import ElevatorConfig, Full, Unable
from lustra.elevators.session import Ride, Session
from lustra.protocol import cabin
from lustra.robot.elevators.gausium_server import Building
from tests.elevators.test_process import Rider, elevator, rides, serving
from tests.world import World, until

FLOORS = ["floor 1", "floor 2", "floor 3"]
PASSED_ON = {"authorization", "content-type"}
HERE = outbound_http.networks("127.0.0.0/8")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cabin, "FLOOR_S", 0.1)
    monkeypatch.setattr(cabin, "DOOR_S", 0.1)


@dataclass
class House(Building):
    """A building that knows where it is served."""

    url: str = ""


@pytest.fixture
async def house() -> AsyncIterator[House]:
    building = cast("House", House.of(["KQ-A", "KQ-B"], FLOORS, {"lustra": "hush"}, time.monotonic))
    runner, port = await building.serve()
    building.url = f"http://127.0.0.1:{port}"
    yield building
    await runner.cleanup()


@pytest.fixture
async def hostile(house: House):
    """URL of a server that hands everything on to the building, but for the socket; and what its target heard."""
    reached: list[str] = []

    async def inside(request: web.Request) -> web.Response:
        reached.append(request.path_qs)
        return web.Response()

    async def passing(request: web.Request) -> web.Response:
        if request.path == "/v1/connect":
            return web.Response(status=302, headers={"location": f"http://127.0.0.1:{target}/internal/secret?do=it"})
        headers = {name: value for name, value in request.headers.items() if name.lower() in PASSED_ON}
        where, body = house.url + request.path_qs, await request.read()
        async with aiohttp.request(request.method, where, data=body, headers=headers) as answer:
            return web.json_response(await answer.json())

    runners = [web.AppRunner(web.Application(), access_log=None) for _ in range(2)]
    ports: list[int] = []
    for runner, handler in zip(runners, (inside, passing), strict=True):
        runner.app.router.add_route("*", "/{path:.*}", handler)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        ports.append(runner.addresses[0][1])
    target = ports[0]
    yield f"http://127.0.0.1:{ports[1]}", reached
    for runner in runners:
        await runner.cleanup()


def known(house: House, **more: Any) -> ElevatorConfig:
    usual = {"server": house.url, "module": "KQ-A", "client": "lustra", "secret": "hush"}
    return ElevatorConfig(7, "Lift A", 7, tuple(FLOORS), **usual | more)


def client(house: House, **more: Any) -> Any:
    return adapters(HERE)(known(house, **more), time.monotonic)


def ride(phase: str = "reserved", origin: str = "floor 2", target: str = "floor 3", robot: str = "SC0001") -> Ride:
    return Ride("r1", robot, origin, target, 0.0, 0.0, phase)


async def seen(lift: Any, **expected: Any):
    async def so():
        state = await lift.look()
        return state if all(getattr(state, name) == value for name, value in expected.items()) else None

    return await until(so)


async def test_a_ride_by_its_own_words(house: House):
    lift = client(house)
    own_ride, building_lift = ride(), house.elevators["KQ-A"]
    assert not (await lift.look()).held
    await lift.serve(own_ride)
    await lift.reserve()
    await lift.call("floor 2")
    await seen(lift, floor="floor 2", door="open", held=True)
    for phase in ("open", "boarded"):
        own_ride.phase = phase
        await lift.serve(own_ride)
    assert building_lift.cabin.door in {"closing", "closed"}
    await lift.go("floor 3")
    await seen(lift, floor="floor 3", door="open")
    own_ride.phase = "arrived"
    await lift.serve(own_ride)
    own_ride.phase, own_ride.reason = "ended", "done"
    await lift.release()
    assert building_lift.statuses == ["ENTERING", "TAKING", "EXITING", "COMPLETED"]
    assert (building_lift.holder, (await lift.look()).held) == (None, False)
    await lift.end()


async def test_a_lift_that_is_fully_reserved_is_asked_again_after_a_minute(house: House):
    first, second = client(house), client(house)
    for lift in (first, second):
        await lift.look()
        await lift.serve(ride())
    await first.reserve()
    with pytest.raises(Full) as why:
        await second.reserve()
    assert (why.value.wait_s, second.held) == (60.0, False)
    await first.release()
    await second.reserve()
    assert second.held
    await first.end()
    await second.end()


async def test_a_reservation_that_is_lost_is_made_anew(house: House):
    lift = client(house)
    await lift.look()
    await lift.serve(ride())
    await lift.reserve()
    house.elevators["KQ-A"].holder = None
    await lift.call("floor 2")  # 29009
    assert (lift.held, lift.bound) == (False, "")
    session = Session()
    own_ride = session.wish("SC0001", Ride("r1", "SC0001", "floor 2", "floor 3", 0, 0), "ask", 0)
    session.holder, session.queue, own_ride.phase = own_ride, [], "coming"
    assert session.step(await lift.look(), 0).action == "reserve"
    await lift.end()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"module": "KQ-Z"}, "lift_unavailable"),  # 29001
        ({"secret": "loud"}, "lift_login_refused"),
        ({"client": ""}, "lift_login_refused"),
        ({"floors": ("floor 1", "roof")}, "lift_floors_differ"),
    ],
)
async def test_end_a_ride_that_the_building_refuses_with_its_reason(house: House, changes: dict[str, Any], reason: str):
    floors = changes.pop("floors", tuple(FLOORS))
    usual = {"server": house.url, "module": "KQ-A", "client": "lustra", "secret": "hush"} | changes
    lift = adapters(HERE)(ElevatorConfig(7, "Lift A", 7, floors, **usual), time.monotonic)
    with pytest.raises(Unable) as why:
        await lift.look()
    assert why.value.reason == reason
    await lift.end()


async def test_no_lift_by_29001_and_one_out_of_use_by_its_mode(house: House):
    lift = client(house)
    await lift.look()
    await lift.serve(ride())
    house.elevators["KQ-A"].out = "FIRE"
    with pytest.raises(Unable, match="lift_unavailable"):
        await lift.reserve()
    house.elevators["KQ-A"].out = ""
    await lift.reserve()
    house.elevators["KQ-A"].out = "FIRE"

    async def refused():
        try:
            await lift.look()
        except Unable as why:
            return why.reason
        return None

    assert await until(refused) == "lift_out_of_service"
    await lift.end()


@pytest.mark.parametrize(
    "server",
    ["http://127.0.0.1:9", "http://localhost:9", "http://10.1.2.3", "http://169.254.169.254", "http://[::1]:9"],
)
async def test_no_address_inside_is_reached_unless_the_operator_lets_it(house: House, server: str):
    lift = adapters(outbound_http.networks(""))(known(house, server=server), time.monotonic)
    with pytest.raises(ConnectionError):
        await lift.look()
    assert house.tokens == set()
    await lift.end()


async def test_a_building_that_sends_the_socket_elsewhere_reaches_nothing(house: House, hostile: tuple[str, list[str]]):
    """Its token and lift are right, only the last step answers 302: the way by which a socket was once led inside."""
    building, reached = hostile
    lift = client(house, server=building)
    with pytest.raises(ConnectionError, match="302"):
        await lift.look()
    assert reached == []
    await lift.end()


async def test_a_building_that_hangs_up_is_called_again_and_the_ride_goes_on(house: House):
    news: list[str] = []

    async def changed(_worker: Any, rides_: Any):
        news.extend(changed_ride.phase for changed_ride in rides_)

    worker = ElevatorWorker(known(house), Session(), time.monotonic, adapters(HERE), changed)

    async def phase(expected: str, step: str):
        async def so():
            now = time.monotonic()
            known = worker.session.wish("SC0001", Ride("r1", "SC0001", "floor 2", "floor 3", now, now), step, now)
            await worker.once()
            return known.phase == expected

        await until(so)

    await phase("open", "ask")
    assert isinstance(worker.provider, gausium.Gausium)
    await worker.provider.socket.close()
    await phase("arrived", "inside")
    await phase("ended", "left")
    assert news[-1] == "ended"
    await worker.provider.end()


async def test_a_robot_rides_such_a_lift_by_the_registry(world: World, house: House):
    object.__setattr__(world.services.settings, "lift_networks", "127.0.0.0/8")
    await world.pool.execute("update role set keys = keys || '{elevator/index}'::text[]")
    fields = {
        "elevatorName": "Lift A",
        "buildingName": "Kestrel Quay Hotel",
        "floor": ",".join(FLOORS),
        "provider": 7,
        "moduleId": "KQ-A",
        "robotId": "lustra",
        "server": house.url,
        "secret": "hush",
    }
    created = await world.call("user", "/elevator/insertElevator", **fields)
    row = await world.call("user", "/elevator/selectInfoByElevatorId", elevatorId=created["elevatorId"])
    assert (row["hasSecret"], row["adapted"], "hush" in str(row)) == (True, True, False)
    sealed = await world.pool.fetchval("select secret from elevator")
    assert b"hush" not in sealed
    rider = await Rider(world, "SC0001").listen()
    async with serving(world):
        await rider.reaches("r1", "open")
        await rider.reaches("r1", "arrived", "inside")
        await rider.reaches("r1", "ended", "left")

        async def done():
            return (await rides(world))[0][-2:] == ("done", True)

        await until(done)


async def test_an_elevator_of_that_provider_without_server_or_module_says_so(world: World):
    await elevator(world, "Lift A", provider=7)
    rider = await Rider(world, "SC0001").listen()
    async with serving(world):
        assert (await rider.reaches("r1", "ended"))["reason"] == "lift_not_set_up"
