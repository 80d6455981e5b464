"""Logs turn by size while the processes run."""

import asyncio
import errno
import subprocess
import sys
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from lustra.stack import log_files, supervise
from lustra.stack.supervise import Service, Supervisor

TALKER = """
import sys, time
number = 0
while True:
    number += 1
    print(f"{number:09d}", flush=True)
    if number % 500 == 0:
        time.sleep(0.005)
"""


async def until(true: Any, seconds: float = 30) -> None:
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110  any condition, so there is no event to wait for
            await asyncio.sleep(0.02)


async def test_the_log_of_a_process_that_goes_on_writing_turns_and_old_ones_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(supervise, "TURN_EACH_S", 0.02)
    supervisor = Supervisor(tmp_path / "log", lambda _: None, log_bytes=50_000, old_logs=2)
    await supervisor.start(Service("talker", [sys.executable, "-c", TALKER]))
    running = supervisor.processes["talker"].pid
    log, first, second = (tmp_path / "log" / f"talker.log{end}" for end in ("", ".1", ".2"))

    def last_of_oldest() -> int:
        lines = second.read_text().split() if second.exists() else []
        return int(lines[-1]) if lines else 0

    await until(lambda: last_of_oldest() > 20_000)  # 10 bytes a line: turned four times and more
    assert supervisor.processes["talker"].pid == running
    await supervisor.stop()
    assert sorted(path.name for path in (tmp_path / "log").iterdir()) == ["talker.log", "talker.log.1", "talker.log.2"]
    assert b"\0" not in log.read_bytes() + first.read_bytes()


def test_a_log_within_its_limit_stays_and_without_old_ones_it_is_emptied(tmp_path: Path):

    log = tmp_path / "a.log"
    log.write_text("x" * 100)
    assert not log_files.turn(log, 100, 3)
    assert log.stat().st_size == 100
    assert log_files.turn(log, 99, 0)
    assert [(path.name, path.stat().st_size) for path in tmp_path.iterdir()] == [("a.log", 0)]


def test_of_a_log_that_grew_far_beyond_its_limit_the_end_stays(tmp_path: Path):
    log = tmp_path / "a.log"
    log.write_text("".join(f"{number:09d}\n" for number in range(1000)))
    assert log_files.turn(log, 95, 1)
    old = tmp_path / "a.log.1"
    assert old.read_text() == "".join(f"{number:09d}\n" for number in range(991, 1000))
    assert old.stat().st_mode & 0o077 == 0


def test_on_a_full_disk_the_log_is_emptied_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def full(_: object, copy: BinaryIO) -> None:
        copy.write(b"half of it")
        raise OSError(errno.ENOSPC, "no space left on device")

    log = tmp_path / "a.log"
    log.write_text("x" * 100)
    monkeypatch.setattr(log_files.shutil, "copyfileobj", full)
    assert log_files.turn(log, 10, 3)
    assert [(path.name, path.stat().st_size) for path in tmp_path.iterdir()] == [("a.log", 0)]


def test_a_process_takes_all_descriptors_that_the_system_lets_it_have():
    code = (
        "from lustra.app import cli; import resource as r; cli.raise_descriptors(); print(r.getrlimit(r.RLIMIT_NOFILE))"
    )
    limited = ["sh", "-c", 'ulimit -Sn 300 && ulimit -Hn 1500 && exec "$@"', "sh", sys.executable, "-c", code]
    assert subprocess.run(limited, check=True, capture_output=True, text=True).stdout == "(1500, 1500)\n"
