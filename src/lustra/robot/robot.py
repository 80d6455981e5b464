"""A whole virtual robot: the machine, what it keeps on its disk, and its messages to the bus.

The rules of its local API stand in the handlers (see handlers.py); how they come in stands in api.py.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from lustra.protocol.bus import ElevatorOffer, EventKind, Report
from lustra.protocol.payloads.tasks import Driven, Task
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot import plan_cache
from lustra.robot.alarms import Alarms
from lustra.robot.backups.backup_orders import BackupOrders
from lustra.robot.backups.restore_orders import RestoreOrders
from lustra.robot.cameras.video import Cameras
from lustra.robot.files.journal import Journal
from lustra.robot.files.robot_files import RobotFiles
from lustra.robot.files.uploads import Uploads
from lustra.robot.hours import CLOSED, LEAVES_MS, QUIET, close_zones, is_quiet
from lustra.robot.map_download import MapDownloads
from lustra.robot.maps.floor import Floor
from lustra.robot.navigation.drive import timetable
from lustra.robot.navigation.planner import Plan
from lustra.robot.navigation.run import Run
from lustra.robot.outbox import Outbox
from lustra.robot.plan_cache import PlanRequest
from lustra.robot.planner import Planner, Preparation
from lustra.robot.plans import Entry, PlanKind, Plans
from lustra.robot.sequence import Sequence
from lustra.robot.simulation import manual_mode, tanks
from lustra.robot.simulation.activity import Hold
from lustra.robot.simulation.bag_recorder import BagRecorder
from lustra.robot.simulation.body import Environment
from lustra.robot.simulation.elevator_trip import EndedRides, Trip
from lustra.robot.simulation.machine import Machine
from lustra.robot.simulation.tanks import Tanks
from lustra.robot.simulation.utilities import Utilities, fitted
from lustra.robot.spec import Spec
from lustra.robot.store import Clock, Store, StoredTask
from lustra.robot.tablet.look import Look
from lustra.robot.updates.update_orders import UpdateOrders

START_DROPPED = "task_start_dropped"


def now_ms() -> int:
    return time.time_ns() // 1_000_000


@dataclass
class Robot:
    spec: Spec
    store: Store
    clock: Clock
    outbox: Outbox
    plans: Plans = field(init=False)
    machine: Machine = field(init=False)
    alarms: Alarms = field(init=False)
    bags: BagRecorder = field(init=False)
    downloads: MapDownloads = field(init=False)
    journal: Journal = field(init=False)
    files: RobotFiles = field(init=False)
    uploads: Uploads = field(init=False)
    backups: BackupOrders = field(init=False)
    restores: RestoreOrders = field(init=False)
    cameras: Cameras = field(init=False)
    updates: UpdateOrders = field(init=False)
    look: Look = field(init=False)
    planner: Planner = field(init=False)
    sequence: Sequence | None = None
    last: Report | None = None  # of this life
    trip: Trip | None = None  # to another floor
    offer: ElevatorOffer | None = None  # the newest message about its ride
    unreachable: dict[str, str] = field(default_factory=dict[str, str])  # maps that it could not reach, and why
    ended_rides: EndedRides = field(default_factory=EndedRides)
    driver: str = ""  # who has its control lock
    driver_until: int = 0  # ms, when the lock ends; 0: when it is given back
    sent_home: int = 0  # ms, when all of its building were
    trip_failed_at: int = 0  # ms, when a way to another floor failed last
    failed_returns: int = 0  # ways home to its charger's floor that failed one after the other
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    reboots: asyncio.Event = field(default_factory=asyncio.Event)  # its power goes, and comes back after a while

    def __post_init__(self) -> None:
        spec = self.spec
        self.plans = Plans.open(self.store.folder / "plans.json")
        self.planner = Planner(self.woken)
        self.machine = Machine(
            spec.sn,
            self.report,
            battery=spec.battery,
            environment=Environment(
                plan_cache.lattice, plan_cache.real_floor, plan_cache.building_floor(spec.building, spec.floor)
            ),
            utilities=Utilities(fitted(spec.model, spec.protocol)),
            tanks=Tanks(tanks.fitted(spec.model)),
        )
        self.machine.factor = spec.factor
        self.alarms = Alarms(self.store.folder / "alarms.json", self.outbox)
        self.bags = BagRecorder(self.store.folder / "bags")
        self.downloads = MapDownloads(self, self.store.folder / "incoming", spec.disk)
        folder = self.store.folder
        self.journal = Journal(folder / "logs")
        self.files = RobotFiles(self.outbox, self.journal, self.bags)
        self.uploads = Uploads(self.outbox, folder / "outgoing", {**self.files.folders}, self.woken)
        self.backups = BackupOrders(self, self.store.folder / "backups" / "packed")
        self.restores = RestoreOrders(self, self.store.folder / "backups" / "restored")
        self.cameras = Cameras(self.machine)
        self.updates = UpdateOrders(self, self.store.folder / "updates")
        self.look = Look(self, self.store.folder / "tablet")

    @classmethod
    def open(cls, spec: Spec, folder: Path, floor: Floor | None = None) -> "Robot":
        """Starts where it stopped. A run that its death has broken is reported as interrupted and not resumed."""
        store = Store.open(folder)
        clock = Clock(folder / "clock", now_ms)
        robot = cls(spec, store, clock, Outbox(folder / "outbox", clock))
        robot.restores.go_on()
        robot.updates.start()
        robot.machine.software = robot.updates.slots.version
        facts, machine = store.facts, robot.machine
        if facts.announced:
            machine.battery, machine.liquid, machine.total = facts.battery, facts.liquid, facts.total
            machine.tanks.levels |= {name: level for name, level in facts.tanks.items() if name in machine.tanks.levels}
            if facts.map in store.maps:
                machine.floor = store.maps[facts.map]
            machine.place(facts.x, facts.y, facts.yaw, charging=facts.charging)
            machine.set_hold(Hold.EMERGENCY, on=facts.emergency)
            machine.set_hold(Hold.BRAKE, on=facts.locked)
            machine.utilities.dose = facts.dose
            machine.params |= facts.params
            machine.utilities.set |= facts.utilities
            if facts.lost:
                machine.fault("lost", on=True)
            robot.restore_trip(facts.trip)
        else:
            robot.first_start(floor)
        if broken := store.broken_run():
            robot.outbox.put("report", msgspec.structs.replace(broken, at=clock.at()), broken.id)
            store.save_run(None)
        robot.announce_missed()
        robot.outbox.event("power", "on", content={"reason": "start"})
        return robot

    def restore_trip(self, trip: Trip | None) -> None:
        """It was in a lift when its power went, and still is. Another trip is over with what it was for."""
        if trip and trip.inside:
            self.trip = trip
            self.machine.ride.under_way, self.machine.ride.elevator = True, trip.elevator
            self.machine.ride.aboard = "cabin" if trip.stage == "ride" else "door"

    def first_start(self, floor: Floor | None) -> None:
        if floor is not None:
            self.store.save_map(floor)
            self.machine.load(floor, now_ms())
            self.announce_map(floor)
            self.outbox.event("map_loaded", floor.name, floor.revision)
        if self.spec.dock:
            self.machine.place(*self.spec.dock, charging=True)
        self.store.facts.announced = True
        self.keep()

    def follow_number(self, number: int) -> None:
        """The number of a control lock, by a command or from the server: one newer than all before takes the wheels
        from whoever has driven by hand until now."""
        if number > self.store.facts.number:
            manual_mode.take(self.machine, on=False)
            self.store.facts.number = number
            self.store.save_facts()

    def follow_lock(self, number: int, owner: str, until: int) -> None:
        """As the server says it, perhaps after the new driver's first command."""
        self.follow_number(number)
        if number < self.store.facts.number:
            return
        if not owner:
            manual_mode.take(self.machine, on=False)
        self.driver, self.driver_until = owner, until

    def step(self, dt: float) -> None:
        now = now_ms()
        if 0 < self.driver_until < now:
            self.follow_lock(self.store.facts.number, "", 0)
        self.machine.step(now, dt)
        self.bags.step(self.machine, now)
        self.journal.step(self.machine, now)

    def keep(self, *, run: bool = True) -> None:
        """Facts, and the report that would be sent if its power went now."""
        m, facts = self.machine, self.store.facts
        facts.map = m.floor.name if m.floor else ""
        (facts.x, facts.y, facts.yaw), facts.charging = m.pose, m.charging
        facts.battery, facts.liquid, facts.total = m.battery, m.liquid, m.total
        facts.tanks = m.tanks.named()
        facts.emergency, facts.locked = Hold.EMERGENCY in m.holds, Hold.BRAKE in m.holds
        facts.dose, facts.params = m.utilities.dose, m.params
        facts.utilities, facts.lost, facts.trip = m.utilities.set, "lost" in m.faults, self.trip
        self.store.save_facts()
        if m.run and run:
            self.store.save_run(m.run.report(now_ms(), "interrupted", m.battery))

    def report(self, report: Report) -> None:
        self.last = report
        self.outbox.put("report", msgspec.structs.replace(report, at=self.clock.at()), report.id)
        self.store.save_run(None)
        self.store.save_track(report)

    def announce_map(self, floor: Floor) -> None:
        self.outbox.event("map", floor.name, floor.revision, floor.content())

    def announce_task(self, stored: StoredTask) -> None:
        self.outbox.event("task", f"{stored.task.map_name}/{stored.task.name}", stored.revision, stored.to_row())

    def announce_plan(self, kind: PlanKind, entry: Entry[Any], *, name: str = "", deleted: bool = False) -> None:
        """A group or a schedule as it is now; under a former `name`, that this is gone."""
        name = name or entry.item.name
        row = entry.to_row() | {"kind": kind, "zone": self.spec.zone}
        if kind == "group":
            self.outbox.event("group", name, entry.revision, None if deleted else row, deleted=deleted)
        else:
            self.outbox.event("schedule", f"{kind}/{name}", entry.revision, None if deleted else row, deleted=deleted)

    def announce_missed(self) -> None:
        """Writes the events that the robot's last life did not come to."""
        announced = self.outbox.announced
        for kind, held in self.list_held().items():
            for name, revision in announced.list_missing(
                kind, {name: revision for name, (revision, _) in held.items()}
            ).items():
                self.outbox.event(kind, name, revision + 1, deleted=True)
            for name, (revision, announce) in held.items():
                if announced.revisions.get(kind, {}).get(name) != revision:
                    announce()

    def list_held(self) -> dict[EventKind, dict[str, tuple[int, Callable[[], None]]]]:
        """By kind and name: the revision that the robot holds, and what announces it."""
        maps, tasks, plans = self.store.maps, self.store.tasks, self.plans
        return {
            "map": {name: (floor.revision, partial(self.announce_map, floor)) for name, floor in maps.items()},
            "task": {"/".join(key): (row.revision, partial(self.announce_task, row)) for key, row in tasks.items()},
            "group": {
                name: (entry.revision, partial(self.announce_plan, "group", entry))
                for name, entry in plans.groups.rows.items()
            },
            "schedule": {
                f"{kind}/{name}": (entry.revision, partial(self.announce_plan, kind, entry))
                for kind, shelf in plans.schedules.items()
                for name, entry in shelf.rows.items()
            },
        }

    def erase(self, number: int) -> int:
        """What the former owner made goes; answers when. Its reports that nobody has confirmed are still sent."""
        facts = self.store.facts
        if number > facts.erased:
            if self.machine.run:
                self.machine.end("cancelled", now_ms())
            self.sequence, self.trip, facts.home = None, None, ""
            self.machine.ride.end()
            self.machine.leave_floor()
            self.store.drop_all()
            self.plans.clear()
            self.outbox.announced.clear()
            self.downloads.orders.clear()
            self.uploads.drop_all()
            self.backups.orders.clear()
            self.restores.orders.clear()
            self.updates.drop_waiting()
            facts.shown, facts.spoken = [], None
            facts.erased, facts.erased_at = number, self.clock.at()
            self.keep()
        return facts.erased_at

    # What its backups need

    def versions(self) -> dict[str, str]:
        return {"software": self.machine.software, "protocol": str(self.spec.protocol)}

    def reason_to_wait(self) -> str:
        """What needs maps and tasks as they are."""
        if self.trip:
            return "lift_riding"
        busy = self.machine.run or self.machine.mapping or self.sequence or self.planner.preparation
        return "map.task_running" if busy else ""

    def follow_store(self) -> None:
        """Maps, tasks and settings on its disk are others now."""
        facts, machine, maps = self.store.facts, self.machine, self.store.maps
        machine.params |= facts.params
        machine.utilities.dose = facts.dose
        machine.utilities.set = {name: n for name, n in facts.utilities.items() if name in machine.utilities.fitted}
        if machine.floor and machine.floor.name not in maps:
            machine.leave_floor()
        elif machine.floor and maps[machine.floor.name] is not machine.floor:
            machine.floor = maps[machine.floor.name]
        self.announce_missed()
        self.keep()

    # What handlers ask for

    def find_map(self, name: str) -> Floor:
        """A map by name; without one the loaded map."""
        if not name and self.machine.floor:
            return self.machine.floor
        if name not in self.store.maps:
            reason = "map_not_selected" if not name else "map_unknown"
            raise RobotRefusal(RelayCode.UNKNOWN, reason, "The robot does not have this map", "map_name")
        return self.store.maps[name]

    def find_task(self, map_name: str, name: str) -> StoredTask:
        stored = self.store.tasks.get((self.find_map(map_name).name, name))
        if stored is None:
            raise RobotRefusal(RelayCode.UNKNOWN, "task_unknown", "The robot does not have this task", "name")
        return stored

    def check_editable(self, floor: Floor) -> Floor:
        """Refused while a task runs on the map, and while a lift carries the robot."""
        if self.trip:
            raise RobotRefusal(RelayCode.CONFLICT, "map.elevator_running", "A lift carries the robot", "map_name")
        run = self.machine.run
        if run and run.floor.name == floor.name:
            raise RobotRefusal(RelayCode.CONFLICT, "map.task_running", "Stop all tasks first", "map_name")
        return floor

    def check_revision(self, revision: int | None, newest: int, field_name: str = "revision") -> None:
        if revision is not None and revision != newest:
            raise RobotRefusal(
                RelayCode.CONFLICT, "revision_conflict", "Somebody has changed this meanwhile", field_name
            )

    def save_map(self, floor: Floor) -> None:
        self.store.save_map(floor)
        if self.machine.floor and self.machine.floor.name == floor.name:
            self.machine.floor = floor
        drawing = self.machine.mapping
        if drawing and drawing.previous and drawing.previous.name == floor.name:
            drawing.previous = floor
        self.announce_map(floor)

    def reboot(self) -> None:
        """The power goes: what ran is over, and what was not kept is lost."""
        if self.machine.run:
            self.machine.end("interrupted", now_ms())
        self.machine.stop_driving()
        self.machine.mapping = None
        self.bags.end()
        self.keep()
        self.reboots.set()
        self.woken.set()

    def plan_request(self, task: Task) -> PlanRequest:
        """What the planner is asked for a task."""
        floor = self.find_map(task.map_name)
        if task.path:
            return PlanRequest(floor, line=tuple(self.plans.paths[task.path].item.path))
        return PlanRequest(floor, tuple(task.areas[0].points), task.start or (0.0, 0.0), task.way)

    def seconds(self, plan: Plan, task: Driven) -> float:
        """How long it would take at the robot's own speeds."""
        return timetable(plan.path, 0.0, self.machine.params[f"speed_{task.speed}"]).seconds

    async def begin(self, task: Task, gid: str = "") -> Run:
        floor = self.find_map(task.map_name)
        if self.machine.floor is None or self.machine.floor.name != floor.name:
            raise RobotRefusal(RelayCode.CONFLICT, "task_other_map", "The task belongs to another map", "map_name")
        now, zone = now_ms(), self.spec.zone
        if is_quiet(floor, zone, now):
            raise RobotRefusal(RelayCode.CONFLICT, QUIET, "No task runs on the map at this hour", "map_name")
        preparation = self.planner.preparation = Preparation(task.name)
        stops = self.machine.stops
        try:
            request = await self.open_plan_request(task, close_zones(floor, zone, now, now + LEAVES_MS), now)
            plan = await self.planner.plan(request)
        finally:
            if self.planner.preparation is preparation:
                self.planner.preparation = None
        self.check_still_meant(floor, preparation, stops)
        run = self.machine.start(task, request.floor, plan, now_ms())
        run.gid = gid
        if preparation.paused:
            self.machine.pause()
        self.keep()
        return run

    def pause(self) -> None:
        """What has not begun yet begins with a pause."""
        if self.planner.preparation:
            self.planner.preparation.paused = True
        else:
            self.machine.pause()

    def check_still_meant(self, floor: Floor, preparation: Preparation, stops: int) -> None:
        """Nothing begins that was stopped, or whose map was changed, while its way was planned."""
        loaded = self.machine.floor.name if self.machine.floor else ""
        if preparation.dropped or self.machine.stops != stops:
            raise RobotRefusal(RelayCode.CONFLICT, START_DROPPED, "The task was stopped before it began")
        if self.store.maps.get(floor.name) is not floor or loaded != floor.name:
            raise RobotRefusal(RelayCode.CONFLICT, "task_other_map", "The task belongs to another map", "map_name")

    async def open_plan_request(self, task: Task, floor: Floor, now: int) -> PlanRequest:
        """A task's question to the planner, without what closes before it is done."""
        request = replace(self.plan_request(task), floor=floor)
        try:
            seconds = self.seconds(await self.planner.plan(request), task) / self.machine.factor
            later = close_zones(floor, self.spec.zone, now, now + LEAVES_MS + round(seconds * 1000))
            request = replace(request, floor=later)
            await self.planner.plan(request)
        except RobotRefusal as why:
            if not request.floor.shut:
                raise
            raise RobotRefusal(
                RelayCode.CONFLICT, CLOSED, "What the task needs is closed at this hour", "name"
            ) from why
        return request
