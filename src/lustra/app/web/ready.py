"""Whether calls would succeed now: the answer of /readyz.

Rule: nothing is ready because it is connected. The bus has to keep a value and the database to commit a row; and there
has to be room for more, since both go on for a while on a disk that is full. Asked as often as anybody likes, it is
looked at once a second at most.
"""

import asyncio
import time
from collections.abc import Awaitable
from datetime import datetime

from sqlalchemy import text
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.context import Services
from lustra.core.db import Base, Shared
from lustra.core.files.disk import MB, folder_of, measure_space

FRESH_S = 1.0
ANSWER_S = 2.0
LEAST_FREE = 32 * MB  # what database and bus write before they notice that a disk is full
COMMIT = text("INSERT INTO write_check (id, at) VALUES (true, now()) ON CONFLICT (id) DO UPDATE SET at = excluded.at")


class WriteCheck(Base, kw_only=True):
    """One row, written to see whether the database can."""

    __tablename__ = "write_check"
    root = Shared

    id: Mapped[bool] = mapped_column(primary_key=True)
    at: Mapped[datetime]


Faults = dict[str, str]  # what is wrong, by part


class Readiness:
    def __init__(self, services: Services) -> None:
        self.services = services
        self.folder = folder_of(services.settings.objects_url)
        self.looked_at = -FRESH_S
        self.newest: Faults = {}
        self.looking = asyncio.Lock()

    async def faults(self) -> Faults:
        async with self.looking:
            if time.monotonic() - self.looked_at >= FRESH_S:
                parts = {"bus": self.keep_value(), "database": self.commit_row(), "disk": self.measure_room()}
                results = await asyncio.gather(*(check(part) for part in parts.values()))
                self.newest = {name: fault for name, fault in zip(parts, results, strict=True) if fault}
                self.looked_at = time.monotonic()
            return self.newest

    async def keep_value(self) -> str:
        if not self.services.bus.up:
            return "not connected"
        await self.services.bus.put("ready", "server", int(time.time()))
        return ""

    async def commit_row(self) -> str:
        async with self.services.sessions.begin() as db:
            await db.execute(COMMIT)
        return ""

    async def measure_room(self) -> str:
        if self.folder is None or not self.folder.exists():
            return ""  # files lie elsewhere, or none was uploaded yet
        free = measure_space(self.folder, 0).free
        return "" if free >= LEAST_FREE else f"{free // MB} MB free, {LEAST_FREE // MB} MB needed"


async def check(part: Awaitable[str]) -> str:
    """What is wrong in fixed words: details are for the log of who has them, and not for everybody who asks."""
    try:
        async with asyncio.timeout(ANSWER_S):
            return await part
    except TimeoutError:
        return "no answer"
    except Exception:  # noqa: BLE001  whatever it is, it does not work
        return "cannot write"
