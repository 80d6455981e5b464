"""Messages of durable consumers of the bus, many at once.

The client's own fetch waits anew for each message, and its whole time out for the last of them: under a backlog that
costs more than reading what the message says. Here one callback collects what comes. What comes late stays in hand for
the next time.

Rules: of each consumer the next message is asked for, and what waits behind it once that has come; so those that have
nothing cost a request a second. None takes more than its share of a batch.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import nats.errors
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from lustra.core.bus import Bus

GRACE_S = 0.2  # after which the bus has said that nothing came in time
TOGETHER_S = 0.005  # where more waits at one consumer, others have their next message as soon
LOST_S = 2.0  # after which an answer is taken to be lost: its end is said
STATUS = "Status"
TOKENS = 9  # of a reply subject without a domain; one with it has two before the stream


class Fetched(NamedTuple):
    """`full`: of a consumer as many as were asked for, so that more may wait."""

    messages: list[Msg]
    full: bool


@dataclass(slots=True)
class Pull:
    """One consumer. `came` is set when the next message comes, or does not in time."""

    bus: Bus
    stream: str
    durable: str
    came: asyncio.Event
    messages: list[Msg] = field(default_factory=list[Msg])
    expected_until: float = 0.0  # the next message is asked for
    goal: int = 0
    enough: asyncio.Event = field(default_factory=asyncio.Event)
    subscriptions: list[Subscription] = field(default_factory=list[Subscription])
    next_inbox: str = ""
    rest_inbox: str = ""

    async def open(self) -> None:
        self.next_inbox, self.rest_inbox = self.bus.link.new_inbox(), self.bus.link.new_inbox()
        self.subscriptions = [
            await self.bus.subscribe(self.next_inbox, self._receive_next),
            await self.bus.subscribe(self.rest_inbox, self._receive_rest),
        ]

    async def close(self) -> None:
        """What is in hand goes to another reader."""
        for subscription in self.subscriptions:
            await subscription.unsubscribe()
        for message in self.messages:
            await message.nak()

    async def expect(self, wait_s: float) -> None:
        """Asks for the next message, unless one is in hand or asked for."""
        if not self.messages and time.monotonic() >= self.expected_until:
            self.expected_until = time.monotonic() + wait_s
            await self._ask(self.next_inbox, {"batch": 1, "expires": round(wait_s * 1e9)})

    async def take(self, most: int) -> list[Msg]:
        """What is in hand and what waits, `most` at the most. One must be in hand: no other request is open then."""
        self.goal = most
        self.enough.clear()
        if len(self.messages) < most:
            await self._ask(self.rest_inbox, {"batch": most - len(self.messages), "no_wait": True})
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOST_S):
                    await self.enough.wait()
        batch, self.messages = self.messages[:most], self.messages[most:]
        return batch

    async def _ask(self, inbox: str, request: dict[str, Any]) -> None:
        subject = f"$JS.API.CONSUMER.MSG.NEXT.{self.stream}.{self.durable}"
        await self.bus.link.publish(subject, json.dumps(request).encode(), reply=inbox)

    async def _receive_next(self, message: Msg) -> None:
        self.expected_until = 0.0
        if not is_status(message):
            self.messages.append(message)
        self.came.set()

    async def _receive_rest(self, message: Msg) -> None:
        if is_status(message):
            self.enough.set()
            return
        self.messages.append(message)
        if len(self.messages) >= self.goal:
            self.enough.set()


@dataclass(slots=True)
class Pulls:
    """Consumers of one stream that are read together."""

    bus: Bus
    stream: str
    came: asyncio.Event = field(default_factory=asyncio.Event)
    by_name: dict[str, Pull] = field(default_factory=dict[str, Pull])

    async def open(self, name: str) -> None:
        self.by_name[name] = Pull(self.bus, self.stream, name, self.came)
        await self.by_name[name].open()

    async def close(self, names: Iterable[str]) -> None:
        with contextlib.suppress(nats.errors.Error, asyncio.TimeoutError):
            for name in tuple(names):
                await self.by_name.pop(name).close()

    async def fetch(self, most: int, wait_s: float) -> Fetched:
        """What waits, about `most` at the most; where nothing does, what comes with the first that comes in time.
        Raises TimeoutError."""
        pulls, share = self.by_name.values(), max(1, most // max(1, len(self.by_name)))
        until = asyncio.get_running_loop().time() + wait_s + GRACE_S
        while True:
            self.came.clear()
            for pull in pulls:
                await pull.expect(wait_s)
            if any(pull.messages for pull in pulls):
                break
            async with asyncio.timeout_at(until):  # of this alone: the client swallows what ends its publishing
                await self.came.wait()
        if len(pulls) > 1 and any(pull.messages and count_pending(pull.messages[-1]) for pull in pulls):
            await asyncio.sleep(TOGETHER_S)
        batches = await asyncio.gather(*(pull.take(share) for pull in pulls if pull.messages))
        return Fetched([message for batch in batches for message in batch], max(map(len, batches)) >= share)


def is_status(message: Msg) -> bool:
    return bool(message.headers and STATUS in message.headers)


def count_pending(message: Msg) -> int:
    """How many wait on the bus behind it."""
    tokens = message.reply.split(".")
    return int(tokens[8 if len(tokens) == TOKENS else 10])
