"""A real server with the live socket, and tabs of it."""

import asyncio
import json
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import uvicorn
import websockets
from starlette.applications import Starlette

from lustra.live.push import live
from lustra.live.push.frames import AnyFrame
from tests.world import World, until


@asynccontextmanager
async def serving(world: World):
    async with live(world.services) as route:
        config = uvicorn.Config(
            Starlette(routes=[route]), port=0, log_config=None, ws="websockets-sansio", lifespan="off"
        )
        server = uvicorn.Server(config)
        running = asyncio.create_task(server.serve())

        async def started():
            return server.started

        await until(started)
        try:
            yield f"ws://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/api/live"
        finally:
            server.should_exit = True
            await running


class Tab:
    """One tab; a frame that is not as live/push/frames declares it fails the test."""

    def __init__(self, link: Any) -> None:
        self.link = link

    async def show(self, **selection: Any) -> dict:
        await self.link.send(json.dumps({"show": selection}))
        return await self.next("snapshot")

    async def next(self, kind: str) -> dict:
        """The next frame of this kind; TimeoutError when beats alone come."""
        async with asyncio.timeout(20):
            while True:
                text = await self.link.recv()
                msgspec.json.decode(text, type=AnyFrame)
                frame = json.loads(text)
                if frame["kind"] == kind:
                    return frame


@asynccontextmanager
async def tab(world: World, url: str, account: str = "user"):
    async with websockets.connect(url) as link:
        await link.send(json.dumps({"token": await world.token(account)}))
        opened = Tab(link)
        assert (await opened.next("hello"))["offlineAfterS"] == world.services.settings.offline_after_s
        yield opened
