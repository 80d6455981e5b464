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
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, NamedTuple

import nats.errors
import structlog
from nats.aio.msg import Msg
from nats.js.api import AckPolicy, ConsumerConfig
from nats.js.errors import NotFoundError
from prometheus_client import Counter, Gauge

from lustra.core.bus import Bus
from lustra.core.process.tasks import cancel_all, ending
from lustra.core.retry import retry_on
from lustra.live.ingest.pull import TOKENS, Pull
from lustra.live.ingest.rate_limit import Pace
from lustra.protocol.subjects import serial_of

log = structlog.get_logger(__name__)
TAKEN = Counter("lustra_ingest_messages", "Messages taken from the bus", ["stream"])
LAG = Gauge("lustra_ingest_lag_seconds", "How long the newest message that was read had lain on the bus", ["stream"])
ENDED = Counter("lustra_ingest_ended", "Messages that could not be kept and were ended", ["stream"])
DURABLE = "ingest"  # the one reader of each stream; its place in it outlives every process
UNACKNOWLEDGED = 120_000  # messages in hand at the most: of two batches, and of the one that is fetched
FIRST_BATCH = 2000  # messages; larger ones while more waits than is taken
GOAL_S = 2.0  # that a batch takes under a backlog: the next is as large as that asks for
GROWTH = 4.0  # at the most, from a batch to the next
SLICE_S = 0.1
WAITS_S = 1.0  # for messages, before it looks whether the bus is there
AGAIN_S = 0.5
LATER_S = 10.0  # the first wait of what is put off
LONGEST_LATER_S = 300.0


class Message(NamedTuple):
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
    message is not held back until others are there too; `ahead`: a batch is handed over while the one before is still
    being handled, so that one is read as the other is stored: their order is the handler's."""

    bus: Bus
    stream: str
    subject: str
    batch: int
    handle: Handler
    on_gap: Callable[[], None] = lambda: None
    ack_wait_s: float = 5.0  # a death delays what was in hand by this
    pace: Pace | None = None
    prompt: bool = False
    ahead: bool = False
    size: int = field(init=False)  # of the next batch

    def __post_init__(self) -> None:
        self.size = min(self.batch, FIRST_BATCH)

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
            self.size = max(1, self.size // 2)  # it may have been too large
            self.on_gap()
            raise
        self.on_gap()

    async def read(self) -> None:
        """Ends when the bus was reached anew: streams and consumers are then looked for again."""
        reconnects = self.bus.link.stats["reconnects"]
        pull = await self._open()
        taken: asyncio.Task[None] | None = None  # what is still being handled
        try:
            while self.bus.link.stats["reconnects"] == reconnects and not ending():
                if taken and taken.done():
                    await taken  # its failure is of now, and not of the next batch, which would be lost with it
                    taken = None
                batch = await self._fetch(pull)
                if not batch:
                    continue
                full = len(batch) >= self.size
                before, taken = taken, asyncio.create_task(self._take_timed(batch))
                if before:
                    await before
                if not self.ahead:
                    await taken
                if full:
                    self.on_gap()  # more is waiting: what we know is not the present
                elif not self.prompt and taken.done():
                    await asyncio.sleep(SLICE_S)  # fewer, larger commits
            if taken:
                await taken
        finally:
            if taken:
                await cancel_all(taken)
            with contextlib.suppress(nats.errors.Error, asyncio.TimeoutError):
                await pull.close()

    async def _fetch(self, pull: Pull) -> list[Msg]:
        """Empty where none came in time."""
        try:
            return await pull.fetch(self.size, WAITS_S)
        except TimeoutError:
            if self.bus.up:
                LAG.labels(self.stream).set(0)  # nothing waits
            else:
                self.on_gap()
            return []

    async def _take_timed(self, batch: list[Msg]) -> None:
        """A batch must be done long before the bus hands it over again, on a slow machine too."""
        began = time.monotonic()
        await self.take(batch)
        took = time.monotonic() - began
        if len(batch) >= self.size or took > GOAL_S:
            self.size = max(1, min(self.batch, round(len(batch) * min(GROWTH, GOAL_S / took))))

    async def _open(self) -> Pull:
        """The consumer is made where it does not stand, and follows our settings where it does."""
        how = ConsumerConfig(
            name=DURABLE,
            durable_name=DURABLE,
            filter_subject=self.subject,
            ack_policy=AckPolicy.EXPLICIT,
            ack_wait=self.ack_wait_s,
            max_ack_pending=UNACKNOWLEDGED,
        )
        await self.bus.js.add_consumer(self.stream, how)
        pull = Pull(self.bus, self.stream, DURABLE)
        await pull.open()
        return pull

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
    """The reply subject says the rest: $JS.ACK, where a domain is named it and its hash, stream, consumer, deliveries,
    sequences of stream and consumer, time in ns, how many wait."""
    tokens = message.reply.split(".")
    deliveries, sequence, _, ns = tokens[4:8] if len(tokens) == TOKENS else tokens[6:10]
    at = datetime.fromtimestamp(int(ns) / 1e9, UTC)
    return Message(serial_of(message.subject), at, message.data, f"{at.timestamp():.6f}-{sequence}", int(deliveries))
