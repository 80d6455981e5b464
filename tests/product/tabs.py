"""One tab's live socket, as the console keeps it: the newest row of each robot, and the cells that were cleaned."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np
from websockets.asyncio.client import ClientConnection, connect

from lustra.live.push.frames import AnyFrame
from lustra.protocol.bus import Mask
from tests.product.running import Console, Product


@dataclass
class Tab:
    web: ClientConnection
    seq: int = 0
    rows: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])
    kinds: set[str] = field(default_factory=set[str])
    modes: list[str] = field(default_factory=list[str])  # of the robot in detail, as they came
    runs: dict[str, set[tuple[int, int]]] = field(default_factory=dict[str, set[tuple[int, int]]])

    async def show(self, **selection: Any) -> None:
        await self.web.send(json.dumps({"show": selection}))

    async def read(self) -> None:
        """A gap in the numbers would be a frame that was lost."""
        async for text in self.web:
            msgspec.json.decode(text, type=AnyFrame)
            frame = json.loads(text)
            self.kinds.add(frame["kind"])
            if "seq" in frame:
                assert frame["seq"] == self.seq + 1
                self.seq = frame["seq"]
            for row in frame.get("robots", []):
                self.rows[row["id"]] = row
                if not self.modes or self.modes[-1] != row["mode"]:
                    self.modes.append(row["mode"])
            if frame["kind"] == "cells":
                self.paint(frame["data"])
        raise ConnectionError("the socket has ended")

    def paint(self, cells: dict[str, Any]) -> None:
        """Row and column of each cell. A full picture replaces all that was told before."""
        painted = self.runs.setdefault(cells["run"], set())
        if full := cells.get("full"):
            painted.clear()
            painted.update(set_of(msgspec.convert(full, Mask)))
        spans = iter(cells.get("spans", []))
        for row, column, length in zip(spans, spans, spans, strict=True):
            painted.update((row, column + step) for step in range(length))


def set_of(mask: Mask) -> set[tuple[int, int]]:
    if not mask.height:
        return set()
    bits = np.frombuffer(mask.bits(), np.uint8)
    cells = np.unpackbits(bits.reshape(mask.height, -1), axis=1)[:, : mask.width]
    return {(int(row) + mask.row, int(column) + mask.column) for row, column in np.argwhere(cells)}


@asynccontextmanager
async def tab(product: Product, console: Console, **show: Any) -> AsyncIterator[Tab]:
    async with connect(f"ws://127.0.0.1:{product.port}/api/live", max_size=None) as web:
        await web.send(json.dumps({"token": console.http.headers["token"]}))
        assert json.loads(await web.recv())["kind"] == "hello"
        opened = Tab(web)
        await opened.show(**show)
        async with asyncio.TaskGroup() as both:  # a socket that ends, ends the test
            reading = both.create_task(opened.read())
            yield opened
            reading.cancel()
