"""`lustra video`: takes pictures from robots and passes them on to who may watch.

Robots put one endless body to /camera, or send by WebRTC (/whip); browsers read one from /live, or have the pictures by
WebRTC (/whep); /recording answers what was stored, in parts too, and /clip what somebody has shared, to whoever has its
link. Each wants a ticket of the server's (domains/video/passes). There is nothing else here, and no picture is decoded.
"""

import asyncio
import contextlib
import re
from collections.abc import AsyncGenerator
from urllib.parse import quote, urlsplit

import uvicorn
from cachetools import TTLCache
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from lustra.core.audit_trail import audit
from lustra.core.context import Actor, Services
from lustra.core.errors import Refusal
from lustra.core.http.http_limits import limited
from lustra.core.http.ranges import parse_range
from lustra.core.process.tasks import cancel_all
from lustra.domains.video.api import VideoRecord, clips, passes
from lustra.video.clip import Cutter
from lustra.video.hall import Hall
from lustra.video.incoming import Incoming
from lustra.video.live import FORBIDDEN, Live
from lustra.video.rules import Recorder

LOCAL = re.compile(r"https?://(localhost|127\.0\.0\.1)(:\d+)?")
PLAYED_S = 3600.0  # for which parts of a recording are answered, once it was opened
MOST_PLAYED = 4096
ACTIONS = {"recording": "video.recording", "download": "video.download"}


class Stored:
    """Recordings, and clips of them."""

    def __init__(self, hall: Hall) -> None:
        self.hall, self.app = hall, hall.app
        self.tickets = passes.open_tickets(hall.app.settings)
        self.played: TTLCache[str, passes.Pass] = TTLCache(MOST_PLAYED, PLAYED_S)
        self.shared: TTLCache[tuple[int, str], bool] = TTLCache(MOST_PLAYED, PLAYED_S)
        self.cutter = Cutter(hall.app, hall.folder / "clips")

    async def play(self, request: Request) -> Response:
        """A recording, or the part of it that a Range header names."""
        ticket = request.query_params.get("ticket", "")
        given = self.played.get(ticket) or passes.read_pass(self.tickets, ticket, passes.Pass)
        if given is None or given.kind == "live":
            return FORBIDDEN
        opened = await passes.load_record(self.app, given)
        if opened is None:
            return FORBIDDEN
        record, actor = opened
        if ticket not in self.played:
            self.played[ticket] = given
            await self.note(record, given, actor)
        return await self.answer(request, record.place, record.name, download=given.kind == "download")

    async def play_clip(self, request: Request) -> Response:
        """A clip, or a part of it, to whoever has the link. A player asks for many parts: it is one view an hour."""
        given = passes.read_pass(self.tickets, request.query_params.get("ticket", ""), passes.ClipPass)
        opened = await clips.load_open(self.app, given.clip) if given else None
        if opened is None:
            return FORBIDDEN
        clip, record = opened
        viewer = (clip.id, request.client.host if request.client else "")
        if viewer not in self.shared:
            self.shared[viewer] = True
            await self.hall.open_view(record, "clip", clip.name, None)
        place = clip.place or await self.cutter.make(clip, record)
        return await self.answer(request, place, clip.name, download=False)

    async def note(self, record: VideoRecord, given: passes.Pass, actor: Actor) -> None:
        """Who opened it, for those whose robot it is and for the audit."""
        await self.hall.open_view(record, given.kind, record.name, given.account)
        async with self.app.sessions.begin() as db:
            detail = {"id": record.id, "name": record.name}
            audit.write(
                db, actor, ACTIONS[given.kind], address=given.address, detail=detail, device_id=record.device_id
            )

    async def answer(self, request: Request, place: str, name: str, *, download: bool) -> Response:
        try:
            about = await self.app.objects.about(place)
        except Refusal:
            return PlainTextResponse("this recording is gone", 404)
        part = parse_range(request.headers, about.size, about.etag)
        headers = part.headers | {"cache-control": "private, no-store", "x-content-type-options": "nosniff"}
        if download:
            headers["content-disposition"] = f"attachment; filename*=UTF-8''{quote(name)}"
        if not part.end:
            return Response(status_code=part.status, headers=headers)
        body = self.app.objects.parts(place, part.start, part.end)
        return StreamingResponse(body, part.status, headers, media_type="video/mp4")


async def health(_: Request) -> Response:
    return PlainTextResponse("ok")


@contextlib.asynccontextmanager
async def working(hall: Hall) -> AsyncGenerator[None]:
    """Recordings of the last run are finished, and cameras and watchers looked at."""
    await hall.recover()
    recorder = Recorder(hall)
    tasks = [asyncio.create_task(hall.run(), name="video"), asyncio.create_task(recorder.run(), name="rules")]
    try:
        yield
    finally:
        await cancel_all(*tasks)
        await hall.close()


def application(services: Services, hall: Hall) -> Starlette:
    settings, incoming, live, stored = services.settings, Incoming(hall), Live(hall), Stored(hall)
    page = urlsplit(settings.public_url)
    cors = Middleware(
        CORSMiddleware,
        allow_origins=[f"{page.scheme}://{page.netloc}"],
        allow_methods=["GET", "POST", "DELETE"],
        allow_origin_regex=LOCAL.pattern if settings.demo else None,
        allow_headers=["range", "content-type"],
        expose_headers=["location"],
        max_age=600,
    )
    routes = [
        Route("/camera", incoming.take, methods=["PUT", "POST"]),
        Route("/whip", incoming.connect, methods=["POST"]),
        Route("/whip/{name}", live.disconnect, methods=["DELETE"]),
        Route("/live", live.show),
        Route("/whep", live.connect, methods=["POST"]),
        Route("/whep/{name}", live.describe),
        Route("/whep/{name}", live.disconnect, methods=["DELETE"]),
        Route("/recording", stored.play),
        Route("/clip", stored.play_clip),
        Route("/healthz", health),
    ]
    return Starlette(routes=routes, middleware=[cors])


def server_config(services: Services, hall: Hall) -> uvicorn.Config:
    settings = services.settings
    return uvicorn.Config(
        application(services, hall),
        host=settings.http_host,
        port=settings.video_port,
        access_log=False,
        log_config=None,
        forwarded_allow_ips=settings.trusted_proxies or None,
        proxy_headers=bool(settings.trusted_proxies),
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=1,
        http=limited(settings),  # type: ignore[arg-type]  # a maker of protocols
    )
