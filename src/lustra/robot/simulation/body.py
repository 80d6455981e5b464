"""What a virtual robot is at this moment, and the changes that any of its parts may make to it.

Its parts (doors, energy, a person at the wheels) are functions over a Body; the Machine is a Body that obeys commands
and lets time pass.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lustra.protocol.bus import Report
from lustra.protocol.geometry import XY
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.maps.floor import Floor
from lustra.robot.navigation.drive import Drive
from lustra.robot.navigation.lattice import Lattice
from lustra.robot.navigation.localization import Belief
from lustra.robot.navigation.mapping import Mapping
from lustra.robot.navigation.run import Run
from lustra.robot.simulation.activity import Activity, Charging, Cleaning, Driving, Hold, Holds, Idle, Then
from lustra.robot.simulation.doors import Gate
from lustra.robot.simulation.elevator_trip import RideState
from lustra.robot.simulation.faults import FAULTS
from lustra.robot.simulation.parameters import DEFAULTS
from lustra.robot.simulation.tanks import Tanks
from lustra.robot.simulation.teleoperation import Teleoperation
from lustra.robot.simulation.utilities import Utilities

SOFTWARE = version("lustra")
Array = NDArray[np.float64]


class Pose(NamedTuple):
    """In the frame of the map: m, and rad counter-clockwise from +x."""

    x: float = 0.0
    y: float = 0.0
    yaw: float = 0.0

    @property
    def xy(self) -> XY:
        return self.x, self.y


@dataclass
class Environment:
    """What is really there, and what is known of ways over a floor. `unmapped`: where it stands without a map."""

    lattice: Callable[[Floor], Lattice] = lambda floor: Lattice(floor.blocked, floor.resolution)
    real_floor: Callable[[Floor], Floor] = lambda floor: floor
    unmapped: Floor | None = None


@dataclass
class UnsentCells:
    """Cells that were cleaned since the last message, and the run that they are of where that has just ended."""

    fresh: list[NDArray[np.int64]] = field(default_factory=list[NDArray[np.int64]])
    ended_run: Run | None = None

    def discard(self) -> None:
        self.ended_run = None
        self.fresh.clear()


@dataclass
class Body:
    sn: str
    tell: Callable[[Report], None]
    floor: Floor | None = None
    pose: Pose = field(default_factory=Pose)
    battery: float = 80.0
    total: float = 0.0
    factor: float = 1.0
    software: str = SOFTWARE
    run: Run | None = None
    cells: UnsentCells = field(default_factory=UnsentCells)
    activity: Activity = field(default_factory=Idle)
    holds: Holds = field(default_factory=Holds)
    stops: int = 0  # holds that were ever laid: what was prepared before one does not begin after it
    berth: XY | None = None  # where it charged last: of several chargers the one next to it is its own
    rate: float = 0.0  # 0 standing, 1 as the timetable says
    speed: float = 0.0
    faults: dict[str, bool] = field(default_factory=dict[str, bool])
    environment: Environment = field(default_factory=Environment)
    gate: Gate = field(default_factory=Gate)
    params: dict[str, float] = field(default_factory=lambda: dict(DEFAULTS))
    hand: Teleoperation = field(default_factory=Teleoperation)
    utilities: Utilities = field(default_factory=Utilities)
    tanks: Tanks = field(default_factory=Tanks)
    mapping: Mapping | None = None
    ride: RideState = field(default_factory=RideState)
    belief: Belief = field(init=False)

    def __post_init__(self) -> None:
        self.belief = Belief(np.random.default_rng(int.from_bytes(self.sn.encode(), "big")))

    @property
    def liquid(self) -> float:
        """% in the emptiest of the tanks that a run uses up."""
        return self.tanks.supply

    @liquid.setter
    def liquid(self, level: float) -> None:
        self.tanks.set_supply(level)

    @property
    def transit(self) -> Driving | None:
        """The drive without cleaning that it is on."""
        return self.activity if isinstance(self.activity, Driving) else None

    @property
    def leg(self) -> Driving | Run | None:
        """What moves it on, if nothing holds it."""
        return self.activity.run if isinstance(self.activity, Cleaning) else self.transit

    @property
    def sent(self) -> bool:
        return self.transit is not None and self.transit.sent

    @property
    def halted(self) -> bool:
        """Whether something holds it, or a fault of it does."""
        holds = self.holds.keys() - ({Hold.PAUSE} if self.sent else set[Hold]())
        return bool(holds) or any(FAULTS[f].stops for f in self.faults)

    @property
    def paused(self) -> bool:
        return Hold.PAUSE in self.holds

    @property
    def paused_by(self) -> str:
        """The code of the fault that paused it; empty where a person did."""
        return self.holds.get(Hold.PAUSE, "")

    @property
    def charging(self) -> bool:
        return isinstance(self.activity, Charging)

    @property
    def cleaning(self) -> bool:
        return isinstance(self.activity, Cleaning)

    @property
    def working(self) -> bool:
        """Its tools turn."""
        return self.cleaning and not self.halted

    @property
    def busy(self) -> bool:
        job = self.run or self.transit or self.mapping or self.ride.under_way
        return bool(job) or bool(self.faults) or not self.holds.keys().isdisjoint({Hold.HAND, Hold.EMERGENCY})

    @property
    def standing(self) -> bool:
        return not self.rate and not self.hand.moving

    @property
    def help(self) -> str:
        return next((FAULTS[f].help for f in self.faults if FAULTS[f].help), "")

    @property
    def surroundings(self) -> Floor | None:
        """The floor as it really is, which the robot's map may not show."""
        if self.mapping:
            return self.mapping.world
        return self.environment.real_floor(self.floor) if self.floor else self.environment.unmapped

    # What its parts change

    def pause(self, by: str = "") -> None:
        if not self.run:
            raise RobotRefusal(RelayCode.CONFLICT, "task_none_running", "No task is running")
        if not self.paused:
            self.run.pauses += 1
            self.run.faults += [by] if by and by not in self.run.faults else []
            self.holds[Hold.PAUSE] = by

    def set_hold(self, hold: Hold, *, on: bool) -> None:
        if on:
            self.stops += 1
            self.holds.setdefault(hold, "")
        else:
            self.holds.pop(hold, None)

    def travel(self, drive: Drive, then: Then) -> None:
        self.activity = Driving(drive, then)

    def stop_driving(self) -> None:
        """The drive that it is on is over, or called off: back to its run, if it has one."""
        if self.transit:
            self.activity = self.own_work()

    def dock(self, *, on: bool) -> None:
        """Onto its charger, or off it."""
        if on:
            self.activity = Charging()
        elif self.charging:
            self.activity = self.own_work()

    def own_work(self) -> Idle | Cleaning:
        return Cleaning(self.run) if self.run else Idle()

    def place(self, x: float, y: float, yaw: float, *, charging: bool) -> None:
        self.pose = Pose(x, y, yaw)
        self.dock(on=charging)
        self.berth = (x, y) if charging else self.berth

    def go_along(self, line: Array) -> None:
        """It has driven this line: a run counts it, and a wrong belief shows."""
        if self.run:
            self.run.add_line(line)
        if self.belief.mistaken and self.belief.notices_mistake(float(np.hypot(*np.diff(line, axis=0).T).sum())):
            self.faults["lost"] = True

    def fault(self, name: str, *, on: bool) -> None:
        if name not in FAULTS:
            raise RobotRefusal(RelayCode.BAD_INPUT, "fault_unknown", "There is no such fault", "name")
        if not on:
            self.faults.pop(name, None)
            if name == "lost":
                self.belief.reset()
            return
        fault = FAULTS[name]
        self.faults[name] = True
        self.battery = min(self.battery, fault.battery or 100.0)
        if fault.liquid is not None:
            self.tanks.lower(fault.liquid, fault.tank)
        if name == "lost":
            self.belief.lose()
        self.dock(on=self.charging and fault.docks)
        if not fault.wheels:
            self.hand.stop()
        if self.run:
            self.run.faults.append(name)
            self.pause(fault.pauses) if fault.pauses else None

    def confirm_pose(self, pose: tuple[float, float, float]) -> None:
        """Takes a pose as certain, because the robot has seen where it is."""
        self.belief.correct(self.pose, pose)
        for name in ("lost", "low_positioning_accuracy"):
            self.faults.pop(name, None)
