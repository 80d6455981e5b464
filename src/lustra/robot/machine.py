"""The virtual robot itself: a pure step over a clock.

It knows no network and no disk: it reads commands (methods), steps, and reports what happened through `tell`. A factor
multiplies velocities, flows, battery and charge; times in reports stay those of the true clock.
"""

import math
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from lustra.protocol.bus import End, Mode, Report, State
from lustra.protocol.geometry import XY
from lustra.protocol.payloads.tasks import Task
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot import doors, energy, machine_state, manual_mode, navigation
from lustra.robot.drive import Drive, timetable
from lustra.robot.elevator_trip import RideState
from lustra.robot.faults import FAULTS
from lustra.robot.floor import Floor
from lustra.robot.lattice import Lattice
from lustra.robot.localization import Belief
from lustra.robot.mapping import Mapping
from lustra.robot.parameters import DEFAULTS
from lustra.robot.planner import Plan
from lustra.robot.run import ML_PER_M2, Run
from lustra.robot.teleoperation import Teleoperation
from lustra.robot.utilities import Utilities

Array = NDArray[np.float64]
Then = Literal["clean", "dock", "refill", "back", "rest", "look", "lift", "board", "leave"]
BRAKE_S = 0.6  # s from full speed to standstill and back
LONGEST_STEP = 1.25  # s of the robot's own time that one piece of a step is long


@dataclass
class Transit:
    """A drive without cleaning, and what comes after it."""

    drive: Drive
    then: Then
    t: float = 0.0


@dataclass
class Machine:
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
    gate: doors.Gate = field(default_factory=doors.Gate)
    params: dict[str, float] = field(default_factory=lambda: dict(DEFAULTS))
    hand: Teleoperation = field(default_factory=Teleoperation)
    utilities: Utilities = field(default_factory=Utilities)
    mapping: Mapping | None = None
    ride: RideState = field(default_factory=RideState)
    previous_floor: Floor | None = None  # the map that was loaded when it began to draw

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(int.from_bytes(self.sn.encode(), "big"))
        self.belief = Belief(self.rng)

    # What it is doing

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
    def mode(self) -> Mode:
        return machine_state.mode(self)

    @property
    def help(self) -> str:
        return next((FAULTS[f].help for f in self.faults if FAULTS[f].help), "")

    def state(self, at: int) -> State:
        return machine_state.state_message(self, at)

    @property
    def surroundings(self) -> Floor | None:
        """What is really there."""
        if self.mapping:
            return self.mapping.world
        return self.worlds(self.floor) if self.floor else self.world

    # What people command

    def check_ready(self) -> None:
        """Refused while it may not drive by itself."""
        if self.emergency:
            raise RobotRefusal(0x0535, "0x0535", "Emergency stop is pressed")
        if self.hand.on:
            raise RobotRefusal(0x0536, "0x0536", "The robot is driven by hand")
        if self.mapping:
            raise RobotRefusal(RelayCode.CONFLICT, "map_building", "The robot is building a map")
        if self.ride.aboard:
            raise RobotRefusal(RelayCode.CONFLICT, "lift_riding", "The robot is in a lift")
        if self.locked:
            raise RobotRefusal(RelayCode.CONFLICT, "brake_set", "The brake is set")
        if "lost" in self.faults:
            raise RobotRefusal(RelayCode.CONFLICT, "position_unconfirmed", "The robot does not know where it is")

    def start(self, task: Task, floor: Floor, plan: Plan, now_ms: int) -> Run:
        if self.run:
            raise RobotRefusal(RelayCode.CONFLICT, "task_running", "Another task is running")
        self.check_ready()
        if any(not FAULTS[f].starts for f in self.faults):
            raise RobotRefusal(RelayCode.CONFLICT, "fault_first", "The robot's fault must be solved first")
        transit = timetable(navigation.path_to(self, plan.path[0]), self.yaw, self.params["speed_moving"])
        drive = timetable(plan.path, float(transit.yaws[-1]), self.params[f"speed_{task.speed}"])
        self.run = Run(secrets.token_hex(8), task, floor, plan, drive, now_ms, self.battery, self.factor)
        self.transit = Transit(transit, "clean")
        self.utilities.begin(task.clean_mode)
        self.discard_fresh_cells()
        self.paused = self.charging = False
        return self.run

    def discard_fresh_cells(self) -> None:
        """The cells so far are not sent to anybody."""
        self.ended_run = None
        self.fresh.clear()

    def pause(self, by: str = "") -> None:
        if not self.run:
            raise RobotRefusal(RelayCode.CONFLICT, "task_none_running", "No task is running")
        if not self.paused:
            self.run.pauses += 1
            self.paused_by = by
            self.run.faults += [by] if by and by not in self.run.faults else []
        self.paused = True

    def resume(self) -> None:
        if not self.run:
            raise RobotRefusal(RelayCode.CONFLICT, "task_none_running", "No task is running")
        self.check_ready()
        self.paused = False
        if self.transit is None or self.transit.then not in {"clean", "back", "refill"}:
            self.return_to_run()

    def cancel(self, now_ms: int) -> None:
        if not self.run:
            raise RobotRefusal(RelayCode.CONFLICT, "task_none_running", "No task is running")
        self.end("cancelled", now_ms)
        self.transit = None

    def go_home(self) -> None:
        """To the charger; a run waits meanwhile and goes on when it is resumed."""
        self.check_ready()
        if not self.charging:
            self.send(navigation.to_charger(self, self.params["speed_moving"]), "dock")

    def send(self, drive: Drive, then: Then) -> None:
        """A person sends it somewhere: what runs waits."""
        if self.run and not self.paused:
            self.pause()
        self.travel(drive, then)

    def travel(self, drive: Drive, then: Then) -> None:
        self.transit, self.charging = Transit(drive, then), False

    def cancel_home(self) -> None:
        """Ends the drive that a person sent it on; a map is no longer explored."""
        if self.transit and self.transit.then in {"dock", "rest", "look"}:
            self.transit, self.rate = None, 0.0
        if self.mapping:
            self.mapping.explore = False

    def stop(self, *, pressed: bool) -> None:
        """The emergency stop; released, a run stays paused until somebody resumes it."""
        if pressed and not self.emergency and self.run:
            self.pause("0x0535")
        if pressed:
            self.hand.stop()
        self.emergency = pressed

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

    def load(self, floor: Floor, now_ms: int) -> None:
        """Another map: all tasks end. Of another place, the robot stands at its charger, else where there is most
        room; of the same place, it stands where it stood."""
        if "map_load_failed" in self.faults:
            raise RobotRefusal(RelayCode.FAILED, "map_load_failed", "The map cannot be loaded")
        if self.run:
            self.end("cancelled", now_ms)
        before = self.surroundings
        same = self.floor is not None and self.floor.name == floor.name
        self.transit, self.mapping, self.floor = None, None, floor
        manual_mode.take(self, on=False)
        if same or (before is not None and self.worlds(floor) is before):
            return
        self.charging = False
        if dock := floor.charger():
            self.place(dock.x, dock.y, dock.yaw, charging=True)
            return
        lattice = self.lattices(floor)
        row, column = np.unravel_index(int(lattice.distance.argmax()), lattice.distance.shape)
        (self.x, self.y), self.yaw = floor.to_metres(np.array([[column, row]]))[0].tolist(), 0.0

    def leave_floor(self) -> None:
        """It knows no map any more, so it goes nowhere."""
        self.transit = self.floor = self.berth = self.mapping = None
        manual_mode.take(self, on=False)
        self.discard_fresh_cells()

    def place(self, x: float, y: float, yaw: float, *, charging: bool) -> None:
        self.x, self.y, self.yaw, self.charging = x, y, yaw, charging
        self.berth = (x, y) if charging else self.berth

    def return_to_run(self) -> None:
        """Back to where the run was left."""
        if not self.run:
            return
        xy, yaw, _ = self.run.drive.poses(np.array([self.run.t]))
        self.charging = False
        if math.dist(xy[0], (self.x, self.y)) > 1e-6:  # noqa: PLR2004  (m: it is there already)
            self.travel(navigation.to_run(self, xy[0], float(yaw[0]), self.params["speed_moving"]), "back")

    # Time

    def step(self, now_ms: int, dt: float) -> None:
        """Lets `dt` true seconds pass that end at `now_ms`."""
        own = dt * self.factor
        if self.run and self.paused:
            self.run.paused_s += dt
        if self.hand.on:
            manual_mode.step(self, now_ms / 1000, dt)
        while own > 1e-9:  # noqa: PLR2004  (s: less is rounding)
            piece = min(own, LONGEST_STEP)
            own -= piece
            doors.pass_doors(self, now_ms / 1000 - own / self.factor, piece)
            self.move(now_ms, piece)
        self.belief.add_noise(self.rate)
        if self.mapping:
            self.update_mapping(self.mapping)

    def update_mapping(self, mapping: Mapping) -> None:
        """Sees, and while it explores drives on to where the map ends."""
        mapping.observe(self.x, self.y, self.yaw)
        if mapping.explore and not mapping.done and not self.transit and not self.halted:
            path = mapping.next_path((self.x, self.y))
            if path is not None:
                self.travel(timetable(path, self.yaw, self.params["speed_moving"]), "look")

    def move(self, now_ms: int, s: float) -> None:
        """One piece of the robot's own time: it brakes or speeds up, drives, uses what it uses."""
        before = self.rate
        leg = self.transit or (None if self.charging else self.run)
        goal = 1.0 if leg and not self.halted and not self.gate.barred else 0.0
        self.rate = before + max(-s / BRAKE_S, min(s / BRAKE_S, goal - before))
        ramp = abs(self.rate - before) * BRAKE_S
        driven_s = ramp * (before + self.rate) / 2 + (s - ramp) * self.rate
        if driven_s > 0:
            self.advance(now_ms, driven_s)
        elif not self.hand.on:
            self.speed = 0.0
        energy.use(self, s)
        if self.charging:
            energy.charge(self, s)
        elif self.run and not self.halted and energy.low(self):
            energy.leave_for_charger(self)

    def advance(self, now_ms: int, s: float) -> None:
        """Seconds of driving; what one leg leaves of them belongs to the next."""
        while s > 0 and not (self.charging and not self.transit):
            leg = self.transit or self.run
            if leg is None:
                return
            t = min(leg.t + s, leg.drive.seconds)
            self.follow(leg.drive, leg.t, t, cleans=leg is self.run)
            s -= t - leg.t
            leg.t = t
            if t < leg.drive.seconds:
                return
            if isinstance(leg, Transit):
                self.arrive(leg)
                if self.halted:
                    return
            else:
                self.end("finished", now_ms)
                self.drive_home()

    def follow(self, drive: Drive, t0: float, t1: float, *, cleans: bool) -> None:
        line, self.yaw, speed = drive.leg(t0, t1)
        self.x, self.y = line[-1].tolist()
        self.speed = speed * self.rate * self.factor
        self.go_along(line)
        if self.run and cleans:
            fresh, used = self.run.clean(line, self.dose)
            self.total += len(fresh) * self.run.floor.resolution**2
            self.liquid = max(0.0, self.liquid - used / energy.TANK_ML * 100)
            if len(fresh):
                self.fresh.append(fresh)

    def go_along(self, line: Array) -> None:
        """It has driven this line: a run counts it, and a wrong belief shows."""
        if self.run:
            self.run.add_line(line)
        if self.belief.mistaken and self.belief.notices_mistake(float(np.hypot(*np.diff(line, axis=0).T).sum())):
            self.faults["lost"] = True

    def arrive(self, transit: Transit) -> None:
        self.transit = None
        if transit.then in {"rest", "look", "lift", "board", "leave"}:
            self.rate = 0.0
        if transit.then in {"dock", "refill"}:
            self.place(self.x, self.y, self.yaw, charging=all(FAULTS[f].docks for f in self.faults))

    def drive_home(self) -> None:
        """After a run to the charger, where there is one and a way to it."""
        try:
            self.travel(navigation.to_charger(self, self.params["speed_moving"]), "dock")
        except RobotRefusal:
            self.transit = None

    def end(self, end: End, now_ms: int) -> None:
        if self.run:
            report = self.run.report(now_ms, end, self.battery)
            self.ended_run, self.run, self.paused = self.run, None, False
            self.utilities.end()
            self.tell(msgspec.structs.replace(report, factor=self.factor))
