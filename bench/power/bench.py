"""Power cuts in each state of an update, at a moment by chance: a virtual robot in a process of its own, which is
killed there, and started again. Afterwards it must run a whole version, and in the end the new one, or the former where
its first start was cut off. A kill leaves the disk's cache as it is: writes that were cut in two are tried in
tests/robot/updates/test_slots.py. BENCH_CUTS: how many of each state.
"""

import asyncio
import hashlib
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, print_figure
from tuf.api.metadata import Metadata, MetaFile, Root, Snapshot, TargetFile, Targets, Timestamp

from lustra.domains.rollout.keys import open_key
from lustra.protocol.updates import Update, target_path
from lustra.robot.robot import Robot
from lustra.robot.spec import Spec
from lustra.robot.updates.slots import FACTORY
from lustra.robot.updates.update_orders import UpdateOrders

CUTS = 1 if SHORT else int(os.environ.get("BENCH_CUTS", "100"))
# How long each state lasts here at most, in seconds: within that its cut comes.
STATES = {"downloading": 0.03, "verifying": 0.01, "waiting": 0.001, "installing": 0.01, "restarting": 0.003}
TRIAL = "first start"
TRIAL_S = 0.02
CONTENT = random.Random(1).randbytes(3 << 20)
MODEL, VERSION, NUMBER = "Scrub 50", "2.0.0", 1
NAME = target_path("soft", MODEL, NUMBER)
WELL, UNWELL = 0, 1  # how a process ends
Cut = tuple[str, float]


class Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Robots that are killed break their lines off."""


class Files(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  its own name
        """Says nothing."""


def lay_repository(folder: Path) -> str:
    """A package with its signed metadata; the root."""
    key = open_key(folder / "root.key")
    expires = datetime.now(UTC).replace(microsecond=0) + timedelta(days=9)
    root = Root(version=1, expires=expires, consistent_snapshot=True)
    for role in ("root", "targets", "snapshot", "timestamp"):
        root.add_key(key.public_key, role)
    about = {"version": VERSION, "name": VERSION, "types": [MODEL]}
    target = TargetFile(len(CONTENT), {"sha256": hashlib.sha256(CONTENT).hexdigest()}, NAME, {"custom": about})
    contents: dict[str, Any] = {
        "1.root.json": root,
        "1.targets.json": Targets(version=1, expires=expires, targets={NAME: target}),
        "1.snapshot.json": Snapshot(version=1, expires=expires, meta={"targets.json": MetaFile(1)}),
        "timestamp.json": Timestamp(version=1, expires=expires, snapshot_meta=MetaFile(1)),
    }
    for name, content in contents.items():
        signed = Metadata[Any](content)
        signed.sign(key)
        (folder / name).write_bytes(signed.to_bytes())
    (folder / "package").write_bytes(CONTENT)
    return (folder / "1.root.json").read_text()


def die_in(seconds: float) -> None:
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGKILL)).start()


def die_in_state(updates: UpdateOrders, cut: Cut) -> None:
    state, delay = cut
    set_state = updates.set_state

    def set_state_and_die(order: Any, to: Any, *more: Any, **named: Any) -> None:
        set_state(order, to, *more, **named)
        if to == state:
            die_in(delay)

    updates.set_state = set_state_and_die  # pyright: ignore[reportAttributeAccessIssue]  a robot that is to die
    if state == "downloading":  # in which an order begins
        die_in(delay)


async def live(folder: Path, root: str, url: str, cut: Cut | None) -> None:
    """Lives of the robot, one after the other, until its update is over."""
    while True:
        robot = Robot.open(Spec("SC0001", model=MODEL, root=root), folder)
        on_trial = robot.updates.slots.table.trial
        if cut and cut[0] == TRIAL and on_trial:
            die_in(cut[1])
            await asyncio.sleep(TRIAL_S * 2)
        elif cut and cut[0] != TRIAL:
            die_in_state(robot.updates, cut)
        robot.updates.reached.set()
        if robot.updates.orders.get(NUMBER) is None:
            order = Update(number=NUMBER, attempt=1, action="install", version=VERSION, name=NAME)
            order.metadata, order.url = f"{url}/", f"{url}/package"
            robot.updates.accept(order)
        work = asyncio.create_task(robot.updates.run())
        while not robot.reboots.is_set() and robot.updates.orders.open():  # noqa: ASYNC110  it has no event for both
            await asyncio.sleep(0.001)
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        if not robot.updates.orders.open():
            return


def is_whole(folder: Path) -> bool:
    """What its present slot runs is what it came with, or the new version to the byte."""
    robot = Robot.open(Spec("SC0001", model=MODEL), folder)
    slots = robot.updates.slots
    package = slots.folder / f"{slots.table.active}.package"
    return slots.version == FACTORY["software"] or (slots.version == VERSION and package.read_bytes() == CONTENT)


def in_process(work: Callable[[], bool]) -> int:
    """How a process that does it ends: by its exit, or by the number of its signal."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(WELL if work() else UNWELL)
        except BaseException as why:  # noqa: BLE001  whatever it is: it must not go on as the bench
            sys.stderr.write(f"{why!r}\n")
            os._exit(UNWELL)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def lead_life(folder: Path, root: str, url: str, cut: Cut | None) -> bool:
    asyncio.run(live(folder, root, url, cut))
    return True


def ends_well(folder: Path, root: str, url: str) -> bool:
    """With the new version; or the former, where the cut came in the first start of the new one."""
    lead_life(folder, root, url, None)
    robot = Robot.open(Spec("SC0001", model=MODEL), folder)
    report = robot.updates.orders[NUMBER].report
    end = report.state, report.reason, robot.updates.slots.version
    return end in (("confirmed", "", VERSION), ("fell_back", "update_start", FACTORY["software"]))


def main() -> None:
    chance, began, killed, bad = random.Random(7), time.perf_counter(), 0, 0
    with tempfile.TemporaryDirectory(prefix="lustra-bench-") as name:
        folder = Path(name)
        (folder / "served").mkdir()
        root = lay_repository(folder / "served")
        serving = Server(("127.0.0.1", 0), partial(Files, directory=str(folder / "served")))
        server = os.fork()  # a process of its own: threads do not outlive a fork
        if server == 0:
            serving.serve_forever()
        url = f"http://127.0.0.1:{serving.server_address[1]}"
        try:
            for state, longest in {**STATES, TRIAL: TRIAL_S}.items():
                for number in range(CUTS):
                    robot = folder / f"{state} {number}"
                    cut = (state, chance.uniform(0, longest))
                    killed += in_process(partial(lead_life, robot, root, url, cut)) == -signal.SIGKILL
                    bad += in_process(partial(is_whole, robot)) != WELL
                    bad += in_process(partial(ends_well, robot, root, url)) != WELL
        finally:
            os.kill(server, signal.SIGTERM)
            os.waitpid(server, 0)
    print_figure("robots with a wrong or half version after a power cut", bad, "robots", limit=0)
    cuts = CUTS * (len(STATES) + 1)
    print_figure("power cuts that struck before the end", killed / cuts * 100, "%")
    print_figure("power cuts and starts after them", cuts / (time.perf_counter() - began), "a second")


if __name__ == "__main__":
    main()
