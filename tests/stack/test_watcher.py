"""What a test run starts does not outlive it."""

import signal
import subprocess
import sys
import time

import psutil

# A run in the background hands on that SIGINT is ignored; servers have handlers of their own, and so has this.
RUN = """
import subprocess, sys, time
from tests.watcher import ended_with_us
CHILD = "import signal, time; signal.signal(2, signal.default_int_handler); print('up', flush=True); time.sleep(60)"
child = subprocess.Popen([sys.executable, "-c", CHILD],
  stdout=subprocess.PIPE, start_new_session=True)
child.stdout.readline()
with ended_with_us(child.pid):
    print(child.pid, flush=True)
    time.sleep(60)
"""


def test_a_killed_test_run_leaves_no_process_behind():
    with subprocess.Popen([sys.executable, "-c", RUN], stdout=subprocess.PIPE, text=True) as run:
        child = psutil.Process(int(run.stdout.readline()))
        run.send_signal(signal.SIGKILL)
    end = time.monotonic() + 20
    while child.is_running() and child.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < end, "it lives on"
        time.sleep(0.02)
