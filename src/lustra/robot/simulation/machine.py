"""The virtual robot itself: a pure step over a clock.

It knows no network and no disk: it reads commands (methods), steps, and reports what happened through `tell`. A factor
multiplies velocities, flows, battery and charge; times in reports stay those of the true clock.
"""

import math
import secrets
from dataclasses import dataclass

import msgspec
import numpy as np

from lustra.protocol.bus import End
from lustra.protocol.payloads.tasks import Task
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.protocol.telemetry import Mode, State
from lustra.robot.maps.floor import Floor
from lustra.robot.navigation.drive import Drive, timetable
from lustra.robot.navigation.mapping import Mapping
from lustra.robot.navigation.planner import Plan
from lustra.robot.navigation.run import Run
from lustra.robot.simulation import door_passing, energy, goals, machine_state, manual_mode
from lustra.robot.simulation.activity import Driving, Hold, Idle, Then
from lustra.robot.simulation.body import Body, Pose
from lustra.robot.simulation.faults import FAULTS

BRAKE_S = 0.6  # s from full speed to standstill and back
LONGEST_STEP = 1.25  # s of the robot's own time that one piece of a step is long


@dataclass
class Machine(Body):
    @property
    def mode(self) -> Mode:
        return machine_state.mode(self)

    def state(self, at: int) -> State:
        return machine_state.state_message(self, at)

    # What people command

    def check_ready(self) -> None:
        """Refused while it may not drive by itself."""
        if Hold.EMERGENCY in self.holds:
            raise RobotRefusal(0x0535, "0x0535", "Emergency stop is pressed")
        if Hold.HAND in self.holds:
            raise RobotRefusal(0x0536, "0x0536", "The robot is driven by hand")
        if self.mapping:
            raise RobotRefusal(RelayCode.CONFLICT, "map_building", "The robot is building a map")
        if self.ride.aboard:
            raise RobotRefusal(RelayCode.CONFLICT, "lift_riding", "The robot is in a lift")
        if Hold.BRAKE in self.holds:
            raise RobotRefusal(RelayCode.CONFLICT, "brake_set", "The brake is set")
        if "lost" in self.faults:
            raise RobotRefusal(RelayCode.CONFLICT, "position_unconfirmed", "The robot does not know where it is")

    def start(self, task: Task, floor: Floor, plan: Plan, now_ms: int) -> Run:
        if self.run:
            raise RobotRefusal(RelayCode.CONFLICT, "task_running", "Another task is running")
        self.check_ready()
        if any(not FAULTS[f].starts for f in self.faults):
            raise RobotRefusal(RelayCode.CONFLICT, "fault_first", "The robot's fault must be solved first")
        transit = timetable(goals.path_to(self, plan.path[0]), self.pose.yaw, self.params["speed_moving"])
        drive = timetable(plan.path, float(transit.yaws[-1]), self.params[f"speed_{task.speed}"])
        self.run = Run(secrets.token_hex(8), task, floor, plan, drive, now_ms, self.battery, self.factor)
        self.travel(transit, "clean")
        self.utilities.begin(task.clean_mode)
        self.cells.discard()
        self.set_hold(Hold.PAUSE, on=False)
        return self.run

    def resume(self) -> None:
        if not self.run:
            raise RobotRefusal(RelayCode.CONFLICT, "task_none_running", "No task is running")
        self.check_ready()
        self.set_hold(Hold.PAUSE, on=False)
        if self.transit is None or self.transit.then not in {"clean", "back", "refill"}:
            self.return_to_run()

    def cancel(self, now_ms: int) -> None:
        if not self.run:
            raise RobotRefusal(RelayCode.CONFLICT, "task_none_running", "No task is running")
        self.end("cancelled", now_ms)
        self.stop_driving()

    def go_home(self) -> None:
        """To the charger; a run waits meanwhile and goes on when it is resumed."""
        self.check_ready()
        if not self.charging:
            self.send(goals.to_charger(self, self.params["speed_moving"]), "dock")

    def send(self, drive: Drive, then: Then) -> None:
        """A person sends it somewhere: what runs waits."""
        if self.run and not self.paused:
            self.pause()
        self.travel(drive, then)

    def cancel_home(self) -> None:
        """Ends the drive that a person sent it on; a map is no longer explored."""
        if self.transit and self.transit.then in {"dock", "rest", "look"}:
            self.stop_driving()
            self.rate = 0.0
        if self.mapping:
            self.mapping.explore = False

    def stop(self, *, pressed: bool) -> None:
        """The emergency stop; released, a run stays paused until somebody resumes it."""
        if pressed and Hold.EMERGENCY not in self.holds and self.run:
            self.pause("0x0535")
        if pressed:
            self.hand.stop()
        self.set_hold(Hold.EMERGENCY, on=pressed)

    def load(self, floor: Floor, now_ms: int) -> None:
        """Another map: all tasks end. Of another place, the robot stands at its charger, else where there is most
        room; of the same place, it stands where it stood."""
        if "map_load_failed" in self.faults:
            raise RobotRefusal(RelayCode.FAILED, "map_load_failed", "The map cannot be loaded")
        if self.run:
            self.end("cancelled", now_ms)
        before = self.surroundings
        same = self.floor is not None and self.floor.name == floor.name
        self.stop_driving()
        self.mapping, self.floor = None, floor
        manual_mode.take(self, on=False)
        if same or (before is not None and self.environment.real_floor(floor) is before):
            return
        self.dock(on=False)
        if dock := floor.charger():
            self.place(dock.x, dock.y, dock.yaw, charging=True)
            return
        lattice = self.environment.lattice(floor)
        row, column = np.unravel_index(int(lattice.distance.argmax()), lattice.distance.shape)
        self.pose = Pose(*floor.to_metres(np.array([[column, row]]))[0].tolist())

    def leave_floor(self) -> None:
        """It knows no map any more, so it goes nowhere."""
        self.stop_driving()
        self.floor = self.berth = self.mapping = None
        manual_mode.take(self, on=False)
        self.cells.discard()

    def return_to_run(self) -> None:
        """Back to where the run was left."""
        if not self.run:
            return
        xy, yaw, _ = self.run.drive.poses(np.array([self.run.t]))
        self.dock(on=False)
        if math.dist(xy[0], self.pose.xy) > 1e-6:  # noqa: PLR2004  (m: it is there already)
            self.travel(goals.to_run(self, xy[0], float(yaw[0]), self.params["speed_moving"]), "back")

    # Time

    def step(self, now_ms: int, dt: float) -> None:
        """Lets `dt` true seconds pass that end at `now_ms`."""
        own = dt * self.factor
        if self.run and self.paused:
            self.run.paused_s += dt
        if Hold.HAND in self.holds:
            manual_mode.step(self, now_ms / 1000, dt)
        while own > 1e-9:  # noqa: PLR2004  (s: less is rounding)
            piece = min(own, LONGEST_STEP)
            own -= piece
            door_passing.pass_doors(self, now_ms / 1000 - own / self.factor, piece)
            self.move(now_ms, piece)
        self.belief.add_noise(self.rate)
        if self.mapping:
            self.update_mapping(self.mapping)

    def update_mapping(self, mapping: Mapping) -> None:
        """Sees, and while it explores drives on to where the map ends."""
        mapping.observe(*self.pose)
        if mapping.explore and not mapping.done and not self.transit and not self.halted:
            path = mapping.next_path(self.pose.xy)
            if path is not None:
                self.travel(timetable(path, self.pose.yaw, self.params["speed_moving"]), "look")

    def move(self, now_ms: int, s: float) -> None:
        """One piece of the robot's own time: it brakes or speeds up, drives, uses what it uses."""
        before = self.rate
        goal = 1.0 if self.leg and not self.halted and not self.gate.barred else 0.0
        self.rate = before + max(-s / BRAKE_S, min(s / BRAKE_S, goal - before))
        ramp = abs(self.rate - before) * BRAKE_S
        driven_s = ramp * (before + self.rate) / 2 + (s - ramp) * self.rate
        if driven_s > 0:
            self.advance(now_ms, driven_s)
        elif Hold.HAND not in self.holds:
            self.speed = 0.0
        energy.use(self, s)
        if self.charging:
            energy.charge(self, s)
            if self.run and not self.halted and energy.full(self):
                self.return_to_run()
        elif self.run and not self.halted and energy.low(self):
            energy.leave_for_charger(self)

    def advance(self, now_ms: int, s: float) -> None:
        """Seconds of driving; what one leg leaves of them belongs to the next."""
        while s > 0 and (leg := self.leg):
            t = min(leg.t + s, leg.drive.seconds)
            self.follow(leg.drive, leg.t, t, cleans=leg is self.run)
            s -= t - leg.t
            leg.t = t
            if t < leg.drive.seconds:
                return
            if isinstance(leg, Driving):
                self.arrive(leg)
                if self.halted:
                    return
            else:
                self.end("finished", now_ms)
                self.drive_home()

    def follow(self, drive: Drive, t0: float, t1: float, *, cleans: bool) -> None:
        line, yaw, speed = drive.leg(t0, t1)
        self.pose = Pose(*line[-1].tolist(), yaw=yaw)
        self.speed = speed * self.rate * self.factor
        self.go_along(line)
        if self.run and cleans:
            fresh, used = self.run.clean(line, self.utilities.dose)
            self.total += len(fresh) * self.run.floor.resolution**2
            self.tanks.use(used)
            if len(fresh):
                self.cells.fresh.append(fresh)

    def arrive(self, transit: Driving) -> None:
        self.stop_driving()
        if transit.then in {"rest", "look", "elevator", "board", "leave"}:
            self.rate = 0.0
        if transit.then in {"dock", "refill"}:
            self.place(*self.pose, charging=all(FAULTS[f].docks for f in self.faults))

    def drive_home(self) -> None:
        """After a run to the charger, where there is one and a way to it."""
        try:
            self.travel(goals.to_charger(self, self.params["speed_moving"]), "dock")
        except RobotRefusal:
            self.stop_driving()

    def end(self, end: End, now_ms: int) -> None:
        if self.run:
            report = self.run.report(now_ms, end, self.battery)
            self.cells.ended_run, self.run = self.run, None
            self.set_hold(Hold.PAUSE, on=False)
            if self.cleaning:
                self.activity = Idle()
            self.utilities.end()
            self.tell(msgspec.structs.replace(report, factor=self.factor))
