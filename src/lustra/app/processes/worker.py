"""`lustra worker`: runs jobs, seals the audit every few seconds, and orders what changed.

A job whose worker was killed is done again, by whichever worker finds it; one that runs when its worker ends goes back
into the queue.
"""

import asyncio
from typing import Any

import procrastinate
import psycopg
import structlog
from procrastinate.exceptions import ProcrastinateException
from prometheus_client import Counter, Gauge, Histogram
from sqlalchemy.exc import SQLAlchemyError

from lustra.app.opening import opened
from lustra.app.processes.runner import until_cancelled
from lustra.app.wiring import wire
from lustra.core import jobs
from lustra.core.audit_trail import chain
from lustra.core.context import Services
from lustra.core.db import PROBE_S, PROBES, SILENT_S
from lustra.core.process import logs
from lustra.core.process.tasks import cancel_all
from lustra.core.retry import retry_on
from lustra.core.settings import Settings
from lustra.domains.change import api as changes

SEAL_EACH_S = 2.0
ORDER_EACH_S = 0.5
ORDER_AGAIN_S = 10.0
REVIVE_EACH_S = 10.0
DEAD_AFTER_S = 30.0  # a worker tells each 10 s that it lives
AT_ONCE = {jobs.USUAL: 4, "webhooks": 8, "alarms": 4, "recordings": 1}  # by queue
LISTENING = 4  # connections of the workers themselves
FINISH_S = 3.0  # for jobs that run when it ends, such as a mail on its way
LONGEST_S = 86_400.0  # no job takes longer
END_S = (
    9.0  # for a worker of procrastinate: it cancels each of its tasks up to five times, a second apart, then FINISH_S
)
QUEUE_AGAIN_S = 0.5  # after the database was lost
LOST = (ProcrastinateException, psycopg.Error, OSError)
RETRY = procrastinate.RetryStrategy(max_attempts=8, exponential_wait=3)

SECONDS = Histogram("lustra_job_seconds", "Time that a job took", ["job"], buckets=(0.1, 1, 10, 60, 600, 3600))
FAILED = Counter("lustra_jobs_failed_total", "Runs of a job that failed; it is tried again", ["job"])
WAITING = Gauge("lustra_jobs_waiting", "Jobs that wait, for their time or for a free worker")
log = structlog.get_logger(__name__)


def tasks(services: Services, *, periodic: bool) -> procrastinate.App:
    """Every registered job as a task of procrastinate; `periodic`: and those that have their times begin by them."""
    connector = procrastinate.PsycopgConnector(
        conninfo=services.settings.database_url,
        max_size=sum(AT_ONCE.values()) + LISTENING,
        kwargs={  # as core/db.notice_loss
            "keepalives_idle": PROBE_S,
            "keepalives_interval": PROBE_S,
            "keepalives_count": PROBES,
            "tcp_user_timeout": SILENT_S * 1000,
        },
    )
    app = procrastinate.App(connector=connector)
    for name, work in jobs.JOBS.items():
        task = app.task(name=name, queue=jobs.QUEUES.get(name, jobs.USUAL), retry=RETRY)(_with(services, name, work))
        if periodic and name in jobs.PERIODIC:
            app.periodic(cron=jobs.PERIODIC[name])(task)
    return app


def _with(services: Services, name: str, work: jobs.Work) -> Any:
    async def run(**args: Any) -> None:
        args.pop("timestamp", None)  # comes with periodic jobs, which have no arguments of their own
        with FAILED.labels(name).count_exceptions(), SECONDS.labels(name).time():
            await work(services, **args)

    return run


async def seal(services: Services) -> None:
    key = chain.key_of(services.settings)
    while True:
        try:
            async with services.sessions.begin() as db:
                sealed = await chain.seal(db, key)
        except (SQLAlchemyError, OSError) as why:
            log.warning("seal.later", why=repr(why))
            sealed = 0
        if not sealed:
            await asyncio.sleep(SEAL_EACH_S)


async def order_changes(services: Services) -> None:
    """Takes what changed into the feed, and to webhooks."""
    order = retry_on(Exception, longest_s=ORDER_AGAIN_S)(changes.order)  # whatever fails: nothing else would begin it
    while True:
        count = await order(services)
        if count < changes.AT_ONCE:
            await asyncio.sleep(ORDER_EACH_S)


async def revive(app: procrastinate.App) -> None:
    """Puts jobs back into the queue whose worker died while it worked on them."""
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=DEAD_AFTER_S):
        log.warning("job.again", job=job.task_name, id=job.id)
        await app.job_manager.retry_job(job)


async def keep_reviving(app: procrastinate.App) -> None:
    while True:
        await asyncio.sleep(REVIVE_EACH_S)
        try:
            await revive(app)
            queues = await app.job_manager.list_queues_async()
            WAITING.set(sum(queue["todo"] for queue in queues))
        except ProcrastinateException as why:
            log.warning("revive.later", why=repr(why))


async def work_queue(services: Services, *, until_empty: bool) -> None:
    """Runs jobs until cancelled, or with `until_empty` until no job waits; then none begins by its time.

    It also ends, with an error or without, when the database goes away, sometimes only at its next heartbeat.
    """
    app = tasks(services, periodic=not until_empty)
    async with app.open_async():
        await revive(app)
        reviving = asyncio.create_task(keep_reviving(app), name="revive")
        try:
            await _work_queues(app, until_empty=until_empty)
        finally:
            await cancel_all(reviving)


async def _work_queues(app: procrastinate.App, *, until_empty: bool) -> None:
    """Each queue has a worker of its own; where one ends all do. `until_empty`: what still runs then is waited for."""
    workers = [
        asyncio.create_task(
            app.run_worker_async(
                queues=[queue],
                concurrency=count,
                wait=not until_empty,
                install_signal_handlers=False,
                shutdown_graceful_timeout=LONGEST_S if until_empty else FINISH_S,
                delete_jobs="successful",
            ),
            name=f"queue {queue}",
        )
        for queue, count in AT_ONCE.items()
    ]
    try:
        ended, _ = await asyncio.wait(workers, return_when="ALL_COMPLETED" if until_empty else "FIRST_COMPLETED")
        for worker in ended:
            worker.result()
    finally:
        await cancel_all(*workers, again_s=END_S)


work_until_ended = retry_on(*LOST, longest_s=QUEUE_AGAIN_S)(work_queue)


async def run_worker(settings: Settings, *, until_empty: bool = False) -> None:
    """Until cancelled; `until_empty`: until no job waits. It outlives the database's restarts."""
    wire()
    async with opened(settings, "worker", size=sum(AT_ONCE.values())) as services:
        beside = [
            asyncio.create_task(seal(services), name="seal"),
            asyncio.create_task(order_changes(services), name="changes"),
        ]
        try:
            if until_empty:
                await work_queue(services, until_empty=True)
                return
            while True:
                await work_until_ended(services, until_empty=False)
                await asyncio.sleep(QUEUE_AGAIN_S)
        finally:
            await cancel_all(*beside)


def main() -> None:
    logs.set_up("worker")
    asyncio.run(until_cancelled(run_worker, Settings.read()))
