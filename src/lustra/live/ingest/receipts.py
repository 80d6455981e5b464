"""Receipts of states: which of them are committed, sent to each robot together (`cmd.kept`).

Rule: a receipt goes out after the commit, at most WAIT_S later while states come, and at once when many wait. A lost
receipt costs that the robot says these states again when it comes back: they count once.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from lustra.core.bus import Bus
from lustra.protocol import bus as protocol
from lustra.protocol.bus import Receipt

WAIT_S = 5.0
MANY = 500


@dataclass(slots=True)
class Receipts:
    bus: Bus
    waiting: dict[str, tuple[float, list[int]]] = field(default_factory=dict[str, tuple[float, list[int]]])

    async def add(self, stored: Iterable[tuple[str, int]]) -> None:
        """Notes states that are committed, by serial number and `at`, for their receipts."""
        now = time.monotonic()
        for sn, at in stored:
            ats = self.waiting.setdefault(sn, (now, []))[1]
            ats.append(at)
            if len(ats) >= MANY:
                await self.send(sn)
        await self.send_due(now)

    async def send_due(self, now: float) -> None:
        """Those that have waited long enough; the first of the dictionary have waited longest."""
        while self.waiting:
            sn, (since, _) = next(iter(self.waiting.items()))
            if now - since < WAIT_S:
                return
            await self.send(sn)

    async def send(self, sn: str) -> None:
        _, ats = self.waiting.pop(sn)
        await self.bus.publish(protocol.cmd(sn, "kept"), protocol.encode(Receipt(ids=[], states=ats)))
