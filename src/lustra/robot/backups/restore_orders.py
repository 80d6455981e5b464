"""Backups that the server orders to be put in place: fetched, checked, and held.

Rules: nothing changes before all of it is here, is what was ordered, and can be held; not while a task runs or a lift
carries the robot, and not after its time. Once it has begun neither a power cut nor a full disk ends it: the archive
lies ready, and the robot goes on with it until all is in place.
"""

import asyncio
import contextlib
import hashlib
import logging
import time
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import msgspec

from lustra.protocol.backups import Restore, RestoreProgress
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.backups.archive import read_archive
from lustra.robot.backups.contents import Contents, from_files, put_in_place
from lustra.robot.backups.holder import CHUNK, PATIENCE, REMEMBERED, Dropped, Holder, LinkExpired
from lustra.robot.sending import LINE_BROKEN
from lustra.robot.store import write
from lustra.robot.stored_orders import StoredOrders

log = logging.getLogger(__name__)
LOOK_S = 2.0
UNFINISHED = ("loading", "waiting")


class RestoreOrder(msgspec.Struct, kw_only=True):
    """Kept on the robot's disk."""

    command: Restore
    report: RestoreProgress


def read_contents(data: bytes) -> Contents:
    return from_files(read_archive(data)[1])


@dataclass
class RestoreOrders:
    robot: Holder
    folder: Path
    orders: StoredOrders[RestoreOrder] = field(init=False)
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.orders = StoredOrders(
            self.folder, RestoreOrder, ending="zip", unfinished=UNFINISHED, remembered=REMEMBERED
        )

    def accept(self, command: Restore) -> RestoreProgress:
        known = self.orders.get(command.number)
        if command.drop:
            if known and known.report.state in UNFINISHED:
                self.set_state(known, "dropped")
            return known.report if known else RestoreProgress(number=command.number, state="dropped")
        if known is None:
            known = RestoreOrder(command=command, report=RestoreProgress(number=command.number, state="loading"))
            self.orders[command.number] = known
            self.orders.save(known)
            self.woken.set()
        return known.report

    def ready(self, number: int) -> Path:
        """An archive that is being put in place."""
        return self.folder / f"{number}.ready"

    def set_state(self, order: RestoreOrder, state: str, reason: str = "", have: int = 0) -> None:
        number = order.command.number
        report = msgspec.convert({"number": number, "state": state, "reason": reason, "have": have}, RestoreProgress)
        if state not in UNFINISHED:
            self.orders.file(number).unlink(missing_ok=True)
        if report != order.report:
            order.report = report
            self.orders.save(order)
            self.robot.outbox.event("restore", str(number), content=report)
            self.robot.woken.set()

    async def run(self) -> None:
        """For as long as the robot is on."""
        while True:
            self.woken.clear()
            for order in self.orders.open():
                await self.advance(order)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S if self.orders.open() else None):
                    await self.woken.wait()

    async def advance(self, order: RestoreOrder) -> None:
        begun = self.ready(order.command.number)
        if time.time() * 1000 > order.command.until and not begun.exists():
            self.set_state(order, "failed", "restore_late")
            return
        try:
            if order.report.state == "loading":
                await self.fetch(order)
            await self.install(order)
        except Dropped:
            pass
        except RobotRefusal as refusal:
            self.set_state(order, "failed", refusal.reason)
        except LinkExpired:
            self.set_state(order, "failed", "backup_link")
        except LINE_BROKEN:
            pass  # it is tried again at the next look, until its time is over
        except OSError as why:
            log.warning("%s: restore: %r", self.robot.spec.sn, why)
            self.set_state(order, "waiting" if begun.exists() else "failed", "robot_failed")

    async def fetch(self, order: RestoreOrder) -> None:
        """All of it; what was cut off is fetched again."""
        command, have, digest = order.command, 0, hashlib.sha256()
        headers = {"Accept-Encoding": "identity"}
        async with (
            aiohttp.ClientSession(timeout=PATIENCE) as client,
            client.get(command.url, headers=headers) as answer,
        ):
            if answer.content_type == "application/json":  # a refusal is an envelope
                raise LinkExpired
            with self.orders.file(command.number).open("wb") as out:
                async for part in answer.content.iter_chunked(CHUNK):
                    if order.report.state != "loading":
                        raise Dropped
                    have += len(part)
                    if have > command.size:
                        break
                    digest.update(part)
                    out.write(part)
        if (have, digest.hexdigest()) != (command.size, command.sha256):
            raise RobotRefusal(RelayCode.BAD_INPUT, "backup_checksum", "The archive is not as it was ordered")
        self.set_state(order, "waiting", have=have)

    async def install(self, order: RestoreOrder) -> None:
        """In one step, when nothing needs what is there."""
        data = await asyncio.to_thread(self.orders.file(order.command.number).read_bytes)
        contents = await asyncio.to_thread(read_contents, data)
        if order.report.state != "waiting":  # dropped while it was read
            return
        if why := self.robot.reason_to_wait():
            self.set_state(order, "waiting", why, have=len(data))
            return
        write(self.ready(order.command.number), data, lasting=True)
        self.put_in_place(order, contents)
        self.robot.follow_store()

    def put_in_place(self, order: RestoreOrder, contents: Contents) -> None:
        put_in_place(contents, self.robot.store, self.robot.plans)
        self.ready(order.command.number).unlink()
        self.set_state(order, "restored", have=order.command.size)

    def go_on(self) -> None:
        """At the start: a backup that was being put in place when the power went."""
        for order in self.orders.open():
            if self.ready(order.command.number).exists():
                self.put_in_place(order, read_contents(self.ready(order.command.number).read_bytes()))
