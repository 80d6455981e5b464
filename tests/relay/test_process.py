"""A relay of which a part has ended is none: it ends, and is started again."""

import asyncio
import signal
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from lustra.core.bus import connect
from lustra.core.security.grants import new_keys
from lustra.core.settings import Settings
from lustra.relay import process
from lustra.relay.records import Records
from tests.conftest import Stack
from tests.relay.conftest import HOST, NODE, until


async def fail() -> None:
    raise KeyError("a mistake")


async def wait_for_what_ends() -> None:
    waited_for = asyncio.get_running_loop().create_future()
    waited_for.cancel()
    await waited_for


@pytest.mark.parametrize("part", [fail, wait_for_what_ends])
async def test_a_relay_ends_with_the_first_of_its_parts(
    stack: Stack, monkeypatch: pytest.MonkeyPatch, part: Callable[[], Coroutine[Any, Any, None]]
):
    signals: list[int] = []
    keys = {"host_key": new_keys()[0], "grant_public": new_keys()[1]}
    settings = Settings(nats_url=stack.relay_url, relay_url=NODE, frp_host=HOST, **keys)
    bus = await connect(stack.nats, "test")
    await bus.set_up(1 << 26)
    await bus.close()
    monkeypatch.setattr(process.signal, "raise_signal", signals.append)
    monkeypatch.setattr(Records, "run", lambda _: part())
    async with process.serving(settings):
        await until(lambda: signals)
    assert signals == [signal.SIGTERM]  # what is ended with it is no fault
