"""Which elevators planned work wants, and where two robots want one at once."""

from datetime import datetime, timedelta, timezone
from typing import Any

from lustra.core.db import now
from lustra.domains.task.calendar import Entry, Plan, build_calendar
from lustra.domains.task.rides import NO_TIME, RIDE, Elevator, Place, Ride, find_free_start, plan_rides
from tests.task.conftest import SCHEDULE, schedule
from tests.task.test_calendar import DAY, keep_events, list_calendar, ms
from tests.world import World

UTC = timezone.utc
START = datetime(2026, 11, 23, 22, 10, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
FLOORS = {"one": "1", "two": "2", "three": "3"}
A, B = (Elevator(code, code, "Hotel", frozenset("123")) for code in ("A", "B"))
AT_HOME = {n: Place("Hotel", "1", FLOORS) for n in (1, 2, 3)}
SECONDS = {(robot, name, "Clean"): 1200.0 for robot in (1, 2, 3) for name in FLOORS}


def plan(robot: int, start: str, *maps: str, elevator: str = "") -> Plan:
    content = SCHEDULE | {
        "name": f"R{robot}",
        "start_time": start,
        "zone": "UTC",
        "days": [1],
        "elevator_id": elevator,
        "floors": [{"map_name": name, "task_list": ["Clean"]} for name in maps],
    }
    return Plan(robot, "elevator_timetask", content, START - DAY)


def plan_entries(
    *plans: Plan, elevators: tuple[Elevator, ...] = (A,), places: dict[int, Place] = AT_HOME
) -> tuple[list[Entry], list[Ride]]:
    entries = build_calendar([], plans, SECONDS, (START - DAY, START + DAY), START - DAY)
    return entries, plan_rides(entries, elevators, AT_HOME)


def test_a_robot_rides_to_another_floor_between_floors_and_home():
    _, rides = plan_entries(plan(1, "22-10", "one", "two", "three"))
    after = timedelta(seconds=1200)
    assert [ride.start - START for ride in rides] == [after, after * 2 + RIDE, after * 3 + RIDE * 2]
    assert not plan_entries(plan(1, "22-10", "one"))[1]  # at home
    assert len(plan_entries(plan(1, "22-10", "two"))[1]) == 2  # there and back
    assert not plan_entries(plan(1, "22-10", "unknown"))[1]  # nobody knows where that is


def test_the_time_in_lifts_counts_for_the_robots_own_overlap():
    last = START + timedelta(seconds=1200) + RIDE * 2 - MINUTE
    own = Plan(
        1,
        "timetask",
        SCHEDULE | {"name": "Own", "start_time": f"{last:%H-%M}", "zone": "UTC", "days": [1]},
        START - DAY,
    )
    entries, _ = plan_entries(plan(1, "22-10", "two"), own)
    assert [entry.conflict for entry in entries] == ["overlap", "overlap"]


def test_two_robots_that_want_one_elevator_are_marked_and_the_later_waits():
    entries, rides = plan_entries(plan(1, "22-10", "two"), plan(2, "22-12", "two"))
    assert [entry.conflict for entry in entries] == ["lift", "lift"]
    late = [ride for ride in rides if ride.wait]
    assert (late[0].entry.device_id, late[0].wait) == (2, RIDE - 2 * MINUTE)
    assert late[0].other
    assert late[0].other.device_id == 1


def test_robots_apart_in_time_or_with_an_elevator_each_do_not_wait():
    for plans in (
        plan_entries(plan(1, "22-10", "two"), plan(2, "22-13", "two")),
        plan_entries(plan(1, "22-10", "two"), plan(2, "22-12", "two"), elevators=(A, B)),
        plan_entries(plan(1, "22-10", "two", elevator="A"), plan(2, "22-10", "three", elevator="B"), elevators=(A, B)),
    ):
        assert [entry.conflict for entry in plans[0]] == ["", ""]
        assert not [ride for ride in plans[1] if ride.wait]


def test_wait_for_a_named_elevator_and_ignore_one_that_skips_the_floor():
    entries, _ = plan_entries(
        plan(1, "22-10", "two", elevator="A"), plan(2, "22-10", "two", elevator="A"), elevators=(A, B)
    )
    assert [entry.conflict for entry in entries] == ["lift", "lift"]
    low = Elevator("L", "L", "Hotel", frozenset("12"))
    assert len(plan_entries(plan(1, "22-10", "two"), elevators=(low,))[1]) == 2
    assert not plan_entries(plan(1, "22-10", "three"), elevators=(low,))[1]
    assert not plan_entries(plan(1, "22-10", "two"), elevators=(Elevator("A", "A", "Clinic", frozenset("123")),))[1]


def test_the_start_that_is_proposed_waits_for_nobody():
    entries, rides = plan_entries(plan(1, "22-10", "two"), plan(2, "22-12", "two"))
    (late,) = [ride for ride in rides if ride.wait and ride.entry.device_id == 2][:1]
    start = find_free_start(late, rides, (A,), AT_HOME[2])
    assert start == START + 5 * MINUTE
    moved, _ = plan_entries(plan(1, "22-10", "two"), plan(2, f"{start:%H-%M}", "two"))
    assert [entry.conflict for entry in moved] == ["", ""]
    assert len(entries) == 2


def test_propose_no_start_where_the_elevator_is_held_all_the_time():
    stuck = Elevator("S", "S", "Hotel", frozenset("123"), 30 * DAY)
    _, rides = plan_entries(plan(1, "22-10", "two"), plan(2, "22-12", "two"), elevators=(stuck,))
    late = next(ride for ride in rides if ride.entry.device_id == 2)
    assert find_free_start(late, rides, (stuck,), AT_HOME[2]) is None


def test_a_ride_takes_as_long_as_those_of_its_elevator_took_lately():
    slow = Elevator("S", "S", "Hotel", frozenset("123"), 6 * MINUTE)
    _, rides = plan_entries(plan(1, "22-10", "two", "three"), elevators=(slow,))
    after = timedelta(seconds=1200)
    assert [ride.start - START for ride in rides] == [NO_TIME, 6 * MINUTE + after, 12 * MINUTE + 2 * after]
    assert rides[0].until == START + 6 * MINUTE
    entries, rides = plan_entries(plan(1, "22-10", "two"), plan(2, "22-14", "two"), elevators=(slow,))
    assert [entry.conflict for entry in entries] == ["lift", "lift"]
    assert [ride.wait for ride in rides][:2] == [NO_TIME, 2 * MINUTE]
    assert [entry.conflict for entry in plan_entries(plan(1, "22-10", "two"), plan(2, "22-14", "two"))[0]] == ["", ""]
    named_rides = plan_entries(plan(1, "22-10", "two", elevator="A"), elevators=(A, slow))[
        1
    ]  # the named one's own time
    assert named_rides[0].until == START + RIDE


async def tower(world: World, today: datetime, starts: dict[str, str]) -> None:
    """Robots of a building with one elevator tell of their plans."""
    await world.call(
        "user", "/elevator/insertElevator", elevatorName="Lift 1", code="T", buildingName="Tower", floor="1, 2"
    )
    await world.pool.execute("update device set address = 'Tower', address1 = '1' where serial_number < 'SC0003'")
    for sn, start in starts.items():
        await world.pool.execute(
            "insert into floor_map (owner_id, owner_path, device_id, name, floor, width, height, resolution, origin_x,"
            " origin_y, origin_yaw, area, marks, grid) select owner_id, owner_path, id, 'up', '2', 1, 1, 0.05, 0, 0, 0,"
            " 1, '{}', '' from device where serial_number = $1",
            sn,
        )
        floors: list[dict[str, Any]] = [{"map_name": "up", "task_list": ["Hall"]}]
        content = {"kind": "elevator_timetask", "name": "Night", "floors": floors, "start_time": start, "zone": "UTC"}
        await keep_events(world, schedule(ms(today), **content), sn=sn)


async def test_the_calendar_tells_rides_and_who_would_wait(world: World):
    today = now()
    await tower(world, today, {"SC0001": "22-10", "SC0002": "22-12"})
    first, second = world.devices["SC0001"], world.devices["SC0002"]
    day = (today + DAY).date().isoformat()
    answer = await world.call("user", "/task/calendar", startDate=day, endDate=day, building="Tower")
    assert [row["conflict"] for row in answer["list"]] == ["lift", "lift"]
    late = next(ride for ride in answer["rides"] if ride["wait"])
    assert (late["deviceId"], late["otherId"], late["elevatorName"]) == (second, first, "Lift 1")
    assert (late["wait"], late["moveTo"], late["schedule"]) == (60.0, "22-20", "Night")
    alone = await list_calendar(world, first=(today + DAY).date(), days=1, deviceIds=[second])
    assert [(row["deviceId"], row["conflict"]) for row in alone] == [(second, "lift")]
    for account in ("rival", "rivaluser"):
        answer = await world.call(account, "/task/calendar", startDate=day, endDate=day, building="Tower")
        assert (answer["rides"], answer["list"]) == ([], [])


RODE = """insert into lift_ride (elevator_id, account_id, sn, name, ride, from_floor, to_floor, phase, reason,
  created_at, boarded_at, ended_at)
  select id, account_id, 'SC0001', '', $1, '1', '2', 'ended', $2, now() - $3::interval,
  case when $5 then now() - $3::interval end, now() - $4::interval from elevator where code = 'T'"""


async def test_measure_the_time_of_a_ride_from_the_newest_rides(world: World):
    today = now()
    await tower(world, today, {"SC0001": "22-10"})
    day = (today + DAY).date().isoformat()

    async def store_ride(name: str, wish: int, out: int, reason: str = "", *, boarded: bool = True) -> None:
        ago = [timedelta(minutes=100 - at) for at in (wish, out)]
        await world.pool.execute(RODE, name, reason, *ago, boarded)

    async def read_duration() -> timedelta:
        answer = await world.call("user", "/task/calendar", startDate=day, endDate=day, building="Tower")
        ride = answer["rides"][0]
        held = datetime.fromisoformat(ride["until"]) - datetime.fromisoformat(ride["start"])
        return timedelta(seconds=round(held.total_seconds()))

    await store_ride("a", 0, 4)
    await store_ride("b", 1, 10)  # it waited until the other was out: 6 minutes
    assert await read_duration() == RIDE  # too few
    await store_ride("c", 20, 25)
    assert await read_duration() == 5 * MINUTE
    await store_ride("stuck", 30, 60)
    await store_ride("failed", 62, 70, "lift_never_came")
    await store_ride("called off", 71, 78, boarded=False)
    assert await read_duration() == 5 * MINUTE
    for n in range(20):
        await store_ride(f"new {n}", 79 + n, 80 + n)
    assert await read_duration() == MINUTE
