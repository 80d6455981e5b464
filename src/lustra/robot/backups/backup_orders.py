"""Backups that the server orders: packed, then uploaded.

Rules: an archive that is packed stays on the disk until its order is dropped or later ones take its place, so that it
can be uploaded again; a line that breaks is tried again a few times; an order that the power cut off goes on.
"""

import asyncio
import contextlib
import hashlib
import logging
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from lustra.protocol.backups import Backup, BackupItem, BackupProgress
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.backups.archive import FORMAT, pack_archive
from lustra.robot.backups.contents import collect, list_items, to_files
from lustra.robot.backups.holder import REMEMBERED, Dropped, Holder
from lustra.robot.sending import LINE_BROKEN, NotTaken, put_file
from lustra.robot.store import write
from lustra.robot.stored_orders import StoredOrders

log = logging.getLogger(__name__)
TRIES = 3
AGAIN_S = 2.0
NOT_TAKEN = {"sha256": "backup_checksum", "file": "no_room"}  # by the field that the server names
UNFINISHED = ("packing", "packed", "uploading")


class BackupOrder(msgspec.Struct, kw_only=True):
    """Kept on the robot's disk."""

    command: Backup
    report: BackupProgress


@dataclass
class BackupOrders:
    robot: Holder
    folder: Path
    orders: StoredOrders[BackupOrder] = field(init=False)
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.orders = StoredOrders(self.folder, BackupOrder, ending="zip", unfinished=UNFINISHED, remembered=REMEMBERED)

    def contents(self) -> tuple[list[BackupItem], dict[str, str]]:
        """What the robot holds now, and its versions."""
        self.robot.keep(run=False)
        return list(list_items(collect(self.robot.store, self.robot.plans))), self.robot.versions()

    def accept(self, command: Backup) -> BackupProgress:
        known = self.orders.get(command.number)
        report = BackupProgress(number=command.number, attempt=command.attempt, state="packing")
        if command.action == "drop":
            self.orders.remove(command.number)
            return msgspec.structs.replace(report, state="dropped")
        if command.action == "upload":
            if known is None or not self.orders.file(command.number).exists():
                raise RobotRefusal(RelayCode.UNKNOWN, "backup_gone", "The robot does not have this archive any more")
            size = self.orders.file(command.number).stat().st_size
            report = msgspec.structs.replace(report, state="uploading", size=size)
        self.orders[command.number] = order = BackupOrder(command=command, report=report)
        self.orders.save(order)
        self.woken.set()
        return report

    def check_current(self, order: BackupOrder) -> None:
        """Raises Dropped when there is another attempt by now, or none."""
        if self.orders.get(order.command.number) is not order:
            raise Dropped

    def set_state(self, order: BackupOrder, report: BackupProgress) -> None:
        self.check_current(order)
        order.report = report
        self.orders.save(order)
        self.robot.outbox.event("backup", str(report.number), content=report)
        self.robot.woken.set()

    def fail(self, order: BackupOrder, reason: str) -> None:
        with contextlib.suppress(Dropped):
            self.set_state(order, msgspec.structs.replace(order.report, state="failed", reason=reason))

    async def run(self) -> None:
        """For as long as the robot is on."""
        while True:
            self.woken.clear()
            for order in self.orders.open():
                await self.advance(order)
            await self.woken.wait()

    async def advance(self, order: BackupOrder) -> None:
        try:
            if order.report.state == "packing":
                await self.pack(order)
            if order.report.state == "uploading":
                await self.upload(order)
        except Dropped:
            pass
        except NotTaken as why:
            self.fail(order, NOT_TAKEN.get(why.field, "backup_link"))
        except OSError as why:
            log.warning("%s: backup: %r", self.robot.spec.sn, why)
            self.fail(order, "robot_failed")

    async def pack(self, order: BackupOrder) -> None:
        self.robot.keep(run=False)
        contents = collect(self.robot.store, self.robot.plans)
        items, versions, packed_at = list(list_items(contents)), self.robot.versions(), self.robot.clock.at()

        def pack_files() -> bytes:
            data = pack_archive(to_files(contents), self.robot.spec.sn, packed_at, versions, items)
            write(self.orders.file(order.command.number), data, lasting=True)
            return data

        data = await asyncio.to_thread(pack_files)
        packed = BackupProgress(
            number=order.command.number,
            attempt=order.command.attempt,
            state="packed",
            size=len(data),
            sha256=hashlib.sha256(data).hexdigest(),
            format=FORMAT,
            items=items,
            versions=versions,
        )
        self.set_state(order, packed)

    async def upload(self, order: BackupOrder) -> None:
        for tries in range(1, TRIES + 1):
            try:
                await self.put(order)
            except LINE_BROKEN:
                self.check_current(order)
                if tries == TRIES:
                    self.fail(order, "backup_cut")
                    return
                await asyncio.sleep(AGAIN_S)
            else:
                self.set_state(order, msgspec.structs.replace(order.report, state="uploaded", have=order.report.size))
                return

    async def put(self, order: BackupOrder) -> None:
        def report(have: int) -> None:
            self.set_state(order, msgspec.structs.replace(order.report, have=have))

        archive, size = self.orders.file(order.command.number), order.report.size
        await put_file(order.command.url, archive, size, order.command.sha256, report)
