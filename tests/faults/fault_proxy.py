"""A TCP line with faults: what a bad network does between two of our processes, or between them and a robot.

TCP itself puts packets in order and sends lost ones again, so a fault here is what is left of them: bytes that come
late, in small pieces, in one direction alone, or never again, and lines that end in the middle.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Literal

from lustra.core.process.tasks import cancel_all
from lustra.stack.place import LOOPBACK

Direction = Literal["there", "back"]
DIRECTIONS: tuple[Direction, Direction] = ("there", "back")
PIECE = 7  # bytes


@dataclass
class FaultProxy:
    """Between whoever connects to `port` and the target. Faults hold for lines that are open and for new ones, except
    `silence`, of which new lines know nothing: their predecessors are lost without a word."""

    target: tuple[str, int]
    port: int = 0
    delay_s: float = 0.0
    in_pieces: bool = False
    held: set[Direction] = field(default_factory=set[Direction])  # what is sent that way waits
    lines: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    silent: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    server: asyncio.Server | None = None

    async def open(self) -> None:
        self.server = await asyncio.start_server(self.carry_both, LOOPBACK, self.port)
        self.port = self.server.sockets[0].getsockname()[1]

    async def refuse(self) -> None:
        """Nobody listens, and all lines end."""
        if self.server:
            self.server.close()
            self.server = None
        await self.cut()

    async def carry_both(self, near: asyncio.StreamReader, to_near: asyncio.StreamWriter) -> None:
        line = asyncio.current_task()
        assert line is not None
        self.lines.add(line)
        to_far: asyncio.StreamWriter | None = None
        try:
            far, to_far = await asyncio.open_connection(*self.target)
            ways = [
                asyncio.create_task(self.carry(line, "there", near, to_far)),
                asyncio.create_task(self.carry(line, "back", far, to_near)),
            ]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                await cancel_all(*ways)
        except (OSError, asyncio.CancelledError):
            pass  # either end is gone, or the line is cut
        finally:
            self.lines.discard(line)
            self.silent.discard(line)
            for end in (to_near, to_far):
                if end:
                    end.transport.abort()

    async def carry(
        self, line: asyncio.Task[None], way: Direction, source: asyncio.StreamReader, to: asyncio.StreamWriter
    ) -> None:
        """Until either end closes."""
        with contextlib.suppress(OSError):
            while data := await source.read(1 << 16):
                async with self.changed:
                    await self.changed.wait_for(lambda: way not in self.held and line not in self.silent)
                if self.delay_s:
                    await asyncio.sleep(self.delay_s)
                for start in range(0, len(data), PIECE if self.in_pieces else len(data)):
                    to.write(data[start : start + PIECE] if self.in_pieces else data)
                    await to.drain()

    async def hold(self, *ways: Direction) -> None:
        async with self.changed:
            self.held = set(ways)
            self.changed.notify_all()

    async def silence(self) -> None:
        """What is sent over the lines of now never arrives, and nobody is told."""
        async with self.changed:
            self.silent = set(self.lines)

    async def cut(self) -> None:
        """Ends all lines of now; those who come anew find one."""
        await cancel_all(*self.lines)

    async def heal(self) -> None:
        self.delay_s, self.in_pieces = 0.0, False
        await self.hold()
        if not self.server:
            await self.open()


@contextlib.asynccontextmanager
async def between(host: str, port: int) -> AsyncIterator[FaultProxy]:
    """A proxy before the target, open until left."""
    proxy = FaultProxy((host, port))
    await proxy.open()
    try:
        yield proxy
    finally:
        await proxy.refuse()
