"""Files that the server asks for: copied, counted, and put to the signed URL of the order.

Rules: what is sent is a copy, so nothing that is written or deleted meanwhile changes it; a line that breaks is tried
again from the start, ever more rarely, until the server takes the file, refuses it, or drops the order; one that the
server called damaged is sent some times more. How it goes is reported by events. A restart ends all orders.
"""

import asyncio
import hashlib
import logging
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from lustra.protocol.files import FileProgress, SendFile
from lustra.protocol.refusals import RobotRefusal
from lustra.robot.files.folder import Source
from lustra.robot.outbox import Outbox
from lustra.robot.sending import LINE_BROKEN, NotTaken, put_file

log = logging.getLogger(__name__)
AGAIN_S = 1.0
AGAIN_MOST_S = 30.0
MOST_DAMAGED = 3
DAMAGED = "upload_checksum"
Key = tuple[str, int]


class Refused(Exception):
    """The server will not take the file. `reason`: its key of the catalogue."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass
class Uploads:
    outbox: Outbox
    folder: Path  # for the copies
    sources: dict[str, Source]
    woken: asyncio.Event  # of the robot: there is something to say
    progress: dict[Key, FileProgress] = field(default_factory=dict[Key, FileProgress])
    tasks: "dict[Key, asyncio.Task[None]]" = field(default_factory=dict[Key, "asyncio.Task[None]"])

    def accept(self, order: SendFile) -> FileProgress:
        """An order, or its end; answers how far it is."""
        key = (order.kind, order.number)
        if task := self.tasks.pop(key, None):
            task.cancel()
        if order.drop:
            return FileProgress(kind=order.kind, number=order.number, state="dropped")
        self.progress[key] = FileProgress(kind=order.kind, number=order.number, state="packing")
        self.tasks[key] = asyncio.create_task(self.send(order))
        return self.progress[key]

    def drop_all(self) -> None:
        for task in self.tasks.values():
            task.cancel()
        self.tasks.clear()

    async def run(self) -> None:
        """For as long as the robot is on."""
        try:
            await asyncio.Event().wait()
        finally:
            for task in self.tasks.values():
                task.cancel()
            await asyncio.gather(*self.tasks.values(), return_exceptions=True)
            shutil.rmtree(self.folder, ignore_errors=True)

    def set_state(self, order: SendFile, state: str, *, reason: str = "", have: int = 0, size: int = 0) -> None:
        row = {"kind": order.kind, "number": order.number, "state": state}
        now = msgspec.convert(row | {"have": have, "size": size, "reason": reason}, FileProgress)
        if now != self.progress.get((order.kind, order.number)):
            self.progress[order.kind, order.number] = now
            self.outbox.event("file_upload", f"{order.kind}/{order.number}", content=now)
            self.woken.set()

    async def send(self, order: SendFile) -> None:
        copy = self.folder / f"{order.kind}-{order.number}"
        try:
            size, sha256 = await asyncio.to_thread(self.pack, order, copy)
            self.set_state(order, "sending", size=size)
            await self.put_until_taken(order, copy, size, sha256)
            self.set_state(order, "sent", have=size, size=size)
        except (Refused, RobotRefusal) as why:
            self.set_state(order, "failed", reason=why.reason)
        except OSError as why:
            log.warning("upload %s/%s: %r", order.kind, order.number, why)
            self.set_state(order, "failed", reason="robot_failed")
        finally:
            key = (order.kind, order.number)
            if self.tasks.get(key) is asyncio.current_task():
                copy.unlink(missing_ok=True)
                del self.tasks[key], self.progress[key]

    def pack(self, order: SendFile, copy: Path) -> tuple[int, str]:
        """Size and SHA-256 of the copy."""
        if order.kind not in self.sources:
            raise Refused("upload_file_unknown")
        self.folder.mkdir(exist_ok=True)
        self.sources[order.kind].pack(order.name, copy)
        size = copy.stat().st_size
        if size > order.largest:
            raise Refused("upload_too_large")
        with copy.open("rb") as opened:
            return size, hashlib.file_digest(opened, "sha256").hexdigest()

    async def put_until_taken(self, order: SendFile, copy: Path, size: int, sha256: str) -> None:
        pause, damaged = AGAIN_S, 0
        while True:
            try:
                await self.put(order, copy, size, sha256)
            except LINE_BROKEN:
                self.set_state(order, "sending", size=size, reason="upload_cut")
            except Refused as why:
                damaged += 1
                if why.reason != DAMAGED or damaged >= MOST_DAMAGED:
                    raise
            else:
                return
            await asyncio.sleep(pause)
            pause = min(pause * 2, AGAIN_MOST_S)

    async def put(self, order: SendFile, copy: Path, size: int, sha256: str) -> None:
        def report(have: int) -> None:
            self.set_state(order, "sending", have=have, size=size)

        try:
            await put_file(order.url, copy, size, sha256, report)
        except NotTaken as why:
            raise Refused(DAMAGED if why.field == "sha256" else "upload_refused") from why
