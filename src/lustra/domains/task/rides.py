"""Which elevators planned work will want, and where two robots want one at once.

Rules: a robot rides before a unit on another floor than the one before it, and home in the end; its home is the floor
that it stands on in the registry. A schedule that names an elevator waits for that one, if it serves both floors; any
other takes one that does and is free. Who comes later waits. A ride takes as long as those of its elevator took lately;
RIDE, where there are too few. Times are estimates: nobody has ridden yet.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from lustra.domains.task.calendar import Entry, mark, open_entries

RIDE = timedelta(minutes=3)  # that one holds its elevator: it comes, doors, a few floors, doors, the robot is out
STEP = timedelta(minutes=5)  # starts are proposed on such minutes
FURTHEST = 36  # steps: three hours later is another plan
NONE = timedelta(0)


@dataclass(frozen=True, slots=True)
class Lift:
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
    lift: Lift
    start: datetime
    wait: timedelta = NONE
    other: Entry | None = None

    @property
    def until(self) -> datetime:
        return self.start + self.wait + self.lift.ride


def legs(entry: Entry, place: Place, lifts: Sequence[Lift]) -> Iterator[Leg]:
    at, here = entry.start, place.home
    for unit, seconds in zip(entry.units, entry.spans, strict=True):
        floor = place.floors.get(unit.get("map", ""), "")
        if here and floor and floor != here:
            leg = Leg(at, here, floor)
            yield leg
            at += takes(entry, leg, lifts, place.building)
        here, at = floor or here, at + timedelta(seconds=seconds)
    if here and place.home and here != place.home:
        yield Leg(at, here, place.home)


def candidates(entry: Entry, leg: Leg, lifts: Sequence[Lift], building: str) -> list[Lift]:
    serving = [lift for lift in lifts if lift.building == building and {leg.origin, leg.target} <= lift.floors]
    return [lift for lift in serving if lift.code == entry.elevator] or serving


def takes(entry: Entry, leg: Leg, lifts: Sequence[Lift], building: str) -> timedelta:
    """With the slowest of those that it may get."""
    return max((lift.ride for lift in candidates(entry, leg, lifts, building)), default=RIDE)


def holder(lift: Lift, at: datetime, taken: Sequence[Ride], but: Entry) -> Ride | None:
    """Whoever is the last to hold it during a ride that begins then."""
    held = [
        one
        for one in taken
        if one.lift is lift and one.entry.device_id != but.device_id and one.start < at + lift.ride and at < one.until
    ]
    return max(held, key=lambda one: one.until, default=None)


def reckoned(found: Sequence[Entry], lifts: Sequence[Lift], places: Mapping[int, Place]) -> list[Ride]:
    """All rides in the order of their times; what has to wait is marked on both sides."""
    wanted = [
        (leg, entry, places[entry.device_id])
        for entry in open_entries(found)
        if entry.kind == "elevator_timetask" and entry.device_id in places
        for leg in legs(entry, places[entry.device_id], lifts)
    ]
    for leg, entry, place in wanted:
        entry.riding += takes(entry, leg, lifts, place.building)
    mark(found)
    taken: list[Ride] = []
    for leg, entry, place in sorted(wanted, key=lambda one: (one[0].start, one[1].device_id)):
        held = [(holder(lift, leg.start, taken, entry), lift) for lift in candidates(entry, leg, lifts, place.building)]
        if not held:
            continue
        before, lift = min(held, key=lambda one: one[0].until if one[0] else leg.start)
        ride = Ride(entry, lift, leg.start)
        if before:
            ride.wait, ride.other = max(before.until - leg.start, NONE), before.entry
            for one in (entry, before.entry):
                one.conflict = one.conflict or "lift"
        taken.append(ride)
    return taken


def later(ride: Ride, taken: Sequence[Ride], lifts: Sequence[Lift], place: Place) -> datetime | None:
    """The next start of its schedule, on full five minutes, at which nothing has to wait."""
    entry = ride.entry
    others = [one for one in taken if one.entry is not entry]
    first = entry.start.replace(second=0, microsecond=0)
    first -= timedelta(minutes=first.minute % 5)
    for steps in range(1, FURTHEST + 1):
        start = first + steps * STEP
        shift = start - entry.start
        moved = [Leg(leg.start + shift, leg.origin, leg.target) for leg in legs(entry, place, lifts)]
        if all(
            any(
                holder(lift, leg.start, others, entry) is None for lift in candidates(entry, leg, lifts, place.building)
            )
            for leg in moved
        ):
            return start
    return None
