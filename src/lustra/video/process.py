"""`lustra video`: takes pictures from robots and passes them on to who may watch.

Robots put one endless body to /camera; browsers read one from /live; /recording answers what was stored, in parts too,
and /clip what somebody has shared, to whoever has its link. Each wants a ticket of the server's (domains/video/passes).
There is nothing else here, and no picture is decoded.
"""

import asyncio
import contextlib
import re
from collections.abc import AsyncGenerator, AsyncIterator
from urllib.parse import quote, urlsplit

import uvicorn
from cachetools import TTLCache
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from lustra.core.audit_trail import audit
from lustra.core.context import Actor, Services
from lustra.core.errors import Refusal
from lustra.core.http.http_limits import limited
from lustra.core.http.ranges import parse_range
from lustra.core.process.tasks import cancel_all
from lustra.domains.video.api import VideoRecord, clips, passes
from lustra.video.channel import Channel, Watcher
from lustra.video.clip import Cutter
from lustra.video.hall import Hall
from lustra.video.mp4 import BrokenStream
from lustra.video.rules import Recorder

LOCAL = re.compile(r"https?://(localhost|127\.0\.0\.1)(:\d+)?")
FIRST_PICTURE_S = 8.0  # that a watcher waits for it
LOOK_S = 0.02
PLAYED_S = 3600.0  # for which parts of a recording are answered, once it was opened
MOST_PLAYED = 4096
ACTIONS = {"recording": "video.recording", "download": "video.download"}
FORBIDDEN = PlainTextResponse("the ticket is over, or you may not see this", 403)
NO_STORE = {"cache-control": "no-store", "x-accel-buffering": "no", "x-content-type-options": "nosniff"}


class Pictures:
    """The routes."""

    def __init__(self, hall: Hall) -> None:
        self.hall, self.app = hall, hall.app
        self.tickets = passes.open_tickets(hall.app.settings)
        self.played: TTLCache[str, passes.Pass] = TTLCache(MOST_PLAYED, PLAYED_S)
        self.shared: TTLCache[tuple[int, str], bool] = TTLCache(MOST_PLAYED, PLAYED_S)
        self.cutter = Cutter(hall.app, hall.folder / "clips")

    async def take(self, request: Request) -> Response:
        """What a robot's camera sees, for as long as it is wanted."""
        given = passes.read_pass(self.tickets, request.query_params.get("ticket", ""), passes.CameraPass)
        if given is None:
            return FORBIDDEN
        channel = Channel((given.device, given.camera), asyncio.get_running_loop().time())
        await self.hall.look_around([channel])
        self.hall.enter(channel)
        try:
            async for data in request.stream():
                channel.feed(data)
                if channel.ended:
                    return PlainTextResponse("nobody watches any more", 410, headers={"connection": "close"})
        except BrokenStream as why:
            return PlainTextResponse(str(why), 400, headers={"connection": "close"})
        except ClientDisconnect:
            pass
        finally:
            self.hall.leave(channel)
        return Response(status_code=204)

    async def show(self, request: Request) -> Response:
        """A camera, to one who may watch it."""
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
        watcher = Watcher(given, await self.hall.open_view(row, "live", row.camera, given.account))
        media = f'video/mp4; codecs="{channel.init.codec}"'
        return StreamingResponse(self.pictures(channel, watcher), media_type=media, headers=NO_STORE)

    async def wait_for(self, key: tuple[int, str]) -> Channel | None:
        loop = asyncio.get_running_loop()
        until = loop.time() + FIRST_PICTURE_S
        while loop.time() < until:
            if (channel := self.hall.channels.get(key)) and channel.ready:
                return channel
            await asyncio.sleep(LOOK_S)
        return None

    async def pictures(self, channel: Channel, watcher: Watcher) -> AsyncIterator[bytes]:
        try:
            yield channel.join(watcher)
            while data := await watcher.queue.get():
                yield data
        finally:
            await self.hall.part(channel, watcher)

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
    settings, pictures = services.settings, Pictures(hall)
    page = urlsplit(settings.public_url)
    cors = Middleware(
        CORSMiddleware,
        allow_origins=[f"{page.scheme}://{page.netloc}"],
        allow_methods=["GET"],
        allow_origin_regex=LOCAL.pattern if settings.demo else None,
        allow_headers=["range"],
        max_age=600,
    )
    routes = [
        Route("/camera", pictures.take, methods=["PUT", "POST"]),
        Route("/live", pictures.show),
        Route("/recording", pictures.play),
        Route("/clip", pictures.play_clip),
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
