"""Connections at the robots' SSH door that have not proven yet who they are, and those of one robot.

Rule: whoever says nothing keeps nobody else out. When an address, or the door, has no place left for one more that has
not logged in, the longest silent one goes, of that address or of the address that takes most; then one that has been
about its log-in for too long; else the new one, for many robots may come back at once. A robot's connections are few:
its newest and its tunnel stay. Addresses of trusted proxies speak for many: they share the door's limit only.
"""

import ipaddress
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from prometheus_client import Counter as Metric

from lustra.core.http.peers import limit_key

OF_ADDRESS = 128  # that have not logged in
TOGETHER = 1024  # the door gives them 10 s for it
LONG_S = 2.0  # a log-in takes some hundredths
OF_ROBOT = 3  # its tunnel, the one that takes over, and one that hangs
CUT = Metric("lustra_relay_door_cut", "SSH connections that were cut for others", ["why"])


class Link(Protocol):
    def abort(self) -> None: ...

    def get_extra_info(self, name: str, default: Any = None) -> Any: ...


@dataclass(frozen=True)
class Arrival:
    key: str  # of its address; "" for proxies
    at: float


class Arrivals:
    """`trusted`: networks of proxies."""

    def __init__(
        self,
        trusted: tuple[Any, ...] = (),
        *,
        of_address: int = OF_ADDRESS,
        together: int = TOGETHER,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.trusted, self.of_address, self.together, self.clock = trusted, of_address, together, clock
        self.waiting: dict[Link, Arrival] = {}  # the longest first
        self.robots: dict[str, list[Link]] = {}  # by serial number, the oldest first

    def enter(self, link: Link, address: str) -> None:
        """A new connection. Where there is no place left one is cut, perhaps this."""
        key = self._key(address)
        counts = Counter(arrival.key for arrival in self.waiting.values())
        self.waiting[link] = Arrival(key, self.clock())
        if key and counts[key] >= self.of_address:
            self._cut(key, link)
        elif len(self.waiting) > self.together:
            self._cut(max(counts, key=counts.__getitem__), link)

    def log_in(self, link: Link, sn: str, tunnel: Link | None) -> None:
        """It has proven to be this robot, whose tunnel is at the connection `tunnel`."""
        self.waiting.pop(link, None)
        links = self.robots.setdefault(sn, [])
        links.append(link)
        if len(links) > OF_ROBOT:
            oldest = next(each for each in links if each not in (link, tunnel))
            links.remove(oldest)
            CUT.labels("robot").inc()
            oldest.abort()

    def leave(self, link: Link, sn: str) -> None:
        self.waiting.pop(link, None)
        links = self.robots.get(sn, [])
        if link in links:
            links.remove(link)
            if not links:
                del self.robots[sn]

    def _key(self, address: str) -> str:
        try:
            peer = ipaddress.ip_address(address)
        except ValueError:
            return limit_key(address)
        return "" if any(peer in network for network in self.trusted) else limit_key(address)

    def _cut(self, key: str, newest: Link) -> None:
        long_ago = self.clock() - LONG_S
        rivals = [
            (link, arrival) for link, arrival in self.waiting.items() if arrival.key == key and link is not newest
        ]
        silent = (link for link, _ in rivals if not link.get_extra_info("client_version"))
        slow = (link for link, arrival in rivals if arrival.at < long_ago)
        link = next(silent, None) or next(slow, newest)
        del self.waiting[link]
        CUT.labels("address").inc()
        link.abort()
