"""Messages of a durable consumer of the bus, many at once.

The client's own fetch waits anew for each message, and its whole time out for the last of them: under a backlog that
costs more than reading what the message says. Here one callback collects what comes. What comes late stays in hand for
the next time.
"""

import asyncio
import contextlib
import json
from dataclasses import dataclass, field
from typing import Any

from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from lustra.core.bus import Bus

GAP_S = 0.2  # without a message, after which the rest is taken to have gone to another reader
STATUS = "Status"
TOKENS = 9  # of a reply subject without a domain; one with it has two before the stream


@dataclass(slots=True)
class Pull:
    bus: Bus
    stream: str
    durable: str
    inbox: str = ""
    subscription: Subscription | None = None
    messages: list[Msg] = field(default_factory=list[Msg])
    goal: int = 0
    enough: asyncio.Event = field(default_factory=asyncio.Event)
    came: asyncio.Event = field(default_factory=asyncio.Event)

    async def open(self) -> None:
        self.inbox = self.bus.link.new_inbox()
        self.subscription = await self.bus.subscribe(self.inbox, self._receive)

    async def close(self) -> None:
        if self.subscription:
            await self.subscription.unsubscribe()

    async def fetch(self, most: int, wait_s: float) -> list[Msg]:
        """What waits, `most` at the most; where nothing does, what comes with the first that comes in time.
        Raises TimeoutError."""
        if batch := await self._ask(most, {"no_wait": True}, GAP_S):
            return batch
        batch = await self._ask(1, {"expires": round(wait_s * 1e9)}, wait_s + GAP_S)
        if not batch:
            raise TimeoutError
        more = min(count_pending(batch[-1]), most - len(batch))
        return batch + await self._ask(more, {"no_wait": True}, GAP_S) if more > 0 else batch

    async def _ask(self, count: int, how: dict[str, Any], patience_s: float) -> list[Msg]:
        """At most `count`; fewer once the bus says that there are no more, or nothing came for so long."""
        self.goal = count
        self.enough.clear()
        if len(self.messages) < count:
            request = json.dumps({"batch": count - len(self.messages), **how}).encode()
            subject = f"$JS.API.CONSUMER.MSG.NEXT.{self.stream}.{self.durable}"
            await self.bus.link.publish(subject, request, reply=self.inbox)
            await self._collect(patience_s)
        batch, self.messages = self.messages[:count], self.messages[count:]
        return batch

    async def _collect(self, patience_s: float) -> None:
        with contextlib.suppress(TimeoutError):
            while not self.enough.is_set():
                self.came.clear()
                async with asyncio.timeout(patience_s):
                    await self.came.wait()

    async def _receive(self, message: Msg) -> None:
        if message.headers and STATUS in message.headers:
            self.enough.set()
        else:
            self.messages.append(message)
            if len(self.messages) >= self.goal or not count_pending(message):
                self.enough.set()
        self.came.set()


def count_pending(message: Msg) -> int:
    """How many wait on the bus behind it."""
    tokens = message.reply.split(".")
    return int(tokens[8 if len(tokens) == TOKENS else 10])
