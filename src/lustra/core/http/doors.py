"""One limit for all doors that stand open before anybody is logged in: log-in, single sign-on, enrolment.

Rule: what ends well costs nothing; each refusal, and each code that is given to somebody unknown, costs the address
one, and all addresses together one. Who has none left is refused before anything is read or written. Kept in memory, by
each process: guessing is bounded in the database (domains/account/credentials/attempts), rows by
core/audit_trail/anonymous.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from lustra.core.errors import Code, Refusal
from lustra.core.http.peers import limit_key

MOST_ADDRESSES = 50_000  # remembered at once


@dataclass(frozen=True, slots=True)
class Limit:
    """How much an address may use: `burst` at once, and then `per_second` more."""

    burst: float
    per_second: float


EACH = Limit(200, 1.0)
ALL = Limit(5_000, 100.0)


class Doors:
    def __init__(self, each: Limit = EACH, together: Limit = ALL, clock: Callable[[], float] = time.monotonic) -> None:
        self.each, self.together, self.clock = each, together, clock
        self.spent: dict[str, tuple[float, float]] = {}  # by address: how much, and when that was so
        self.spent_by_all = (0.0, clock())

    def closed(self, address: str) -> Refusal | None:
        """The refusal for an address that has used up its limit; None: it may go on."""
        wait = self._wait(self.spent.get(limit_key(address)), self.each)
        if wait > 0:
            return Refusal(Code.TOO_MANY_TRIES, seconds=math.ceil(wait))
        wait = self._wait(self.spent_by_all, self.together)
        return Refusal(Code.LOGIN_BUSY, seconds=math.ceil(wait)) if wait > 0 else None

    def spend(self, address: str, count: float = 1) -> None:
        """Counts `count` uses of an address; below 0 it gives them back."""
        key = limit_key(address)
        self.spent[key] = self._after(self.spent.get(key), self.each, count)
        self.spent_by_all = self._after(self.spent_by_all, self.together, count)
        if len(self.spent) > MOST_ADDRESSES:
            self._forget()

    def _left(self, spent: tuple[float, float] | None, limit: Limit) -> float:
        """How many of the uses that were counted have not been made good by time yet."""
        if spent is None:
            return 0.0
        count, at = spent
        return max(0.0, count - (self.clock() - at) * limit.per_second)

    def _wait(self, spent: tuple[float, float] | None, limit: Limit) -> float:
        return (self._left(spent, limit) - limit.burst + 1) / limit.per_second

    def _after(self, spent: tuple[float, float] | None, limit: Limit, count: float) -> tuple[float, float]:
        return max(0.0, self._left(spent, limit) + count), self.clock()

    def _forget(self) -> None:
        """Those that have all of theirs again; where that makes too little room, those heard longest ago."""
        left = {key: spent for key, spent in self.spent.items() if self._left(spent, self.each) > 0}
        newest = sorted(left, key=lambda key: left[key][1])[-MOST_ADDRESSES // 2 :]
        self.spent = {key: left[key] for key in newest}
