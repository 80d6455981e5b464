"""The relay's process: calls over HTTP and the end of the tunnels, in one."""

import asyncio
import contextlib
import re
import signal
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

import structlog
import uvicorn
import uvloop
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from lustra.core.bus import connect
from lustra.core.http import tls
from lustra.core.http.addresses import canonical
from lustra.core.http.http_limits import limited, networks
from lustra.core.process import metrics, watchdog
from lustra.core.process.standby import Turn, inherited
from lustra.core.process.tasks import cancel_all
from lustra.core.security.grants import Checker, public
from lustra.core.settings import Settings
from lustra.relay.announce import Announcer
from lustra.relay.arrivals import Arrivals
from lustra.relay.forward import Relay
from lustra.relay.known import Known
from lustra.relay.records import NOT_NOW, Records
from lustra.relay.robot_http import RobotHttp
from lustra.relay.tunnel_server import TunnelServer

log = structlog.get_logger(__name__)

LOCAL = re.compile(r"https?://(localhost|127\.0\.0\.1)(:\d+)?")


@dataclass
class Running:
    relay: Relay
    known: Known
    tunnel_server: TunnelServer
    announcer: Announcer

    @property
    def well(self) -> bool:
        return not self.known.lost and self.tunnel_server.port != 0


@contextlib.asynccontextmanager
async def serving(settings: Settings) -> AsyncGenerator[Running, None]:
    """Everything but the web server, open until left."""
    bus = await connect(settings.nats_url, "relay")
    known = Known(*map(canonical, (*settings.relays, *settings.former_relays)))
    records = Records(bus, settings.relays[0], known.is_elsewhere)
    tunnel_server = TunnelServer(known, records.set_tunnel, Arrivals(networks(settings.trusted_proxies)))
    announcer = Announcer(bus, tunnel_server, settings.relays[0])

    async def open_tunnel_server() -> None:
        """Opens the port for robots once their keys are known: before it would turn all away."""
        await known.first.wait()
        await records.forget_last_run()
        await tunnel_server.open(settings.relay_host, settings.ssh_port, settings.host_key, inherited(settings.ssh_fd))

    robots = RobotHttp(tunnel_server, settings.frp_host)
    relay = Relay(known, Checker(public(settings.grant_public)), robots, records)
    tasks = [
        asyncio.create_task(work) for work in (known.follow(bus), records.run(), open_tunnel_server(), announcer.run())
    ]
    for task in tasks:
        task.add_done_callback(fault)
    try:
        yield Running(relay, known, tunnel_server, announcer)
    finally:
        for task in tasks:
            task.remove_done_callback(fault)
        robots.close()
        await tunnel_server.close()
        with contextlib.suppress(*NOT_NOW):
            await asyncio.wait_for(asyncio.gather(records.publish(), announcer.announce(up=False)), 2)
        await cancel_all(*tasks)
        await bus.close()


def fault(task: "asyncio.Task[None]") -> None:
    """A part that fails, or ends with what it waited for, would leave a relay that looks well: better none, it is
    started again."""
    why = asyncio.CancelledError() if task.cancelled() else task.exception()
    if why:
        log.critical("fault", exc_info=why)
        signal.raise_signal(signal.SIGTERM)


class Forward:
    """Calls to robots. An application of its own within Starlette, whose wrapping of a function takes half as long as
    all the rest that the relay does for a call."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await scope["app"].state.running.relay(Request(scope, receive, send))
        await response(scope, receive, send)


def application(settings: Settings) -> Starlette:
    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncGenerator[None, None]:
        async with serving(settings) as app.state.running:
            yield

    async def health(request: Request) -> Response:
        well = request.app.state.running.well
        return PlainTextResponse("ok" if well else "the bus is lost", 200 if well else 503)

    async def metrics_page(request: Request) -> Response:
        return metrics.answer_metrics(request, settings)

    page = urlsplit(settings.public_url)
    cors = Middleware(
        CORSMiddleware,
        allow_origins=[f"{page.scheme}://{page.netloc}"],
        allow_methods=["GET", "POST"],
        allow_origin_regex=LOCAL.pattern if settings.demo else None,
        allow_headers=["grant", "content-type"],
        max_age=600,
    )
    routes = [
        Route("/", Forward(), methods=["GET", "POST"]),
        Route("/healthz", health),
        Route("/metrics", metrics_page),
    ]
    return Starlette(routes=routes, middleware=[cors], lifespan=life)


def run(settings: Settings) -> None:
    uvloop.run(serve(settings))


async def serve(settings: Settings) -> None:
    metrics.open_page(settings)
    turn = Turn(settings.turn)
    async with watchdog.reported():
        await turn.wait()
        await tls.serve(server_config(settings), settings, inherited(settings.http_fd))


def server_config(settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        application(settings),
        host=settings.relay_host,
        port=settings.relay_port,
        access_log=False,
        log_config=None,
        forwarded_allow_ips=settings.trusted_proxies,
        proxy_headers=bool(settings.trusted_proxies),
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=5,
        http=cast("Any", limited(settings)),
    )
