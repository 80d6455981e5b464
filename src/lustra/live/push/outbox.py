"""What waits to be sent to one socket.

Rules: a robot's row is taken when it is sent, so a slow socket skips poses instead of queueing them; of lidar, path
and control only the newest waits; increments of cleaned cells wait in order, and when they are too many the whole
picture is asked for instead; of a log the oldest lines are left out. Of topics that became stale each waits once
(live/push/stale).

What is shown of the robot in detail goes out at once, as often as a robot may say it. Rows of the others are gathered
for LIST_S: each frame costs the server about as much with one row as with ten, and it serves all sockets with one core.
Where many are open they are gathered longer, so that all sockets together get at most MOST_FRAMES a second.
"""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from lustra.live.push.stale import StaleTopics

LIST_S = 0.04
DETAIL_S = 0.02
MOST_FRAMES = 5000
MOST_CELLS = 200
MOST_LINES = 1000
Kind = Literal["lidar", "path", "cells", "control", "support", "log"]
Frame = dict[str, Any]


@dataclass(slots=True)
class ListPace:
    """How often rows of lists go out, by the sockets that are open."""

    sockets: int = 0

    @property
    def list_s(self) -> float:
        """Seconds between two frames of one socket."""
        return max(LIST_S, self.sockets / MOST_FRAMES)


@dataclass(eq=False)
class Outbox:
    pace: ListPace = field(default_factory=ListPace)
    detail: int | None = None
    rows: set[int] = field(default_factory=set[int])
    newest: dict[tuple[Kind, int], Frame] = field(default_factory=dict[tuple[Kind, int], Frame])
    cells: dict[int, list[Frame]] = field(default_factory=dict[int, list[Frame]])
    logs: deque[tuple[int, Frame, int]] = field(default_factory=deque[tuple[int, Frame, int]])  # with their lines
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    stale: StaleTopics = field(default_factory=StaleTopics)
    list_at: float = 0.0
    detail_at: float = 0.0

    def row(self, device_id: int) -> None:
        self.rows.add(device_id)
        self.wake.set()

    def frame(self, kind: Kind, device_id: int, data: Frame) -> None:
        self.newest[kind, device_id] = data
        self.wake.set()

    def cell(self, device_id: int, data: Frame, *, full: bool) -> bool:
        """False: too many wait; they are dropped, and a full picture is to be asked for."""
        waiting = self.cells.setdefault(device_id, [])
        fits = full or len(waiting) < MOST_CELLS
        if full or not fits:
            waiting.clear()
        if fits:
            waiting.append(data)
            self.wake.set()
        return fits

    def log(self, device_id: int, data: Frame, lines: int) -> None:
        self.logs.append((device_id, data, lines))
        while len(self.logs) > 1 and sum(count for _, _, count in self.logs) > MOST_LINES:
            self.logs.popleft()
        self.wake.set()

    def topics(self, stale: set[str]) -> None:
        self.stale.waiting |= stale
        self.wake.set()

    def due(self, now: float) -> float | None:
        """When the next of what waits may go; None where nothing waits."""
        times: list[float] = []
        if self.newest or self.cells or self.logs or self.detail in self.rows:
            times.append(self.detail_at + DETAIL_S)
        if self.rows - {self.detail}:
            times.append(self.list_at + self.pace.list_s)
        if (stale_from := self.stale.due()) is not None:
            times.append(stale_from)
        return max(now, min(times)) if times else None

    def take(self, now: float) -> tuple[list[int], list[tuple[Kind, int, Frame]]]:
        """What may go now: rows of robots, and frames."""
        going: list[int] = []
        if self.rows - {self.detail} and now >= self.list_at + self.pace.list_s:
            self.list_at = now
            going += self.rows - {self.detail}
        frames: list[tuple[Kind, int, Frame]] = []
        if now >= self.detail_at + DETAIL_S:
            if self.detail in self.rows or self.newest or self.cells or self.logs:
                self.detail_at = now
            if self.detail is not None and self.detail in self.rows:
                going.append(self.detail)
            frames = list(self._frames())
            self.newest.clear()
            self.cells.clear()
            self.logs.clear()
        self.rows.difference_update(going)
        return going, frames

    def _frames(self) -> Iterator[tuple[Kind, int, Frame]]:
        for (kind, device_id), data in self.newest.items():
            yield kind, device_id, data
        for device_id, waiting in self.cells.items():
            for data in waiting:
                yield "cells", device_id, data
        for device_id, data, _ in self.logs:
            yield "log", device_id, data

    def forget(self) -> None:
        """Empties what was shown of robots: a tab shows others now."""
        self.rows.clear()
        self.newest.clear()
        self.cells.clear()

    def withhold(self, device_id: int) -> None:
        """Drops pictures of lidar, path and cells of this robot that were to be sent."""
        self.cells.pop(device_id, None)
        for kind in ("lidar", "path"):
            self.newest.pop((kind, device_id), None)

    async def wait_until_due(self, longest: float) -> None:
        """Waits until a frame may be sent, at most `longest` seconds."""
        end = time.monotonic() + longest
        while (now := time.monotonic()) < end:
            due = self.due(now)
            if due is not None and due <= now:
                return
            self.wake.clear()
            until = min(end, due) if due is not None else end
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, until - now)):
                    await self.wake.wait()
