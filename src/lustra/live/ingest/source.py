"""One stream of the bus, read batch by batch, over every restart of the bus.

Rules: a batch is acknowledged when its handler has come back, so what it did is committed; a handler that fails leaves
the whole batch to be handed over again; what can never be kept is ended, counted and forgotten. What is put off comes
again after a wait that doubles by the bus' own count of deliveries, which no restart of ours forgets. A stream is a
way, not a store: what was acknowledged is dropped from it, so that a full one is full of what nobody has taken.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import nats.errors
import structlog
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import ConsumerConfig
from nats.js.errors import NotFoundError
from prometheus_client import Counter, Gauge

from lustra.core.bus import Bus
from lustra.core.process.tasks import ending
from lustra.core.retry import retry_on
from lustra.live.ingest.rate_limit import Pace
from lustra.protocol.subjects import serial_of

log = structlog.get_logger(__name__)
TAKEN = Counter("lustra_ingest_messages", "Messages taken from the bus", ["stream"])
LAG = Gauge("lustra_ingest_lag_seconds", "How long the newest message that was read had lain on the bus", ["stream"])
ENDED = Counter("lustra_ingest_ended", "Messages that could not be kept and were ended", ["stream"])
DURABLE = "ingest"  # the one reader of each stream; its place in it outlives every process
AHEAD = 20_000
SLICE_S = 0.1
WAITS_S = 1.0  # for messages, before it looks whether the bus is there
AGAIN_S = 0.5
LATER_S = 10.0  # the first wait of what is put off
LONGEST_LATER_S = 300.0


@dataclass(frozen=True, slots=True)
class Message:
    """A message as handlers see it. `at`: when the bus received it. `deliveries`: how often it was handed over."""

    sn: str
    at: datetime
    data: bytes
    key: str
    deliveries: int = 1


Ack = Literal["end", "later"]
Acks = dict[int, Ack]  # by place in the batch; what is not named is acknowledged
Handler = Callable[[Sequence[Message]], Awaitable[Acks]]


@dataclass(slots=True)
class Source:
    """`handle` says which can never be kept and which are to come again; `on_gap` is called at every gap. `prompt`: a
    message is not held back until others are there too."""

    bus: Bus
    stream: str
    subject: str
    batch: int
    handle: Handler
    on_gap: Callable[[], None] = lambda: None
    ack_wait_s: float = 5.0  # a death delays what was in hand by this
    pace: Pace | None = None
    prompt: bool = False

    async def run(self) -> None:
        while not ending():
            await self.read_until_gap()
            await asyncio.sleep(AGAIN_S)
        raise asyncio.CancelledError

    @retry_on(Exception, longest_s=AGAIN_S)  # whatever it is, the messages are still on the bus
    async def read_until_gap(self) -> None:
        try:
            await self.read()
        except Exception:
            self.on_gap()
            raise
        self.on_gap()

    async def read(self) -> None:
        """Ends when the bus was reached anew: streams and consumers are then looked for again."""
        reconnects = self.bus.link.stats["reconnects"]
        source = await self._open()
        try:
            while self.bus.link.stats["reconnects"] == reconnects and not ending():
                try:
                    batch = await self._fetch(source)
                except (TimeoutError, nats.errors.TimeoutError):
                    if self.bus.up:
                        LAG.labels(self.stream).set(0)  # nothing waits
                    else:
                        self.on_gap()
                    continue
                if not batch:  # on a busy machine the bus ends a request that its messages came too late for
                    continue
                await self.take(batch)
                if len(batch) == self.batch:
                    self.on_gap()  # more is waiting: what we know is not the present
                elif not self.prompt:
                    await asyncio.sleep(SLICE_S)  # fewer, larger commits
        finally:
            with contextlib.suppress(nats.errors.Error, asyncio.TimeoutError):
                await source.unsubscribe()

    async def _fetch(self, source: JetStreamContext.PullSubscription) -> list[Msg]:
        """The client's fetch of many waits its whole time out for the last of them."""
        if not self.prompt:
            return await source.fetch(self.batch, timeout=WAITS_S)
        first = await source.fetch(1, timeout=WAITS_S)
        more = min(first[0].metadata.num_pending, self.batch - 1) if first else 0
        if not more:
            return first
        with contextlib.suppress(TimeoutError, nats.errors.TimeoutError):
            first += await source.fetch(more, timeout=WAITS_S)
        return first

    async def _open(self) -> JetStreamContext.PullSubscription:
        how = ConsumerConfig(ack_wait=self.ack_wait_s, max_ack_pending=AHEAD)
        return await self.bus.js.pull_subscribe(self.subject, durable=DURABLE, stream=self.stream, config=how)

    async def drop(self) -> None:
        """Drops what is acknowledged, up to the first that is not."""
        with contextlib.suppress(NotFoundError):  # nothing was read yet
            floor = (await self.bus.js.consumer_info(self.stream, DURABLE)).ack_floor
            if floor and floor.stream_seq:
                await self.bus.js.purge_stream(self.stream, seq=floor.stream_seq + 1)

    async def take(self, batch: list[Msg]) -> None:
        messages = [parse_message(message) for message in batch]
        LAG.labels(self.stream).set(max(0.0, time.time() - messages[-1].at.timestamp()))
        admitted = [place for place, message in enumerate(messages) if self.pace is None or self.pace.admit(message.sn)]
        acks: Acks = dict.fromkeys(set(range(len(messages))) - set(admitted), "end")
        outcome = await self.handle([messages[place] for place in admitted])
        acks |= {admitted[number]: fate for number, fate in outcome.items()}
        for place, message in enumerate(batch):  # only now: a death before this line means "again"
            match acks.get(place):
                case "end":
                    await message.term()
                case "later":
                    await message.nak(delay=delay_s(messages[place].deliveries))
                case None:
                    await message.ack()
        TAKEN.labels(self.stream).inc(len(batch))
        ENDED.labels(self.stream).inc(sum(fate == "end" for fate in acks.values()))


def delay_s(deliveries: int) -> float:
    """Until a message that was put off is handed over again."""
    return min(LATER_S * 2 ** min(deliveries - 1, 16), LONGEST_LATER_S)


def parse_message(message: Msg) -> Message:
    metadata = message.metadata
    sn = serial_of(message.subject)
    key = f"{metadata.timestamp.timestamp():.6f}-{metadata.sequence.stream}"
    return Message(sn, metadata.timestamp, message.data, key, metadata.num_delivered or 1)
