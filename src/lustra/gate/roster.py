"""Which robots may log in: kept in a file of the gate's own, fed by the bucket `devices`.

Rule: with server and database stopped and the bus just started, the file alone is enough. It forgets a robot only when
the bus says that it is gone, never because a bucket is new and empty.
"""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import structlog

from lustra.core.files.private_files import write_private

log = structlog.get_logger()


class Device(msgspec.Struct):
    """The fields of a bucket's value that decide over a log-in."""

    password: str


class Roster:
    """`changed(sn)` is called when a known robot's password is no longer what it was."""

    def __init__(self, path: Path, changed: Callable[[str], None]) -> None:
        self.path, self.changed = path, changed
        self.passwords: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
        self.dirty = asyncio.Event()

    def update(self, sn: str, value: bytes | None) -> None:
        """Takes a value of the bucket; one that cannot be read lets nobody in."""
        try:
            password = msgspec.json.decode(value, type=Device).password if value is not None else None
        except msgspec.MsgspecError as why:
            log.warning("a device's entry cannot be read", sn=sn, why=str(why))
            password = None
        before = self.passwords.get(sn)
        if password == before:
            return
        if password is None:
            del self.passwords[sn]
        else:
            self.passwords[sn] = password
        self.dirty.set()
        if before is not None:
            self.changed(sn)

    async def write(self) -> None:
        """Writes the file that NATS reads; changes that come together are written once."""
        while True:
            await self.dirty.wait()
            self.dirty.clear()
            write_private(self.path, json.dumps(self.passwords))
            await asyncio.sleep(0.1)
