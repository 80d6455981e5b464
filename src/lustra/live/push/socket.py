"""/api/live: what a tab shows, live, over one socket.

Rules: the first frame carries the token, never a cookie or the address; what lies outside the session's scope is left
out silently; `seq` grows by one with each frame of data, so that a tab sees a gap and asks anew; a revoked session's
socket ends within a second.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from lustra.core.context import Services, Session
from lustra.domains.device import rows as device_rows
from lustra.domains.device.scope import Where
from lustra.live.push.feed import Feed
from lustra.live.push.outbox import Outbox

REFUSED, TOO_MUCH = 4401, 1008
GREETING_S, TICK_S, CHECK_S, COUNTS_S = 10.0, 0.5, 15.0, 2.0
MOST_SHOWN = 1000
STILL_VALID = """select true from login where id = $1 and seen_at > now() - make_interval(hours => $2)
union all select true from api_key where id = $1 and expires_at > now()"""


class Greeting(msgspec.Struct):
    token: str


class Show(msgspec.Struct):
    robots: list[int] = []
    cells: list[int] = []
    detail: int | None = None
    counts: bool = False


class Asked(msgspec.Struct):
    show: Show


class Socket:
    """One tab."""

    def __init__(self, feed: Feed, web: WebSocket, session: Session) -> None:
        self.feed, self.web, self.session = feed, web, session
        self.outbox, self.shown, self.seq = Outbox(), Show(), 0
        self.sending = asyncio.Lock()
        self.told: dict[str, int] = {}
        self.counted_at = 0.0
        self.checked_at = time.monotonic()

    async def send(self, **frame: Any) -> None:
        await self.web.send_text(msgspec.json.encode(frame).decode())

    async def data(self, kind: str, **frame: Any) -> None:
        self.seq += 1
        await self.send(kind=kind, seq=self.seq, **frame)

    async def read(self) -> None:
        while True:
            asked = msgspec.json.decode(await self.web.receive_text(), type=Asked)
            if len(asked.show.robots) + len(asked.show.cells) > MOST_SHOWN:
                raise msgspec.ValidationError("too many robots")
            async with self.sending:
                await self.show(asked.show)

    async def show(self, wanted: Show) -> None:
        self.shown = wanted
        self.outbox.forget()
        ids = await self.feed.show(
            self.session.actor.path, self.outbox, wanted.robots, set(wanted.cells), wanted.detail
        )
        robots = [self.feed.robots[i].fresh() for i in ids if i in self.feed.robots]
        self.told = await self.counts() if wanted.counts else {}
        total = sum(self.told.values())
        await self.data("snapshot", robots=robots, counts={"modes": self.told, "total": total} if wanted.counts else {})

    async def counts(self) -> dict[str, int]:
        """Shared by all sockets of one scope."""
        path = self.session.actor.path
        at, modes = self.feed.modes.get(path, (0.0, {}))
        if time.monotonic() - at > COUNTS_S / 2:
            where = Where()
            where.seen(path)
            async with self.feed.services.pool.acquire() as db:
                modes = await device_rows.counts(db, where)
            self.feed.modes[path] = (time.monotonic(), modes)
        self.counted_at = time.monotonic()
        return modes

    async def write(self) -> None:
        """Ends when the session is over."""
        while await self.valid():
            await self.outbox.waits(TICK_S)
            async with self.sending:
                await self.flush()

    async def flush(self) -> None:
        ids, frames = self.outbox.take(time.monotonic())
        lines = [self.feed.robots[i].line() for i in ids if i in self.feed.robots]
        if lines:
            await self.data("robots", robots=lines)
        for kind, device_id, data in frames:
            await self.data(kind, id=device_id, **data)
        if self.shown.counts and time.monotonic() - self.counted_at > COUNTS_S:
            modes = await self.counts()
            if modes != self.told:
                self.told = modes
                await self.data("counts", modes=modes, total=sum(modes.values()))

    async def valid(self) -> bool:
        """Revocations come over the bus at once; now and then the database is asked as well, and the scope anew."""
        logins, session_id = self.feed.services.logins, self.session.actor.session_id
        if logins.is_revoked(session_id):
            return False
        if time.monotonic() - self.checked_at < CHECK_S:
            return True
        self.checked_at = time.monotonic()
        services = self.feed.services
        if not await services.pool.fetchval(STILL_VALID, session_id, round(services.settings.idle_expiry_h)):
            return False
        wanted = self.shown
        async with self.sending:
            await self.feed.show(self.session.actor.path, self.outbox, wanted.robots, set(wanted.cells), wanted.detail)
        return True

    async def run(self) -> None:
        reading, writing = asyncio.create_task(self.read()), asyncio.create_task(self.write())
        try:
            await asyncio.wait({reading, writing}, return_when=asyncio.FIRST_COMPLETED)
            if writing.done() and writing.exception() is None:
                await self.send(kind="ended")
                await self.web.close(REFUSED)
            elif reading.done() and isinstance(reading.exception(), msgspec.MsgspecError):
                await self.web.close(TOO_MUCH)
        finally:
            reading.cancel()
            writing.cancel()
            await asyncio.gather(reading, writing, return_exceptions=True)
            await self.feed.leave(self.outbox)


class Live:
    """The route's end."""

    def __init__(self, services: Services) -> None:
        self.services, self.feed = services, Feed(services)

    async def socket(self, web: WebSocket) -> None:
        await web.accept()
        with contextlib.suppress(WebSocketDisconnect):
            session = await self.greeted(web)
            if session is None:
                await web.close(REFUSED)
                return
            socket = Socket(self.feed, web, session)
            await socket.send(kind="hello", offlineAfterS=self.services.settings.offline_after_s)
            await socket.run()
        if web.application_state is WebSocketState.CONNECTED and web.client_state is WebSocketState.CONNECTED:
            await web.close()

    async def greeted(self, web: WebSocket) -> Session | None:
        try:
            async with asyncio.timeout(GREETING_S):
                greeting = msgspec.json.decode(await web.receive_text(), type=Greeting)
            session = await self.services.logins.of(greeting.token)
        except (TimeoutError, msgspec.MsgspecError, KeyError):
            return None
        return None if session is None or session.must_change else session


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
