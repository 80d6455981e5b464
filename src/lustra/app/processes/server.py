"""`lustra server`: calls under /api, the live socket, the console's files, health and metrics."""

import gc
import json
from functools import cache
from typing import Any, cast

import structlog
import uvicorn
import uvloop
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from lustra.app.opening import opened
from lustra.app.web import openapi
from lustra.app.web.base_path import BasePath
from lustra.app.web.console import Console
from lustra.app.web.headers import Headers
from lustra.app.web.ready import Readiness
from lustra.app.wiring import wire
from lustra.core.calls import rpc
from lustra.core.context import Services
from lustra.core.errors import Code, Refusal
from lustra.core.files.addresses import FILES
from lustra.core.http import tls
from lustra.core.http.http_limits import limited
from lustra.core.process import logs, metrics, watchdog
from lustra.core.process.standby import Turn, inherited
from lustra.core.settings import Settings
from lustra.core.sheet import XLSX
from lustra.domains.account.api import erase_restored, seed, support
from lustra.domains.control.api import sync_locks
from lustra.domains.device.api import sync_devices
from lustra.domains.device_log.api import RECORDING_PATH
from lustra.domains.node import api as nodes
from lustra.live.push import live

# Answers are asked for with a header that no other page can send, so what is in them is not guessed from their length.
STORED = (FILES, f"/api{RECORDING_PATH}")
PACKET = 1400  # bytes; what goes in one packet is sent as it is
QUICK = 3  # of 9: answers are a few hundredths longer than with 4, in a third to half of its time
COMPRESSED = (*DEFAULT_EXCLUDED_CONTENT_TYPES, XLSX, "application/pdf")  # by those who made them
ANY_METHOD = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]


class Compression(GZipMiddleware):
    """Of everything but files: parts of them are asked for, by places of what is stored."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] in STORED:
            await self.app(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


async def healthz(_: Request) -> Response:
    """200 as long as the process answers at all."""
    return PlainTextResponse("ok")


@cache
def openapi_bytes() -> bytes:
    return json.dumps(openapi.document(), ensure_ascii=False).encode()


async def openapi_json(_: Request) -> Response:
    return Response(openapi_bytes(), media_type="application/json")


async def docs(_: Request) -> Response:
    return HTMLResponse(openapi.page())


async def refuse_http(request: Request, why: Exception) -> Response:
    """Of a path or a method that there is not; any other status of HTTP's is the router's, which has no others."""
    allowed = (getattr(why, "headers", None) or {}).get("allow", "")
    code = Code.WRONG_METHOD if allowed else Code.NO_CALL
    values = {"allowed": allowed} if allowed else {"url": request.url.path}
    response = rpc.envelope(Refusal(code, **values), rpc.language_of(request))
    if allowed:
        response.headers["allow"] = allowed
    return response


def app(services: Services, *more: BaseRoute) -> Starlette:
    readiness = Readiness(services)

    async def readyz(_: Request) -> Response:
        """200 where the database and the bus can be written to, so that calls will succeed; else 503."""
        faults = await readiness.faults()
        return JSONResponse({"ready": not faults, "faults": faults}, 503 if faults else 200)

    if services.objects.folder:
        metrics.DISK_FREE.set_function(services.objects.free_bytes)

    async def metrics_page(request: Request) -> Response:
        return metrics.answer_metrics(request, services.settings)

    async def authority_pem(_: Request) -> Response:
        """Of `lustra up --tls`: whom browsers and robots must trust; 404 where the certificate is anybody else's."""
        authority = services.settings.tls_authority
        if not authority:
            return PlainTextResponse("this server's certificate is not by an authority of its own", 404)
        return FileResponse(authority, media_type="text/plain", filename="authority.pem")

    calls = rpc.CallRoute(services)
    others: list[BaseRoute] = [
        *more,
        Route("/api/openapi.json", openapi_json),
        Route("/api/docs", docs),
    ]

    async def no_call(request: Request) -> Response:
        """404 for a path that no call has, 405 for a method that the call of the path has not."""
        path = request.url.path
        matching = [route for route in others if isinstance(route, Route) and route.path_regex.match(path)]
        methods = sorted({*calls.find(path)[0], *(method for route in matching for method in route.methods or ())})
        raise HTTPException(405, headers={"allow": ", ".join(methods)}) if methods else HTTPException(404)

    return Starlette(
        routes=[
            calls,
            *others,
            Route("/api/{path:path}", no_call, methods=ANY_METHOD),
            Route("/authority.pem", authority_pem),
            Route("/healthz", healthz),
            Route("/readyz", readyz),
            Route("/metrics", metrics_page),
            Route("/{path:path}", Console(services.settings).answer, methods=["GET"]),
        ],
        middleware=[
            Middleware(BasePath, base=services.settings.base_path),
            Middleware(Headers, settings=services.settings),
            Middleware(Compression, minimum_size=PACKET, compresslevel=QUICK, exclude_content_types=COMPRESSED),
        ],
        exception_handlers={HTTPException: refuse_http},
    )


async def serve(settings: Settings) -> None:
    wire()
    metrics.open_page(settings)
    turn = Turn(settings.turn)
    async with watchdog.reported():
        await turn.wait()
        await work(settings)


async def work(settings: Settings) -> None:
    async with opened(settings, "server") as services:
        await services.bus.set_up(settings.stream_bytes, settings.stream_copies)
        services.intake.start()  # the first file shall not wait for the readers to load
        await warn_of_demo_passwords(services)
        await erase_restored(services)
        await sync_devices(services)
        await sync_locks(services)
        await nodes.register_relays(services)
        await support.publish_all(services)
        async with live(services) as socket:
            gc.freeze()  # what stands from here on is never garbage: full collections look at what calls leave alone
            listening = inherited(settings.http_fd)
            await tls.serve(server_config(app(services, socket), settings), settings, listening)


async def warn_of_demo_passwords(services: Services) -> None:
    """Outside the demo its password opens nothing; who starts over a demo's data must learn why nobody gets in."""
    if services.settings.demo:
        return
    async with services.sessions() as db:
        if accounts := await seed.demo_passwords(db):
            why = "outside the demo its password opens no account"
            structlog.get_logger(__name__).warning("demo_password.refused", accounts=accounts, why=why)


def server_config(served: Starlette, settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        served,
        host=settings.http_host,
        port=settings.http_port,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),  # else a forwarding header is anybody's word
        forwarded_allow_ips=settings.trusted_proxies or None,
        timeout_graceful_shutdown=5,
        http=cast("Any", limited(settings)),
        ws="websockets-sansio",
        ws_max_size=1 << 16,
    )


def main() -> None:
    logs.set_up("server")
    uvloop.run(serve(Settings.read()))
