"""Jobs are enqueued in the transaction of their cause, and done by the worker."""

import asyncio

import pytest
from sqlalchemy import text
from starlette.applications import Starlette

from lustra.app import wiring
from lustra.app.processes import worker
from lustra.core import jobs
from lustra.core.context import Services
from lustra.core.settings import Settings

WAITING = text("SELECT count(*) FROM procrastinate_jobs WHERE task_name = 'test.tried'")
STATE = text("SELECT status::text, attempts FROM procrastinate_jobs WHERE task_name = 'test.kept'")


async def test_a_roll_back_leaves_no_job(web: Starlette, services: Services):
    async with services.sessions() as db:
        await jobs.later(db, "test.tried")
        assert await db.scalar(WAITING) == 1
        await db.rollback()
        assert await db.scalar(WAITING) == 0


async def test_the_worker_does_a_committed_job_with_its_arguments(
    web: Starlette, services: Services, settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    done = []

    async def record(_: object, *, number: int) -> None:
        await asyncio.sleep(0)
        done.append(number)

    monkeypatch.setitem(jobs.JOBS, "test.kept", record)
    monkeypatch.setattr(wiring, "CALLS", ())
    async with services.sessions.begin() as db:
        await jobs.later(db, "test.kept", number=7)
    await worker.run_worker(settings, until_empty=True)
    assert done == [7]


async def test_a_job_whose_worker_was_killed_is_done_again(
    web: Starlette, services: Services, settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    done = []

    async def record(_: object) -> None:
        await asyncio.sleep(0)
        done.append(1)

    monkeypatch.setitem(jobs.JOBS, "test.kept", record)
    monkeypatch.setattr(wiring, "CALLS", ())
    async with services.sessions.begin() as db:
        await jobs.later(db, "test.kept")
        dead = await db.scalar(text("SELECT procrastinate_register_worker_v1()"))
        await db.execute(text("SELECT procrastinate_fetch_job_v2(null, :dead)"), {"dead": dead})
        await db.execute(
            text("UPDATE procrastinate_workers SET last_heartbeat = now() - interval '31 s' WHERE id = :dead"),
            {"dead": dead},
        )
    await worker.run_worker(settings, until_empty=True)
    assert done == [1]


async def test_a_job_that_runs_when_its_worker_ends_waits_for_the_next(
    web: Starlette, services: Services, settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    begun = asyncio.Event()

    async def run_for_hours(_: object) -> None:
        begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(worker, "FINISH_S", 0.05)
    monkeypatch.setitem(jobs.JOBS, "test.kept", run_for_hours)
    monkeypatch.setattr(wiring, "CALLS", ())
    async with services.sessions.begin() as db:
        await jobs.later(db, "test.kept")
    working = asyncio.create_task(worker.run_worker(settings))
    await asyncio.wait_for(begun.wait(), 20)
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    async with services.sessions() as db:
        row = (await db.execute(STATE)).one()
    assert tuple(row) == ("todo", 1)


async def test_a_long_job_ends_though_no_other_waits(
    web: Starlette, services: Services, settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    done: list[int] = []

    async def outlast(_: object) -> None:
        await asyncio.sleep(2 * worker.FINISH_S)
        done.append(1)

    monkeypatch.setattr(worker, "FINISH_S", 0.05)
    monkeypatch.setitem(jobs.JOBS, "test.kept", outlast)
    monkeypatch.setattr(wiring, "CALLS", ())
    async with services.sessions.begin() as db:
        await jobs.later(db, "test.kept")
    await worker.run_worker(settings, until_empty=True)
    assert done == [1]


async def test_an_unknown_job_is_refused_at_once(web: Starlette, services: Services):
    async with services.sessions() as db:
        with pytest.raises(ValueError, match="no job"):
            await jobs.later(db, "test.nobody")
