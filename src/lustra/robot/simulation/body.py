"""What a virtual robot is at this moment, and the changes that any of its parts may make to it.

Its parts (doors, energy, a person at the wheels) are functions over a Body; the Machine is a Body that obeys commands
and lets time pass.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

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
from lustra.robot.navigation.run import ML_PER_M2, Run
from lustra.robot.simulation.doors import Gate
from lustra.robot.simulation.elevator_trip import RideState
from lustra.robot.simulation.faults import FAULTS
from lustra.robot.simulation.parameters import DEFAULTS
from lustra.robot.simulation.teleoperation import Teleoperation
from lustra.robot.simulation.utilities import Utilities

Array = NDArray[np.float64]
Then = Literal["clean", "dock", "refill", "back", "rest", "look", "lift", "board", "leave"]


@dataclass
class Transit:
    """A drive without cleaning, and what comes after it."""

    drive: Drive
    then: Then
    t: float = 0.0


@dataclass
class Body:
    sn: str
    tell: Callable[[Report], None]
    floor: Floor | None = None
    x: float = 0.0
    y: float = 0.0
    yaw: float = 0.0
    battery: float = 80.0
    liquid: float = 90.0
    total: float = 0.0
    factor: float = 1.0
    run: Run | None = None
    ended_run: Run | None = None  # just ended, with cells that are not sent yet
    transit: Transit | None = None
    charging: bool = False
    berth: XY | None = None  # where it charged last: of several chargers the one next to it is its own
    paused: bool = False
    paused_by: str = ""  # the catalogue's code, where it was not asked for
    emergency: bool = False
    locked: bool = False  # the brake is set
    serial: bool = True  # the line to the wheels' controller is open
    dose: float = ML_PER_M2
    rate: float = 0.0  # 0 standing, 1 as the timetable says
    speed: float = 0.0
    faults: dict[str, bool] = field(default_factory=dict[str, bool])
    fresh: list[NDArray[np.int64]] = field(default_factory=list[NDArray[np.int64]])  # cells since the last message
    lattices: Callable[[Floor], Lattice] = lambda f: Lattice(f.blocked, f.resolution)
    worlds: Callable[[Floor], Floor] = lambda f: f  # what a floor really looks like
    world: Floor | None = None  # where it stands without a map
    gate: Gate = field(default_factory=Gate)
    params: dict[str, float] = field(default_factory=lambda: dict(DEFAULTS))
    hand: Teleoperation = field(default_factory=Teleoperation)
    utilities: Utilities = field(default_factory=Utilities)
    mapping: Mapping | None = None
    ride: RideState = field(default_factory=RideState)
    previous_floor: Floor | None = None  # the map that was loaded when it began to draw

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(int.from_bytes(self.sn.encode(), "big"))
        self.belief = Belief(self.rng)

    @property
    def sent(self) -> bool:
        """A person, or an empty battery, sent it somewhere; a paused run does not keep it from going there."""
        return self.transit is not None and self.transit.then in {"dock", "refill", "rest"}

    @property
    def halted(self) -> bool:
        """Stands still."""
        held = self.emergency or self.locked or self.hand.on or not self.serial
        return held or (self.paused and not self.sent) or any(FAULTS[f].stops for f in self.faults)

    @property
    def cleaning(self) -> bool:
        return self.run is not None and self.transit is None and not self.charging

    @property
    def working(self) -> bool:
        """Its tools turn."""
        return self.cleaning and not self.halted

    @property
    def busy(self) -> bool:
        going = self.run or self.transit or self.mapping or self.hand.on or self.ride.under_way
        return bool(going) or bool(self.faults) or self.emergency

    @property
    def standing(self) -> bool:
        return not self.rate and not self.hand.moving

    @property
    def help(self) -> str:
        return next((FAULTS[f].help for f in self.faults if FAULTS[f].help), "")

    @property
    def surroundings(self) -> Floor | None:
        """What is really there."""
        if self.mapping:
            return self.mapping.world
        return self.worlds(self.floor) if self.floor else self.world

    # What its parts change

    def pause(self, by: str = "") -> None:
        if not self.run:
            raise RobotRefusal(RelayCode.CONFLICT, "task_none_running", "No task is running")
        if not self.paused:
            self.run.pauses += 1
            self.paused_by = by
            self.run.faults += [by] if by and by not in self.run.faults else []
        self.paused = True

    def travel(self, drive: Drive, then: Then) -> None:
        self.transit, self.charging = Transit(drive, then), False

    def place(self, x: float, y: float, yaw: float, *, charging: bool) -> None:
        self.x, self.y, self.yaw, self.charging = x, y, yaw, charging
        self.berth = (x, y) if charging else self.berth

    def go_along(self, line: Array) -> None:
        """It has driven this line: a run counts it, and a wrong belief shows."""
        if self.run:
            self.run.add_line(line)
        if self.belief.mistaken and self.belief.notices_mistake(float(np.hypot(*np.diff(line, axis=0).T).sum())):
            self.faults["lost"] = True

    def discard_fresh_cells(self) -> None:
        """The cells so far are not sent to anybody."""
        self.ended_run = None
        self.fresh.clear()

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
        self.liquid = min(self.liquid, fault.liquid or 100.0)
        if name == "lost":
            self.belief.lose()
        self.charging = self.charging and fault.docks
        if not fault.wheels:
            self.hand.stop()
        if self.run:
            self.run.faults.append(name)
            self.pause(fault.pauses) if fault.pauses else None

    def confirm_pose(self, pose: tuple[float, float, float]) -> None:
        """It has seen where it is."""
        self.belief.correct((self.x, self.y, self.yaw), pose)
        for name in ("lost", "low_positioning_accuracy"):
            self.faults.pop(name, None)
