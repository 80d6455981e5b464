"""Updates that the server orders: checked, downloaded, installed into the other slot, and confirmed or taken back.

Rules: nothing is downloaded that the metadata does not name for this robot, and nothing is installed that is not byte
for byte what it names. Not while a task runs, not off the charger where that is demanded, not after its time. The power
may go at any moment: the robot goes on where that is safe, and runs a whole version always.
"""

import asyncio
import contextlib
import logging
import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import msgspec

from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.protocol.updates import PARTS, Part, Update, UpdatePackage, UpdateProgress, UpdateState, type_of_path
from lustra.robot.outbox import Outbox
from lustra.robot.simulation.machine import Machine
from lustra.robot.spec import Spec
from lustra.robot.stored_orders import StoredOrders
from lustra.robot.updates.download import bytes_on_disk, check, fetch
from lustra.robot.updates.slots import Slots
from lustra.robot.updates.trust import LineBroken, Target, find_target

log = logging.getLogger(__name__)
LOOK_S = 2.0
REACHED_WITHIN_S = 120.0  # that new software has for reaching the server
REMEMBERED = 3
OPEN: tuple[UpdateState, ...] = ("downloading", "verifying", "waiting", "installing", "restarting")
DROPPABLE = ("downloading", "verifying", "waiting")
# What a virtual robot can be asked to do wrong, by the state in which it does.
FAILS = {f"update_{state}": state for state in ("downloading", "verifying", "installing", "restarting")}
LOSES_POWER = {f"power_{state}": state for state in ("downloading", "verifying", "installing", "restarting")}


class UpdateOrder(msgspec.Struct, kw_only=True):
    """Kept on the robot's disk. `targets`: what the metadata says of each package, once it was asked."""

    command: Update
    report: UpdateProgress
    targets: dict[Part, Target] = {}


class PowerCut(Exception):
    """The robot is as good as off: nothing more is written or said."""


class Updated(Protocol):
    """The robot, as far as its updates need it."""

    spec: Spec
    outbox: Outbox
    machine: Machine
    woken: asyncio.Event
    reboots: asyncio.Event

    def reason_to_wait(self) -> str: ...


def order_of(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version))


def is_same(version: str, other: str) -> bool:
    return version == other or bool(order_of(version) and order_of(version) == order_of(other))


def list_packages(command: Update) -> list[UpdatePackage]:
    """An order without packages is one of the software."""
    if command.packages:
        return command.packages
    return [UpdatePackage(part="software", version=command.version, name=command.name, url=command.url)]


@dataclass
class UpdateOrders:
    robot: Updated
    folder: Path
    orders: StoredOrders[UpdateOrder] = field(init=False)
    faults: set[str] = field(default_factory=set[str])
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    reached: asyncio.Event = field(default_factory=asyncio.Event)  # the server, since this start
    slots: Slots = field(init=False)

    def __post_init__(self) -> None:
        self.slots = Slots(self.folder / "slots")
        self.orders = StoredOrders(self.folder, UpdateOrder, ending="package", unfinished=OPEN, remembered=REMEMBERED)

    def start(self) -> None:
        """When the robot starts, before it says anything."""
        on_trial = self.slots.table.trial
        self.slots.start()
        for order in self.orders.open():
            number, state = order.command.number, order.report.state
            if state == "restarting" and number == on_trial and not self.slots.table.trial:
                self.set_state(order, "fell_back", "update_start")
            elif state == "restarting" and number != on_trial and self.is_running(order):
                self.set_state(order, "confirmed")  # cut off before it could say so
            elif state == "installing" or (state == "restarting" and number != on_trial):
                self.set_state(order, "waiting")  # cut off before it was in place: once more

    def accept(self, command: Update) -> UpdateProgress:
        known = self.orders.get(command.number)
        if command.action == "drop":
            if known and known.report.state in DROPPABLE and known.command.attempt <= command.attempt:
                self.set_state(known, "dropped")
            return known.report if known else self._report(command, "dropped")
        if known is None or known.command.attempt < command.attempt:
            state: UpdateState = "waiting" if command.action == "back" else "downloading"
            known = UpdateOrder(command=command, report=self._report(command, state))
            self.orders[command.number] = known
            self.orders.save(known)
        else:
            known.command = command  # with fresh links
        self.woken.set()
        return known.report

    def drop_waiting(self) -> None:
        """The robot goes to another owner, who has ordered nothing."""
        for order in self.orders.open():
            if order.report.state in DROPPABLE:
                self.set_state(order, "dropped")

    def _report(self, command: Update, state: UpdateState) -> UpdateProgress:
        running = self.slots.running
        return UpdateProgress(
            number=command.number, attempt=command.attempt, state=state, version=running["software"], versions=running
        )

    def file(self, number: int, part: Part) -> Path:
        """Where the package of a part is until it is installed."""
        package = self.orders.file(number)
        return package if part == "software" else package.with_suffix(f".{part}")

    def list_missing(self, order: UpdateOrder) -> list[tuple[UpdatePackage, Target]]:
        """Packages of parts that do not run yet what they shall."""
        running = self.slots.running
        return [
            (package, target)
            for package in list_packages(order.command)
            if (target := order.targets.get(package.part)) and not is_same(target.version, running[package.part])
        ]

    def is_running(self, order: UpdateOrder) -> bool:
        running = self.slots.running
        return all(is_same(package.version, running[package.part]) for package in list_packages(order.command))

    def count_bytes(self, order: UpdateOrder) -> int:
        """That are surely on the disk."""
        return sum(
            bytes_on_disk(self.file(order.command.number, package.part), target.size)
            for package, target in self.list_missing(order)
        )

    def set_state(self, order: UpdateOrder, state: UpdateState, reason: str = "", have: int | None = None) -> None:
        number, missing = order.command.number, self.list_missing(order)
        size = sum(target.size for _, target in missing) or order.report.size
        report = msgspec.structs.replace(
            self._report(order.command, state),
            have=self.count_bytes(order) if have is None else have,
            size=size,
            reason=reason,
        )
        if state not in OPEN:
            self.drop_files(number)
        if report != order.report:
            order.report = report
            self.orders.save(order)
            self.robot.outbox.event("update", str(number), content=report)
            self.robot.woken.set()

    async def run(self) -> None:
        """For as long as the robot is on."""
        with contextlib.suppress(PowerCut):
            if self.slots.table.trial:
                await self.prove()
            while not self.robot.reboots.is_set():
                self.woken.clear()
                for order in self.orders.open():
                    await self.advance(order)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_S if self.orders.open() else None):
                        await self.woken.wait()

    async def prove(self) -> None:
        """New software is confirmed once it has reached the server; else the former one starts again."""
        order = self.orders.get(self.slots.table.trial)
        reason = "update_start" if self.slots.table.broken else ""
        if not reason:
            try:
                async with asyncio.timeout(REACHED_WITHIN_S):
                    await self.reached.wait()
            except TimeoutError:
                reason = "update_unreached"
        if reason:
            self.slots.fall_back()
            self.robot.reboots.set()
        else:
            self.slots.confirm()
        if order:
            self.set_state(order, "fell_back" if reason else "confirmed", reason)
        self.robot.woken.set()

    def set_fault(self, name: str, *, on: bool) -> None:
        if on:
            self.faults.add(name)
        else:
            self.faults.discard(name)

    def spoil(self, state: str) -> None:
        """What a person asked to go wrong in this state."""
        for fault, where in LOSES_POWER.items():
            if fault in self.faults and where == state:
                self.robot.reboots.set()
                self.robot.woken.set()
                raise PowerCut
        for fault, where in FAILS.items():
            if fault in self.faults and where == state and state != "restarting":
                raise RobotRefusal(RelayCode.FAILED, "update_fault", "As it was asked for")

    async def advance(self, order: UpdateOrder) -> None:
        """As far as it goes now."""
        try:
            if order.report.state == "downloading":
                await self.download(order)
            if order.report.state == "verifying":
                await self.verify(order)
            if order.report.state == "waiting":
                self.wait(order)
            if order.report.state == "installing":
                await self.install(order)
            if order.report.state == "restarting":
                self.restart(order)
        except LineBroken:
            pass  # it is tried again at the next look
        except RobotRefusal as refusal:
            self.set_state(order, "failed", refusal.reason)
        except OSError as why:
            log.warning("%s: update: %r", self.robot.spec.sn, why)
            self.set_state(order, "failed", "robot_failed")

    async def download(self, order: UpdateOrder) -> None:
        command = order.command
        for package in list_packages(command):
            if package.part not in order.targets:
                order.targets[package.part] = await self.find_target(command, package)
        if order.report.state == "downloading":
            self.orders.save(order)
        missing = self.list_missing(order)
        if not missing:
            self.set_state(order, "confirmed")
            return
        before = 0
        for package, target in missing:
            await self.fetch(order, package, target, before)
            before += target.size
        self.spoil("downloading")
        self.check_open(order)
        self.set_state(order, "verifying")

    async def find_target(self, command: Update, package: UpdatePackage) -> Target:
        trusted, root = self.folder / "trusted", self.robot.spec.root.encode()
        target = await asyncio.to_thread(find_target, trusted, root, command.metadata, package.name)
        self.check_fit(package, target)
        return target

    async def fetch(self, order: UpdateOrder, package: UpdatePackage, target: Target, before: int) -> None:
        """`before`: bytes of the packages that are there already."""

        def report(have: int) -> None:
            self.check_open(order)
            self.set_state(order, "downloading", have=before + have)

        self.check_open(order)
        await fetch(package.url, self.file(order.command.number, package.part), target.size, report)

    def check_open(self, order: UpdateOrder) -> None:
        """Raises LineBroken where it was dropped, or ordered anew, meanwhile."""
        if self.orders.get(order.command.number) is not order or order.report.state != "downloading":
            self.drop_files(order.command.number)
            raise LineBroken

    def drop_files(self, number: int) -> None:
        for part in PARTS:
            self.file(number, part).unlink(missing_ok=True)

    def check_fit(self, package: UpdatePackage, target: Target) -> None:
        model = self.robot.spec.model
        if (target.version, target.part) != (package.version, package.part):
            raise RobotRefusal(RelayCode.BAD_INPUT, "update_untrusted", "The metadata names another version or part")
        of_path = type_of_path(package.name)  # which says who may sign it
        if model and (of_path not in ("", model) or (target.type_names and model not in target.type_names)):
            raise RobotRefusal(RelayCode.BAD_INPUT, "update_model", "The package is for another type of robots")
        version = order_of(target.version)
        if version and version < order_of(self.slots.running[package.part]):
            raise RobotRefusal(RelayCode.BAD_INPUT, "update_older", "The robot runs a newer version")

    async def verify(self, order: UpdateOrder) -> None:
        self.spoil("verifying")
        number = order.command.number
        missing = [(self.file(number, package.part), target) for package, target in self.list_missing(order)]
        if not missing or not all(file.exists() for file, _ in missing):
            self.set_state(order, "downloading")
            return
        for file, target in missing:
            await asyncio.to_thread(check, file, target.size, target.sha256)
        if order.report.state == "verifying":
            self.set_state(order, "waiting")

    def holds(self, command: Update) -> bool:
        """Whether the other slot has all that this goes back to."""
        former = self.slots.former or {}
        return all(former.get(package.part) == package.version for package in list_packages(command))

    def wait(self, order: UpdateOrder) -> None:
        """Until nothing stands against it; not after its time."""
        command, machine = order.command, self.robot.machine
        if command.action == "back" and not self.holds(command):
            raise RobotRefusal(RelayCode.UNKNOWN, "update_no_former", "The other slot does not hold this version")
        reason = self.robot.reason_to_wait()
        if not reason and command.charging and not machine.charging:
            reason = "update_not_charging"
        if command.until and time.time() * 1000 > command.until:
            raise RobotRefusal(RelayCode.CONFLICT, "update_late", "Its time is over")
        if reason:
            self.set_state(order, "waiting", reason)
        else:
            self.set_state(order, "restarting" if command.action == "back" else "installing")

    async def install(self, order: UpdateOrder) -> None:
        self.spoil("installing")
        number, missing = order.command.number, self.list_missing(order)
        packages: list[tuple[Part, Path, str]] = [
            (package.part, self.file(number, package.part), target.version) for package, target in missing
        ]
        if not packages:
            raise RobotRefusal(RelayCode.FAILED, "robot_failed", "The order was lost")
        await asyncio.to_thread(self.slots.install, packages)
        self.set_state(order, "restarting")

    def restart(self, order: UpdateOrder) -> None:
        self.slots.switch(order.command.number, broken="update_restarting" in self.faults)
        self.spoil("restarting")
        self.robot.reboots.set()
        self.robot.woken.set()
