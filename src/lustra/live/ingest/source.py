"""One stream of the bus, read batch by batch, over every restart of the bus.

Rules: a batch is acknowledged when its handler has come back, so what it did is committed; a handler that fails leaves
the whole batch to be handed over again; what can never be kept is ended, counted and forgotten. What is put off comes
again after a wait that doubles by the bus' own count of deliveries, which no restart of ours forgets. A stream is a
way, not a store: what was acknowledged is dropped from it, so that a full one is full of what nobody has taken.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, NamedTuple

import structlog
from nats.aio.msg import Msg
from nats.js.api import AckPolicy, ConsumerConfig
from nats.js.errors import NotFoundError
from prometheus_client import Counter, Gauge

from lustra.core.bus import Bus
from lustra.core.process.tasks import cancel_all, ending
from lustra.core.retry import retry_on
from lustra.live.ingest.pull import TOKENS, Fetched, Pulls
from lustra.live.ingest.rate_limit import Pace
from lustra.protocol.subjects import serial_of, states_of

log = structlog.get_logger(__name__)
TAKEN = Counter("lustra_ingest_messages", "Messages taken from the bus", ["stream"])
LAG = Gauge("lustra_ingest_lag_seconds", "How long the newest message that was read had lain on the bus", ["stream"])
ENDED = Counter("lustra_ingest_ended", "Messages that could not be kept and were ended", ["stream"])
DURABLE = "ingest"  # the one consumer of a stream; its place in it outlives every process
UNACKNOWLEDGED = 120_000  # messages of a consumer in hand at the most: of two batches, and of the one that is fetched
FIRST_BATCH = 2000  # messages; larger ones while more waits than is taken
OF_PARTITION = f"{DURABLE}-"  # and its number
GOAL_S = 2.0  # that a batch takes under a backlog: the next is as large as that asks for
GROWTH = 4.0  # at the most, from a batch to the next
SLICE_S = 0.1
WAITS_S = 1.0  # for messages, before it looks whether the bus is there
AGAIN_S = 0.5
LATER_S = 10.0  # the first wait of what is put off
LONGEST_LATER_S = 300.0
MIRROR_S = 600.0  # that a mirror is waited for: longer than after any restart of the bus


class Message(NamedTuple):
    """A message as handlers see it. `at`: when the bus received it. `deliveries`: how often it was handed over.
    `partition`: of the robot; None where the stream has none."""

    sn: str
    at: datetime
    data: bytes
    key: str
    deliveries: int = 1
    partition: int | None = None


Ack = Literal["end", "later"]
Acks = dict[int, Ack]  # by place in the batch; what is not named is acknowledged
Handler = Callable[[Sequence[Message]], Awaitable[Acks]]


@dataclass(slots=True)
class Source:
    """`handle` says which can never be kept and which are to come again; `on_gap` is called at every gap. `prompt`: a
    message is not held back until others are there too; `ahead`: a batch is handed over while the one before is still
    being handled, so that one is read as the other is stored: their order is the handler's; `partitions`: those that
    are read here now, beside what lies on `subject` without one."""

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
    partitions: Callable[[], Collection[int]] = tuple
    size: int = field(init=False)  # of the next batch
    ended: float = field(init=False, default=0.0)  # when the last one was
    mirrored: float = field(init=False, default_factory=time.monotonic)  # when its mirror last had all that is stored

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
        pulls = Pulls(self.bus, self.stream)
        taken: asyncio.Task[None] | None = None  # what is still being handled
        try:
            while self.bus.link.stats["reconnects"] == reconnects and not ending():
                if taken and taken.done():
                    await taken  # its failure is of now, and not of the next batch, which would be lost with it
                    taken = None
                await self._follow_partitions(pulls)
                batch, full = await self._fetch(pulls)
                if not batch:
                    continue
                before, taken = taken, asyncio.create_task(self._take_timed(batch, full=full))
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
            await pulls.close(pulls.by_name)

    async def _fetch(self, pulls: Pulls) -> Fetched:
        """Empty where none came in time."""
        try:
            return await pulls.fetch(self.size, WAITS_S)
        except TimeoutError:
            if self.bus.up:
                LAG.labels(self.stream).set(0)  # nothing waits
            else:
                self.on_gap()
            return Fetched([], full=False)

    async def _take_timed(self, batch: list[Msg], *, full: bool) -> None:
        """A batch must be done long before the bus hands it over again, on a slow machine too."""
        began, size = time.monotonic(), self.size
        await self.take(batch)
        took = time.monotonic() - max(began, self.ended)  # it may have waited for the one before
        self.ended = time.monotonic()
        if full or took > GOAL_S:
            base = max(size, len(batch)) if full else len(batch)
            self.size = max(1, min(self.batch, round(base * min(GROWTH, GOAL_S / took))))

    async def _follow_partitions(self, pulls: Pulls) -> None:
        """Opens those that are read here now, and leaves the others."""
        subjects = {DURABLE: self.subject} | {f"{OF_PARTITION}{each}": states_of(each) for each in self.partitions()}
        await pulls.close(pulls.by_name.keys() - subjects)
        new = subjects.keys() - pulls.by_name
        if new and pulls.by_name:
            self.on_gap()  # another read them so far
        await asyncio.gather(*(self._open(pulls, name, subjects[name]) for name in new))

    async def _open(self, pulls: Pulls, name: str, subject: str) -> None:
        """The consumer is made where it does not stand, and follows our settings where it does."""
        config = ConsumerConfig(
            name=name,
            durable_name=name,
            filter_subject=subject,
            ack_policy=AckPolicy.EXPLICIT,
            ack_wait=self.ack_wait_s,
            max_ack_pending=UNACKNOWLEDGED,
        )
        with contextlib.suppress(NotFoundError):  # where a consumer began cannot be changed: see positions
            before = (await self.bus.js.consumer_info(self.stream, name)).config
            config.deliver_policy, config.opt_start_seq = before.deliver_policy, before.opt_start_seq
        await self.bus.js.add_consumer(self.stream, config)
        await pulls.open(name)

    async def read_rest(self) -> None:
        """Where there is a consumer: reads until nothing is left for it, and deletes it."""
        pulls = Pulls(self.bus, self.stream)
        try:
            info = await self.bus.js.consumer_info(self.stream, DURABLE)
            await pulls.open(DURABLE)
            while info.num_pending or info.num_ack_pending:
                if batch := (await self._fetch(pulls)).messages:
                    await self.take(batch)
                info = await self.bus.js.consumer_info(self.stream, DURABLE)
            await self.bus.js.delete_consumer(self.stream, DURABLE)
        except NotFoundError:  # nothing is to be read, or another ingest was the last to read
            return
        finally:
            LAG.labels(self.stream).set(0)  # of what is read again nobody waits
            await pulls.close(tuple(pulls.by_name))

    async def drop(self, mirror: str) -> None:
        """Drops what is acknowledged, up to the first that is not, or that its mirror has not read yet. A mirror that
        stands still is not waited for any longer than this: in the end its stream would refuse robots.
        """
        with contextlib.suppress(NotFoundError):  # nothing was read yet
            floor = (await self.bus.js.consumer_info(self.stream, DURABLE)).ack_floor
            stored = floor.stream_seq if floor else 0
            mirrored = (await self.bus.js.stream_info(mirror)).state.last_seq
            now = time.monotonic()
            if mirrored >= stored:
                self.mirrored = now
            elif now - self.mirrored < MIRROR_S:
                stored = mirrored
            else:
                log.warning("ingest.mirror_behind", mirror=mirror, messages=stored - mirrored)
            if stored:
                await self.bus.js.purge_stream(self.stream, seq=stored + 1)

    async def take(self, batch: list[Msg]) -> None:
        messages = [parse_message(message) for message in batch]
        newest = {message.partition: message.at for message in messages}
        LAG.labels(self.stream).set(max(0.0, time.time() - min(newest.values()).timestamp()))
        admitted = [
            place
            for place, message in enumerate(messages)
            if self.pace is None or self.pace.admit(message.sn, message.at.timestamp())
        ]
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
    consumer, deliveries, sequence, _, ns = tokens[3:8] if len(tokens) == TOKENS else tokens[5:10]
    at = datetime.fromtimestamp(int(ns) / 1e9, UTC)
    partition = int(consumer[len(OF_PARTITION) :]) if len(consumer) > len(DURABLE) else None
    key = f"{at.timestamp():.6f}-{sequence}"
    return Message(serial_of(message.subject), at, message.data, key, int(deliveries), partition)
