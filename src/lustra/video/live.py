"""A camera to those who may watch it: by HTTP, as one endless body, and by WebRTC (WHEP).

Rule: where aiortc is missing (extra `video`), or no connection comes of an offer, the answer says so, and whoever asked
goes by HTTP.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from lustra.domains.video.api import LiveVideo, passes
from lustra.video.channel import Channel, Enter, Leave, Watcher
from lustra.video.hall import Hall
from lustra.video.mp4 import Init
from lustra.video.offer import SDP, Refused, read_offer

FIRST_PICTURE_S = 8.0  # that a watcher waits for it
LOOK_S = 0.02
FORBIDDEN = PlainTextResponse("the ticket is over, or you may not see this", 403)
NO_STORE = {"cache-control": "no-store", "x-accel-buffering": "no", "x-content-type-options": "nosniff"}


@dataclass(frozen=True, slots=True)
class Sight:
    """A camera that a ticket opens, and the robot sends."""

    given: passes.Pass
    row: LiveVideo
    channel: Channel
    init: Init


class Live:
    """The routes."""

    def __init__(self, hall: Hall) -> None:
        self.hall, self.app = hall, hall.app
        self.tickets = passes.open_tickets(hall.app.settings)

    async def show(self, request: Request) -> Response:
        """The pictures, for as long as there are any."""
        sight = await self.open_camera(request)
        if isinstance(sight, Response):
            return sight
        body = self.pictures(sight, await self.enter(sight))
        return StreamingResponse(body, media_type=f'video/mp4; codecs="{sight.init.codec}"', headers=NO_STORE)

    async def connect(self, request: Request) -> Response:
        """A browser's offer is answered; the pictures go over UDP."""
        offer = await read_offer(request)
        if isinstance(offer, Response):
            return offer
        sight = await self.open_camera(request)
        if isinstance(sight, Response):
            return sight
        try:
            name, answer = await self.watch(offer, sight.channel, partial(self.enter, sight), self.hall.part)
        except Refused as why:
            return PlainTextResponse(str(why), why.status)
        return Response(answer, 201, NO_STORE | {"location": f"/whep/{name}"}, SDP)

    async def watch(self, offer: str, channel: Channel, enter: Enter, leave: Leave) -> tuple[str, str]:
        """By the media server, where there is one. Raises Refused."""
        if media_server := await self.hall.load_media_server():
            return await media_server.watch(offer, channel, enter, leave)
        connections = await self.hall.load_connections()
        from lustra.video import whep  # noqa: PLC0415  aiortc is loaded with the first offer

        return await whep.watch(connections, offer, channel, enter, leave)

    async def disconnect(self, request: Request) -> Response:
        """Also when it has ended by itself."""
        for way in filter(None, (self.hall.media_server, self.hall.connections)):
            way.end(request.path_params["name"])
        return Response(status_code=204)

    async def describe(self, request: Request) -> Response:
        """Whether the connection goes on: a browser learns late that the other side has closed it."""
        ways = filter(None, (self.hall.media_server, self.hall.connections))
        goes_on = any(way.touch(request.path_params["name"]) for way in ways)
        return PlainTextResponse("open" if goes_on else "over", headers=NO_STORE)

    async def open_camera(self, request: Request) -> Sight | Response:
        """What the ticket opens now, or why it does not."""
        given = passes.read_pass(self.tickets, request.query_params.get("ticket", ""), passes.Pass)
        if given is None or given.kind != "live":
            return FORBIDDEN
        opened = await passes.load_camera(self.app, given, self.hall.clock())
        if opened is None:
            return FORBIDDEN
        row, _ = opened
        channel = await self.wait_for((row.device_id, row.camera))
        if channel is None or channel.init is None:
            return PlainTextResponse("the robot sends no pictures", 504)
        return Sight(given, row, channel, channel.init)

    async def wait_for(self, key: tuple[int, str]) -> Channel | None:
        loop = asyncio.get_running_loop()
        until = loop.time() + FIRST_PICTURE_S
        while loop.time() < until:
            if (channel := self.hall.channels.get(key)) and channel.ready:
                return channel
            await asyncio.sleep(LOOK_S)
        return None

    async def enter(self, sight: Sight) -> Watcher:
        row, account = sight.row, sight.given.account
        return Watcher(sight.given, await self.hall.open_view(row, "live", row.camera, account))

    async def pictures(self, sight: Sight, watcher: Watcher) -> AsyncIterator[bytes]:
        try:
            first = sight.channel.join(watcher)
            yield b"".join([sight.init.data, *(fragment.data for fragment in first)])
            while fragment := await watcher.queue.get():
                yield fragment.data
        finally:
            await self.hall.part(sight.channel, watcher)
