"""States of ten thousand robots from the bus into rows: how fast a backlog drains, and how soon a state stands in its
row while all say one a second. Each is durable when it counts: acknowledged after the commit, with PostgreSQL as it is
installed.

Floors of the same run: as many points by COPY into a table of their own, in transactions as large; and how long a probe
waits while nobody else speaks. The generator runs on the same cores.
"""

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any

import asyncpg
import nats
import psutil
from nats.aio.client import Client

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, percentile, print_figure
from products import started

from lustra.protocol import bus as protocol
from tests.consumers import load_progress
from tests.flush import flush
from tests.product.running import Product, until
from tests.product.speaking import FLEET, payload, publish, serial

ROBOTS = 20 if SHORT else 10_000
STATES = 200 if SHORT else 300_000
STEADY_S = 2 if SHORT else int(os.environ.get("STEADY_S", "60"))
PROBE_EACH_S = 0.1
LEAST_DRAINED = 20_000
MOST_COPIES = 20  # of the points alone, in the time that a state takes
MOST_S = 1.0
SLICES = 20  # a second
COPIED = 10_000  # rows in a transaction of the floor
FLOOR = """
create table bench_point (robot int not null, slot bigint not null, at bigint not null, x real not null,
  y real not null, yaw real not null, battery real not null, liquid real not null, primary key (robot, slot))"""
SEQ = "select coalesce(max(s.seq), 0) from robot_state s join device d on d.id = s.robot where d.serial_number = $1"
Spent = dict[str, float]


def used(running: Product) -> Spent:
    """Seconds of processor time by process so far."""
    spent: Spent = {}
    for name, process in running.processes().items():
        family = [process, *process.children(recursive=True)] if name == "postgres" else [process]
        for each in family:
            try:
                times = each.cpu_times()
            except psutil.NoSuchProcess:
                continue
            spent[name] = spent.get(name, 0.0) + times.user + times.system
    return spent


async def is_drained(bus: Client) -> None:
    async def done() -> bool:
        return (await load_progress(bus.jetstream())).all_stored

    await until(done, "an empty stream", patience_s=600)


async def measure_floor(db: Any) -> float:
    """Points a second by COPY."""
    await db.execute(FLOOR)
    began = time.perf_counter()
    for first in range(0, STATES, COPIED):
        rows = [(n % ROBOTS, n, n, 1.5, 2.5, 1.571, 80.0, 70.0) for n in range(first, min(first + COPIED, STATES))]
        await db.copy_records_to_table("bench_point", records=rows)
    took = time.perf_counter() - began
    await db.execute("drop table bench_point")
    return STATES / took


async def measure_drain(running: Product, bus: Client, step: int) -> int:
    """All of them wait on the bus before ingest reads the first. Gives the next step."""
    ingest = running.processes()["ingest"]
    ingest.suspend()
    begin = int(time.time() * 1000) - STATES // ROBOTS * 1000
    steps = range(step, step + STATES // ROBOTS)
    await publish(bus, ((serial(n), payload(n, s, begin + (s - step) * 1000)) for s in steps for n in range(ROBOTS)))
    before, began = used(running), time.perf_counter()
    ingest.resume()
    await is_drained(bus)
    took = time.perf_counter() - began
    after = used(running)
    async with running.database() as db:
        floor = await measure_floor(db)
    each = {
        name: round((after[name] - before.get(name, 0)) / STATES * 1e6, 1) for name in ("ingest", "postgres", "nats")
    }
    print(f"processor time, µs a state: {each}", flush=True)
    beside = {"floor": round(floor), "floor_name": "the points alone, by COPY", "most_floors": MOST_COPIES}
    print_figure(
        "states drained from the bus into rows", STATES / took, "/s", limit=LEAST_DRAINED, at_least=True, **beside
    )
    return steps.stop


async def probe(bus: Client, db: asyncpg.Connection, step: int, ended: asyncio.Event) -> list[float]:
    """Seconds from saying it until it stands in the row, of one robot that speaks anew once it was stored."""
    waits: list[float] = []
    sn = serial(ROBOTS)
    while not ended.is_set():
        step += 1
        began = time.perf_counter()
        await bus.publish(protocol.state(sn), payload(ROBOTS, step, int(time.time() * 1000)))
        while (await db.fetchval(SEQ, sn) or 0) <= step:  # noqa: ASYNC110  it is measured, not waited for
            await asyncio.sleep(0.002)
        waits.append(time.perf_counter() - began)
        await asyncio.sleep(PROBE_EACH_S)
    return waits


async def speak(bus: Client, step: int) -> float:
    """Each robot once a second. Gives the seconds that the generator was behind at worst."""
    began, behind = time.perf_counter(), 0.0
    for tick in range(STEADY_S * SLICES):
        at = int(time.time() * 1000)
        for number in range(tick % SLICES, ROBOTS, SLICES):
            await bus.publish(protocol.state(serial(number)), payload(number, step + tick // SLICES, at))
        await flush(bus)
        left = began + (tick + 1) / SLICES - time.perf_counter()
        behind = max(behind, -left)
        await asyncio.sleep(max(0.0, left))
    return behind


async def measure_steady(running: Product, bus: Client, step: int) -> None:
    async with running.database() as db:
        quiet, ended = asyncio.Event(), asyncio.Event()
        asyncio.get_running_loop().call_later(1.0 if SHORT else 5.0, quiet.set)
        floor = percentile(await probe(bus, db, 0, quiet), 0.5)
        memory = running.processes()["ingest"].memory_info().rss
        before, began = used(running), time.perf_counter()
        probing = asyncio.create_task(probe(bus, db, 10_000, ended))
        behind = await speak(bus, step)
        took = time.perf_counter() - began
        after = used(running)
        ended.set()
        waits = await probing
        await is_drained(bus)
        grown = (running.processes()["ingest"].memory_info().rss - memory) / (1 << 20)
    shares = {
        name: round((after[name] - before.get(name, 0)) / took, 2) for name in ("ingest", "postgres", "nats", "server")
    }
    print(f"shares of a core: {shares}; the generator was {behind:.2f} s behind at worst", flush=True)
    print_figure(
        f"{ROBOTS} robots at 1 Hz: a state to its row, 99 of 100",
        percentile(waits, 0.99),
        "s",
        limit=MOST_S,
        worst=round(max(waits), 3),
        floor=round(floor, 4),
        floor_name="while nobody else speaks, median",
    )
    print_figure(f"{ROBOTS} robots at 1 Hz: memory of ingest grew by", grown, "MB")


async def measured(running: Product) -> None:
    async with running.database() as db:
        await db.execute(FLEET, ROBOTS + 1)
    bus = await nats.connect(running.run["nats"])
    try:
        await publish(bus, ((serial(n), payload(n, 0, int(time.time() * 1000) - 400_000)) for n in range(ROBOTS + 1)))
        await is_drained(bus)
        step = await measure_drain(running, bus, 1)
        await measure_steady(running, bus, step)
    finally:
        await bus.close()


def main() -> None:
    with started("--robots", "1") as running:
        asyncio.run(measured(running))


if __name__ == "__main__":
    main()
