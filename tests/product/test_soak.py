"""For an hour, or HOURS, a fleet speaks at a third of what one machine takes, people write, and each minute something
fails: what serves all the while needs no more memory, files or tasks at the end than after its first quarter.
"""

import asyncio
import contextlib
import os
import re
import signal
import statistics
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import cycle
from typing import NamedTuple

import httpx
import nats
import nats.errors
import psutil
import pytest

from lustra.app.commands.installation import MEASURED
from lustra.core.process.tasks import cancel_all
from lustra.stack.place import LOOPBACK, OURS, in_use
from tests.consumers import load_progress
from tests.product import running
from tests.product.load import stands, writing
from tests.product.running import Product, until
from tests.product.speaking import FLEET, payload, publish, serial

HOURS = float(os.environ.get("HOURS", "1"))
LEAST = 12  # faults: each of them twice
PERIOD_S = min(60.0, HOURS * 3600 / LEAST)  # from one fault to the next
FROZEN_S = 5.0
RECOVERY_S = 30.0  # until all that waits on the bus stands in rows
ROBOTS = 10_000
PER_SECOND = 6500
SLICES = 20  # a second
LIVES = ("server", "ingest", "worker")  # no fault ends them
MORE = {"memory": 1.1, "files": 1.0, "tasks": 1.0}  # times as much as before
SPARE = {"memory": 20 << 20, "files": 10, "tasks": 10}  # bytes, and numbers, that are noise
AGE_MS = """select extract(epoch from now()) * 1000 - max(s.at)
  from robot_state s join device d on d.id = s.robot where d.serial_number like 'B______'"""
RECENT_MS = 3000  # of a fleet that speaks, and whose states are stored as they come
pytestmark = [pytest.mark.proof, pytest.mark.timeout(0)]
Record = Callable[[str, object], None]


class Use(NamedTuple):
    pid: int
    memory: float
    files: float
    tasks: float


async def freeze(product: Product, name: str) -> None:
    process = product.processes()[name]
    family = [process, *process.children(recursive=True)]
    send(family, signal.SIGSTOP)
    try:
        await asyncio.sleep(FROZEN_S)
    finally:
        send(family, signal.SIGCONT)


async def kill(product: Product, name: str) -> None:
    product.kill(name)


def send(processes: list[psutil.Process], number: int) -> None:
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(number)


FAULTS = [
    (freeze, "postgres"),
    (kill, "relay"),
    (freeze, "nats"),
    (kill, "gate"),
    (freeze, "ingest"),
    (kill, "elevators"),
]


def first_of_free_ports(count: int) -> int:
    """Ports for the metrics of all processes follow one another."""
    starts = range(OURS.start, OURS.stop - count, count)
    return next(port for port in starts if not any(in_use(LOOPBACK, port + n) for n in range(count)))


@pytest.fixture(scope="module")
def product() -> Iterator[Product]:
    port = first_of_free_ports(len(MEASURED))
    with running.product("--no-history", LUSTRA_METRICS_PORT=str(port)) as soaked:
        soaked.start()
        soaked.wait()
        yield soaked


async def tasks_of(product: Product, name: str) -> float:
    port = int(product.environ["LUSTRA_METRICS_PORT"]) + MEASURED.index(name)
    async with httpx.AsyncClient() as http:
        page = (await http.get(f"http://{LOOPBACK}:{port}/metrics")).text
    line = re.search(r"^lustra_tasks (\S+)$", page, re.MULTILINE)
    assert line, f"{name} does not say how many tasks it has"
    return float(line[1])


async def uses_of(product: Product) -> dict[str, Use]:
    processes = product.processes()
    return {
        name: Use(process.pid, process.memory_info().rss, process.num_fds(), await tasks_of(product, name))
        for name in LIVES
        for process in [processes[name]]
    }


@asynccontextmanager
async def speaking(product: Product) -> AsyncIterator[None]:
    """The fleet says its states, over all faults: what the bus does not take is not said again."""
    bus = await nats.connect(product.run["nats"], max_reconnect_attempts=-1, reconnect_time_wait=0.5)

    async def speak() -> None:
        place, began = 0, time.monotonic()
        while True:
            at = int(time.time() * 1000)
            numbers = [(place + n) % ROBOTS for n in range(PER_SECOND // SLICES)]
            step = (place + len(numbers)) // ROBOTS
            with contextlib.suppress(nats.errors.Error, TimeoutError):
                await publish(bus, ((serial(n), payload(n, step, at)) for n in numbers))
            place += len(numbers)
            behind = time.monotonic() - began - place / PER_SECOND
            began += max(0.0, behind)  # of what was not said in time nothing is made up for
            await asyncio.sleep(max(0.0, -behind))

    talking = asyncio.create_task(speak())
    try:
        yield
    finally:
        await cancel_all(talking)
        await bus.close()


async def is_drained(product: Product) -> bool:
    """Little waits on the bus, and what stands in rows was said just now."""
    age = (await product.fetch(AGE_MS))[0][0]
    if age is None or age > RECENT_MS:  # None: nothing is stored yet
        return False
    bus = await nats.connect(product.run["nats"])
    try:
        return (await load_progress(bus.jetstream())).waiting < PER_SECOND  # the fleet goes on speaking
    finally:
        await bus.close()


async def test_after_hours_with_a_fault_a_minute_memory_files_and_tasks_are_as_before(
    product: Product, record_property: Record
):
    await product.fetch(FLEET, ROBOTS)
    uses: defaultdict[str, list[Use]] = defaultdict(list)
    periods = round(HOURS * 3600 / PERIOD_S)
    faults = cycle(FAULTS)

    async def drained() -> bool:
        return await is_drained(product)

    async with writing(product, "soak") as load, speaking(product):
        for _ in range(periods):
            ends = time.monotonic() + PERIOD_S
            fault, name = next(faults)
            await fault(product, name)
            await until(drained, f"what waits on the bus, after {fault.__name__} {name}", patience_s=RECOVERY_S)
            await load.more()
            await asyncio.sleep(max(0.0, ends - time.monotonic()))
            for process, use in (await uses_of(product)).items():
                uses[process].append(use)
        await stands(load, unaudited=periods)
    quarter = periods // 4
    for process, those in uses.items():
        assert len({use.pid for use in those}) == 1, f"{process} was started again"
        for kind, times in MORE.items():
            before, after = (
                statistics.median(getattr(use, kind) for use in span)
                for span in (those[quarter : 2 * quarter], those[-quarter:])
            )
            record_property("tried", f"{process}: {kind} {before:,.0f}, at the end {after:,.0f}")
            assert after <= before * times + SPARE[kind], f"{process} has ever more {kind}: {those}"
