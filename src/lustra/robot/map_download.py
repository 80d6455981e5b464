"""Maps that the server orders: downloaded in chunks, checked, and put in the place of the old one.

Rules: what has come is kept over cuts and restarts, and only the rest is fetched again; size and checksum are those
that were ordered, else nothing is taken; the old map stays as it is until the new one is whole, and while a task runs
on it or a ride leads from or to it; a map that has changed since the server knew it is not overwritten, unless that was
asked for. How an order ends is an event, which is sent until it is confirmed.
"""

import asyncio
import contextlib
import errno
import hashlib
import logging
import os
import shutil
import socket
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import aiohttp
import msgspec

from lustra.protocol.bus import TakeMap, Taken
from lustra.protocol.refusals import RobotRefusal
from lustra.robot.maps.bundle import check_marks, read_bundle
from lustra.robot.maps.floor import Floor
from lustra.robot.outbox import Outbox
from lustra.robot.simulation.elevator_trip import Trips
from lustra.robot.simulation.machine import Machine
from lustra.robot.spec import Spec
from lustra.robot.state.mirror import Mirror
from lustra.robot.store import Store
from lustra.robot.stored_orders import StoredOrders

log = logging.getLogger(__name__)
CHUNK = 64 * 1024
SYNC_BYTES = 512 * 1024  # bytes between two writes to the disk itself; what came after the last one is fetched again
RECEIVE_BUFFER = 128 * 1024  # bytes that the line may hold
TELL_S = 3.0
LOOK_S = 2.0
AGAIN_S = 1.0
AGAIN_MOST_S = 30.0
PATIENCE = aiohttp.ClientTimeout(total=None, connect=10, sock_read=20)
UNPACKED = 3  # times the bundle's size that a map and its copies take at most
REMEMBERED = 20
OPEN = ("loading", "whole")
# Statuses of HTTP.
WHOLE = 200
PART = 206
PAST = 416
MARKS = ("virtual_walls", "forbidden_zones", "free_areas", "flags", "erasers", "hours")


class LinkExpired(Exception):
    """The URL opens nothing any more: only the server can give another."""


class Order(msgspec.Struct, kw_only=True):
    """`etag`: the content that `have` bytes were fetched of. Kept on the robot's disk under the names given here."""

    take: TakeMap
    report: Taken = msgspec.field(name="told")
    etag: str = ""


class Receiver(Protocol):
    """The robot, as far as its downloads need it."""

    spec: Spec
    store: Store
    outbox: Outbox
    machine: Machine
    mirror: Mirror
    trips: Trips
    woken: asyncio.Event

    def save_map(self, floor: Floor) -> None: ...


@dataclass
class MapDownloads:
    robot: Receiver
    folder: Path
    disk: int = 0  # bytes that all of the robot's files may take; 0: as many as there is room for
    orders: StoredOrders[Order] = field(init=False)
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.orders = StoredOrders(self.folder, Order, ending="zip", unfinished=OPEN, remembered=REMEMBERED)

    # Orders of the server

    def accept(self, order: TakeMap) -> Taken:
        """An order, a fresh URL for one, or its end; answers how far it is."""
        known = self.orders.get(order.number)
        if order.drop:
            return self.drop(order, known)
        if known is None:
            known = Order(take=order, report=Taken(number=order.number, state="loading"))
        elif known.report.state != "received":
            known.take = order
            if known.report.state not in OPEN:
                known.report = Taken(number=order.number, state="loading", have=known.report.have)
        self.orders[order.number] = known
        if known.report.state == "loading" and (why := self.reason_to_refuse(order)):
            self.set_state(known, "failed", why, tell=False)
        self.orders.save(known)
        self.woken.set()
        return known.report

    def drop(self, order: TakeMap, known: Order | None) -> Taken:
        if known is None:
            return Taken(number=order.number, state="dropped")
        if known.report.state != "received":
            self.orders.file(order.number).unlink(missing_ok=True)
            known.report = Taken(number=order.number, state="dropped")
            self.orders.save(known)
        return known.report

    def reason_to_refuse(self, order: TakeMap) -> str:
        """Why the map cannot be taken; a reason of the catalogue, or nothing."""
        known = self.robot.store.maps.get(order.name)
        if not order.replace and (known.revision if known else 0) != order.revision:
            return "sync_conflict"
        missing = order.size - self.bytes_on_disk(order.number) + UNPACKED * order.size
        return "sync_space" if missing > self.free_bytes() else ""

    def free_bytes(self) -> int:
        """Bytes that are free."""
        own = self.folder.parent
        free = shutil.disk_usage(own).free
        if self.disk:
            used = sum(file.stat().st_size for file in own.rglob("*") if file.is_file())
            free = min(free, self.disk - used)
        return free

    # Files

    def bytes_on_disk(self, number: int) -> int:
        """Bytes that are surely on the disk, whatever befell the robot."""
        part = self.orders.file(number)
        size = part.stat().st_size if part.exists() else 0
        order = self.orders.get(number)
        return size if order and size == order.take.size else size // SYNC_BYTES * SYNC_BYTES

    def set_state(self, order: Order, state: str, reason: str = "", revision: int = 0, *, tell: bool = True) -> None:
        number = order.take.number
        have = order.take.size if state in {"whole", "received"} else self.bytes_on_disk(number)
        now = msgspec.convert(
            {"number": number, "state": state, "have": have, "reason": reason, "revision": revision}, Taken
        )
        if now == order.report:
            return
        order.report = now
        self.orders.save(order)
        if state in {"received", "dropped"} or reason == "sync_space":
            self.orders.file(number).unlink(missing_ok=True)
        if tell:
            self.robot.outbox.event("map_sync", str(number), revision, now)
            self.robot.woken.set()

    # Work

    async def run(self) -> None:
        """For as long as the robot is on."""
        while True:
            self.woken.clear()
            for order in self.orders.open():
                await self.advance(order)
            waits = bool(self.orders.open())
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.woken.wait(), LOOK_S if waits else None)

    async def advance(self, order: Order) -> None:
        try:
            if order.report.state == "loading":
                await self.download(order)
            if order.report.state == "whole":
                await self.install(order)
        except RobotRefusal as refusal:
            self.set_state(order, "failed", refusal.reason)
        except LinkExpired:
            self.set_state(order, "failed", "sync_link")
        except OSError as why:
            log.warning("%s: map %s: %r", self.robot.spec.sn, order.take.name, why)
            self.set_state(
                order, "failed", "sync_space" if why.errno in {errno.ENOSPC, errno.EDQUOT} else "robot_failed"
            )

    async def download(self, order: Order) -> None:
        """Until all is there; a line that breaks is tried again, ever more rarely."""
        pause, take = AGAIN_S, order.take
        while order.report.state == "loading" and (have := self.bytes_on_disk(take.number)) < take.size:
            try:
                await self.fetch(order, have)
            except (aiohttp.ClientError, TimeoutError, ConnectionError):
                self.set_state(order, "loading", "sync_cut")
                pause = AGAIN_S if self.bytes_on_disk(take.number) > have else min(pause * 2, AGAIN_MOST_S)
                self.woken.clear()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self.woken.wait(), pause)
                take = order.take
        if order.report.state != "loading":  # it was dropped meanwhile
            return
        if await asyncio.to_thread(digest, self.orders.file(take.number)) != take.sha256:
            self.orders.file(take.number).unlink(missing_ok=True)
            self.set_state(order, "failed", "sync_checksum")
        else:
            self.set_state(order, "whole")

    async def fetch(self, order: Order, have: int) -> None:
        """What is still missing, as far as the line holds."""
        take = order.take
        headers = {"Accept-Encoding": "identity"}
        if have:
            headers |= {"Range": f"bytes={have}-"} | ({"If-Range": order.etag} if order.etag else {})
        line = aiohttp.TCPConnector(socket_factory=small_buffer_socket)
        async with (
            aiohttp.ClientSession(timeout=PATIENCE, connector=line) as client,
            client.get(take.url, headers=headers) as answer,
        ):
            if answer.status == PAST or answer.content_type == "application/json":
                raise LinkExpired  # a refusal is an envelope
            start = have if answer.status == PART else 0
            rest = answer.content_length
            if answer.status not in {WHOLE, PART} or (rest is not None and start + rest != take.size):
                raise LinkExpired
            order.etag = answer.headers.get("ETag", "")
            self.orders.save(order)
            await self.receive(order, answer, start)

    async def receive(self, order: Order, answer: aiohttp.ClientResponse, start: int) -> None:
        loop, number = asyncio.get_running_loop(), order.take.number
        reported_at, synced = loop.time(), start
        with self.orders.file(number).open("r+b" if start else "wb") as out:
            out.truncate(start)
            out.seek(start)
            async for piece in answer.content.iter_chunked(CHUNK):
                if order.report.state != "loading":
                    break
                out.write(piece[: order.take.size - out.tell()])
                if out.tell() - synced >= SYNC_BYTES:
                    out.flush()
                    os.fsync(out.fileno())
                    synced = out.tell()
                    if loop.time() - reported_at >= TELL_S:
                        reported_at = loop.time()
                        self.set_state(order, "loading")

    def in_use(self, name: str) -> str:
        """What needs the map as it is: a task on it, or a ride between it and another floor."""
        run, trip = self.robot.machine.run, self.robot.trips.current
        if run and run.floor.name == name:
            return "map.task_running"
        return "lift_riding" if trip and name in {trip.origin, trip.target} else ""

    async def install(self, order: Order) -> None:
        """The new map in the place of the old: in one step, when no task needs the old one."""
        take, store = order.take, self.robot.store
        if why := self.in_use(take.name):
            self.set_state(order, "whole", why)
            return
        data = await asyncio.to_thread(self.orders.file(take.number).read_bytes)
        new = check_marks(await asyncio.to_thread(read_bundle, data, take.name))
        known = store.maps.get(take.name)
        if order.report.state != "whole" or self.in_use(take.name):  # while it was read
            return
        if known is not None and same_map(known, new):
            self.robot.mirror.announce_map(known)
            self.set_state(order, "received", revision=known.revision)
            return
        if not take.replace and (known.revision if known else 0) != take.revision:
            self.set_state(order, "failed", "sync_conflict")
            return
        new.revision = known.revision + 1 if known else 1
        self.robot.save_map(new)
        self.set_state(order, "received", revision=new.revision)


def small_buffer_socket(addr: tuple[Any, ...]) -> socket.socket:
    """A line on which little is under way: what is cut off with it is sent again."""
    family, kind, proto, _, _ = addr
    client = socket.socket(family, kind, proto)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
    return client


def same_map(a: Floor, b: Floor) -> bool:
    """The same map already: also one that was put in place just before the power went."""
    frame = (a.resolution, a.origin, a.size) == (b.resolution, b.origin, b.size)
    return frame and all(getattr(a, n) == getattr(b, n) for n in MARKS) and bool((a.grid == b.grid).all())


def digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
