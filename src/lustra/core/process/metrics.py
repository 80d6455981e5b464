"""What Prometheus reads of a process: its page, and the metrics that several of its parts share.

Rules: nobody reads it by default. A process opens a port for it where `LUSTRA_METRICS_PORT` says so; the web servers
answer /metrics beside their calls only to whoever brings `LUSTRA_METRICS_TOKEN`. A page that cannot be opened is
logged and stops nothing. Labels have few values, none of which a stranger chooses.
"""

import asyncio
import hmac

import structlog
from prometheus_client import CONTENT_TYPE_LATEST, Counter, Gauge, Histogram, generate_latest, start_http_server
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from lustra.core.settings import VERSION, Settings

log = structlog.get_logger(__name__)
BUILD = Gauge("lustra_build_info", "1, with the version as a label", ["version"])
CALLED = Counter("lustra_calls_total", "Answered calls", ["path", "code", "status"])
SECONDS = Histogram(
    "lustra_call_seconds", "Time to answer a call", ["path"], buckets=(0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
)
DISK_FREE = Gauge("lustra_disk_free_bytes", "Free on the disk where files lie")
TASKS = Gauge("lustra_tasks", "What the process does at once: tasks of its loop; they grow without end where one leaks")


def called(path: str, code: int, status: int, seconds: float) -> None:
    CALLED.labels(path, code, status).inc()
    SECONDS.labels(path).observe(seconds)


def open_page(settings: Settings) -> None:
    """For as long as the process lives, in a thread of its own: a loop that is blocked can still be looked at. Called
    within the loop of the process."""
    BUILD.labels(VERSION).set(1)
    loop = asyncio.get_running_loop()
    TASKS.set_function(lambda: len(asyncio.all_tasks(loop)))
    if settings.metrics_port:
        try:
            start_http_server(settings.metrics_port, settings.metrics_host)
        except OSError as why:
            log.error("metrics.closed", port=settings.metrics_port, why=str(why))  # noqa: TRY400  one line is enough


def answer_metrics(request: Request, settings: Settings) -> Response:
    """/metrics beside a process' calls. 403 where no token is set, 401 without the right one."""
    if not settings.metrics_token:
        return PlainTextResponse("Set LUSTRA_METRICS_TOKEN, or LUSTRA_METRICS_PORT for a port of its own.\n", 403)
    header = request.headers.get("authorization", "")
    if not hmac.compare_digest(header.encode(), f"Bearer {settings.metrics_token}".encode()):
        return PlainTextResponse("This page needs its token.\n", 401, {"www-authenticate": "Bearer"})
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)
