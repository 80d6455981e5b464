"""Which ingest reads which robots.

Rules: the bus puts each robot into one of PARTITIONS by a hash of its serial number, and each partition is read by one
of the ingests that are there (rendezvous hashing, evenly). Each says once a second that it reads, and who is not heard
for GONE_S is gone; so all come to the same by themselves, and who comes or goes moves few robots. While they do not
agree yet, two read one partition, each message going to one of them, or for seconds none does: batches of a partition
are stored one after the other whoever has them, so nothing is lost or counted twice.
"""

import asyncio
import hashlib
import time
import uuid
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime

import msgspec
import nats.errors
from nats.aio.msg import Msg
from prometheus_client import Gauge

from lustra.core.bus import Bus
from lustra.live.ingest.presence import ListeningWindow
from lustra.protocol import subjects
from lustra.protocol.subjects import PARTITIONS

READ = Gauge("lustra_ingest_partitions", "Partitions of robots that this ingest reads")
EACH_S = 1.0
GONE_S = 4.0


class Reading(msgspec.Struct, rename="camel"):
    """What an ingest says to the others. `listened_s`: how long it has heard all of its robots without a gap; below 0:
    it ends."""

    listened_s: float


@dataclass(slots=True)
class Partitions:
    """Those of this ingest, among those of the others that it hears."""

    bus: Bus
    listening: ListeningWindow
    name: str = field(default_factory=lambda: uuid.uuid4().hex)
    others: dict[str, tuple[float, float]] = field(default_factory=dict[str, tuple[float, float]])  # when, `listened_s`

    def own(self) -> frozenset[int]:
        return spread({self.name, *self.others})[self.name]

    def silent_before(self) -> datetime | None:
        """Who was silent since then is offline; None while one of us cannot know."""
        window_s = self.listening.window.total_seconds()
        if any(listened_s < window_s for _, listened_s in self.others.values()):
            return None
        return self.listening.silent_before()

    async def run(self) -> None:
        subscription = await self.bus.subscribe(subjects.ingest("*"), self._hear)
        try:
            while True:
                self._forget_gone()
                READ.set(len(self.own()))
                await self._say(self.listening.length_s())
                await asyncio.sleep(EACH_S)
        finally:
            if self.bus.up:
                await self._say(-1.0)
                await subscription.unsubscribe()

    async def _say(self, listened_s: float) -> None:
        try:
            await self.bus.publish(subjects.ingest(self.name), msgspec.json.encode(Reading(listened_s)))
        except nats.errors.Error:  # the bus is away, and what it holds with it
            self.listening.restart()

    def _forget_gone(self) -> None:
        for name, (at, _) in tuple(self.others.items()):
            if time.monotonic() - at > GONE_S:
                del self.others[name]

    async def _hear(self, message: Msg) -> None:
        name, listened_s = message.subject.split(".")[1], msgspec.json.decode(message.data, type=Reading).listened_s
        if name == self.name:
            return
        is_new = name not in self.others
        if listened_s < 0:
            self.others.pop(name, None)
        else:
            self.others[name] = time.monotonic(), listened_s
            if is_new:
                await self._say(self.listening.length_s())  # it need not wait to know of us


def spread(names: Collection[str]) -> dict[str, frozenset[int]]:
    """The partitions of each; none has more than one more than another."""
    least, with_more = divmod(PARTITIONS, len(names))
    parts: dict[str, set[int]] = {name: set() for name in names}
    for partition in range(PARTITIONS):
        more = sum(len(part) > least for part in parts.values())
        for name in sorted(names, key=lambda name: _weigh(name, partition)):
            if len(parts[name]) < least or (len(parts[name]) == least and more < with_more):
                parts[name].add(partition)
                break
    return {name: frozenset(part) for name, part in parts.items()}


def _weigh(name: str, partition: int) -> bytes:
    return hashlib.blake2b(f"{name} {partition}".encode(), digest_size=8).digest()
