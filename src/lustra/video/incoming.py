"""What robots' cameras send: one endless body by HTTP, or pictures by WebRTC (WHIP)."""

import asyncio

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from lustra.domains.video.api import passes
from lustra.video.channel import Channel
from lustra.video.hall import Hall
from lustra.video.live import FORBIDDEN, NO_STORE
from lustra.video.mp4 import BrokenStream
from lustra.video.offer import SDP, Refused, read_offer

OVER = PlainTextResponse("nobody watches any more", 410, headers={"connection": "close"})


class Incoming:
    """The routes."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.tickets = passes.open_tickets(hall.app.settings)

    async def take(self, request: Request) -> Response:
        """What a robot's camera sees, for as long as somebody needs it."""
        channel = await self.enter(request)
        if channel is None:
            return FORBIDDEN
        try:
            async for data in request.stream():
                channel.feed(data)
                if channel.ended:
                    return OVER
        except BrokenStream as why:
            return PlainTextResponse(str(why), 400, headers={"connection": "close"})
        except ClientDisconnect:
            pass
        finally:
            self.hall.leave(channel)
        return Response(status_code=204)

    async def connect(self, request: Request) -> Response:
        """The same by WHIP: an offer is answered, and the pictures come over UDP."""
        offer = await read_offer(request)
        if isinstance(offer, Response):
            return offer
        channel = await self.enter(request)
        if channel is None:
            return FORBIDDEN
        connections = await self.hall.load_connections()
        from lustra.video import whip  # noqa: PLC0415  aiortc is loaded with the first offer

        try:
            name, answer = await whip.receive(connections, offer, channel, self.hall.leave)
        except Refused as why:
            return PlainTextResponse(str(why), why.status)
        return Response(answer, 201, NO_STORE | {"location": f"/whip/{name}"}, SDP)

    async def enter(self, request: Request) -> Channel | None:
        """The channel that a ticket opens."""
        given = passes.read_pass(self.tickets, request.query_params.get("ticket", ""), passes.CameraPass)
        if given is None:
            return None
        channel = Channel((given.device, given.camera), asyncio.get_running_loop().time())
        await self.hall.look_around([channel])
        self.hall.enter(channel)
        return channel
