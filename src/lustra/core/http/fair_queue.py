"""A bounded queue in front of work that costs CPU, so that nobody who sends much keeps the others out.

Rule: those who ask take turns by their address, one piece of work each. When the queue is full, whoever fills it most
loses the newest place to somebody who has fewer; who has no place is refused at once.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class Full(Exception):
    """No place in the queue."""


class FairQueue:
    def __init__(self, pool: ThreadPoolExecutor, threads: int, limit: int) -> None:
        """`threads` pieces of work at once, `limit` that wait."""
        self.pool, self.free, self.limit = pool, threads, limit
        self.waiting: dict[str, deque[asyncio.Future[None]]] = {}  # by address, the next turn first
        self.count = 0

    async def run(self, address: str, work: Callable[[], T]) -> T:
        """The result of `work`, done in a thread when it is the address's turn. Raises Full."""
        await self._turn(address)
        try:
            return await asyncio.get_running_loop().run_in_executor(self.pool, work)
        finally:
            self._hand_on()

    async def _turn(self, address: str) -> None:
        if self.free:
            self.free -= 1
            return
        if self.count >= self.limit:
            self._make_room(address)
        place = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(address, deque()).append(place)
        self.count += 1
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and place.exception() is None:
                self._hand_on()  # the turn had come
            else:
                self._forget(address, place)
            raise

    def _make_room(self, address: str) -> None:
        crowd = max(self.waiting, key=lambda each: len(self.waiting[each]))
        if len(self.waiting[crowd]) <= len(self.waiting.get(address, ())) + 1:
            raise Full
        newest = self.waiting[crowd][-1]
        self._forget(crowd, newest)
        newest.set_exception(Full())

    def _forget(self, address: str, place: asyncio.Future[None]) -> None:
        places = self.waiting.get(address, deque())
        if place in places:
            places.remove(place)
            self.count -= 1
        if not places:
            self.waiting.pop(address, None)

    def _hand_on(self) -> None:
        while self.waiting:
            address = next(iter(self.waiting))
            places = self.waiting.pop(address)
            place = places.popleft()
            self.count -= 1
            if places:
                self.waiting[address] = places  # behind the others
            if not place.done():
                place.set_result(None)
                return
        self.free += 1
