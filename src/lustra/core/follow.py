"""Follows a key-value bucket of the bus, over every restart of it.

A put is also an ordinary message on `$KV.<bucket>.<key>`. So: subscribe first, then read the whole bucket, and again
after each reconnect. What came as a message since the subscription wins over what was read. (The library's own
watcher loses its consumer when the bus restarts, and notices after ten seconds.)
"""

import asyncio
import contextlib
from collections.abc import Callable

import nats.errors
import nats.js.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.api import DeliverPolicy

from lustra.core.process.tasks import ending
from lustra.core.retry import retry_on

OnValue = Callable[[str, bytes | None], None]
NOT_NOW = (nats.errors.Error, nats.js.errors.Error, OSError, TimeoutError)
AGAIN_S = 0.25
SILENCE_S = 5.0
FORGOTTEN_S = 30.0  # the bus keeps what we had read by
DELETED = {"KV-Operation", "Nats-Marker-Reason"}  # headers: by whom there is no value any more, a client or the age


class Follower:
    """Calls `on_value(key, value)` for each value, None where it was deleted."""

    def __init__(self, link: Client, bucket: str, on_value: OnValue) -> None:
        self.link, self.bucket, self.on_value = link, bucket, on_value
        self.prefix = f"$KV.{bucket}."
        self.read_at = -1  # the link's count of reconnects when all was read; -1: never
        self.newer: set[str] = set()  # keys that messages named while the bucket was read

    @property
    def current(self) -> bool:
        """Whether all was read since the bus last came back."""
        return self.read_at == self.link.stats["reconnects"]

    async def run(self) -> None:
        """For as long as its task lives."""
        await self.link.subscribe(f"{self.prefix}>", cb=self.receive)
        while True:
            self.read_at = await self.read_whole()
            if ending():
                return
            await self.reconnected(self.read_at)

    @retry_on(*NOT_NOW, longest_s=AGAIN_S)
    async def read_whole(self) -> int:
        """The whole bucket; comes back with the link's count of reconnects before that."""
        reconnects = self.link.stats["reconnects"]
        self.newer.clear()
        await self.read()
        return reconnects

    async def reconnected(self, before: int) -> None:
        """The library tells only one listener a link; the count tells all."""
        while self.link.stats["reconnects"] == before:  # noqa: ASYNC110  there is no event to wait for
            await asyncio.sleep(AGAIN_S)

    async def read(self) -> None:
        """The last value of each key. (The library's `watchall` takes a bucket for empty when the bus counts values as
        delivered that are still on their way.)
        """
        js = self.link.jetstream()
        await js.key_value(self.bucket)  # refuses where there is none
        values = await js.subscribe(
            f"{self.prefix}>",
            stream=f"KV_{self.bucket}",
            ordered_consumer=True,
            deliver_policy=DeliverPolicy.LAST_PER_SUBJECT,
            inactive_threshold=FORGOTTEN_S,
        )
        try:
            info = await values.consumer_info()
            left = (info.num_pending or 0) + (info.delivered.consumer_seq if info.delivered else 0)
            while left:
                message = await values.next_msg(SILENCE_S)
                left = message.metadata.num_pending
                if self.key_of(message) not in self.newer:
                    self.on_value(*self.value_of(message))
        finally:
            with contextlib.suppress(*NOT_NOW):
                await values.unsubscribe()

    def key_of(self, message: Msg) -> str:
        return message.subject.removeprefix(self.prefix)

    def value_of(self, message: Msg) -> tuple[str, bytes | None]:
        deleted = message.headers is not None and not DELETED.isdisjoint(message.headers)
        return self.key_of(message), None if deleted else message.data

    async def receive(self, message: Msg) -> None:
        self.newer.add(self.key_of(message))
        self.on_value(*self.value_of(message))
