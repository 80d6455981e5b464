"""What the relay tells the bus: who sent what (for the audit), and which tunnels stand here.

Rules: nothing waits for the bus; what it did not take is sent again. Of tries without a valid grant an address has a
few and then one in ten seconds, and all together have a limit, so that a flood of them does not become a flood of rows.
A robot that has gone to another relay is that one's: a late message of its end here does not hide it.
Teleoperation is recorded once a second for each session.
"""

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import msgspec

from lustra.core.bus import Bus, Sent
from lustra.core.follow import NOT_NOW
from lustra.core.http.doors import Doors, Limit
from lustra.core.process.tasks import ending
from lustra.core.retry import retry_on
from lustra.protocol import bus as protocol
from lustra.protocol.subjects import AUDIT

AGAIN_S = 0.5
MOST = 10_000  # rows kept while the bus is away
MOST_RECORDED = 1_000
# Tries without a grant that are recorded.
OF_ADDRESS = Limit(20, 0.1)
OF_ALL = Limit(1_000, 10)


class Records:
    def __init__(self, bus: Bus, url: str, is_elsewhere: Callable[[str], bool]) -> None:
        self.bus, self.url, self.is_elsewhere = bus, url, is_elsewhere
        self.rows: deque[tuple[str, Sent]] = deque(maxlen=MOST)  # with an id: sent twice, the bus stores it once
        self.tunnels: dict[str, bool] = {}  # not yet sent
        self.recorded_at: dict[tuple[str, str], float] = {}
        self.doors = Doors(OF_ADDRESS, OF_ALL)
        self.more = asyncio.Event()

    def add(self, row: Sent) -> None:
        if not row.account:  # anybody can cause these; they must not push out what accounts did
            if self.doors.closed(row.address):
                return
            self.doors.spend(row.address)
        self.rows.append((uuid4().hex, row))
        self.more.set()

    def recorded_recently(self, who: tuple[str, str]) -> bool:
        now = time.monotonic()
        if now - self.recorded_at.get(who, -1.0) < 1:
            return True
        if len(self.recorded_at) >= MOST_RECORDED:
            self.recorded_at.clear()
        self.recorded_at[who] = now
        return False

    def set_tunnel(self, sn: str, *, up: bool) -> None:
        self.tunnels[sn] = up
        self.more.set()

    async def run(self) -> None:
        """For as long as its task lives."""
        while not ending():
            await self.more.wait()
            self.more.clear()
            await self.publish_until_taken()

    async def publish(self) -> None:
        while self.rows:
            message_id, row = self.rows[0]
            await self.bus.js.publish(AUDIT, msgspec.json.encode(row), headers={"Nats-Msg-Id": message_id})
            if self.rows[0][0] == message_id:  # else it made room meanwhile
                self.rows.popleft()
        while self.tunnels:
            sn, up = next(iter(self.tunnels.items()))
            if up or not self.is_elsewhere(sn):
                status = {"relay": self.url, "up": up, "at": int(time.time() * 1000)}
                await self.bus.put("tunnels", sn, status)
                await self.bus.publish(protocol.tunnel(sn), json.dumps(status).encode())
            if self.tunnels.get(sn) == up:
                del self.tunnels[sn]

    publish_until_taken = retry_on(*NOT_NOW, longest_s=AGAIN_S)(publish)

    async def forget_last_run(self) -> None:
        """A killed relay could not say that its tunnels went down with it."""
        last: dict[str, Any] = {}
        await self.bus.follow("tunnels", last.__setitem__).read()
        for sn, status in last.items():
            if status and status["up"] and status["relay"] == self.url and sn not in self.tunnels:
                self.set_tunnel(sn, up=False)
