"""Ours beside Zabbix and Home Assistant, each as it is installed, on the same machine one after the other: how many
messages of a robot's values (five; ours have twenty) they store a second, how soon one is seen, and how many that were
acknowledged are lost when everything is killed (`kill -9`) right after. Ours are acknowledged when the bus has them in
its stream.

Seen: ours and Home Assistant at the web socket of who looks, Zabbix in the table that its pages read. Zabbix takes
fifty messages a connection, as its own sender joins them. Generators run on the same cores. nginx and pgbench, the
peers of the relay and of the device list, are measured in the benches of those.

What is not to be had here is named and left out; the short form measures ours alone.
"""

import asyncio
import contextlib
import json
import random
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import home_assistant
import install
import nats
import zabbix
from nats.aio.client import Client
from websockets.asyncio.client import connect

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, percentile, print_figure
from products import started

from lustra.protocol import bus as protocol
from tests.product.running import Product, until
from tests.product.speaking import FLEET, payload, publish, serial

ROBOTS = 10 if SHORT else 1000
EACH = 2 if SHORT else 60  # messages a robot
LOOKS = 5 if SHORT else 60  # messages whose way is timed
LOOK_S = 0.2  # between two of them, at most
ACKNOWLEDGED = 10 if SHORT else 10_000
OF_HOME = 5  # one in so many of the messages: it takes few a second
LINKS = 16
STORED = """select count(*) from robot_state s join device d on d.id = s.robot
where d.serial_number like 'B______' and s.seq >= $1 and s.stream like 'peers-%'"""
DEVICE = "select id from device where serial_number = $1"
Send = Callable[[int, int], Awaitable[object]]


def print_of(product: str, rate: float, waits: list[float], lost: int | None, acknowledged: int) -> None:
    print_figure(f"{product}: messages stored", rate, "/s")
    waits_ms = [wait * 1000 for wait in waits]
    print_figure(
        f"{product}: a message until it is seen, median", percentile(waits_ms, 0.5), "ms", worst=round(max(waits_ms), 1)
    )
    if lost is not None:
        print_figure(f"{product}: lost of {acknowledged:,} acknowledged, all killed", lost, "messages")


async def in_turns(count: int, send: Send) -> None:
    """`send(link, number)` for each number, by LINKS that each take one after the other."""
    numbers = iter(range(count))

    async def work(link: int) -> None:
        for number in numbers:
            await send(link, number)

    await asyncio.gather(*(work(link) for link in range(LINKS)))


def now_ms() -> int:
    return int(time.time() * 1000)


async def store_ours(running: Product, bus: Client) -> float:
    async with running.database() as db:
        began, at = time.perf_counter(), now_ms() - EACH * 1000
        await publish(
            bus,
            (
                (serial(n), payload(n, s, at + s * 1000, boot="peers"))
                for s in range(1, EACH + 1)
                for n in range(ROBOTS)
            ),
        )

        async def stored() -> bool:  # in the order in which they came: the last of each robot after all others
            return (await db.fetchval(STORED, EACH + 1) or 0) >= ROBOTS

        await until(stored, "the states in their rows")
        return ROBOTS * EACH / (time.perf_counter() - began)


async def look_at_ours(running: Product, bus: Client) -> list[float]:
    """Seconds from a state to the tab that shows its robot."""
    sn, waits = serial(0), list[float]()
    async with running.database() as db:
        device = await db.fetchval(DEVICE, sn)
    async with running.console("dealer") as dealer, connect(f"ws://127.0.0.1:{running.port}/api/live") as web:
        await web.send(json.dumps({"token": dealer.http.headers["token"]}))
        await web.send(json.dumps({"show": {"robots": [device], "cells": [], "detail": device, "counts": False}}))
        while json.loads(await web.recv())["kind"] != "snapshot":
            pass
        for step in range(LOOKS):
            await asyncio.sleep(random.uniform(LOOK_S / 2, LOOK_S))
            began, at = time.perf_counter(), now_ms()
            await bus.publish(protocol.state(sn), payload(0, EACH + 1 + step, at, boot="peers"))
            while not any(row["at"] == at for row in json.loads(await web.recv()).get("robots") or []):
                pass
            waits.append(time.perf_counter() - began)
    return waits


async def kill_ours(running: Product, bus: Client) -> int:
    """How many are lost of what the bus has in its stream, each of a robot of its own."""
    step = EACH + LOOKS + 10
    goal = (await bus.jetstream().stream_info("STATE")).state.last_seq + ACKNOWLEDGED
    await publish(bus, ((serial(n), payload(n, step, now_ms(), boot="peers")) for n in range(ACKNOWLEDGED)))

    async def taken() -> bool:
        return (await bus.jetstream().stream_info("STATE")).state.last_seq >= goal

    await until(taken, "the bus")
    await bus.close()
    running.kill_all()
    running.start()
    running.wait()
    async with running.database() as db:

        async def stored() -> bool:
            return await db.fetchval(STORED, step + 1) == ACKNOWLEDGED

        with contextlib.suppress(AssertionError):
            await until(stored, "all states in their rows", patience_s=60)
        return ACKNOWLEDGED - (await db.fetchval(STORED, step + 1) or 0)


async def measure_ours(running: Product) -> None:
    async with running.database() as db:
        await db.execute(FLEET, max(ROBOTS, ACKNOWLEDGED))
    bus = await nats.connect(running.run["nats"])
    rate = await store_ours(running, bus)
    waits = await look_at_ours(running, bus)
    # A product that others measure too is not killed.
    lost = None if SHORT else await kill_ours(running, bus)
    await bus.close()
    print_of("Lustra", rate, waits, lost, ACKNOWLEDGED)


async def measure_zabbix(programs: install.Zabbix) -> None:
    async with zabbix.running(programs, ROBOTS) as server:

        async def send_all(count: int) -> None:
            async def send(_: int, batch: int) -> None:
                clock = int(time.time())
                first = batch * zabbix.BATCH
                messages = [
                    ((first + n) % ROBOTS + 1, clock, first + n, (1.5, 2.5, 1.57, 80.0, 70.0))
                    for n in range(zabbix.BATCH)
                ]
                answer = await server.send(messages)
                if not answer["info"].startswith(f"processed: {zabbix.BATCH * 5}; failed: 0"):
                    raise RuntimeError(answer)

            await in_turns(count // zabbix.BATCH, send)

        async def stored() -> bool:
            return await server.count(1) >= ROBOTS * EACH

        began = time.perf_counter()
        await send_all(ROBOTS * EACH)
        await until(stored, "the values in their table")
        rate = ROBOTS * EACH / (time.perf_counter() - began)
        waits = list[float]()
        for step in range(LOOKS):
            await asyncio.sleep(random.uniform(0, LOOK_S))
            began, clock = time.perf_counter(), int(time.time())
            await server.send([(1, clock, step, (1.5, 2.5, 1.57, 80.0, 70.0))])
            while not await server.is_stored(1, clock, step):  # noqa: ASYNC110  it is measured, not waited for
                await asyncio.sleep(0.002)
            waits.append(time.perf_counter() - began)
        await asyncio.sleep(1)  # so that what follows is of a second of its own
        since = int(time.time())
        await send_all(ACKNOWLEDGED)
        await server.kill()
        await server.start()
        await asyncio.sleep(3)  # what it still has it writes each second
        print_of("Zabbix 6.0", rate, waits, ACKNOWLEDGED - await server.count(since), ACKNOWLEDGED)


async def measure_home_assistant(python: Path) -> None:
    async with home_assistant.running(python) as server:
        count = ROBOTS * EACH // OF_HOME

        async def send(link: int, number: int) -> None:
            values = {"x": number * 0.25, "y": 2.5, "yaw": 1.57, "battery": 80 - number % 50, "liquid": 70.0}
            await server.send(link, number % ROBOTS, {**values, "number": number})

        async def send_all(count: int, first: int = 0) -> None:
            await server.open(LINKS)
            await in_turns(count, lambda link, number: send(link, first + number))

        async def stored() -> bool:
            return server.count() >= count

        began = time.perf_counter()
        await send_all(count)
        await until(stored, "the states in its database")
        rate = count / (time.perf_counter() - began)
        waits = list[float]()
        async with server.watching() as web:
            for step in range(LOOKS):
                await asyncio.sleep(random.uniform(0, LOOK_S))
                began = time.perf_counter()
                sending = asyncio.create_task(send(0, count + step))
                while f'"number":{count + step}' not in str(await web.recv()).replace(" ", ""):
                    pass
                waits.append(time.perf_counter() - began)
                await sending
        await asyncio.sleep(2)
        server.close()
        before, acknowledged = server.count(), ACKNOWLEDGED // OF_HOME
        await send_all(acknowledged, count + LOOKS)
        await server.kill()
        lost = before + acknowledged - server.count()
        print_of("Home Assistant 2024.3", rate, waits, lost, acknowledged)


def main() -> None:
    with started("--robots", "1") as running:
        asyncio.run(measure_ours(running))
    if SHORT:
        return
    try:
        asyncio.run(measure_zabbix(install.install_zabbix()))
    except install.Missing as why:
        print(f"Zabbix is left out: {why}")
    try:
        asyncio.run(measure_home_assistant(install.install_home_assistant()))
    except install.Missing as why:
        print(f"Home Assistant is left out: {why}")


if __name__ == "__main__":
    main()
