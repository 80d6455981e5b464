"""Processes that are forked from a loader are what they would be by themselves, and need it no longer."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from lustra.stack import supervise
from lustra.stack.loader import COMMAND
from lustra.stack.place import listen
from lustra.stack.supervise import Service, Stopped, Supervisor

PATIENCE_S = 60.0
LOADS = "from lustra.stack.loader import serve; exec(serve([('json', ['json'])])[0])"
WAITS = "import time; time.sleep(600)"
LEAVES_ONE = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1)']); {WAITS}"
SHOWS = """
import gc, json, os, random, sys
opened = [int(fd) for fd in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{fd}")]
print(json.dumps({"environ": dict(os.environ), "parent": os.getppid(), "session": os.getsid(0), "pid": os.getpid(),
    "open": sorted(opened), "collects": gc.isenabled(), "chance": random.random(), "input": sys.stdin.read()}))
"""


def loader(text: str = LOADS) -> Service:
    return Service("loader", [sys.executable, "-c", text, COMMAND])


def forked(text: str, name: str = "program", **more: object) -> Service:
    return Service(name, [sys.executable, "-c", text], words=(text,), **more)


@pytest.fixture
async def supervisor(tmp_path: Path) -> AsyncIterator[Supervisor]:
    supervisor = Supervisor(tmp_path / "log", print)
    await supervisor.start_loader(loader())
    yield supervisor
    await supervisor.stop()


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not true():  # noqa: ASYNC110  of processes
            await asyncio.sleep(0.02)


async def shown(supervisor: Supervisor, service: Service) -> dict[str, Any]:
    return json.loads(await supervisor.once(service))


async def running(supervisor: Supervisor, service: Service) -> psutil.Process:
    await supervisor.start(service)
    await until(lambda: service.name in supervisor.processes)
    return psutil.Process(supervisor.processes[service.name].pid)


async def test_a_forked_process_has_its_own_environment_session_files_and_chance(supervisor: Supervisor) -> None:
    with listen("127.0.0.1", 0) as opened:
        service = forked(SHOWS, environ={"LUSTRA_SECRET": "only-mine"}, sockets={"LUSTRA_HTTP_FD": opened})
        first, second = await shown(supervisor, service), await shown(supervisor, forked(SHOWS))
    assert first["environ"]["LUSTRA_SECRET"] == "only-mine"
    assert not {"LUSTRA_SECRET", "LUSTRA_LOADER_FD"} & set(second["environ"])
    assert first["parent"] == second["parent"] == os.getpid()
    assert first["session"] == first["pid"]
    assert first["open"] == [0, 1, 2, int(first["environ"]["LUSTRA_HTTP_FD"])]
    assert second["open"] == [0, 1, 2]
    assert first["collects"]
    assert first["input"] == ""
    assert first["chance"] != second["chance"]


async def test_commands_wait_until_what_they_need_is_loaded(tmp_path: Path) -> None:
    """The first step is loaded when the second one says so; what is no step comes when all are loaded."""
    gate = tmp_path / "gate"
    (tmp_path / "second.py").write_text(f"import os, time\nwhile not os.path.exists({str(gate)!r}): time.sleep(0.01)\n")
    steps = "[('first', ['json']), ('second', ['second'])]"
    text = (
        f"import sys; from lustra.stack.loader import serve; sys.path.append({str(tmp_path)!r}); print(serve({steps}))"
    )
    supervisor = Supervisor(tmp_path / "log", print)
    await supervisor.start_loader(loader(text))
    try:
        names = ("other", "second", "first")
        runs = {name: asyncio.create_task(supervisor.once(forked(name, name))) for name in names}
        await asyncio.wait(runs.values(), return_when=asyncio.FIRST_COMPLETED)
        assert [name for name, run in runs.items() if run.done()] == ["first"]
        gate.touch()
        async with asyncio.timeout(PATIENCE_S / 2):  # before they are started without the loader
            assert [await runs[name] for name in names] == [f"['{name}']\n" for name in names]
    finally:
        await supervisor.stop()


async def test_a_forked_process_has_the_command_line_of_its_command(supervisor: Supervisor) -> None:
    process = await running(supervisor, forked(WAITS))
    await until(lambda: COMMAND not in process.cmdline())
    assert " ".join(process.cmdline()).endswith(WAITS)


async def test_report_the_failure_of_a_forked_command_with_its_log(supervisor: Supervisor) -> None:
    with pytest.raises(SystemExit, match=r"program failed \(code 3\):\n(.|\n)*out of reach(.|\n)*half a word"):
        await supervisor.once(
            forked("import sys; print('half a word'); print('out of reach', file=sys.stderr); sys.exit(3)")
        )


async def test_a_forked_process_that_dies_is_forked_again(supervisor: Supervisor) -> None:
    first = await running(supervisor, forked(WAITS))
    first.kill()
    await until(lambda: supervisor.processes["program"].pid != first.pid)
    assert psutil.Process(supervisor.processes["program"].pid).ppid() == os.getpid()


async def test_the_end_of_the_loader_ends_nobody_and_it_is_loaded_anew(supervisor: Supervisor) -> None:
    process, pid = await running(supervisor, forked(WAITS)), supervisor.processes["loader"].pid
    os.kill(pid, signal.SIGKILL)
    assert (await shown(supervisor, forked(SHOWS, "second")))["parent"] == os.getpid()
    await until(lambda: supervisor.processes["loader"].pid != pid)
    assert process.is_running()
    assert supervisor.processes["program"].returncode is None


async def test_start_a_process_without_the_loader_when_that_is_stopped(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervise, "FORK_S", 0.5)
    pid = supervisor.processes["loader"].pid
    os.kill(pid, signal.SIGSTOP)
    assert (await shown(supervisor, forked(SHOWS)))["parent"] == os.getpid()
    await until(lambda: supervisor.processes["loader"].pid != pid)


async def test_collect_orphans_of_a_dead_process_when_they_end(supervisor: Supervisor) -> None:
    process = await running(supervisor, forked(LEAVES_ONE))
    await until(lambda: bool(process.children()))
    [left] = process.children()
    process.kill()
    await until(lambda: not psutil.pid_exists(left.pid))


async def test_after_a_stop_orphans_are_the_systems_again(supervisor: Supervisor) -> None:
    await supervisor.stop()
    leave = "import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'],"
    leave += " stdout=subprocess.DEVNULL).pid)"
    done = await asyncio.create_subprocess_exec(sys.executable, "-c", leave, stdout=subprocess.PIPE)
    left = psutil.Process(int((await done.communicate())[0]))
    try:
        assert left.ppid() != os.getpid()
    finally:
        left.kill()


async def test_a_stop_waits_for_no_loader(tmp_path: Path) -> None:
    supervisor = Supervisor(tmp_path / "log", print)
    await supervisor.start_loader(loader(WAITS))
    waiting = asyncio.create_task(supervisor.once(forked(SHOWS)))
    await asyncio.sleep(0)
    async with asyncio.timeout(PATIENCE_S / 2):
        await supervisor.stop()
    with pytest.raises(Stopped):
        await waiting


async def test_end_a_process_that_is_forked_during_the_stop(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    fork, stops = supervisor.loader.fork, []

    async def fork_late(*arguments: object) -> object:
        process = await fork(*arguments)
        stops.append(asyncio.create_task(supervisor.stop()))
        await supervisor.stopping.wait()
        await asyncio.sleep(0)  # all others are being ended
        return process

    monkeypatch.setattr(supervisor.loader, "fork", fork_late)
    await supervisor.start(forked(WAITS))
    await until(lambda: bool(stops))
    async with asyncio.timeout(PATIENCE_S / 2):
        await stops[0]
    assert supervisor.processes["program"].returncode == -signal.SIGTERM


def test_loading_starts_no_thread_and_opens_nothing() -> None:
    """What is forked would have them half: threads are gone, connections are shared."""
    program = """
import os, threading
from importlib import import_module
from lustra.app.processes.loader import steps
for _, modules in steps(demo=True):
    for module in modules:
        import_module(module)
opened = [f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd")]
kinds = [os.readlink(name).split(":")[0] for name in opened if os.path.exists(name) or os.path.islink(name)]
print(len(os.listdir("/proc/self/task")), threading.active_count(), {"socket", "anon_inode"} & set(kinds))
"""
    environ = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, env=environ, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["1", "1", "set()"]
