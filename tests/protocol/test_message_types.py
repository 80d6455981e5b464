"""Types of messages are ready before threads read them: msgspec ends the process where two read one type first."""

import subprocess
import sys

import pytest

READ_ALL = """
import contextlib, sys, threading
import msgspec
from lustra.protocol.message_types import subclasses

sys.setswitchinterval(1e-6)  # s; else threads change within the first reading once in hundreds of times
together = threading.Barrier(2)

def read(kinds):
    for kind in kinds:
        together.wait()
        with contextlib.suppress(msgspec.MsgspecError):
            msgspec.convert({kind.__struct_encode_fields__[-1]: None}, kind)  # what is worked out last

kinds = [kind for kind in subclasses(msgspec.Struct)
         if kind.__module__.startswith("lustra.") and kind.__struct_fields__]
assert len(kinds) > 50
threads = [threading.Thread(target=read, args=(kinds,)) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
ROBOTS = "from lustra.app.cli import load; load('lustra.robot.fleet')"
SERVER = "from lustra.app.wiring import wire; wire()"


@pytest.mark.parametrize("loaded", [ROBOTS, SERVER])
def test_threads_may_be_the_first_to_read_a_type_at_the_same_time(loaded: str):
    program = f"{loaded}\n{READ_ALL}"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, "")
