"""What one who sends us HTTP may take of a process: headers, time, and connections.

uvicorn bounds none of these. A head of a request has so many bytes and seconds, a body must go on coming, and an answer
must be read. When an address, or the process, has no connection left, the one that has waited longest for a request is
closed for the new one; where none waits, the new one is refused. Peers that are trusted proxies speak for many
people, so only the process' limit holds for them.
"""

import asyncio
import contextlib
import ipaddress
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import structlog
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from lustra.core.http.peers import limit_key
from lustra.core.settings import Settings

log = structlog.get_logger(__name__)

LONGEST_HEAD = 32 << 10  # bytes of a request line with its headers
SLICE = 16 << 10  # what is parsed at once, so that no more than this is taken beyond the longest head
HEAD_S = 20.0  # for a whole head
IDLE_S = 20.0  # between two requests
STALL_S = 60.0  # a body brings at least so much in that time
LEAST_BYTES = 4096  # an answer is read within it
AFTER_ANSWER_S = 10.0  # how long a body may still come in that nobody reads any more
RESERVE = 256  # descriptors for files, the database, the bus
SWEEP_S = 1.0
WARN_EACH_S = 3600.0
FORWARDED = {b"x-forwarded-for", b"forwarded"}
SHORT = {
    408: b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
    431: b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
    503: b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 5\r\ncontent-length: 0\r\n\r\n",
}


@dataclass
class Limits:
    """Of one listener. `of_address`, `together`: connections. `trusted`: addresses and networks of proxies."""

    of_address: int
    together: int
    trusted: tuple[Any, ...] = ()
    clock: Callable[[], float] = time.monotonic
    open: dict["LimitedHttp", str] = field(default_factory=dict["LimitedHttp", str])
    by_address: dict[str, int] = field(default_factory=dict[str, int])
    waiting: dict["LimitedHttp", None] = field(default_factory=dict["LimitedHttp", None])  # the longest first
    sweeping: asyncio.TimerHandle | None = None
    warned_at: float = float("-inf")

    def trusts(self, peer: str) -> bool:
        with contextlib.suppress(ValueError):
            address = ipaddress.ip_address(peer)
            return any(address in network for network in self.trusted)
        return False

    def enter(self, connection: "LimitedHttp", peer: str) -> bool:
        """Counts a new connection; whether it may stay."""
        key = "" if self.trusts(peer) else limit_key(peer)
        if key and self.by_address.get(key, 0) >= self.of_address and not self._make_room(key):
            return False
        if len(self.open) >= self.together and not self._make_room():
            return False
        self.open[connection] = key
        self.by_address[key] = self.by_address.get(key, 0) + 1
        self.waiting[connection] = None
        if self.sweeping is None:
            self.sweeping = connection.loop.call_later(SWEEP_S, self._sweep, connection.loop)
        return True

    def leave(self, connection: "LimitedHttp") -> None:
        key = self.open.pop(connection, None)
        self.waiting.pop(connection, None)
        if key is not None:
            self.by_address[key] -= 1
            if not self.by_address[key]:
                del self.by_address[key]

    def warn_of_proxy(self, peer: str) -> None:
        """Somebody in between tells whose request it is, and no setting says to believe it."""
        if self.clock() - self.warned_at > WARN_EACH_S:
            self.warned_at = self.clock()
            log.warning(
                "proxy.untrusted",
                peer=peer,
                why="forwarding headers are ignored: all people behind this proxy count as one address. Name it in "
                "LUSTRA_TRUSTED_PROXIES if it is yours",
            )

    def _make_room(self, key: str | None = None) -> bool:
        for connection in self.waiting:
            if key is None or self.open[connection] == key:
                self.leave(connection)
                connection.transport.abort()
                return True
        return False

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        now = self.clock()
        for connection in list(self.open):
            connection.end_if_late(now)
        self.sweeping = loop.call_later(SWEEP_S, self._sweep, loop) if self.open else None


class LimitedHttp(HttpToolsProtocol):
    """uvicorn's protocol, within limits."""

    def __init__(self, limits: Limits, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.limits = limits
        self.peer = ""
        self.in_head, self.in_body = True, False
        self.head_bytes = self.header_bytes = 0  # as they came; as the parser handed them on
        self.raw_bytes = self.body_bytes = 0  # of the present body, with and without what frames it
        self.since = limits.clock()  # of the present phase
        self.counted, self.counted_at = 0, self.since  # of the body, at the beginning of the present minute
        self.unread_since: float | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self.peer = self.client[0] if self.client else ""
        if not self.limits.enter(self, self.peer):
            self._refuse(503)

    def connection_lost(self, exc: Exception | None) -> None:
        self.limits.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), SLICE):
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            self._take(data[start : start + SLICE])

    def _take(self, part: bytes) -> None:
        if self.in_body:
            self.raw_bytes += len(part)
        else:
            self.head_bytes += len(part)
        super().data_received(part)
        long_head = self.in_head and max(self.head_bytes - SLICE, self.header_bytes) >= LONGEST_HEAD
        # What frames a body is little: else a chunk's extension, or trailers, would have no end.
        long_frames = self.in_body and self.raw_bytes > LONGEST_HEAD + 8 * self.body_bytes
        if (long_head or long_frames) and not self.transport.is_closing():
            self._refuse(431)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.since, self.header_bytes = self.limits.clock(), 0
        if not self.in_head:  # sent before the last one was answered
            self.in_head, self.head_bytes = True, 0

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self.header_bytes += len(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self.header_bytes += len(name) + len(value) + 4
        if name.lower() in FORWARDED and not self.limits.trusts(self.peer):
            self.limits.warn_of_proxy(self.peer)

    def on_headers_complete(self) -> None:
        if self.header_bytes > LONGEST_HEAD:
            self._refuse(431)
            return
        self.in_head, self.in_body = False, True
        self.limits.waiting.pop(self, None)
        self.head_bytes = self.raw_bytes = self.body_bytes = 0
        self.counted, self.counted_at = 0, self.limits.clock()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if self.in_body:
            self.body_bytes += len(body)
            super().on_body(body)

    def on_message_complete(self) -> None:
        if self.in_body:
            self.in_body = False
            super().on_message_complete()
            self._await_head()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.since = self.limits.clock()
        self._await_head()

    def _await_head(self) -> None:
        """Where nothing of ours is to be done any more, the next request is waited for."""
        cycle = self._cycle()
        if not self.in_body and not self.in_head and (cycle is None or cycle.response_complete):
            self.in_head, self.head_bytes, self.since = True, 0, self.limits.clock()
            if self in self.limits.open:
                self.limits.waiting[self] = None

    def handle_websocket_upgrade(self) -> None:
        """The socket counts as a connection until it ends; its own protocol says how long it may be silent."""
        super().handle_websocket_upgrade()
        self.in_head = self.in_body = False
        self.limits.waiting.pop(self, None)
        socket: Any = self.transport.get_protocol()
        if socket is self:
            return
        lost = socket.connection_lost

        def left(exc: Exception | None) -> None:
            self.limits.leave(self)
            lost(exc)

        socket.connection_lost = left

    def pause_writing(self) -> None:
        self.unread_since = self.limits.clock()
        super().pause_writing()

    def resume_writing(self) -> None:
        self.unread_since = None
        super().resume_writing()

    def end_if_late(self, now: float) -> None:
        """Called each second: closes the connection where a request is not complete in time."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return
        if self.in_head and self.head_bytes and now - self.since > HEAD_S:
            self._refuse(408)
        elif self.in_head and not self.head_bytes and now - self.since > IDLE_S and self in self.limits.waiting:
            self.transport.close()
        elif self.in_body and self._stalls(now):
            self._refuse(408)
        elif self.unread_since is not None and now - self.unread_since > STALL_S:
            self.transport.abort()

    def _stalls(self, now: float) -> bool:
        cycle = self._cycle()
        if cycle is not None and cycle.response_complete:
            return now - self.since > AFTER_ANSWER_S
        waits_for_us = self.flow.read_paused or (cycle is not None and cycle.waiting_for_100_continue)
        if waits_for_us or self.body_bytes - self.counted >= LEAST_BYTES:
            self.counted, self.counted_at = self.body_bytes, now
        return now - self.counted_at > STALL_S

    def _cycle(self) -> RequestResponseCycle | None:
        """The newest request with its answer; None before the first."""
        return self.cycle

    def _refuse(self, status: int) -> None:
        """Only where no answer has begun; then the line is cut."""
        self.limits.leave(self)
        cycle = self._cycle()
        if cycle is not None and not cycle.response_complete and cycle.response_started:
            self.transport.abort()
        else:
            self.transport.write(SHORT[status])
            self.transport.close()


def limited(settings: Settings) -> Callable[..., LimitedHttp]:
    """For uvicorn's `http`: the protocol's maker, with the limits of one listener."""
    descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if descriptors == resource.RLIM_INFINITY:
        descriptors = settings.connections + RESERVE
    together = max(RESERVE, min(settings.connections, descriptors - RESERVE))
    limits = Limits(min(settings.connections_of_address, together // 2), together, networks(settings.trusted_proxies))
    return partial(LimitedHttp, limits)


def networks(proxies: str) -> tuple[Any, ...]:
    """Of a list by comma. What is no address or network is trusted by its name elsewhere, and limited here."""
    named: list[Any] = []
    for part in proxies.replace("*", "0.0.0.0/0,::/0").split(","):
        with contextlib.suppress(ValueError):
            named.append(ipaddress.ip_network(part.strip(), strict=False))
    return tuple(named)
