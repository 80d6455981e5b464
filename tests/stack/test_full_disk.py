"""A disk of 500 MB that runs full: what cannot be kept is refused and said, and with room again all works by itself."""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import nats.errors
import nats.js.errors
import pytest
from nats.aio.client import Client

from lustra.stack import disk_budget
from tests.stack.test_up import COMMAND, Tree, until

SIZE_MB = 500
pytestmark = pytest.mark.timeout(300)


@contextlib.contextmanager
def disk(size_mb: int) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="lustra-disk-") as name:
        words = ["mount", "-t", "tmpfs", "-o", f"size={size_mb}m,mode=755", "lustra-test", name]
        if os.geteuid() or subprocess.run(words, check=False, capture_output=True).returncode:
            pytest.skip("a small disk can be mounted by root alone, and not in every container")
        try:
            yield Path(name)
        finally:
            subprocess.run(["umount", "--lazy", name], check=True)


@pytest.fixture
def small() -> Iterator[Tree]:
    with disk(SIZE_MB) as folder:
        tree = Tree(folder / "data")
        tree.start()
        try:
            yield tree
        finally:
            tree.stop()


def faults(tree: Tree) -> set[str] | None:
    """Parts that /readyz complains of; None: no answer."""
    try:
        with urllib.request.urlopen(f"{tree.run['http']}/readyz", timeout=10) as answer:
            return set(json.load(answer)["faults"])
    except urllib.error.HTTPError as answer:
        return set(json.load(answer)["faults"])
    except OSError:
        return None


def fill(path: Path) -> None:
    with path.open("ab") as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(1 << 20))
            file.flush()


async def bus_refuses(tree: Tree) -> bool:
    """Also while it is started again, once or twice: it may notice later that it could not write."""
    link = Client()  # `nats.connect` leaves a connection that failed open
    try:
        await link.connect(tree.run["nats"], allow_reconnect=False)
        await link.jetstream().publish("audit.test", bytes(100_000))  # a stream that acknowledges
    except (nats.errors.Error, nats.js.errors.Error, OSError, TimeoutError):
        return True
    else:
        return False
    finally:
        await link.close()


def test_recover_from_a_full_disk_without_help(small: Tree):
    until(small.well)
    small.write("before")
    filler = small.folder.parent / "filler"

    def full() -> bool:
        fill(filler)
        return asyncio.run(bus_refuses(small)) and "disk" in (faults(small) or set())

    until(full, 90)
    filler.unlink()
    until(lambda: faults(small) == set(), 90)
    until(small.well)
    until(lambda: not asyncio.run(bus_refuses(small)), 30)
    small.write("after")
    content = small.read()
    assert content is not None
    rows, messages = content
    assert {"before", "after"} <= set(rows)
    assert messages


def test_a_start_without_room_says_how_much_is_missing():
    with disk(disk_budget.FIRST_MB // 2) as folder:
        words = [*COMMAND, "up", "--data", str(folder / "data"), "--port", "0"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode
    assert f"MB are free and {disk_budget.FIRST_MB} MB are needed" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--data", "/proc/lustra"], "/proc/lustra cannot be used: No such file or directory"),
        (["--data", "/dev/null"], "/dev/null cannot be used: File exists"),
        (["--host", "192.0.2.1"], "cannot listen on 192.0.2.1:8080: Cannot assign requested address"),
    ],
)
def test_a_start_that_cannot_be_says_why_in_words(tmp_path: Path, words: list[str], reason: str):
    words = [sys.executable, "-m", "lustra.app.cli", "up", "--data", str(tmp_path), *words]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
