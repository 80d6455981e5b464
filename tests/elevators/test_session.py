"""Who rides a lift: one holder at a time, whatever robots, people and the lift do, and every ride ends."""

import itertools
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lustra.elevators.session import LOST_S, MOST_S, ElevatorState, Ride, Session
from lustra.elevators.virtual import Virtual
from lustra.protocol.bus import RidePhase, RideStep

FLOORS = ["1", "2", "3"]


class House:
    """A session with a built-in lift, and a clock that goes when it is told to."""

    def __init__(self, *, works: bool = True) -> None:
        self.now, self.works = 0.0, works
        self.lift, self.session = Virtual(FLOORS, lambda: self.now), Session()

    def says(self, robot: str, ride: str, step: RideStep = "ask", origin: str = "1", target: str = "3") -> Ride:
        return self.session.wish(robot, Ride(ride, robot, origin, target, self.now, self.now), step, self.now)

    async def once(self) -> ElevatorState:
        seen = await self.lift.look()
        order = self.session.step(seen, self.now)
        if order and self.works:
            do = getattr(self.lift, order.action)
            await (do(order.floor) if order.floor else do())
        return seen

    async def until(self, ride: Ride, phase: str, *, speaks: bool = True) -> None:
        for _ in range(4000):
            if ride.phase == phase:
                return
            self.now += 0.25
            if speaks:
                ride.seen_at = self.now
            await self.once()
        raise AssertionError(f"{ride} never {phase}")


async def test_a_ride_from_the_first_floor_to_the_third():
    house = House()
    ride = house.says("A", "r1", origin="2")
    await house.until(ride, "open")
    assert (await house.lift.look()) == ElevatorState(held=True, floor="2", door="open")
    house.says("A", "r1", "inside")
    await house.until(ride, "arrived")
    assert (await house.lift.look()) == ElevatorState(held=True, floor="3", door="open")
    house.says("A", "r1", "left")
    assert (ride.phase, ride.reason, house.session.occupant) == ("ended", "done", "")
    await house.once()
    assert not house.lift.held


async def test_a_door_that_is_open_already_is_as_good():
    house = House()
    house.lift.cabin.opening, house.lift.cabin.gap = True, 1.0
    ride = house.says("A", "r1")
    for _ in range(2):
        await house.once()
    assert ride.phase == "open"


async def test_the_second_robot_waits_and_gets_the_lift():
    house = House()
    first, second = house.says("A", "r1"), house.says("B", "r2", origin="3", target="1")
    await house.until(first, "open")
    assert (second.phase, house.session.ahead(second)) == ("waiting", 1)
    house.says("A", "r1", "inside")
    await house.until(first, "arrived")
    house.says("A", "r1", "left")
    await house.until(second, "open")
    assert house.session.holder is second


async def test_count_a_repeated_message_of_an_elevator_once():
    house = House()
    ride = house.says("A", "r1")
    assert house.says("A", "r1") is ride
    await house.until(ride, "open")
    for _ in range(2):
        house.says("A", "r1", "inside")
    await house.until(ride, "arrived")
    other = house.says("B", "r2")
    for _ in range(2):
        assert house.says("A", "r1", "left").reason == "done"
    await house.until(other, "open")
    assert house.says("A", "r1", "left").ended  # late: it is the other's now
    assert house.session.holder is other


@pytest.mark.parametrize(("robot", "ride"), [("", "r1"), ("A", "")])
def test_a_ride_without_a_robot_or_a_name_is_refused(robot: str, ride: str):
    house = House()
    with pytest.raises(ValueError, match="robot"):
        house.says(robot, ride)
    assert house.session.rides == []


@pytest.mark.parametrize(
    ("phase", "reason"),
    [
        ("coming", "lift_never_came"),
        ("open", "lift_not_boarded"),
        ("moving", "lift_stuck"),
        ("arrived", "lift_not_left"),
        ("reserved", "lift_full"),
    ],
)
async def test_each_phase_ends_in_time(phase: RidePhase, reason: str):
    house = House()
    ride = house.says("A", "r1")
    if phase == "reserved":
        house.works = False
        await house.once()
    elif phase != "coming":
        await house.until(ride, "open")
    else:
        await house.until(ride, "coming")
    if phase in {"moving", "arrived"}:
        house.says("A", "r1", "inside")
        await house.until(ride, phase)
    house.works = False
    if phase in {"coming", "moving"}:
        cabin = house.lift.cabin
        cabin.bound, cabin.opening, cabin.gap, cabin.at = None, False, 0.0, 1.0
    await house.until(ride, "ended")
    assert (ride.reason, house.now >= MOST_S[phase]) == (reason, True)
    assert house.session.occupant == ("A" if phase in {"moving", "arrived"} else "")


async def test_a_robot_that_is_lost_gives_the_lift_free_unless_it_is_inside():
    house = House()
    ride, other = house.says("A", "r1"), house.says("B", "r2")
    await house.until(ride, "open")
    until = house.now + LOST_S + 1
    while house.now < until:
        house.now += 1
        other.seen_at = house.now
        await house.once()
    await house.once()
    assert (ride.reason, house.session.holder) == ("robot_lost", other)
    await house.until(other, "open")
    house.says("B", "r2", "inside")
    await house.until(other, "ended", speaks=False)
    assert (other.reason, house.session.occupant) == ("robot_lost", "B")
    third = house.says("C", "r3")
    await house.once()
    assert (third.phase, house.session.holder) == ("waiting", None)  # who is inside might be run into
    back = house.says("B", "r4", "inside", origin="", target="3")
    await house.until(back, "arrived")
    house.says("B", "r4", "left")
    third.seen_at = house.now
    await house.until(third, "open")


async def test_a_persons_hand_wins_and_who_is_inside_waits_until_the_lift_is_back():
    house = House()
    ride, other = house.says("A", "r1"), house.says("B", "r2")
    await house.until(ride, "open")
    house.says("A", "r1", "inside")
    house.session.take_out(house.now)
    assert {ended.reason for ended in (ride, other)} == {"lift_out_of_service"}
    assert house.says("B", "r3").reason == "lift_out_of_service"
    again = house.says("A", "r4", "inside", origin="")
    for _ in range(5):
        await house.once()
    assert (again.phase, house.lift.held) == ("waiting", False)
    house.session.put_back()
    await house.until(again, "arrived")


async def test_a_robot_inside_cannot_cancel_its_ride():
    house = House()
    ride = house.says("A", "r1")
    await house.until(ride, "open")
    house.says("A", "r1", "inside")
    house.says("A", "r1", "cancel")
    assert (ride.ended, house.session.occupant, house.session.holder) == (False, "A", ride)
    await house.until(ride, "arrived")


async def test_a_released_lift_is_free_and_a_second_release_changes_nothing():
    house = House()
    ride = house.says("A", "r1")
    await house.until(ride, "open")
    house.says("A", "r1", "inside")
    house.session.release(house.now)
    assert (ride.reason, house.session.occupant) == ("lift_released", "")
    house.session.release(house.now)
    other = house.says("B", "r2")
    await house.until(other, "open")
    assert house.session.holder is other


async def test_serve_a_robot_inside_before_the_one_the_elevator_was_given():
    house = House()
    ride = house.says("A", "r1")
    await house.until(ride, "open")
    house.says("A", "r1", "inside")
    house.session.release(house.now)
    other = house.says("B", "r2")
    await house.until(other, "open")
    inside = house.says("A", "r3", "inside", origin="")
    assert (other.phase, house.session.occupant) == ("waiting", "A")
    await house.until(inside, "arrived", speaks=True)


DEEDS = st.one_of(
    st.tuples(
        st.just("wish"), st.sampled_from(["A", "B"]), st.sampled_from(["ask", "inside", "left", "cancel", "new"])
    ),
    st.tuples(st.just("person"), st.sampled_from(["out", "back", "release"]), st.none()),
    st.tuples(st.just("time"), st.sampled_from([0.2, 1.0, 5.0, 30.0, 200.0]), st.none()),
    st.tuples(st.just("lift"), st.booleans(), st.none()),
)


# One that waits stands in the cabin, and a person says that it is empty.
@example([("wish", "A", "ask"), ("wish", "B", "inside"), ("person", "release", None), ("person", "back", None)])
@settings(max_examples=300, deadline=None)
@given(st.lists(DEEDS, max_size=60))
async def test_never_two_holders_and_every_ride_ends(deeds: Any):
    house, names = House(), itertools.count()
    newest = {"A": "a", "B": "b"}
    known: dict[str, Ride] = {}
    for action, how, step in deeds:
        match action:
            case "wish":
                if step == "new":
                    newest[how] = f"{how}{next(names)}"
                ride = house.says(how, newest[how], "ask" if step == "new" else step)
                known[ride.id] = ride
            case "person":
                {
                    "out": lambda: house.session.take_out(house.now),
                    "back": house.session.put_back,
                    "release": lambda: house.session.release(house.now),
                }[how]()
            case "time":
                house.now += how
            case _:
                house.works = how
        before = {id_: ride.phase for id_, ride in known.items()}
        await house.once()
        sound(house, known, before)
    house.session.put_back()
    for _ in range(4):  # nobody says anything any more
        house.now += LOST_S + 1
        await house.once()
    assert all(ride.ended and ride.reason for ride in known.values())
    assert house.session.rides == []


def sound(house: House, known: dict[str, Ride], before: dict[str, str]) -> None:
    session = house.session
    holding = [ride for ride in known.values() if ride.phase not in {"waiting", "ended"}]
    assert holding == ([session.holder] if session.holder else [])
    assert len({ride.robot for ride in session.rides}) == len(session.rides)
    if session.holder and session.occupant:
        assert session.holder.robot == session.occupant
    if session.holder and session.holder.phase in {"boarded", "moving", "arrived"}:
        assert session.occupant == session.holder.robot
    assert all(known[id_].ended for id_, phase in before.items() if phase == "ended")
