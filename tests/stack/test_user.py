"""Started by root, every process runs as a user without rights, over data of an older version too."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from lustra.stack import place, programs
from tests.product.running import Product, product
from tests.stack.test_up import until

PROCESSES = {"server", "relay", "gate", "ingest", "worker", "elevators", "video", "robot", "postgres", "nats"}
pytestmark = [
    pytest.mark.timeout(240),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root starts processes as another user"),
]


@pytest.fixture
def python(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One that the user can run, with what is installed here: ours, or the machine's if ours lies in a private home."""
    _, as_user = place.child_user()
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    with tempfile.TemporaryDirectory(prefix="lustra-python-") as name:
        if not programs.runs_ours(as_user):
            monkeypatch.setattr(sys, "executable", str(environment(Path(name), version)))
        if not programs.runs_ours(as_user):
            pytest.skip("no Python that everybody can run")
        yield


def environment(folder: Path, version: str) -> Path:
    """A virtual environment over the machine's Python, with the packages of this one."""
    folder.chmod(0o755)
    (folder / "bin").mkdir()
    (folder / "lib" / version).mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = false\n")
    (folder / "lib" / version / "site-packages").symlink_to(Path(asyncpg.__file__).parents[1])
    (folder / "bin" / "nats-server").symlink_to(programs.installed().nats)
    (folder / "bin" / "python").symlink_to(f"/usr/bin/{version}")
    return folder / "bin" / "python"


def users(running: Product) -> dict[str, int]:
    return {name: process.uids().real for name, process in running.processes().items()}


def test_no_process_but_the_supervisor_is_root_and_older_data_change_hands(python: Any):
    with product("--no-history", "--robots", "2") as running:
        old = running.folder / "objects" / "old" / "file"
        old.parent.mkdir(parents=True)
        old.write_text("of root")
        (running.folder / "gate.json").write_text("{}")
        running.start()
        running.wait()
        until(lambda: users(running).keys() >= PROCESSES)
        uids = users(running)
        assert {name for name, uid in uids.items() if uid == 0} == {"up"}
        uid, _ = place.child_user()
        assert {path.stat().st_uid for path in (old, old.parent, running.folder / "gate.json")} == {uid}
        for name in ("settings.json", "run.json", "log"):
            assert (running.folder / name).stat().st_uid == 0
        as_user = place.child_user()[1]
        words = ["/bin/sh", "-c", f"rm -f {running.folder}/settings.json; cat {running.folder}/settings.json"]
        assert subprocess.run(words, check=False, cwd="/", capture_output=True, **as_user).returncode
        assert (running.folder / "settings.json").exists()


def test_run_as_root_and_say_so_when_the_user_cannot_run_python():
    _, as_user = place.child_user()
    if programs.reachable(Path(sys.executable).resolve(), as_user):
        pytest.skip("this Python lies in no private home")
    with product("--no-history", "--robots", "1") as running:
        running.start()
        running.wait()
        assert any("run as root" in line for line in running.output)
        assert users(running)["server"] == 0
        assert users(running)["postgres"] != 0
