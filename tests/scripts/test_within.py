"""A stage of `make test` that hangs is named and ended, and leaves nothing behind that holds our output open."""

import subprocess
import sys
from pathlib import Path

import psutil

from tests.watcher import ended_with_us

WITHIN = Path(__file__).parents[2] / "scripts" / "within.py"
PATIENCE_S = 60.0  # the reader of the output waits until whoever has it open is gone
LEAVES_ONE = (
    "import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']).pid)"
)
HANGS = f"{LEAVES_ONE}; sys.stdout.flush(); import time; time.sleep(600)"


ORPHAN_IS_LET_GO = """
import subprocess, sys, time, os
leave = "import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', '']).pid)"
pid = int(subprocess.run([sys.executable, "-c", leave], stdout=subprocess.PIPE, check=True).stdout)
until = time.monotonic() + 30
while os.path.exists(f"/proc/{pid}") and time.monotonic() < until:
    time.sleep(0.01)
sys.exit(os.path.exists(f"/proc/{pid}"))
"""


def run_within(minutes: float, program: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, str(WITHIN), str(minutes), sys.executable, "-c", program]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as command, ended_with_us(command.pid):
        out, _ = command.communicate(timeout=PATIENCE_S)
    return subprocess.CompletedProcess(words, command.returncode, out)


def test_a_command_that_is_done_in_time_gives_its_own_exit_code() -> None:
    done = run_within(1, "raise SystemExit(3)")
    assert (done.returncode, done.stdout) == (3, "")


def test_name_and_end_processes_that_a_command_leaves_behind() -> None:
    done = run_within(1, LEAVES_ONE)
    first, *rest = done.stdout.splitlines()
    assert done.returncode == 0
    assert any(first in line and "time.sleep(600)" in line for line in rest), done.stdout
    assert not psutil.pid_exists(int(first))


def test_a_command_that_hangs_is_named_with_what_it_started_and_ended() -> None:
    done = run_within(0.02, HANGS)
    first, *rest = done.stdout.splitlines()
    assert done.returncode == 124
    assert rest[0].startswith("not done within 0.02 minutes:")
    assert any(first in line for line in rest[1:]), done.stdout
    assert not psutil.pid_exists(int(first))


def test_an_orphan_that_has_ended_is_let_go_while_the_command_runs() -> None:
    """PostgreSQL refuses to start as long as there is a process of the number in its lock file."""
    assert run_within(1, ORPHAN_IS_LET_GO).returncode == 0
