"""Logs of robots as they are written, for the sockets that show one.

Rules: a robot is asked for its new lines only while a socket shows them and may (`cmd.followlog`, renewed), and whoever
begins gets the newest of before; support gets them while the customer's support access is open; who loses the right
hears `ended`, and gets no line more. A line bears its number, so the tab sees what was left out: by the robot, on the
bus, or because its own socket is slow.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import msgspec
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from lustra.core.bus import Bus, Silent
from lustra.live.push.outbox import Outbox
from lustra.live.push.rows import now_ms
from lustra.protocol import bus
from lustra.protocol.files import FollowLog, LogLines, TextLogKind
from lustra.protocol.subjects import serial_of

FOLLOWS_S = 6.0
ANSWERS_IN_S = 5.0
MOST_LAST = 200
MOST_BYTES = 256 << 10
READ = msgspec.json.Decoder(LogLines)


@dataclass(slots=True, eq=False)
class Follower:
    """One socket's look at one log. `customer`: whose support access must be open; None: no matter."""

    outbox: Outbox
    device_id: int
    sn: str
    kind: TextLogKind
    customer: int | None
    state: str = ""
    asking: bool = False


class LogTail:
    def __init__(self, link: Bus, is_open: Callable[[int], bool]) -> None:
        self.bus, self.is_open = link, is_open
        self.followers: dict[Outbox, Follower] = {}
        self.subscriptions = dict[str, Subscription]()
        self.tasks: set[asyncio.Task[None]] = set()

    async def follow(self, follower: Follower) -> bool:
        """From now on this socket shows this log, and no other. Whether it may now."""
        before = self.followers.get(follower.outbox)
        if before and (before.sn, before.kind) == (follower.sn, follower.kind):
            before.customer = follower.customer
            self._judge(before)
            return self.may(before)
        await self.leave(follower.outbox)
        self.followers[follower.outbox] = follower
        if follower.sn not in self.subscriptions:
            subject = bus.live(follower.sn, "log")
            self.subscriptions[follower.sn] = await self.bus.subscribe(subject, self.on_lines)
        self._judge(follower)
        return self.may(follower)

    async def end(self, outbox: Outbox) -> None:
        """It has the right no more."""
        if follower := self.followers.get(outbox):
            outbox.logs.clear()
            self._say(follower, "ended")
            await self.leave(outbox)

    async def leave(self, outbox: Outbox) -> None:
        follower = self.followers.pop(outbox, None)
        if follower and all(other.sn != follower.sn for other in self.followers.values()):
            await self.subscriptions.pop(follower.sn).unsubscribe()

    def may(self, follower: Follower) -> bool:
        return follower.customer is None or self.is_open(follower.customer)

    def on_support(self, customer: int) -> None:
        for follower in self.followers.values():
            if follower.customer == customer:
                self._judge(follower)

    def _judge(self, follower: Follower) -> None:
        """Begins, or goes on, or stops for as long as support is kept out."""
        if self.may(follower):
            if follower.state in {"", "closed"}:
                self._ask(follower)
        elif follower.state != "closed":
            follower.outbox.logs.clear()
            self._say(follower, "closed")

    async def renew(self) -> None:
        """Each few seconds. Who did not answer is asked from the beginning."""
        for follower in self.followers.values():
            if follower.state == "silent" and self.may(follower):
                self._ask(follower)
        following = [each for each in self.followers.values() if each.state == "following"]
        logs: set[tuple[str, TextLogKind]] = {(each.sn, each.kind) for each in following}
        for sn, kind in logs:
            await self.bus.publish(bus.cmd(sn, "followlog"), bus.encode(FollowLog(kind=kind, seconds=FOLLOWS_S)))

    def _ask(self, follower: Follower) -> None:
        if follower.asking:
            return
        follower.asking = True
        task = asyncio.create_task(self._begin(follower))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _begin(self, follower: Follower) -> None:
        command = FollowLog(kind=follower.kind, seconds=FOLLOWS_S, last=MOST_LAST)
        try:
            answer = await self.bus.ask(follower.sn, "followlog", command, ANSWERS_IN_S)
            lines = msgspec.convert(answer.get("log"), LogLines) if not answer.get("code") else None
        except (Silent, ValueError):  # an answer that cannot be read is none
            state, lines = "silent", None
        else:
            state = "following" if lines else "refused"
        finally:
            follower.asking = False
        if self.followers.get(follower.outbox) is not follower or not self.may(follower):
            return
        if lines or state != follower.state:
            self._say(follower, state, lines)

    async def on_lines(self, message: Msg) -> None:
        if len(message.data) > MOST_BYTES:
            return
        try:
            lines = READ.decode(message.data)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return
        sn = serial_of(message.subject)
        for follower in self._of(sn, lines.kind):
            self._say(follower, "following", lines)

    def _of(self, sn: str, kind: TextLogKind) -> Iterable[Follower]:
        every = self.followers.values()
        return [
            each
            for each in every
            if each.sn == sn and each.kind == kind and each.state == "following" and self.may(each)
        ]

    def _say(self, follower: Follower, state: str, lines: LogLines | None = None) -> None:
        follower.state = state
        data: dict[str, Any] = {"log": follower.kind, "state": state, "stream": "", "first": 0, "lines": []}
        if lines:
            data |= {"stream": lines.stream, "first": lines.first, "lines": lines.lines}
        frame = {"at": lines.at if lines else now_ms(), "data": data}
        follower.outbox.log(follower.device_id, frame, len(data["lines"]))
