"""Notes of PostgreSQL that rows became stale: which topic, and for whom.

Rules: triggers say it (`tell_stale` in the migrations), so whoever writes a row says so, and only once it is
committed. A table names its topics, a call those that it `reads`; a topic is the first word of a call's path, or a word
of its own. PostgreSQL keeps no notes: who did not listen takes everything to be stale.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import asyncpg

from lustra.core.db import Base, connect
from lustra.core.retry import retry_on

CHANNEL = "stale"
AGAIN_S = 1.0
CHECK_S = 15.0  # so often a silent link is tried


@dataclass(frozen=True, slots=True)
class Note:
    """Rows of the topic changed that belong to the owner at `path`, or to the account with this number alone."""

    topic: str
    path: str = ""
    account_id: int = 0


def parse_note(text: str) -> Note:
    """Of "map 1.2.7" or "message =42"."""
    topic, audience = text.split(" ")
    return Note(topic, account_id=int(audience[1:])) if audience.startswith("=") else Note(topic, audience)


def topics() -> set[str]:
    """All topics that tables declare."""
    return {topic for mapper in Base.registry.mappers for topic in mapper.class_.topics}


async def follow(dsn: str, on_note: Callable[[Note], None], on_gap: Callable[[], None]) -> None:
    """Calls `on_note` for each note while its task lives; `on_gap` whenever it begins to listen, for what it missed."""

    def receive(_: object, _pid: int, _channel: str, text: object) -> None:
        on_note(parse_note(str(text)))

    @retry_on(OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, longest_s=AGAIN_S)
    async def listen() -> None:
        link = await connect(dsn, "lustra stale")
        try:
            await link.add_listener(CHANNEL, receive)
            on_gap()
            await _lost(link)
        finally:
            link.terminate()
        raise ConnectionResetError("the connection for stale topics")

    await listen()


async def _lost(link: asyncpg.Connection) -> None:
    """Returns once the link is dead: at once where the other side closed it, and when it no longer answers."""
    closed = asyncio.Event()

    def end(_: object) -> None:
        closed.set()

    link.add_termination_listener(end)
    while not link.is_closed():
        try:
            async with asyncio.timeout(CHECK_S):
                await closed.wait()
        except TimeoutError:
            try:
                await link.execute("select", timeout=CHECK_S)
            except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
                return
