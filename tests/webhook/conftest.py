"""A receiver on this machine, and an account that has a webhook to it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web

from lustra.domains.change.api import order
from tests.world import World, world

__all__ = ["world"]

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


async def accept(_: web.Request) -> web.StreamResponse:
    return web.Response(text="thanks")


@dataclass
class Receiver:
    """Somebody's server: what it was sent, and how it answers."""

    port: int = 0
    requests: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    answer: Answer = accept
    came: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    async def take(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(({name.lower(): value for name, value in request.headers.items()}, await request.read()))
        self.came.set()
        return await self.answer(request)


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    receiver = Receiver()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", receiver.take)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    receiver.port = runner.addresses[0][1]
    yield receiver
    await runner.cleanup()


@pytest.fixture
def allowed(world: World) -> None:
    """As where the operator names this machine's network."""
    object.__setattr__(world.services.settings, "webhook_networks", "127.0.0.0/8")


@pytest.fixture
async def hook(world: World, receiver: Receiver, allowed: None) -> dict[str, Any]:
    """Of the account `user`, with its secret. What changed before is in the feed already."""
    await order(world.services)
    return await world.call("user", "/webhook/insert", url=receiver.url, description="Tower")
