"""A whole virtual robot: the machine, what it keeps on its disk, and its messages to the bus.

The rules of its local API stand in the handlers (see handlers.py); how they come in stands in api.py.
"""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from lustra.protocol.bus import Report
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot import plan_cache
from lustra.robot.alarms import Alarms
from lustra.robot.backups.backup_orders import BackupOrders
from lustra.robot.backups.restore_orders import RestoreOrders
from lustra.robot.cameras.video import Cameras
from lustra.robot.clock import Clock, now_ms
from lustra.robot.files.black_box import BlackBox
from lustra.robot.files.journal import Journal
from lustra.robot.files.log_following import LogFollowing
from lustra.robot.files.robot_files import RobotFiles
from lustra.robot.files.triggers import Triggers
from lustra.robot.files.uploads import Uploads
from lustra.robot.map_download import MapDownloads
from lustra.robot.maps.floor import Floor
from lustra.robot.outbox import Outbox
from lustra.robot.planner import Planner
from lustra.robot.plans import Plans
from lustra.robot.simulation import tanks
from lustra.robot.simulation.bag_recorder import BagRecorder
from lustra.robot.simulation.body import Environment
from lustra.robot.simulation.elevator_trip import Trip, Trips
from lustra.robot.simulation.machine import Machine
from lustra.robot.simulation.tanks import Tanks
from lustra.robot.simulation.utilities import Utilities, fitted
from lustra.robot.spec import Spec
from lustra.robot.state.control_lock import ControlLock
from lustra.robot.state.machine_facts import follow_store, take_up_facts, write_facts
from lustra.robot.state.mirror import Mirror
from lustra.robot.store import Store, StoredTask
from lustra.robot.tablet import screen
from lustra.robot.tablet.adverts import Adverts
from lustra.robot.tablet.look import Look
from lustra.robot.task_start import TaskStart
from lustra.robot.updates.update_orders import UpdateOrders

if TYPE_CHECKING:
    from lustra.robot.sequence import Sequence


class Robot:
    """Its parts, and what no part can know alone. `last`: its newest report of this life; `sent_home`: ms, when all
    robots of its building were; `reboots`: its power goes, and comes back after a while."""

    def __init__(self, spec: Spec, store: Store, clock: Clock, outbox: Outbox) -> None:
        folder = store.folder
        self.spec, self.store, self.clock, self.outbox = spec, store, clock, outbox
        self.sequence: Sequence | None = None
        self.last: Report | None = None
        self.trips = Trips()
        self.sent_home = 0
        self.woken, self.reboots = asyncio.Event(), asyncio.Event()
        self.plans = Plans.open(folder / "plans.json")
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
        self.mirror = Mirror(store, self.plans, outbox, spec.zone)
        self.lock = ControlLock(self.machine, store)
        self.starts = TaskStart(self)
        self.alarms = Alarms(folder / "alarms.json", outbox)
        self.bags = BagRecorder(folder / "bags")
        self.triggers = Triggers(self.bags.folder)
        self.black_box = BlackBox(self.bags.folder, self.triggers, {alarm.id for alarm in self.alarms.open.values()})
        self.downloads = MapDownloads(self, folder / "incoming", spec.disk)
        self.journal = Journal(folder / "logs")
        self.following = LogFollowing.of(self.journal)
        self.files = RobotFiles(outbox, self.journal, self.bags, self.triggers)
        self.uploads = Uploads(outbox, folder / "outgoing", {**self.files.folders}, self.woken)
        self.backups = BackupOrders(self, folder / "backups" / "packed")
        self.restores = RestoreOrders(self, folder / "backups" / "restored")
        self.cameras = Cameras(self.machine, spec.webrtc)
        self.updates = UpdateOrders(self, folder / "updates")
        self.look = Look(self, folder / "tablet")
        self.adverts = Adverts(self, folder / "tablet" / "adverts")
        self.screen = screen.Screen(now_ms())

    @classmethod
    def open(cls, spec: Spec, folder: Path, floor: Floor | None = None) -> "Robot":
        """Starts where it stopped. A run that its death has broken is reported as interrupted and not resumed."""
        store = Store.open(folder)
        clock = Clock(folder / "clock", now_ms)
        robot = cls(spec, store, clock, Outbox(folder / "outbox", clock))
        robot.restores.go_on()
        robot.updates.start()
        robot.machine.software = robot.updates.slots.version
        facts = store.facts
        if facts.announced:
            take_up_facts(robot.machine, store)
            robot.restore_trip(facts.trip)
        else:
            robot.first_start(floor)
        if broken := store.broken_run():
            robot.outbox.put("report", msgspec.structs.replace(broken, at=clock.at()), broken.id)
            store.save_run(None)
        robot.mirror.announce_missed()
        robot.outbox.event("power", "on", content={"reason": "start"})
        return robot

    def restore_trip(self, trip: Trip | None) -> None:
        """It was in a lift when its power went, and still is. Another trip is over with what it was for."""
        if trip and trip.inside:
            self.trips.current = trip
            self.machine.ride.under_way, self.machine.ride.elevator = True, trip.elevator
            self.machine.ride.aboard = "cabin" if trip.stage == "ride" else "door"

    def first_start(self, floor: Floor | None) -> None:
        if floor is not None:
            self.store.save_map(floor)
            self.machine.load(floor, now_ms())
            self.mirror.announce_map(floor)
            self.outbox.event("map_loaded", floor.name, floor.revision)
        if self.spec.dock:
            self.machine.place(*self.spec.dock, charging=True)
        self.store.facts.announced = True
        self.keep()

    def step(self, dt: float) -> None:
        now = now_ms()
        self.lock.step(now)
        self.machine.step(now, dt)
        self.bags.step(self.machine, now)
        if self.black_box.step(self.machine, now, self.alarms.open.values()):
            self.files.announce(now)
        self.journal.step(self.machine, now)
        self.adverts.step(now, free=screen.is_free(self, now))

    def keep(self, *, run: bool = True) -> None:
        """Facts, and the report that would be sent if its power went now."""
        m = self.machine
        write_facts(m, self.store.facts)
        self.store.facts.trip = self.trips.current
        self.store.save_facts()
        if m.run and run:
            self.store.save_run(m.run.report(now_ms(), "interrupted", m.battery))

    def report(self, report: Report) -> None:
        self.last = report
        self.outbox.put("report", msgspec.structs.replace(report, at=self.clock.at()), report.id)
        self.store.save_run(None)
        self.store.save_track(report)

    def erase(self, number: int) -> int:
        """What the former owner made goes; answers when. Its reports that nobody has confirmed are still sent."""
        facts = self.store.facts
        if number > facts.erased:
            if self.machine.run:
                self.machine.end("cancelled", now_ms())
            self.sequence, self.trips.current, facts.home = None, None, ""
            self.machine.ride.end()
            self.machine.leave_floor()
            self.store.drop_all()
            self.black_box.clear()
            self.plans.clear()
            self.outbox.announced.clear()
            self.downloads.orders.clear()
            self.uploads.drop_all()
            self.backups.orders.clear()
            self.restores.orders.clear()
            self.updates.drop_waiting()
            facts.shown, facts.spoken, self.last = [], None, None
            facts.erased, facts.erased_at = number, self.clock.at()
            self.keep()
        return facts.erased_at

    def versions(self) -> dict[str, str]:
        running = {**self.updates.slots.running, "software": self.machine.software}
        return {**running, "protocol": str(self.spec.protocol)}

    def reason_to_wait(self) -> str:
        """What needs maps and tasks as they are."""
        if self.trips.current:
            return "lift_riding"
        busy = self.machine.run or self.machine.mapping or self.sequence or self.planner.preparation
        return "map.task_running" if busy else ""

    def follow_store(self) -> None:
        """Maps, tasks and settings on its disk are others now."""
        follow_store(self.machine, self.store)
        self.mirror.announce_missed()
        self.keep()

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
        if self.trips.current:
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
        self.mirror.announce_map(floor)

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
