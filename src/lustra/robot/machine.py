"""The virtual robot itself: a pure step over a clock.

It knows no network and no disk: it reads commands (methods), steps, and says what happened through `tell`. A factor
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

from lustra.protocol.bus import Banner, End, Mode, Report, State
from lustra.protocol.geometry import XY
from lustra.protocol.payloads.tasks import Task
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.drive import TRANSIT, Drive, timetable
from lustra.robot.faults import FAULTS
from lustra.robot.floor import Floor
from lustra.robot.lattice import Lattice, Vertex
from lustra.robot.planner import Plan
from lustra.robot.run import Run, timed

Array = NDArray[np.float64]
Then = Literal["clean", "dock", "refill", "back", "rest"]
DRAIN_DRIVE, DRAIN_CLEAN, DRAIN_REST, CHARGE = 10.0, 25.0, 1.5, 60.0  # % an hour
LOW, ENOUGH, WARN = 15.0, 90.0, 20.0  # % of battery: goes to charge, goes on, banner
TANK_ML, REFILL_ML_S, DRY, LIQUID_WARN = 10_000.0, 40.0, 1.5, 10.0
BRAKE_S = 0.6  # s from full speed to standstill and back
DOCK_WITHIN = 1.5  # m from a charger to where the robot's centre can be
NOISE_M, NOISE_RAD = 0.006, 0.004
LONGEST_STEP = 1.0  # s of the robot's own time that one piece of a step is long


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
    over: Run | None = None  # just ended, with cells that are not told yet
    transit: Transit | None = None
    charging: bool = False
    berth: XY | None = None  # where it charged last: of several chargers the one next to it is its own
    paused: bool = False
    emergency: bool = False
    rate: float = 0.0  # 0 standing, 1 as the timetable says
    speed: float = 0.0
    faults: dict[str, bool] = field(default_factory=dict[str, bool])
    fresh: list[NDArray[np.int64]] = field(default_factory=list[NDArray[np.int64]])  # cells cleaned since last told
    lattices: Callable[[Floor], Lattice] = lambda f: Lattice(f.blocked, f.resolution)
    wander: Array = field(default_factory=lambda: np.zeros(3))

    def __post_init__(self) -> None:
        self.dice = np.random.default_rng(int.from_bytes(self.sn.encode(), "big"))

    # What it is doing

    @property
    def halted(self) -> bool:
        """Stands still. A paused run does not keep the robot from its charger."""
        homing = self.transit is not None and self.transit.then in {"dock", "refill"}
        return self.emergency or (self.paused and not homing) or any(FAULTS[f].stops for f in self.faults)

    @property
    def cleaning(self) -> bool:
        return self.run is not None and self.transit is None and not self.charging

    @property
    def busy(self) -> bool:
        return self.run is not None or self.transit is not None or bool(self.faults) or self.emergency

    @property
    def mode(self) -> Mode:
        if self.emergency:
            return "emergency"
        if self.run and self.paused:
            return "paused"
        if self.charging:
            return "charging"
        if self.transit:
            return "moving"
        return "cleaning" if self.run else "idle"

    @property
    def help(self) -> str:
        return next((FAULTS[f].help for f in self.faults if FAULTS[f].help), "")

    def banners(self) -> list[Banner]:
        out: list[Banner] = []
        if self.floor is None:
            out.append("map_not_selected")
        if self.battery < WARN and not self.charging:
            out.append("low_battery")
        if self.liquid < LIQUID_WARN:
            out.append("disinfectant_level")
        if self.emergency:
            out.append("emergency_stop")
        return out + [b for f in self.faults if (b := FAULTS[f].banner) and b not in out]

    @property
    def uncertainty(self) -> float:
        return 0.04 + 0.02 * self.rate + max((FAULTS[f].uncertainty for f in self.faults), default=0.0)

    def left_s(self) -> float:
        """Seconds until the run is done, as far as can be known."""
        if not self.run:
            return 0.0
        way = self.transit.drive.seconds - self.transit.t if self.transit else 0.0
        return (way + self.run.drive.seconds - self.run.t) / self.factor

    def state(self, at: int) -> State:
        """What it believes of itself: the pose carries the noise of its localisation."""
        run, (nx, ny, nyaw) = self.run, self.wander.tolist()
        yaw = math.remainder(self.yaw + nyaw, 2 * math.pi)
        return State(
            at=at, mode=self.mode, x=round(self.x + nx, 3), y=round(self.y + ny, 3), yaw=round(yaw, 4),
            battery=round(self.battery, 1), liquid=round(self.liquid, 1), map=self.floor.name if self.floor else "",
            map_revision=self.floor.revision if self.floor else 0, speed=round(self.speed, 2),
            uncertainty=round(self.uncertainty, 3), task=run.task.name if run else "", run=run.id if run else "",
            progress=round(min(1.0, run.t / max(run.drive.seconds, 1e-9)), 4) if run else 0.0,
            cleaned=round(run.cleaned, 2) if run else 0.0, planned=round(run.planned, 2) if run else 0.0,
            remaining_s=round(self.left_s(), 1), total=round(self.total, 2), help=self.help, banners=self.banners(),
            simulated=self.factor,
        )  # fmt: skip

    # What people tell it

    def start(self, task: Task, floor: Floor, plan: Plan, now_ms: int) -> Run:
        if self.run:
            raise RobotRefusal(RelayCode.CONFLICT, "task_running", "Another task is running")
        if self.emergency:
            raise RobotRefusal(0x0535, "0x0535", "Emergency stop is pressed")
        way = self.way_to(plan.path[0])
        transit = timetable(way, self.yaw, TRANSIT)
        drive = timed(plan, task.speed, float(transit.yaws[-1]))
        self.run = Run(secrets.token_hex(8), task, floor, plan, drive, now_ms, self.battery, self.factor)
        self.transit = Transit(transit, "clean")
        self.untold()
        self.paused = self.charging = False
        return self.run

    def untold(self) -> None:
        """Nobody will be told of the cells so far."""
        self.over = None
        self.fresh.clear()

    def pause(self) -> None:
        if not self.run:
            raise RobotRefusal(RelayCode.CONFLICT, "task_none_running", "No task is running")
        if not self.paused:
            self.run.pauses += 1
        self.paused = True

    def resume(self) -> None:
        if not self.run:
            raise RobotRefusal(RelayCode.CONFLICT, "task_none_running", "No task is running")
        if self.emergency:
            raise RobotRefusal(0x0535, "0x0535", "Emergency stop is pressed")
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
        if self.emergency:
            raise RobotRefusal(0x0535, "0x0535", "Emergency stop is pressed")
        if self.charging:
            return
        transit = self.home("dock")
        if self.run and not self.paused:
            self.pause()
        self.transit = transit

    def cancel_home(self) -> None:
        if self.transit and self.transit.then == "dock":
            self.transit = None

    def stop(self, *, pressed: bool) -> None:
        """The emergency stop; released, a run stays paused until somebody resumes it."""
        if pressed and not self.emergency and self.run and not self.paused:
            self.pause()
        self.emergency = pressed

    def fault(self, name: str, *, on: bool) -> None:
        if name not in FAULTS:
            raise RobotRefusal(RelayCode.BAD_INPUT, "fault_unknown", "There is no such fault", "name")
        if not on:
            self.faults.pop(name, None)
            return
        fault = FAULTS[name]
        self.faults[name] = True
        self.battery = min(self.battery, fault.battery or 100.0)
        self.liquid = min(self.liquid, fault.liquid or 100.0)
        if self.run:
            self.run.faults.append(name)

    def load(self, floor: Floor, now_ms: int) -> None:
        """Another map: all tasks end, the robot stands at its charger, else where there is most room."""
        if self.run:
            self.end("cancelled", now_ms)
        self.transit, self.charging = None, False
        moved = self.floor is None or self.floor.name != floor.name
        self.floor = floor
        if not moved:
            return
        if dock := floor.charger():
            self.place(dock.x, dock.y, dock.yaw, charging=True)
            return
        lattice = self.lattices(floor)
        row, column = np.unravel_index(int(lattice.distance.argmax()), lattice.distance.shape)
        (self.x, self.y), self.yaw = floor.to_metres(np.array([[column, row]]))[0].tolist(), 0.0

    def leave_floor(self) -> None:
        """It knows no map any more, so it goes nowhere."""
        self.transit = self.floor = self.berth = None
        self.untold()

    def place(self, x: float, y: float, yaw: float, *, charging: bool) -> None:
        self.x, self.y, self.yaw, self.charging = x, y, yaw, charging
        self.berth = (x, y) if charging else self.berth

    # Ways

    def here(self) -> Vertex:
        return self.stand(self.floor_now(), (self.x, self.y))

    def floor_now(self) -> Floor:
        if self.floor is None:
            raise RobotRefusal(RelayCode.CONFLICT, "map_not_selected", "No map is loaded")
        return self.floor

    def stand(self, floor: Floor, at: tuple[float, float]) -> Vertex:
        vertex = self.lattices(floor).nearest(floor.to_vertices([at])[0], DOCK_WITHIN)
        if vertex is None:
            raise RobotRefusal(RelayCode.CONFLICT, "path_not_solved", "The robot cannot find a way")
        return vertex

    def way_to(self, place: Array) -> Array:
        """A clear way to a place; only its first and last piece may lead off the clear ground (a charger at a wall)."""
        floor = self.floor_now()
        way = self.lattices(floor).way(self.here(), self.stand(floor, (float(place[0]), float(place[1]))))
        if way is None:
            raise RobotRefusal(RelayCode.CONFLICT, "path_not_solved", "The robot cannot find a way")
        return np.concatenate([[[self.x, self.y]], floor.to_metres(np.array(way)), [place]])

    def home(self, then: Then) -> Transit:
        dock = self.floor_now().charger(self.berth)
        if dock is None:
            raise RobotRefusal(RelayCode.CONFLICT, "map_no_charger", "The map has no charger")
        return Transit(timetable(self.way_to(np.array([dock.x, dock.y])), self.yaw, TRANSIT, dock.yaw), then)

    def return_to_run(self) -> None:
        """Back to where the run was left."""
        if not self.run:
            return
        xy, yaw, _ = self.run.drive.poses(np.array([self.run.t]))
        self.charging = False
        if math.dist(xy[0], (self.x, self.y)) > 1e-6:  # noqa: PLR2004  (m: it is there already)
            self.transit = Transit(timetable(self.way_to(xy[0]), self.yaw, TRANSIT, float(yaw[0])), "back")

    # Time

    def step(self, now_ms: int, dt: float) -> None:
        """Lets `dt` true seconds pass that end at `now_ms`."""
        own = dt * self.factor
        if self.run and self.paused:
            self.run.paused_s += dt
        while own > 1e-9:  # noqa: PLR2004  (s: less is rounding)
            piece = min(own, LONGEST_STEP)
            self.move(now_ms, piece)
            own -= piece
        noise = self.dice.normal(0, 1, 3) * (NOISE_M, NOISE_M, NOISE_RAD)
        self.wander = 0.8 * self.wander + noise * (0.3 + 0.7 * self.rate)

    def move(self, now_ms: int, s: float) -> None:
        """One piece of the robot's own time: it brakes or speeds up, drives, uses what it uses."""
        before = self.rate
        goal = 0.0 if self.halted or not (self.run or self.transit) or (self.charging and not self.transit) else 1.0
        self.rate = before + max(-s / BRAKE_S, min(s / BRAKE_S, goal - before))
        ramp = abs(self.rate - before) * BRAKE_S
        driven_s = ramp * (before + self.rate) / 2 + (s - ramp) * self.rate
        if driven_s > 0:
            self.advance(now_ms, driven_s)
        else:
            self.speed = 0.0
        self.use(s)
        if self.charging:
            self.charge(s)
        elif self.run and not self.halted and (self.battery < LOW or self.liquid < DRY):
            self.leave_for_charger()

    def advance(self, now_ms: int, s: float) -> None:
        """Seconds of driving; what one leg leaves of them belongs to the next."""
        while s > 0 and not (self.charging and not self.transit):
            leg = self.transit or self.run
            if leg is None:
                return
            t = min(leg.t + s, leg.drive.seconds)
            self.drove(leg.drive, leg.t, t, cleans=leg is self.run)
            s -= t - leg.t
            leg.t = t
            if t < leg.drive.seconds:
                return
            if isinstance(leg, Transit):
                self.arrived(leg)
            else:
                self.end("finished", now_ms)
                self.homewards()

    def drove(self, drive: Drive, t0: float, t1: float, *, cleans: bool) -> None:
        xy, yaw, speed = drive.poses(np.array([t1]))
        line = drive.line(t0, t1)
        self.x, self.y, self.yaw = float(xy[0, 0]), float(xy[0, 1]), float(yaw[0])
        self.speed = float(speed[0]) * self.rate * self.factor
        if not self.run:
            return
        self.run.went(line)
        if cleans:
            fresh, used = self.run.clean(line)
            self.total += len(fresh) * self.run.floor.resolution**2
            self.liquid = max(0.0, self.liquid - used / TANK_ML * 100)
            if len(fresh):
                self.fresh.append(fresh)

    def arrived(self, transit: Transit) -> None:
        self.transit = None
        if transit.then in {"dock", "refill"}:
            self.place(self.x, self.y, self.yaw, charging=True)

    def use(self, s: float) -> None:
        drain = DRAIN_CLEAN if self.cleaning and self.rate else DRAIN_DRIVE if self.rate else DRAIN_REST
        self.battery = max(0.0, self.battery - (0.0 if self.charging else drain) * s / 3600)

    def charge(self, s: float) -> None:
        self.battery = min(100.0, self.battery + CHARGE * s / 3600)
        self.liquid = min(100.0, self.liquid + REFILL_ML_S * s / TANK_ML * 100)
        if self.run and not self.halted and self.battery >= ENOUGH and self.liquid >= ENOUGH:
            self.return_to_run()

    def leave_for_charger(self) -> None:
        """Battery or tank is low: charge, fill up, then go on with the rest of the run."""
        if self.transit and self.transit.then == "refill":
            return
        try:
            self.transit = self.home("refill")
        except RobotRefusal:
            self.faults["low_battery" if self.battery < LOW else "low_liquid"] = True
            if self.battery <= 1 or self.liquid <= 0:
                self.paused = True

    def homewards(self) -> None:
        """After a run to the charger, where there is one and a way to it."""
        try:
            self.transit = self.home("dock")
        except RobotRefusal:
            self.transit = None

    def end(self, end: End, now_ms: int) -> None:
        if self.run:
            report = self.run.report(now_ms, end, self.battery)
            self.over, self.run, self.paused = self.run, None, False
            self.tell(msgspec.structs.replace(report, factor=self.factor))
