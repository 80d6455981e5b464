"""Who rides one elevator: a pure state machine over the wishes of robots and people and the state of the elevator.

Rules: one holder at a time, the others wait in the order of asking. Wishes may come twice and late: what has ended
stays ended. A person's command wins over any robot's. A robot that stands in the cabin is its `occupant` until it has
left or a person declares the cabin empty: meanwhile nobody else is given the elevator. Each phase has its time; a robot
whose wishes stop is lost, and its ride ends. An order is repeated until the elevator has done it, so either side may
restart at any time.
"""

from dataclasses import dataclass, field
from typing import Literal

from lustra.protocol.bus import RidePhase, RideStep

Door = Literal["open", "closed", "between"]
LOST_S = 20.0  # without a wish for so long
MOST_S: dict[RidePhase, float] = {  # that a phase may last
    "reserved": 600.0,
    "coming": 180.0,
    "open": 90.0,
    "boarded": 30.0,
    "moving": 180.0,
    "arrived": 90.0,
}
LATE: dict[RidePhase, str] = {
    "reserved": "lift_full",
    "coming": "lift_never_came",
    "open": "lift_not_boarded",
    "arrived": "lift_not_left",
}
STUCK = "lift_stuck"  # every other phase that lasts too long
MOST_ENDED = 50  # rides that are remembered for those who ask again


@dataclass(frozen=True, slots=True)
class ElevatorState:
    """The state that an elevator reports. `held`: it is reserved for us. `bound`: where it is going, empty at rest."""

    held: bool
    floor: str
    door: Door
    bound: str = ""

    def stands(self, floor: str) -> bool:
        return self.floor == floor and self.bound in {"", floor}


@dataclass(frozen=True, slots=True)
class Order:
    action: Literal["reserve", "call", "go", "open", "release"]
    floor: str = ""


@dataclass
class Ride:
    """`origin` is empty where a robot woke up in the cabin. `since`: when its phase began."""

    id: str
    robot: str
    origin: str
    target: str
    seen_at: float
    since: float
    phase: RidePhase = "waiting"
    inside: bool = False
    factor: float = 1.0
    reason: str = ""

    @property
    def ended(self) -> bool:
        return self.phase == "ended"


@dataclass
class Session:
    """One elevator. `out`: a person has taken it out of service."""

    queue: list[Ride] = field(default_factory=list[Ride])
    holder: Ride | None = None
    occupant: str = ""
    out: bool = False
    over: list[Ride] = field(default_factory=list[Ride])

    @property
    def rides(self) -> list[Ride]:
        """Rides that have not ended; the one that holds the elevator comes first."""
        return [*([self.holder] if self.holder else []), *self.queue]

    def ahead(self, ride: Ride) -> int:
        return next((place for place, other in enumerate(self.rides) if other is ride), 0)

    # What robots want

    def wish(self, robot: str, wish: Ride, step: RideStep, now: float) -> Ride:
        """The ride as it stands then; `wish` is how the robot knows it."""
        if not robot or not wish.id:
            raise ValueError("a ride needs a robot and a name")
        ride = self._known(robot, wish.id)
        if ride is None:
            ride = self._new(wish, step, now)
        if ride.ended:
            return ride
        ride.seen_at, ride.factor = now, wish.factor
        match step:
            case "inside":
                self._inside(ride, now)
            case "left":
                self._vacate(ride)
                self._end(ride, "done" if ride.phase == "arrived" else "lift_left_early", now)
            case "cancel" if self.occupant != robot:  # who is inside has to get out
                self._end(ride, "cancelled", now)
            case _:
                pass
        return ride

    def _known(self, robot: str, id_: str) -> Ride | None:
        return next((other for other in (*self.rides, *self.over) if (other.robot, other.id) == (robot, id_)), None)

    def _new(self, ride: Ride, step: RideStep, now: float) -> Ride:
        """A robot has one ride at a time: a new one ends its former one."""
        if step in {"left", "cancel"}:
            if step == "left" and self.occupant == ride.robot:
                self.occupant = ""
            self.over.append(ride)
            ride.phase, ride.reason = "ended", "done" if step == "left" else "cancelled"
            return ride
        for former in [other for other in self.rides if other.robot == ride.robot]:
            self._end(former, "lift_asked_anew", now)
        if step == "ask" and self.out:
            self._end(ride, "lift_out_of_service", now)
        else:
            self.queue.append(ride)
        return ride

    def _inside(self, ride: Ride, now: float) -> None:
        if self.occupant not in {"", ride.robot}:
            self._end(ride, "lift_occupied", now)
            return
        if not ride.inside and (ride is not self.holder or ride.phase in {"waiting", "reserved", "coming"}):
            ride.origin = ""  # it is in there already: nothing has to come
        self.occupant, ride.inside = ride.robot, True
        if self.holder and self.holder.robot != ride.robot:  # it waits on: the cabin is not empty after all
            self.queue.insert(0, self.holder)
            self._turn(self.holder, "waiting", now)
            self.holder = None
        if ride is self.holder and ride.phase in {"coming", "open"}:
            self._turn(ride, "boarded", now)

    # What people want

    def take_out(self, now: float) -> None:
        """Their hand wins: whoever rides loses the elevator; one that is inside may ask on, and waits."""
        self.out = True
        for ride in self.rides:
            if ride is self.holder or not ride.inside:
                self._end(ride, "lift_out_of_service", now)

    def put_back(self) -> None:
        self.out = False

    def release(self, now: float) -> None:
        """A person has looked: the cabin is empty, and nobody in the queue stands in it either."""
        for ride in self.rides:
            if ride is self.holder or ride.inside:
                self._end(ride, "lift_released", now)
        self.occupant = ""

    # Time

    def step(self, seen: ElevatorState, now: float) -> Order | None:
        """The order for the elevator now, if any."""
        self._too_late(now)
        if self.holder is None:
            if seen.held:
                return Order("release")
            self._next(now)
        ride = self.holder
        if ride is None:
            return None
        if not seen.held and ride.phase != "reserved":  # the elevator has forgotten us
            return Order("reserve")
        order = self._order(ride, seen, now)
        while order is None and ride is self.holder:  # phases that are over at once
            before = ride.phase
            order = self._order(ride, seen, now)
            if ride.phase == before:
                break
        return order

    def _next(self, now: float) -> None:
        """Who is inside goes first, and while somebody is, nobody else."""
        may = [other for other in self.queue if self.occupant in {"", other.robot}]
        if self.out or not may:
            return
        self.holder = next((other for other in may if other.inside), may[0])
        self.queue.remove(self.holder)
        self._turn(self.holder, "reserved", now)

    def _order(self, ride: Ride, seen: ElevatorState, now: float) -> Order | None:
        match ride.phase:
            case "reserved" if not seen.held:
                return Order("reserve")
            case "reserved":
                self._turn(ride, "boarded" if ride.inside else "coming", now)
            case "coming":
                return self._bring(ride, Order("call", ride.origin), "open", seen, now)
            case "boarded":
                self._turn(ride, "moving", now)
            case "moving":
                return self._bring(ride, Order("go", ride.target), "arrived", seen, now)
            case _ if seen.door != "open":
                return Order("open")
            case _:
                pass
        return None

    def _bring(self, ride: Ride, order: Order, next_phase: RidePhase, seen: ElevatorState, now: float) -> Order | None:
        """To a floor, and the door open there; one that stands open already is as good."""
        if not seen.stands(order.floor):
            return None if seen.bound == order.floor else order
        if seen.door == "open":
            self._turn(ride, next_phase, now)
        return Order("open") if seen.door == "closed" else None

    def _too_late(self, now: float) -> None:
        for ride in self.rides:
            if now - ride.seen_at > LOST_S:
                self._end(ride, "robot_lost", now)
            elif ride is self.holder and now - ride.since > MOST_S.get(ride.phase, now):
                self._end(ride, LATE.get(ride.phase, STUCK), now)

    def failed(self, reason: str, now: float) -> None:
        """The elevator's server refused the order: the ride that holds the elevator ends."""
        if self.holder:
            self._end(self.holder, reason, now)

    # Changes

    def _turn(self, ride: Ride, phase: RidePhase, now: float) -> None:
        ride.phase, ride.since = phase, now

    def _vacate(self, ride: Ride) -> None:
        if self.occupant == ride.robot:
            self.occupant = ""

    def _end(self, ride: Ride, reason: str, now: float) -> None:
        if ride.ended:
            return
        self._turn(ride, "ended", now)
        ride.reason = reason
        if ride is self.holder:
            self.holder = None
        self.queue = [other for other in self.queue if other is not ride]
        self.over = [*self.over, ride][-MOST_ENDED:]
