"""A process that is stopped or hangs is noticed and started again; one that only has much to do is left alone."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from lustra.core.process import watchdog
from lustra.gate import jwt
from lustra.stack import liveness, place, programs
from lustra.stack.accounts import USERS
from lustra.stack.liveness import Signs
from lustra.stack.nats import Nats
from lustra.stack.postgres import Postgres
from lustra.stack.supervise import Service, Supervisor
from tests.conftest import readable_folder

PATIENCE_S = 60.0
REPORTS = "import asyncio; from lustra.core.process import watchdog; asyncio.run(watchdog.report_life())"
HANGS = """
import asyncio, time
from lustra.core.process import watchdog
from lustra.gate import jwt
async def work():
    async with watchdog.reported():
        await asyncio.sleep(0.5)
        time.sleep(1000)
asyncio.run(work())
"""
pytestmark = pytest.mark.timeout(120)


@pytest.fixture(autouse=True)
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in {"FROZEN_S": 3.0, "QUESTION_S": 0.5, "ANSWER_S": 1.0, "ROUND_S": 0.5}.items():
        monkeypatch.setattr(liveness, name, seconds)


@pytest.fixture
async def supervisor(tmp_path: Path) -> AsyncIterator[Supervisor]:
    supervisor = Supervisor(tmp_path / "log", print)
    yield supervisor
    await supervisor.stop()


async def until(true: Callable[[], Awaitable[bool] | bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not (await result if isinstance(result := true(), Awaitable) else result):  # noqa: ASYNC110  of a process
            await asyncio.sleep(0.05)


def program(text: str) -> Service:
    return Service("program", [sys.executable, "-c", text], reports=True)


async def first_sign(supervisor: Supervisor) -> int:
    pid = supervisor.processes["program"].pid
    await until(lambda: supervisor.signs.seen(pid))
    supervisor.signs.senders.add(pid)  # the watcher shall see it too
    return pid


async def started(supervisor: Supervisor, service: Service) -> None:
    await supervisor.start(service)
    await until(lambda: service.name in supervisor.processes)


async def test_a_stopped_process_is_started_again(supervisor: Supervisor):
    await started(supervisor, program(REPORTS))
    pid = await first_sign(supervisor)
    os.kill(pid, signal.SIGSTOP)
    await until(lambda: supervisor.processes["program"].pid != pid)


async def test_a_process_whose_loop_hangs_is_started_again(supervisor: Supervisor):
    await started(supervisor, program(HANGS))
    pid = supervisor.processes["program"].pid
    await until(lambda: supervisor.processes["program"].pid != pid)


async def test_accept_no_sign_of_life_from_another_process(supervisor: Supervisor):
    await started(supervisor, program(REPORTS))
    pid = await first_sign(supervisor)
    os.kill(pid, signal.SIGSTOP)
    liar = asyncio.create_task(watchdog.report_life(supervisor.signs.environ))
    try:
        await until(lambda: supervisor.processes["program"].pid != pid)
    finally:
        liar.cancel()


async def test_kill_no_process_after_the_supervisor_itself_slept(monkeypatch: pytest.MonkeyPatch):
    """The clock jumps by an hour between two rounds, as it does over a machine's sleep."""
    signs = Signs()
    reporting = asyncio.create_task(watchdog.report_life(signs.environ))
    watching = asyncio.create_task(liveness.until_frozen(os.getpid(), signs, lambda: asyncio.sleep(0)))
    loop = asyncio.get_running_loop()
    now, jump = loop.time, 0.0
    monkeypatch.setattr(loop, "time", lambda: now() + jump)
    for _ in range(3):
        jump += 3600
        await asyncio.sleep(liveness.FROZEN_S / 2)
    assert not watching.done()
    for task in (watching, reporting):
        task.cancel()
    signs.close()


async def test_systemd_hears_the_same_signs(tmp_path: Path):
    """By a path or an abstract name; what another process was started with is not ours to say."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as link:
        link.bind(str(tmp_path / "notify"))
        link.settimeout(0)
        environ = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "100000"}
        await watchdog.report_life({**environ, "WATCHDOG_PID": "1"})
        reporting = asyncio.create_task(watchdog.report_life({**environ, "WATCHDOG_PID": str(os.getpid())}))
        loop = asyncio.get_running_loop()
        assert await loop.sock_recv(link, 64) == b"READY=1\nWATCHDOG=1"
        assert await loop.sock_recv(link, 64) == b"WATCHDOG=1"
        reporting.cancel()


async def test_postgresql_and_nats_that_do_not_answer_are_started_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(liveness, "UNBORN_S", 8.0)  # they may not have been asked yet when they are stopped
    folder = readable_folder()
    uid, as_user = place.child_user()
    binaries, ports = programs.find(folder, as_user), place.free_ports(place.LOOPBACK, 3)
    postgres = Postgres(binaries.postgres, folder, ports[0], "test", uid, as_user)
    passwords, issuer = dict.fromkeys(USERS, "secret"), jwt.public(jwt.from_seed(jwt.new_seed()))
    nats = Nats(binaries.nats, folder, place.LOOPBACK, ports[1], ports[2], passwords, issuer, uid, as_user)
    postgres.prepare()
    nats.prepare()
    supervisor = Supervisor(folder / "log", print)
    try:
        await supervisor.start(postgres.service(), nats.service())
        before = {name: process.pid for name, process in supervisor.processes.items()}
        for pid in before.values():
            os.kill(pid, signal.SIGSTOP)
        await until(lambda: all(supervisor.processes[name].pid != pid for name, pid in before.items()))
        await until(lambda: liveness.answers(postgres.check_ready))
        await asyncio.gather(*map(supervisor.ready, supervisor.services))
    finally:
        await supervisor.stop()
