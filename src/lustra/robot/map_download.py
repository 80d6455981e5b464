"""Maps that the server sends: fetched piece by piece, checked, and put in the place of the old one.

Rules: what has come is kept over cuts and restarts, and only the rest is fetched again; size and checksum are those
that were ordered, else nothing is taken; the old map stays as it is until the new one is whole, and while a task runs
on it or a ride leads from or to it; a map that has changed since the server knew it is not overwritten, unless that was
asked for. How an order ends is told by an event, so that it is heard however bad the line is.
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
from typing import TYPE_CHECKING, Any

import aiohttp
import msgspec

from lustra.protocol.bus import TakeMap, Taken
from lustra.protocol.refusals import RobotRefusal
from lustra.robot.bundle import fitting, read_bundle
from lustra.robot.floor import Floor
from lustra.robot.store import write

if TYPE_CHECKING:
    from lustra.robot.robot import Robot

log = logging.getLogger(__name__)
PIECE = 64 * 1024
SURE = 512 * 1024  # bytes between two writes to the disk itself; what came after the last one is fetched again
UNDER_WAY = 128 * 1024  # bytes that the line may hold
TELL_S, LOOK_S = 3.0, 2.0
AGAIN_S, AGAIN_MOST_S = 1.0, 30.0
PATIENCE = aiohttp.ClientTimeout(total=None, connect=10, sock_read=20)
UNPACKED = 3  # times the bundle's size that a map and its copies take at most
REMEMBERED = 20
OPEN = ("loading", "whole")
WHOLE, PART, PAST = 200, 206, 416  # statuses of HTTP
MARKS = ("virtual_walls", "forbidden_zones", "free_areas", "flags", "erasers", "hours")


class Unlinked(Exception):
    """The URL opens nothing any more: only the server can give another."""


class Order(msgspec.Struct, kw_only=True):
    """`etag`: the content that `have` bytes were fetched of."""

    take: TakeMap
    told: Taken
    etag: str = ""


@dataclass
class Intake:
    robot: "Robot"
    folder: Path
    disk: int = 0  # bytes that all of the robot's files may take; 0: as many as there is room for
    orders: dict[int, Order] = field(default_factory=dict[int, Order])
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        for file in sorted(self.folder.glob("*.json")):
            order = msgspec.json.decode(file.read_bytes(), type=Order)
            self.orders[order.take.number] = order

    # What the server says

    def take(self, wanted: TakeMap) -> Taken:
        """An order, a fresh URL for one, or its end; answers how far it is."""
        known = self.orders.get(wanted.number)
        if wanted.drop:
            return self.drop(wanted, known)
        if known is None:
            known = Order(take=wanted, told=Taken(number=wanted.number, state="loading"))
        elif known.told.state != "received":
            known.take = wanted
            if known.told.state not in OPEN:
                known.told = Taken(number=wanted.number, state="loading", have=known.told.have)
        self.orders[wanted.number] = known
        if known.told.state == "loading" and (why := self.hindrance(wanted)):
            self.turn(known, "failed", why, tell=False)
        self.keep(known)
        self.woken.set()
        return known.told

    def drop(self, wanted: TakeMap, known: Order | None) -> Taken:
        if known is None:
            return Taken(number=wanted.number, state="dropped")
        if known.told.state != "received":
            self.part(wanted.number).unlink(missing_ok=True)
            known.told = Taken(number=wanted.number, state="dropped")
            self.keep(known)
        return known.told

    def hindrance(self, wanted: TakeMap) -> str:
        """Why the map cannot be taken; a reason of the catalogue, or nothing."""
        known = self.robot.store.maps.get(wanted.name)
        if not wanted.replace and (known.revision if known else 0) != wanted.revision:
            return "sync_conflict"
        missing = wanted.size - self.have(wanted.number) + UNPACKED * wanted.size
        return "sync_space" if missing > self.room() else ""

    def room(self) -> int:
        """Bytes that are free."""
        own = self.folder.parent
        free = shutil.disk_usage(own).free
        if self.disk:
            used = sum(file.stat().st_size for file in own.rglob("*") if file.is_file())
            free = min(free, self.disk - used)
        return free

    # What it keeps

    def part(self, number: int) -> Path:
        return self.folder / f"{number}.zip"

    def have(self, number: int) -> int:
        """Bytes that are surely on the disk, whatever befell the robot."""
        part = self.part(number)
        size = part.stat().st_size if part.exists() else 0
        order = self.orders.get(number)
        return size if order and size == order.take.size else size // SURE * SURE

    def keep(self, order: Order) -> None:
        self.folder.mkdir(exist_ok=True)
        write(self.folder / f"{order.take.number}.json", msgspec.json.encode(order), lasting=True)
        over = sorted(number for number, one in self.orders.items() if one.told.state not in OPEN)
        for number in over[:-REMEMBERED]:
            del self.orders[number]
            (self.folder / f"{number}.json").unlink(missing_ok=True)
            self.part(number).unlink(missing_ok=True)

    def turn(self, order: Order, state: str, reason: str = "", revision: int = 0, *, tell: bool = True) -> None:
        number = order.take.number
        have = order.take.size if state in {"whole", "received"} else self.have(number)
        now = msgspec.convert(
            {"number": number, "state": state, "have": have, "reason": reason, "revision": revision}, Taken
        )
        if now == order.told:
            return
        order.told = now
        self.keep(order)
        if state in {"received", "dropped"} or reason == "sync_space":
            self.part(number).unlink(missing_ok=True)
        if tell:
            self.robot.outbox.event("map_sync", str(number), revision, now)
            self.robot.woken.set()

    # What it does

    async def run(self) -> None:
        """For as long as the robot is on."""
        while True:
            self.woken.clear()
            for order in [one for one in self.orders.values() if one.told.state in OPEN]:
                await self.forward(order)
            waits = any(one.told.state in OPEN for one in self.orders.values())
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.woken.wait(), LOOK_S if waits else None)

    async def forward(self, order: Order) -> None:
        try:
            if order.told.state == "loading":
                await self.load(order)
            if order.told.state == "whole":
                await self.place(order)
        except RobotRefusal as refusal:
            self.turn(order, "failed", refusal.reason)
        except Unlinked:
            self.turn(order, "failed", "sync_link")
        except OSError as why:
            log.warning("%s: map %s: %r", self.robot.spec.sn, order.take.name, why)
            self.turn(order, "failed", "sync_space" if why.errno in {errno.ENOSPC, errno.EDQUOT} else "robot_failed")

    async def load(self, order: Order) -> None:
        """Until all is there; a line that breaks is tried again, ever more rarely."""
        pause, take = AGAIN_S, order.take
        while order.told.state == "loading" and (have := self.have(take.number)) < take.size:
            try:
                await self.fetch(order, have)
            except (aiohttp.ClientError, TimeoutError, ConnectionError):
                self.turn(order, "loading", "sync_cut")
                pause = AGAIN_S if self.have(take.number) > have else min(pause * 2, AGAIN_MOST_S)
                self.woken.clear()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self.woken.wait(), pause)
                take = order.take
        if order.told.state != "loading":  # it was dropped meanwhile
            return
        if await asyncio.to_thread(digest, self.part(take.number)) != take.sha256:
            self.part(take.number).unlink(missing_ok=True)
            self.turn(order, "failed", "sync_checksum")
        else:
            self.turn(order, "whole")

    async def fetch(self, order: Order, have: int) -> None:
        """What is still missing, as far as the line holds."""
        take = order.take
        wanted = {"Accept-Encoding": "identity"}
        if have:
            wanted |= {"Range": f"bytes={have}-"} | ({"If-Range": order.etag} if order.etag else {})
        line = aiohttp.TCPConnector(socket_factory=narrow)
        async with (
            aiohttp.ClientSession(timeout=PATIENCE, connector=line) as client,
            client.get(take.url, headers=wanted) as answer,
        ):
            if answer.status == PAST or answer.content_type == "application/json":
                raise Unlinked  # a refusal is an envelope
            start = have if answer.status == PART else 0
            rest = answer.content_length
            if answer.status not in {WHOLE, PART} or (rest is not None and start + rest != take.size):
                raise Unlinked
            order.etag = answer.headers.get("ETag", "")
            self.keep(order)
            await self.receive(order, answer, start)

    async def receive(self, order: Order, answer: aiohttp.ClientResponse, start: int) -> None:
        loop, number = asyncio.get_running_loop(), order.take.number
        told, sure = loop.time(), start
        with self.part(number).open("r+b" if start else "wb") as out:
            out.truncate(start)
            out.seek(start)
            async for piece in answer.content.iter_chunked(PIECE):
                if order.told.state != "loading":
                    break
                out.write(piece[: order.take.size - out.tell()])
                if out.tell() - sure >= SURE:
                    out.flush()
                    os.fsync(out.fileno())
                    sure = out.tell()
                    if loop.time() - told >= TELL_S:
                        told = loop.time()
                        self.turn(order, "loading")

    def in_use(self, name: str) -> str:
        """What needs the map as it is: a task on it, or a ride between it and another floor."""
        run, trip = self.robot.machine.run, self.robot.trip
        if run and run.floor.name == name:
            return "map.task_running"
        return "lift_riding" if trip and name in {trip.origin, trip.target} else ""

    async def place(self, order: Order) -> None:
        """The new map in the place of the old: in one step, when no task needs the old one."""
        take, store = order.take, self.robot.store
        if why := self.in_use(take.name):
            self.turn(order, "whole", why)
            return
        data = await asyncio.to_thread(self.part(take.number).read_bytes)
        new = fitting(await asyncio.to_thread(read_bundle, data, take.name))
        known = store.maps.get(take.name)
        if order.told.state != "whole" or self.in_use(take.name):  # while it was read
            return
        if known is not None and alike(known, new):
            self.robot.tell_map(known)
            self.turn(order, "received", revision=known.revision)
            return
        if not take.replace and (known.revision if known else 0) != take.revision:
            self.turn(order, "failed", "sync_conflict")
            return
        new.revision = known.revision + 1 if known else 1
        self.robot.changed_map(new)
        self.turn(order, "received", revision=new.revision)


def narrow(addr: tuple[Any, ...]) -> socket.socket:
    """A line on which little is under way: what is cut off with it is sent again."""
    family, kind, proto, _, _ = addr
    made = socket.socket(family, kind, proto)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, UNDER_WAY)
    return made


def alike(a: Floor, b: Floor) -> bool:
    """The same map already: also one that was put in place just before the power went."""
    frame = (a.resolution, a.origin, a.size) == (b.resolution, b.origin, b.size)
    return frame and all(getattr(a, n) == getattr(b, n) for n in MARKS) and bool((a.grid == b.grid).all())


def digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
