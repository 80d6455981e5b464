"""`lustra up` as users run it: one tree of processes that survives the killing of any and all of them."""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import nats
import psutil
import pytest

from lustra.core.process.standby import holder
from lustra.stack import place
from lustra.stack.orphans import words_of

CHILDREN = ("postgres", "nats", "gate", "server", "relay", "ingest", "worker", "elevators", "video")
SPARES = ("server spare", "relay spare")
PAIRS = ("server", "relay")
COMMAND = [sys.executable, "-m", "lustra.app.cli"]
pytestmark = pytest.mark.timeout(300)


def until(true: Any, seconds: float = 120):
    """Waits for a condition, and gives what it found."""
    end = time.monotonic() + seconds
    while not (value := true()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
    return value


class Tree:
    def __init__(self, folder: Path, *options: str) -> None:
        self.options = options
        self.folder, self.port, self.output = folder, place.free_port(place.LOOPBACK), ""
        self.up: subprocess.Popen[str] | None = None

    def start(self) -> None:
        self.output = ""
        self.up = subprocess.Popen(
            [*COMMAND, "up", "--port", str(self.port), "--data", self.folder, *self.options],
            stdout=subprocess.PIPE,
            text=True,
        )
        threading.Thread(target=self.listen, args=(self.up,), daemon=True).start()
        until(lambda: "Stop" in self.output or self.up.poll() is not None)
        assert self.up.poll() is None, self.output

    def listen(self, up: "subprocess.Popen[str]") -> None:
        for line in up.stdout:
            self.output += line
        up.stdout.close()

    def stop(self) -> None:
        if self.up.poll() is None:
            self.up.send_signal(signal.SIGINT)
        assert self.up.wait(60) == 0

    @property
    def run(self) -> dict[str, str]:
        return json.loads((self.folder / "run.json").read_text())

    def processes(self) -> dict[str, psutil.Process]:
        """Living ones of this folder, by what they are; one each."""
        processes: dict[str, psutil.Process] = {}
        for process in psutil.process_iter(["status", "ppid"]):
            try:
                words = words_of(process)
            except psutil.NoSuchProcess:  # also one that has ended and is not collected yet
                continue
            if str(self.folder) not in " ".join(words):
                continue
            program = Path(words[0]).name
            name = {"nats-server": "nats", "postgres": "postgres"}.get(program) or words[words.index(COMMAND[2]) + 1]
            if name in PAIRS and process.pid != holder(self.folder / f"{name}.turn"):
                name += " spare"
            if name in processes and process.info["ppid"] == processes[name].pid:
                continue  # a backend of PostgreSQL in the moment before it has its own title
            if name in processes and name == "loader":
                continue  # a process that is just forked from it, the same
            assert name not in processes, f"two of {name}"
            processes[name] = process
        return processes

    def well(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.run['http']}/readyz", timeout=5) as response:
                ready = response.status == 200
            with urllib.request.urlopen(f"{self.run['relay']}/healthz", timeout=5) as two:
                return ready and two.status == 200 and {*CHILDREN, *SPARES} <= set(self.processes())
        except OSError:
            return False

    def write(self, text: str) -> None:
        """A committed row and a stored message."""

        async def work() -> None:
            link = await asyncpg.connect(self.run["postgres"])
            await link.execute("create table if not exists kept (text text)")
            await link.execute("insert into kept values ($1)", text)
            await link.close()
            bus = await nats.connect(self.run["nats"])
            before = (await bus.jetstream().stream_info("STATE")).state.last_seq
            await bus.publish("robots.KEPT.state", text.encode())
            async with asyncio.timeout(10):
                while (await bus.jetstream().stream_info("STATE")).state.last_seq == before:  # noqa: ASYNC110  no event
                    await asyncio.sleep(0.01)
            await bus.close()

        asyncio.run(work())

    def replaced(self, name: str, pid: int) -> bool:
        """Whether another process does that work. Of a pair, the spare has to have taken its turn before."""
        if name in PAIRS and holder(self.folder / f"{name}.turn") == pid:
            return False
        process = self.processes().get(name)
        return process is not None and process.pid != pid

    def read(self) -> tuple[list[str], int] | None:
        """Rows and the number of states; nothing while the database starts."""

        async def work() -> tuple[list[str], int]:
            link = await asyncpg.connect(self.run["postgres"])
            rows = [row["text"] for row in await link.fetch("select text from kept order by text")]
            await link.close()
            bus = await nats.connect(self.run["nats"])
            stream = await bus.jetstream().stream_info("STATE")
            await bus.close()
            return rows, stream.state.messages

        try:
            return asyncio.run(work())
        except (OSError, asyncpg.CannotConnectNowError):
            return None


@pytest.fixture(scope="module")
def tree() -> Iterator[Tree]:
    folder = Path(tempfile.mkdtemp(prefix="lustra-test-"))
    folder.chmod(0o755)
    tree = Tree(folder)
    tree.start()
    until(tree.well)
    tree.write("a")
    yield tree
    tree.stop()
    shutil.rmtree(folder)


def test_the_first_start_tells_one_password_and_later_ones_none(tree: Tree):
    assert "admin " in tree.output
    tree.stop()
    tree.start()
    assert "admin " not in tree.output


def test_addresses_and_secrets_are_for_the_owner_alone(tree: Tree):
    assert set(tree.run) == {"http", "relay", "video", "nats", "mqtt", "ssh", "postgres"}
    for name in ("run.json", "settings.json"):
        assert (tree.folder / name).stat().st_mode & 0o777 == 0o600
    listening = {c.laddr.ip for p in tree.processes().values() for c in p.net_connections() if c.status == "LISTEN"}
    assert listening == {place.LOOPBACK}


def test_close_files_of_the_data_folder_to_all_but_its_owner(tree: Tree):
    tree.stop()
    (tree.folder / "objects").chmod(0o755)
    (tree.folder / "gate.json").write_text("{}")
    (tree.folder / "gate.json").chmod(0o644)
    tree.start()
    until(tree.well)
    open_to_others = {path.name for path in tree.folder.iterdir() if path.stat().st_mode & 0o077}
    assert open_to_others <= {place.PROGRAMS}
    umasks = {
        int(Path(f"/proc/{p.pid}/status").read_text().split("Umask:")[1].split()[0], 8)
        for name, p in tree.processes().items()
        if name != "up"
    }
    assert umasks == {0o077}


def test_a_second_one_on_the_same_folder_is_refused(tree: Tree):
    done = subprocess.run([*COMMAND, "up", "--data", tree.folder], capture_output=True, text=True, check=False)
    assert done.returncode
    assert "is in use by another" in done.stderr


def test_a_folder_stays_what_it_was_made_as(tree: Tree):
    tree.stop()
    done = subprocess.run(
        [*COMMAND, "up", "--demo", "--data", tree.folder], capture_output=True, text=True, check=False
    )
    assert "without --demo" in done.stderr
    tree.start()


def test_name_a_port_that_is_taken(tree: Tree):
    with tempfile.TemporaryDirectory() as folder:
        words = [*COMMAND, "up", "--data", folder, "--port", str(tree.port)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert f"port {tree.port} is in use" in done.stderr


@pytest.mark.parametrize("name", [*CHILDREN, *SPARES])
def test_a_killed_child_comes_back_and_nothing_is_lost(tree: Tree, name: Any):
    until(tree.well)
    before = tree.processes()[name].pid
    tree.write(f"before {name}")
    rows = tree.read()
    os.kill(before, signal.SIGKILL)
    until(lambda: tree.replaced(name, before))
    until(tree.well)
    assert until(tree.read) == rows  # readiness was seen a second ago


@pytest.mark.parametrize("name", ["http", "relay"])
def test_hold_connections_while_a_killed_process_is_replaced(tree: Tree, name: str):
    until(tree.well)
    process = tree.processes()["server" if name == "http" else name]
    process.kill()
    process.wait()
    with contextlib.suppress(urllib.error.HTTPError):  # of a relay that has not read the bus yet
        assert urllib.request.urlopen(f"{tree.run[name]}/healthz", timeout=30).status == 200


def test_orphans_of_a_killed_supervisor_are_ended_and_ports_kept(tree: Tree):
    until(tree.well)
    addresses, rows = tree.run, tree.read()
    left = {p.pid for name, p in tree.processes().items() if name != "up"}
    tree.up.kill()
    tree.up.wait()
    assert {p.pid for p in tree.processes().values()} == left
    tree.start()
    until(tree.well)
    assert not left & {p.pid for p in tree.processes().values()}
    assert tree.run == addresses
    assert tree.read() == rows


def test_everything_killed_at_once_starts_again(tree: Tree):
    until(tree.well)
    addresses, rows = tree.run, tree.read()
    for process in tree.processes().values():
        process.kill()
    tree.up.wait()
    tree.start()
    until(tree.well)
    assert tree.run == addresses
    assert tree.read() == rows


def test_ctrl_c_ends_every_child(tree: Tree):
    until(tree.well)
    tree.stop()
    assert tree.processes() == {}
    assert not (tree.folder / "run.json").exists()
    tree.start()


def test_a_backup_is_restored_whole(tree: Tree):
    (tree.folder / "objects" / "plan.txt").write_text("floor")
    archive, secret, other = (tree.folder / name for name in ("all.sealed", "secret", "other"))
    secret.write_text("correct horse battery")
    other.write_text("another passphrase")
    with_secret = ["--passphrase-file", secret, "--data", tree.folder]
    subprocess.run([*COMMAND, "backup", archive, *with_secret], check=True, stdout=subprocess.DEVNULL)
    assert archive.stat().st_mode & 0o777 == 0o600
    rows = tree.read()[0]
    tree.write("after")
    (tree.folder / "objects" / "plan.txt").write_text("changed")
    restore = [*COMMAND, "restore", archive]
    busy = subprocess.run([*restore, *with_secret], capture_output=True, text=True, check=False)
    assert "is in use" in busy.stderr
    tree.stop()
    by_other = ["--passphrase-file", other, "--data", tree.folder]
    refused = subprocess.run([*restore, *by_other], capture_output=True, text=True, check=False)
    assert "another passphrase" in refused.stderr
    assert (tree.folder / "objects" / "plan.txt").read_text() == "changed"
    subprocess.run([*restore, *with_secret], check=True, stdout=subprocess.DEVNULL)
    tree.start()
    until(tree.well)
    assert tree.read()[0] == rows
    assert (tree.folder / "objects" / "plan.txt").read_text() == "floor"
