"""A robot rides between the hotel's floors: a lift is played by the server's own session and its built-in lift."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from lustra.elevators.session import Ride, Session
from lustra.elevators.virtual import Virtual
from lustra.protocol.bus import ElevatorOffer
from lustra.protocol.payloads.base import Empty
from lustra.protocol.payloads.groups import TaskGroup
from lustra.protocol.payloads.schedules import ElevatorTimeTask, FloorTasks
from lustra.protocol.refusals import RobotRefusal
from lustra.robot.buildings import catalogue, hotel
from lustra.robot.connection import server_commands
from lustra.robot.demo import elevator, schedules
from lustra.robot.demo.cleaning import room_task
from lustra.robot.elevators import elevator_ride
from lustra.robot.local_api import api, run_control
from lustra.robot.plans import Entry
from lustra.robot.robot import Robot, Spec
from lustra.robot.schedules import schedule, sequence_runner
from lustra.robot.store import StoredTask
from tests.robot.conftest import Local
from tests.robot.test_schedules import MONDAY, at

FLOORS = ["floor 1", "floor 2", "floor 3"]
MAPS = ["kestrel-1", "kestrel-2", "kestrel-3"]
TASK = "Clean Lift hall"
STEP_S = 0.5


EDITS: dict[str, dict[str, Any]] = {
    "map_flag_add": {"name": "Sink", "type": "other", "x": 2.0, "y": 2.0, "yaw": 0.0},
    "map_flag_del": {"name": "Sink"},
    "map/CloudInfoUpdate": {"data": {"floor": "4"}},
    "map_del": {},
}


@asynccontextmanager
async def served(robot: Robot) -> AsyncIterator[Local]:
    """Its local API, as the relay reaches it."""
    runner, port = await api.serve(robot)
    try:
        async with aiohttp.ClientSession() as session:
            yield Local(robot, session, port)
    finally:
        await runner.cleanup()


@dataclass
class House:
    """Robots of the hotel, and one lift that serves them all. Time goes when it is told to."""

    folder: Path
    now: int = at(MONDAY)
    serves: bool = True
    session: Session = field(default_factory=Session)
    robots: list[Robot] = field(default_factory=list)
    modes: list[tuple[str, str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.lift = Virtual(FLOORS, lambda: self.now / 1000)

    def robot(self, sn: str = "SC0001", floor: str = "floor 1", berth: int = 0) -> Robot:
        home = catalogue.floor(hotel.BUILDING, floor)
        dock = catalogue.charger(home, berth)
        spec = Spec(sn, sn, 3, hotel.BUILDING, floor, 95.0, (dock.x, dock.y, dock.yaw), zone="Europe/Berlin")
        robot = Robot.open(spec, self.folder / sn, home)
        for name in FLOORS:
            floor_map = catalogue.floor(hotel.BUILDING, name)
            robot.store.save_map(floor_map)
            number = next(n for n, room in enumerate(floor_map.free_areas) if room.name == "Lift hall")
            robot.store.tasks[floor_map.name, TASK] = StoredTask(room_task(floor_map, number), 1)
        self.robots.append(robot)
        return robot

    def again(self, robot: Robot) -> Robot:
        """Its power goes and comes back."""
        robot.reboot()
        self.robots.remove(robot)
        new = Robot.open(robot.spec, robot.store.folder)
        self.robots.append(new)
        return new

    async def tick(self) -> None:
        self.now += round(STEP_S * 1000)
        for robot in self.robots:
            robot.step(STEP_S)
            await schedule.step(robot, self.now)
            if self.serves:
                self.hears(robot)
        seen = await self.lift.look()
        if order := self.session.step(seen, self.now / 1000):
            do = getattr(self.lift, order.action)
            await (do(order.floor) if order.floor else do())

    def hears(self, robot: Robot) -> None:
        for wish in elevator_ride.elevator_wishes(robot):
            now = self.now / 1000
            ride = self.session.wish(
                robot.spec.sn, Ride(wish.ride, robot.spec.sn, wish.origin, wish.target, now, now), wish.step, now
            )
            elevator_ride.receive_offer(
                robot, ElevatorOffer(ride=ride.id, phase=ride.phase, lift="Lift A", reason=ride.reason)
            )

    async def until(self, so: Any, most_s: float = 3600) -> None:
        end = self.now + most_s * 1000
        while not so():
            assert self.now < end, "it never comes"
            await self.tick()
            state = self.robots[0].machine.state(0)
            if not self.modes or self.modes[-1] != (state.mode, state.map, state.lift):
                self.modes.append((state.mode, state.map, state.lift))


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def planned(robot: Robot, *maps: str) -> None:
    floors = [FloorTasks(map_name=name, task_list=[TASK]) for name in maps]
    item = ElevatorTimeTask(name="Halls", start_time="22-00", days=[1], floors=floors)
    robot.plans.elevator_timetasks.rows["Halls"] = Entry(item)
    robot.store.facts.looked = at(MONDAY) - 1000


def newest(robot: Robot):
    return robot.plans.occurrences[-1]


def home(robot: Robot, name: str = "kestrel-1") -> bool:
    m = robot.machine
    return bool(m.charging and m.floor and m.floor.name == name and not robot.store.facts.home)


@pytest.mark.spec("q.elevator_transfer_api", "rule.edit.block_elevator")
async def test_ride_to_clean_two_floors_and_ride_home(house: House):
    robot = house.robot()
    planned(robot, "kestrel-1", "kestrel-2")
    robot.plans.elevator_timetasks.rows["Halls"].item.elevator_id = "KQ-B"
    await house.until(lambda: robot.trips.current and robot.trips.current.stage == "ride")
    assert robot.machine.mode == "riding"
    assert [wish.lift for wish in elevator_ride.elevator_wishes(robot)] == ["KQ-B"]
    async with served(robot) as local:
        for command, fields in EDITS.items():
            assert (await local(command, {"map_name": "kestrel-3"} | fields))["reason"] == "map.elevator_running"
    for refused in (robot.machine.go_home, robot.machine.check_ready):
        with pytest.raises(RobotRefusal) as why:
            refused()
        assert why.value.reason == "lift_riding"
    await house.until(lambda: newest(robot).state == "done")
    assert [(unit.map, bool(unit.run), unit.reason) for unit in newest(robot).units] == [
        ("kestrel-1", True, ""),
        ("kestrel-2", True, ""),
    ]
    await house.until(lambda: home(robot))
    assert ("riding", "", "Lift A") in house.modes  # in the cabin no floor is claimed
    assert (house.session.rides, house.session.occupant, robot.trips.current) == ([], "", None)
    async with served(robot) as local:
        await local.good("map_flag_add", {"map_name": "kestrel-3"} | EDITS["map_flag_add"])


async def test_of_two_robots_that_want_one_lift_the_second_waits_and_gets_it(house: House):
    first, second = house.robot(), house.robot("SC0002", berth=1)
    for robot in (first, second):
        planned(robot, "kestrel-3")
    holders: set[str] = set()

    def done() -> bool:
        inside = [r for r in house.robots if r.trips.current and r.trips.current.inside]
        holders.update(r.spec.sn for r in inside)
        assert len(inside) <= 1
        return all(newest(robot).state == "done" and home(robot) for robot in house.robots if robot.plans.occurrences)

    await house.tick()
    await house.until(done, 7200)
    assert holders == {"SC0001", "SC0002"}


@pytest.mark.parametrize("phase", ["moving", "arrived"])
async def test_a_robot_that_restarts_in_a_lift_gets_out_and_goes_home(house: House, phase: str):
    robot = house.robot()
    planned(robot, "kestrel-2")
    await house.until(lambda: house.session.holder and house.session.holder.phase == phase)
    robot = house.again(robot)
    assert robot.machine.mode == "riding"
    await house.until(lambda: newest(robot).state != "running")
    assert (newest(robot).state, newest(robot).reason) == ("interrupted", "robot_off")
    await house.until(lambda: home(robot))


async def test_a_robot_that_was_off_for_long_in_a_lift_gets_out_of_it(house: House):
    robot = house.robot()
    planned(robot, "kestrel-2")
    await house.until(lambda: house.session.holder and house.session.holder.phase == "moving")
    house.robots.clear()
    for _ in range(100):
        house.now += 1000
        seen = await house.lift.look()
        order = house.session.step(seen, house.now / 1000)
        if order:
            do = getattr(house.lift, order.action)
            await (do(order.floor) if order.floor else do())
    assert (house.session.rides, house.session.occupant) == ([], "SC0001")
    house.robots.append(robot)
    robot = house.again(robot)
    await house.until(lambda: home(robot))


async def test_a_robot_boards_only_through_a_door_that_the_server_reported_open(house: House):
    robot = house.robot()
    planned(robot, "kestrel-2")
    house.serves = False
    await house.until(lambda: robot.trips.current and robot.trips.current.stage == "ask")

    def offer(phase: Any, ride: str = robot.trips.current.ride) -> str:
        elevator_ride.receive_offer(robot, ElevatorOffer(ride=ride, phase=phase, lift="Lift A"))
        elevator_ride.advance(robot, house.now)
        return robot.trips.current.stage

    assert {offer(phase) for phase in ("waiting", "reserved", "coming", "boarded", "moving", "arrived")} == {"ask"}
    assert offer("open", ride="of another trip") == "ask"
    assert robot.machine.transit is None
    assert offer("open") == "board"


async def test_a_lift_that_never_comes_ends_with_a_reason_and_the_robot_goes_home(house: House):
    robot = house.robot()
    planned(robot, "kestrel-2", "kestrel-1")
    house.serves = False
    await house.until(lambda: newest(robot).state == "done" if robot.plans.occurrences else False)
    assert [(unit.map, unit.reason) for unit in newest(robot).units] == [
        ("kestrel-2", "lift_never_came"),
        ("kestrel-1", ""),
    ]
    await house.until(lambda: home(robot))
    assert robot.trips.current is None


async def test_a_lift_out_of_service_is_a_missed_occurrence_with_that_reason(house: House):
    robot = house.robot()
    planned(robot, "kestrel-2")
    house.session.take_out(0)
    await house.until(lambda: robot.plans.occurrences and newest(robot).state == "missed")
    assert newest(robot).reason == "lift_out_of_service"


@pytest.mark.parametrize(
    ("case", "reason"),
    [("no point", "lift_no_point"), ("no map", "task_unknown"), ("other building", "lift_missing")],
)
async def test_an_unreachable_floor_is_missed_with_its_reason(house: House, case: str, reason: str):
    robot = house.robot()
    planned(robot, "kestrel-2")
    target = robot.find_map("kestrel-2")
    if case == "no point":
        robot.store.save_map(target.changed(flags=[f for f in target.flags if f.type != "elevator"]))
    elif case == "no map":
        robot.store.drop_map("kestrel-2")
    else:
        robot.store.save_map(target.changed(building="Elsewhere"))
    await house.until(lambda: robot.plans.occurrences and newest(robot).state == "missed", 900)
    assert newest(robot).reason == reason


async def test_a_task_whose_map_is_deleted_meanwhile_is_passed_over_with_why(house: House):
    robot = house.robot()
    planned(robot, "kestrel-1", "kestrel-2")
    await house.until(lambda: robot.plans.occurrences and newest(robot).state == "running")
    robot.store.drop_map("kestrel-2")
    await house.until(lambda: newest(robot).state == "done")
    assert [unit.reason for unit in newest(robot).units] == ["", "map_unknown"]


async def test_a_floor_whose_map_is_gone_during_the_ride_is_not_entered(house: House):
    robot = house.robot()
    planned(robot, "kestrel-2")
    await house.until(lambda: robot.trips.current and robot.trips.current.stage == "ride")
    robot.store.drop_map("kestrel-2")
    await house.until(lambda: newest(robot).state == "missed")
    assert newest(robot).reason == "map_unknown"
    await house.until(lambda: home(robot))


async def test_a_group_over_two_floors_rides_and_a_cancelled_one_goes_home(house: House):
    robot = house.robot()
    robot.plans.groups.rows["Both"] = Entry(
        TaskGroup.model_validate({"name": "Both", "tasks": [{"map_name": m, "task": TASK} for m in MAPS[1:]]})
    )
    assert await sequence_runner.start_group(robot, "Both") == ""
    await house.until(lambda: robot.machine.run is not None and robot.machine.floor.name == "kestrel-2")
    schedule.end_all(robot, "cancelled", house.now)
    await house.until(lambda: home(robot))


async def test_sending_the_robot_elsewhere_ends_its_trip_unless_it_is_inside(house: House):
    robot = house.robot()
    planned(robot, "kestrel-2")
    await house.until(lambda: robot.trips.current and robot.trips.current.stage == "ask")
    robot.machine.go_home()
    await house.until(lambda: newest(robot).state == "missed")
    assert (newest(robot).reason, robot.trips.current) == ("lift_called_off", None)
    await house.until(lambda: not house.session.rides)


async def test_sent_home_it_ends_what_it_does_and_rides_to_its_charger(house: House):
    robot = house.robot()
    planned(robot, "kestrel-2", "kestrel-3")
    await house.until(lambda: robot.machine.run is not None and robot.machine.floor.name == "kestrel-2")
    server_commands.run_command(robot, "home", b"{}")
    assert (newest(robot).state, robot.sequence) == ("cancelled", None)
    await house.until(lambda: home(robot))
    server_commands.run_command(robot, "home", b"{}")  # it is there
    assert home(robot)
    planned(robot, "kestrel-2")
    robot.machine.stop(pressed=True)
    with pytest.raises(RobotRefusal) as why:
        server_commands.run_command(robot, "home", b"{}")
    assert why.value.reason == "0x0535"


async def test_sent_home_inside_a_lift_it_rides_on_and_then_home(house: House):
    robot = house.robot()
    planned(robot, "kestrel-3")
    await house.until(lambda: robot.trips.current and robot.trips.current.stage == "ride")
    server_commands.run_command(robot, "home", b"{}")
    assert newest(robot).state == "cancelled"
    await house.until(lambda: home(robot))
    assert robot.machine.floor.name == "kestrel-1"


async def away(house: House) -> Robot:
    """A robot whose work on another floor is done, and whose lift has just been taken out of service."""
    robot = house.robot()
    planned(robot, "kestrel-2")
    await house.until(lambda: robot.machine.run is not None and robot.machine.floor.name == "kestrel-2")
    house.session.take_out(0)
    await house.until(lambda: newest(robot).state == "done")
    return robot


@pytest.mark.spec("err.robot_msg.elevator_control_task_failed")
async def test_three_failed_returns_ask_for_help_and_later_ones_are_rare(house: House):
    robot = await away(house)
    failed: list[int] = []

    def tried() -> bool:
        if robot.trips.failed_returns > len(failed):
            failed.append(house.now)
            assert bool(robot.machine.help) == (len(failed) >= elevator_ride.TRIES)
        return len(failed) == elevator_ride.TRIES + 2

    await house.until(tried, 7200)
    pauses = [b - a for a, b in pairwise(failed)]
    assert max(pauses[: elevator_ride.TRIES - 1]) < 2 * elevator_ride.AGAIN_MS
    assert min(pauses[elevator_ride.TRIES - 1 :]) >= elevator_ride.SELDOM_MS
    state = robot.machine.state(0)
    assert (state.mode, state.help, state.map) == ("idle", "elevator_task", "kestrel-2")
    house.session.put_back()
    await house.until(lambda: home(robot))
    assert (robot.machine.help, robot.trips.failed_returns) == ("", 0)


@pytest.mark.spec("err.robot_msg.elevator_control_task_failed")
async def test_resuming_after_an_elevator_repair_sends_the_robot_home_at_once(house: House):
    robot = await away(house)
    await house.until(lambda: robot.machine.help == "elevator_task", 7200)
    house.session.put_back()
    robot.machine.stop(pressed=True)
    with pytest.raises(RobotRefusal) as why:
        run_control.task_resume(robot, Empty())
    assert why.value.reason == "0x0535"
    robot.machine.stop(pressed=False)
    begun = house.now
    run_control.task_resume(robot, Empty())
    await house.until(lambda: home(robot))
    assert house.now - begun < elevator_ride.SELDOM_MS
    assert robot.machine.help == ""
    with pytest.raises(RobotRefusal) as why:  # nothing waits any more
        run_control.task_resume(robot, Empty())
    assert why.value.reason == "task_none_running"


async def test_new_work_ends_the_call_for_help_and_cancelling_is_no_failure(house: House):
    robot = await away(house)
    await house.until(lambda: robot.trips.failed_returns == 1)
    await house.until(lambda: robot.trips.current is not None)
    elevator_ride.cancel_trip(robot, house.now)
    assert robot.trips.failed_returns == 1
    await house.until(lambda: robot.machine.help == "elevator_task", 7200)
    await robot.starts.begin(robot.find_task("kestrel-2", TASK).task)
    await house.tick()
    assert (robot.machine.help, robot.trips.failed_returns) == ("", 0)


async def test_a_demo_robot_knows_how_long_each_task_of_its_schedules_takes(tmp_path: Path):
    floor = catalogue.floor(hotel.BUILDING, "floor 2")
    robot = Robot.open(Spec("SC0003", "L2-A", 3, hotel.BUILDING, "floor 2", zone="Europe/London"), tmp_path, floor)
    elevator.add_elevator_work(robot)
    await schedules.add_schedules(
        robot,
        [
            schedules.Planned(name="Rooms", start="10:30", rooms=(0,)),
            schedules.Planned(name="Halls", start="22:10", days=(7,), elevator="KQ-B"),
        ],
    )
    assert {item.name for _, item in schedule.enabled_items(robot)} == {"Rooms", "Halls", elevator.NAME}
    for _, item in schedule.enabled_items(robot):
        assert all(robot.store.tasks[unit.map, unit.task].seconds > 0 for unit in schedule.schedule_units(item))
