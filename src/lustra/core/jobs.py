"""Jobs: what may run later, enqueued in the same transaction as its cause (a roll-back leaves none).

`@job("name")` registers a coroutine function of the Services and its arguments; `later` enqueues it by procrastinate's
own SQL function on the open connection. The worker (app/processes/worker) runs them with psycopg, those of each queue
beside those of the others.
"""

import json
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

Work = Callable[..., Awaitable[None]]
JOBS: dict[str, Work] = {}
QUEUES: dict[str, str] = {}  # name of a job: its queue, where it is not the usual one
USUAL = "default"
PERIODIC: dict[str, str] = {}  # name of a job without arguments: cron line, UTC

_DEFER = text(
    """SELECT procrastinate_defer_jobs_v1(ARRAY[ROW(
    :queue, :name, 0, :lock, :once, CAST(:args AS jsonb), CAST(:at AS timestamptz)
    )::procrastinate_job_to_defer_v1])"""
)


def job(name: str, *, cron: str = "", queue: str = USUAL) -> Callable[[Work], Work]:
    def register(work: Work) -> Work:
        if name in JOBS:
            raise ValueError(f"job {name} is declared twice")
        JOBS[name] = work
        if queue != USUAL:
            QUEUES[name] = queue
        if cron:
            PERIODIC[name] = cron
        return work

    return register


async def later(
    db: AsyncSession,
    name: str,
    *,
    at: datetime | None = None,
    lock: str | None = None,
    once: str | None = None,
    **args: Any,
) -> None:
    """Enqueue a job. `lock`: one at a time of those; `once`: not again while one waits (procrastinate refuses)."""
    if name not in JOBS:
        raise ValueError(f"no job {name}")
    values = {"queue": QUEUES.get(name, USUAL), "name": name, "lock": lock, "once": once, "at": at}
    await db.execute(_DEFER, values | {"args": json.dumps(args)})
