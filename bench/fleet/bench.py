"""Five hundred virtual robots in one process, all of them cleaning, each telling its state once a second.

Measured: the share of one core that the process takes, and how many states a second come out at the bus; between two
rooms a robot stands at its charger for a while and says less, so the share is told for 500 states a second as well. The
floor is a process that does nothing but say as many states of the same size over as many lines of the same library.
"""

import asyncio
import contextlib
import itertools
import json
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nats
import psutil
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.api import DiscardPolicy, StreamConfig

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, print_figure

from lustra.robot.buildings import catalogue
from lustra.stack import place

ROBOTS = 3 if SHORT else 500
MEASURED_S = 1.0 if SHORT else 30.0
BUSY = 0.9  # of the robots, before anything is measured
LONGEST_WARM_S = 30.0 if SHORT else 240.0
WORK = {"cleaning", "moving", "paused"}
Usage = tuple[float, float, dict[str, int]]
BUS = 'listen: "127.0.0.1:{port}"\njetstream {{ store_dir: "{folder}" }}\nmax_connections: 2000\n'
LEAST = """
import asyncio, sys, time, nats
async def line(sn, port, started):
    bus = await nats.connect(f"nats://127.0.0.1:{port}", name=sn)
    said = b'{"mode":"cleaning","more":"' + b"x" * 390 + b'"}'
    while True:
        await bus.publish(f"robots.{sn}.state", said)
        await asyncio.sleep(1)
async def main(count, port):
    await asyncio.gather(*(line(f"SC{n:05}", port, 0) for n in range(count)))
asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
"""


@contextmanager
def running(*words: object) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen([str(w) for w in words], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


async def bus_at(port: int) -> Client:
    until = time.monotonic() + 10
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return await nats.connect(f"nats://127.0.0.1:{port}")
        if time.monotonic() > until:
            raise TimeoutError("nats-server does not start")
        await asyncio.sleep(0.1)


async def share(process: "subprocess.Popen[bytes]", link: Client) -> Usage:
    """Share of one core, states a second, and what the robots do at the end."""
    counted, modes = 0, dict[str, str]()

    async def count_message(message: Msg) -> None:
        nonlocal counted
        counted += 1
        modes[message.subject] = json.loads(message.data)["mode"]

    subscription = await link.subscribe("robots.*.state", cb=count_message)
    until = time.monotonic() + LONGEST_WARM_S

    def warm() -> bool:
        return len(modes) == ROBOTS and sum(mode in WORK for mode in modes.values()) >= BUSY * ROBOTS

    while not warm() and time.monotonic() < until:  # noqa: ASYNC110  no event tells of it
        await asyncio.sleep(0.2)
    if len(modes) < ROBOTS:
        raise SystemExit(f"{len(modes)} of {ROBOTS} robots speak after {LONGEST_WARM_S:.0f} s")
    watched = psutil.Process(process.pid)
    used, began, before = sum(watched.cpu_times()[:2]), time.monotonic(), counted
    await asyncio.sleep(MEASURED_S)
    took = time.monotonic() - began
    rates = (sum(watched.cpu_times()[:2]) - used) / took, (counted - before) / took
    await subscription.unsubscribe()
    tally = list(modes.values())
    return *rates, {mode: tally.count(mode) for mode in sorted(set(tally))}


async def measured(folder: Path) -> None:
    port = place.free_port(place.LOOPBACK)
    conf = folder / "nats.conf"
    conf.write_text(BUS.format(port=port, folder=folder / "js"))
    fleet = folder / "fleet.json"
    floors = catalogue.floors()
    robots = [
        {"sn": f"SC{n:05}", "password": "x", "building": building, "floor": floor, "task": True, "battery": 99.0}
        for n, (building, floor) in zip(range(ROBOTS), itertools.cycle(floors), strict=False)
    ]
    fleet.write_text(json.dumps({"nats": f"nats://127.0.0.1:{port}", "robots": robots}))
    with running(Path(sysconfig.get_path("scripts")) / "nats-server", "-c", conf):
        link = await bus_at(port)
        for name in ("state", "report", "event"):
            subjects = [f"robots.*.{name}"]
            limits = {"max_bytes": 1 << 28, "discard": DiscardPolicy.OLD, "no_ack": True}
            await link.jetstream().add_stream(StreamConfig(name=name.upper(), subjects=subjects, **limits))
        with running(sys.executable, "-c", LEAST, ROBOTS, port) as least:
            floor, least_a_second, _ = await share(least, link)
        print(f"the floor says {least_a_second:.0f} states a second", flush=True)
        words = (sys.executable, "-m", "lustra.app.cli", "robot", "--fleet", fleet, "--state", folder / "state")
        with running(*words) as process:
            core, a_second, modes = await share(process, link)
            memory = psutil.Process(process.pid).memory_info().rss / (1 << 20)
        await link.close()
    print(f"what they do: {modes}", flush=True)
    beside = {"floor": round(floor, 3), "floor_name": "as many lines that say as much"}
    print_figure(f"{ROBOTS} robots: share of one core", core, "", limit=1.0, **beside)
    print_figure(f"{ROBOTS} robots: states a second", a_second, "/s", limit=0.85 * ROBOTS, at_least=True)
    print_figure(f"{ROBOTS} states a second: share of one core", core * ROBOTS / a_second, "", limit=1.0, **beside)
    print_figure(f"{ROBOTS} robots: memory", memory, "MB")


if __name__ == "__main__":
    folder = Path(tempfile.mkdtemp(prefix="lustra-fleet-"))
    try:
        asyncio.run(measured(folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
