"""Which elevators planned work will want, and where two robots want one at once.

Rules: a robot rides before a unit on another floor than the one before it, and home in the end; its home is the floor
that it stands on in the registry. A schedule that names an elevator waits for that one, if it serves both floors; any
other takes one that does and is free. Who comes later waits. A ride takes as long as those of its elevator took lately;
RIDE, where there are too few. Times are estimates: nobody has ridden yet.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from lustra.domains.task.calendar import Entry, mark_overlaps, open_entries

RIDE = timedelta(minutes=3)  # that one holds its elevator: it comes, doors, a few floors, doors, the robot is out
STEP = timedelta(minutes=5)  # starts are proposed on such minutes
MOST_STEPS = 36  # steps: three hours later is another plan
NO_TIME = timedelta(0)


@dataclass(frozen=True, slots=True)
class Elevator:
    code: str
    name: str
    building: str
    floors: frozenset[str]
    ride: timedelta = RIDE


@dataclass(frozen=True, slots=True)
class Place:
    """Where a robot is at home, and the floors of its maps."""

    building: str
    home: str
    floors: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Leg:
    start: datetime
    origin: str
    target: str


@dataclass(slots=True)
class Ride:
    """`wait`: until the robot before it, that of `other`, is out."""

    entry: Entry
    elevator: Elevator
    start: datetime
    wait: timedelta = NO_TIME
    other: Entry | None = None

    @property
    def until(self) -> datetime:
        return self.start + self.wait + self.elevator.ride


def list_legs(entry: Entry, place: Place, elevators: Sequence[Elevator]) -> Iterator[Leg]:
    at, here = entry.start, place.home
    for unit, seconds in zip(entry.units, entry.spans, strict=True):
        floor = place.floors.get(unit.get("map", ""), "")
        if here and floor and floor != here:
            leg = Leg(at, here, floor)
            yield leg
            at += longest_ride(entry, leg, elevators, place.building)
        here, at = floor or here, at + timedelta(seconds=seconds)
    if here and place.home and here != place.home:
        yield Leg(at, here, place.home)


def usable_elevators(entry: Entry, leg: Leg, elevators: Sequence[Elevator], building: str) -> list[Elevator]:
    serving = [
        elevator
        for elevator in elevators
        if elevator.building == building and {leg.origin, leg.target} <= elevator.floors
    ]
    return [elevator for elevator in serving if elevator.code == entry.elevator] or serving


def longest_ride(entry: Entry, leg: Leg, elevators: Sequence[Elevator], building: str) -> timedelta:
    """How long the slowest elevator takes that the robot may be given for this leg."""
    return max((elevator.ride for elevator in usable_elevators(entry, leg, elevators, building)), default=RIDE)


def last_holder(elevator: Elevator, at: datetime, rides: Sequence[Ride], rider: Entry) -> Ride | None:
    """Whoever is the last to hold it during a ride that begins then."""
    held = [
        ride
        for ride in rides
        if ride.elevator is elevator
        and ride.entry.device_id != rider.device_id
        and ride.start < at + elevator.ride
        and at < ride.until
    ]
    return max(held, key=lambda ride: ride.until, default=None)


def plan_rides(entries: Sequence[Entry], elevators: Sequence[Elevator], places: Mapping[int, Place]) -> list[Ride]:
    """All rides in the order of their times; what has to wait is marked on both sides."""
    legs_to_ride = [
        (leg, entry, places[entry.device_id])
        for entry in open_entries(entries)
        if entry.kind == "elevator_timetask" and entry.device_id in places
        for leg in list_legs(entry, places[entry.device_id], elevators)
    ]
    for leg, entry, place in legs_to_ride:
        entry.riding += longest_ride(entry, leg, elevators, place.building)
    mark_overlaps(entries)
    rides: list[Ride] = []
    for leg, entry, place in sorted(legs_to_ride, key=lambda item: (item[0].start, item[1].device_id)):
        held = [
            (last_holder(elevator, leg.start, rides, entry), elevator)
            for elevator in usable_elevators(entry, leg, elevators, place.building)
        ]
        if not held:
            continue
        before, elevator = min(held, key=lambda candidate: candidate[0].until if candidate[0] else leg.start)
        ride = Ride(entry, elevator, leg.start)
        if before:
            ride.wait, ride.other = max(before.until - leg.start, NO_TIME), before.entry
            for blocked in (entry, before.entry):
                blocked.conflict = blocked.conflict or "lift"
        rides.append(ride)
    return rides


def find_free_start(ride: Ride, rides: Sequence[Ride], elevators: Sequence[Elevator], place: Place) -> datetime | None:
    """The next start of its schedule, on full five minutes, at which nothing has to wait."""
    entry = ride.entry
    others = [other_ride for other_ride in rides if other_ride.entry is not entry]
    first = entry.start.replace(second=0, microsecond=0)
    first -= timedelta(minutes=first.minute % 5)
    for steps in range(1, MOST_STEPS + 1):
        start = first + steps * STEP
        shift = start - entry.start
        moved = [Leg(leg.start + shift, leg.origin, leg.target) for leg in list_legs(entry, place, elevators)]
        if all(
            any(
                last_holder(elevator, leg.start, others, entry) is None
                for elevator in usable_elevators(entry, leg, elevators, place.building)
            )
            for leg in moved
        ):
            return start
    return None
