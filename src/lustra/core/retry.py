"""Tries again what fails while the bus, the database or another machine is away. The one place that does.

Rules: a call that failed with a named error is made again, for ever, after a wait that doubles from FIRST_S up to the
caller's limit, with some chance in it, so that processes do not come in step. Any other error is the caller's. Each
failure is counted by function; each function's are logged once in LOG_EACH_S, with the stack where it is no absence but
a fault. A cancelled task tries no more.

Loops that come round anyway (a beat, a look each second) need none of this: their next round is the next try.
"""

import asyncio
import functools
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

import nats.errors
import stamina
import stamina.instrumentation
import structlog
from prometheus_client import Counter

from lustra.core.database import database_faults
from lustra.core.process.tasks import ending

P = ParamSpec("P")
T = TypeVar("T")
FAILED = Counter("lustra_retries_total", "Calls that failed while something was away, and were made again", ["call"])
FIRST_S = 0.1
LOG_EACH_S = 5.0
log = structlog.get_logger(__name__)
logged_at: dict[str, float] = {}  # by function, on the monotonic clock
stamina.instrumentation.set_on_retry_hooks(())  # its own counter has a series for each number of a try


def passes(why: Exception) -> bool:
    """Whether an error is one that goes by itself: the database or the bus is away."""
    return database_faults.unavailable(why) or isinstance(why, nats.errors.Error)


def retry_on(
    *errors: type[Exception], longest_s: float
) -> Callable[[Callable[P, Awaitable[T]]], Callable[P, Coroutine[Any, Any, T]]]:
    """Decorates a coroutine function: it comes back when it has succeeded. `longest_s`: of a wait between two tries."""

    def decorate(call: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
        name = f"{call.__module__}.{call.__qualname__}".removeprefix("lustra.")

        @functools.wraps(call)
        async def attempt(*args: P.args, **kwargs: P.kwargs) -> T:
            try:
                return await call(*args, **kwargs)
            except errors as why:
                if ending():
                    raise asyncio.CancelledError from why
                record_failure(name, why, stack=Exception in errors and not passes(why))
                raise

        retry = stamina.retry(
            on=errors, attempts=None, timeout=None, wait_initial=FIRST_S, wait_max=longest_s, wait_jitter=FIRST_S
        )
        return retry(attempt)

    return decorate


def record_failure(name: str, why: Exception, *, stack: bool) -> None:
    FAILED.labels(name).inc()
    now = time.monotonic()
    if now - logged_at.get(name, -LOG_EACH_S) >= LOG_EACH_S:
        logged_at[name] = now
        log.warning("retry", call=name, why=repr(why), exc_info=why if stack else None)
