"""/api/live: what a tab shows, live, over one socket.

Rules: the first frame carries the token, never a cookie or the address; what lies outside the session's scope is left
out silently; lidar and route want the key of the control pages, a log that of the logs; `seq` grows by one with each
frame of data, so that a tab sees a gap and asks anew; one that asks for it gets the topics that became stale
(live/push/stale), and all of them when its rights change; where nothing is to be sent a beat goes, so that a tab
notices a cut network; a revoked session's socket ends within a second, and one whose rights or place in the tree
changed goes on with the new ones.
"""

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Annotated, Any

import msgspec
import structlog
from msgspec import Meta
from prometheus_client import Gauge
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from lustra.core.context import Services, Session
from lustra.domains.account.api import support
from lustra.domains.device_log.api import PAGE, record_following
from lustra.domains.telemetry.api import WORLD_MAP
from lustra.live.push.feed import Feed
from lustra.live.push.fleet import COUNTS_S, FLEET_S, Fleet, changes
from lustra.live.push.log_tail import Follower
from lustra.live.push.outbox import Outbox
from lustra.live.push.rows import RobotRow
from lustra.live.push.stale import Reader, readable
from lustra.protocol.commands import VIEW
from lustra.protocol.files import TextLogKind

log = structlog.get_logger(__name__)
SOCKETS = Gauge("lustra_live_sockets", "Tabs and programs that follow robots live")
REFUSED = 4401
TOO_MUCH = 1008
GREETING_S = 10.0
TICK_S = 0.5
CHECK_S = 15.0
BEAT_S = 4.0
SILENT_S = 10.0  # two beats and their way
MOST_SHOWN = 1000
ORDINARY = (WebSocketDisconnect, msgspec.MsgspecError)  # how a socket ends: the tab leaves, or sends nonsense


class Greeting(msgspec.Struct):
    token: str


class LogChoice(msgspec.Struct, frozen=True):
    """A log that a tab shows as it is written."""

    id: Annotated[int, Meta(description="Robot that writes it.")]
    kind: Annotated[TextLogKind, Meta(description="Which of its logs: its own, its screen's, or of its drives.")]


class Selection(msgspec.Struct):
    """What a tab shows; the newest selection takes the place of the one before."""

    robots: Annotated[list[int], Meta(description="Robots whose rows it shows.")] = []
    cells: Annotated[list[int], Meta(description="Robots whose cleaned cells it draws.")] = []
    detail: Annotated[int | None, Meta(description="Robot whose lidar and path it draws; null: none.")] = None
    log: Annotated[LogChoice | None, Meta(description="Log that it shows as it is written; null: none.")] = None
    counts: Annotated[bool, Meta(description="It shows numbers of robots by mode.")] = False
    fleet: Annotated[bool, Meta(description="It shows what all robots of the scope do.")] = False
    stale: Annotated[bool, Meta(description="It wants to know which topics have changed.")] = False
    reading: Annotated[
        float,
        Meta(
            description="Seconds for which it has been reading without being told of changes: it is told of these too."
        ),
    ] = 0.0


class Request(msgspec.Struct):
    show: Selection


def next_check() -> float:
    """When a socket asks again what it may see. Those that came together, as after a new start, do not ask together."""
    return time.monotonic() + random.uniform(CHECK_S / 2, CHECK_S)  # noqa: S311  it spreads load


class Socket:
    """The connection of one tab of a browser."""

    def __init__(self, feed: Feed, web: WebSocket, token: str, session: Session) -> None:
        self.feed, self.web, self.token, self.actor = feed, web, token, session.actor
        self.address = web.client.host if web.client else ""
        self.outbox, self.shown, self.seq = Outbox(feed.pace), Selection(), 0
        self.reader: Reader | None = None
        self.recorded: LogChoice | None = None
        self.sending = asyncio.Lock()
        self.counts_sent: dict[str, int] = {}
        self.fleet_sent: Fleet = {}
        self.counted_at = self.fleet_at = self.sent_at = 0.0
        self.check_at, self.changes = next_check(), feed.services.logins.changes

    async def send(self, **frame: Any) -> None:
        self.sent_at = time.monotonic()
        await self.web.send_text(msgspec.json.encode(frame).decode())

    async def data(self, kind: str, **frame: Any) -> None:
        self.seq += 1
        await self.send(kind=kind, seq=self.seq, **frame)

    async def read(self) -> None:
        while True:
            request = msgspec.json.decode(await self.web.receive_text(), type=Request)
            if len(request.show.robots) + len(request.show.cells) > MOST_SHOWN:
                raise msgspec.ValidationError("too many robots")
            async with self.sending:
                await self.show(request.show)

    async def show(self, selection: Selection) -> None:
        self.shown = selection
        self.outbox.forget()
        self.follow_topics(selection.reading)
        ids = await self.follow()
        robots = [self.feed.robots[i].fresh() for i in ids if i in self.feed.robots]
        self.counts_sent = await self.counts() if selection.counts else {}
        counts = {"modes": self.counts_sent, "total": sum(self.counts_sent.values())}
        self.fleet_sent = await self.fleet() if selection.fleet else {}
        await self.data(
            "snapshot",
            robots=robots,
            **({"counts": counts} if selection.counts else {}),
            **({"fleet": self.fleet_sent} if selection.fleet else {}),
        )

    def follow_topics(self, reading_s: float = 0.0) -> None:
        """Takes up which topics the tab follows, of those that its rights open at this moment."""
        self.leave_topics()
        if self.shown.stale:
            self.reader = Reader(self.actor, self.outbox.topics)
            self.feed.readers.add(self.reader, reading_s)

    def leave_topics(self) -> None:
        if self.reader:
            self.feed.readers.drop(self.reader)
        self.reader = None

    async def follow(self) -> list[int]:
        """What is shown and may be seen now; what support sees of how it looks around a robot is recorded."""
        actor, selection = self.actor, self.shown
        detail = selection.detail if VIEW in actor.keys else None
        log = selection.log if PAGE in actor.keys else None
        robots = [*selection.robots, log.id] if log else selection.robots
        seen = await self.feed.show(actor, self.outbox, robots, set(selection.cells), detail)
        await self.follow_log(log, next((entry for entry in seen if log and entry.row["id"] == log.id), None))
        looks = [
            (entry.customer, support.Look("live", entry.row["id"], entry.name, entry.row["id"]))
            for entry in seen
            if entry.customer and self.feed.looked_at(entry.row["id"], self.outbox)
        ]
        if actor.support and looks:
            await support.record_looks(self.feed.services.pool, actor, self.address, looks)
        return [entry.row["id"] for entry in seen]

    async def follow_log(self, log: LogChoice | None, robot: RobotRow | None) -> None:
        """The log that is shown, as long as it may be: that somebody reads it is recorded once."""
        if log is None or robot is None:
            self.recorded = None
            await (self.feed.log_tail.end if self.shown.log else self.feed.log_tail.leave)(self.outbox)
            return
        customer = robot.customer if self.actor.support else None
        follower = Follower(self.outbox, log.id, robot.sn, log.kind, customer)
        if await self.feed.log_tail.follow(follower) and self.recorded != log:
            self.recorded = log
            look = support.Look("live_log", log.id, robot.name, log.id)
            await record_following(self.feed.services, self.actor, self.address, look, kind=log.kind, customer=customer)

    async def counts(self) -> dict[str, int]:
        """How many robots are in each mode."""
        self.counted_at = time.monotonic()
        return await self.feed.counts.load(self.actor)

    async def fleet(self) -> Fleet:
        """Which robots are in each mode; none for who may not open the map of the world."""
        self.fleet_at = time.monotonic()
        return await self.feed.fleets.load(self.actor) if WORLD_MAP in self.actor.keys else {}

    async def write(self) -> None:
        """Sends frames until the session is over."""
        while await self.valid():
            await self.outbox.wait_until_due(TICK_S)
            async with self.sending:
                await self.flush()

    async def flush(self) -> None:
        ids, frames = self.outbox.take(time.monotonic())
        lines = [self.feed.robots[i].line() for i in ids if i in self.feed.robots]
        if lines:
            await self.data("robots", robots=lines)
        for kind, device_id, data in frames:
            await self.data(kind, id=device_id, **data)
        if topics := self.outbox.stale.take(time.monotonic()):
            await self.data("stale", topics=topics)
        if self.shown.counts and time.monotonic() - self.counted_at > COUNTS_S:
            modes = await self.counts()
            if modes != self.counts_sent:
                self.counts_sent = modes
                await self.data("counts", modes=modes, total=sum(modes.values()))
        if self.shown.fleet and time.monotonic() - self.fleet_at > FLEET_S:
            before, self.fleet_sent = self.fleet_sent, await self.fleet()
            modes, removed = changes(before, self.fleet_sent)
            if modes or removed:
                await self.data("fleet", modes=modes, removed=removed)
        if time.monotonic() - self.sent_at > BEAT_S:
            await self.send(kind="beat")

    async def valid(self) -> bool:
        """Told over the bus at once: who is revoked, and that somebody may see other things now. The rest is asked."""
        logins = self.feed.services.logins
        session = None if logins.is_revoked(self.actor.session_id) else await logins.of(self.token, touch=False)
        if session is None or session.must_change:
            return False
        if logins.changes != self.changes or time.monotonic() > self.check_at:
            before, self.actor = self.actor, session.actor
            self.changes, self.check_at = logins.changes, next_check()
            async with self.sending:
                await self.follow()
                self.follow_topics()
            if self.shown.stale and before != self.actor:
                self.outbox.topics(set(readable(self.actor.keys)))
        return True

    async def run(self) -> None:
        reading, writing = asyncio.create_task(self.read()), asyncio.create_task(self.write())
        self.feed.pace.sockets += 1
        try:
            await asyncio.wait({reading, writing}, return_when=asyncio.FIRST_COMPLETED)
            if writing.done() and writing.exception() is None:
                await self.send(kind="ended")
                await self.web.close(REFUSED)
            elif reading.done() and isinstance(reading.exception(), msgspec.MsgspecError):
                await self.web.close(TOO_MUCH)
        finally:
            self.feed.pace.sockets -= 1
            reading.cancel()
            writing.cancel()
            ends = await asyncio.gather(reading, writing, return_exceptions=True)
            if not any(isinstance(end, ORDINARY) for end in ends):
                for end in ends:
                    if isinstance(end, Exception):
                        log.error("push.socket", exc_info=end)
            self.leave_topics()
            await self.feed.leave(self.outbox)


class Live:
    """The route at which sockets of browsers come in."""

    def __init__(self, services: Services) -> None:
        self.services, self.feed = services, Feed(services)

    async def socket(self, web: WebSocket) -> None:
        await web.accept()
        with contextlib.suppress(WebSocketDisconnect):
            token = await self.read_token(web)
            session = await self.services.logins.of(token) if token else None
            if session is None or session.must_change:
                await web.close(REFUSED)
                return
            socket = Socket(self.feed, web, token, session)
            await socket.send(kind="hello", offlineAfterS=self.services.settings.offline_after_s, silentAfterS=SILENT_S)
            with SOCKETS.track_inprogress():
                await socket.run()
        if web.application_state is WebSocketState.CONNECTED and web.client_state is WebSocketState.CONNECTED:
            await web.close()

    async def read_token(self, web: WebSocket) -> str:
        try:
            async with asyncio.timeout(GREETING_S):
                return msgspec.json.decode(await web.receive_text(), type=Greeting).token
        except (TimeoutError, msgspec.MsgspecError, KeyError):
            return ""


@asynccontextmanager
async def live(services: Services) -> AsyncGenerator[WebSocketRoute]:
    """The route of the socket, for as long as the server runs."""
    end = Live(services)
    running = asyncio.create_task(end.feed.run(), name="push")
    try:
        yield WebSocketRoute("/api/live", end.socket)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
