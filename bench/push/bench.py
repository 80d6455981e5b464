"""Two hundred tabs with thirty robots each, at a thousand states a second: how soon a state stands in a tab.

Measured from the moment a robot says it until it arrives at the socket of each tab that shows the robot, one clock for
both. One tab more stops reading for the whole time: it must delay nobody, and read the newest when it reads again.
Floor of the same run: the same while one tab alone is open. Tabs and generator run on the same cores.
"""

import asyncio
import json
import multiprocessing
import struct
import sys
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import cast

import msgspec
import nats
from nats.aio.client import Client

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, percentile, print_figure
from products import started

from lustra.protocol import bus as protocol
from tests.flush import flush
from tests.product.running import Product, until
from tests.product.speaking import FLEET, payload, serial

TABS = 4 if SHORT else 200
SHOWN = 5 if SHORT else 30
ROBOTS = 20 if SHORT else 1000
PER_SECOND = 20 if SHORT else 1000
WARM_S = 0.2 if SHORT else 5.0
MEASURED_S = 0.6 if SHORT else 20.0
LATE_S = 0.3 if SHORT else 2.0  # for what one reads that did not read for a while
STRIDE = 373
SLICES = 100  # a second, in which states are said
LIMIT_MS = 100.0
HANDSHAKE = (
    b"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
)
IDS = "select id from device where serial_number like 'B______' order by serial_number limit $1"
TRACKED = "select count(*) from robot_state s join device d on d.id = s.robot where d.serial_number like 'B______'"


class Row(msgspec.Struct):
    at: int


class Frame(msgspec.Struct):
    kind: str
    robots: list[Row] = []


read_frame = msgspec.json.Decoder(Frame).decode


class Tab:
    """A web socket that does no more than it must: two hundred of a library's take as long as what is measured."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port: int, token: str, ids: list[int]) -> "Tab":
        """Shows these robots, after its snapshot."""
        tab = cls(*await asyncio.open_connection("127.0.0.1", port))
        tab.writer.write(HANDSHAKE)
        if b" 101 " not in await tab.reader.readuntil(b"\r\n\r\n"):
            raise SystemExit("the server takes no tab")
        tab.send({"token": token})
        tab.send({"show": {"robots": ids, "cells": [], "detail": None, "counts": False}})
        while (await tab.read()).kind != "snapshot":
            pass
        return tab

    def send(self, message: object) -> None:
        """One frame with a mask of zeros."""
        text = json.dumps(message).encode()
        self.writer.write(struct.pack("!BBHI", 0x81, 0x80 | 126, len(text), 0) + text)

    async def read(self) -> Frame:
        """The next text."""
        head = await self.reader.readexactly(2)
        size = head[1]
        if size == 126:
            (size,) = struct.unpack("!H", await self.reader.readexactly(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", await self.reader.readexactly(8))
        text = await self.reader.readexactly(size)
        return read_frame(text) if head[0] == 0x81 else await self.read()


async def measure(tab: Tab, from_: float, to: float) -> list[float]:
    """Milliseconds of each state that arrives in this span of time (monotonic seconds)."""
    waits: list[float] = []
    with suppress(TimeoutError):
        async with asyncio.timeout(to - time.monotonic()):
            while True:
                frame = await tab.read()
                if time.monotonic() >= from_:
                    arrived = time.time() * 1000
                    waits += [arrived - row.at for row in frame.robots]
    return waits


async def newest_after_silence(tab: Tab) -> float:
    """Age of the newest state in what a tab reads within LATE_S, in ms; -1: nothing came."""
    newest = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(LATE_S):
            while True:
                newest = max(newest, *(row.at for row in (await tab.read()).robots), 0)
    return time.time() * 1000 - newest if newest else -1.0


async def watch(port: int, token: str, ids: list[int], tabs: int, span: float) -> tuple[list[float], float]:
    """What so many tabs measure, and the age of what one reads at last that did not read."""
    each = [[ids[(tab * 5 + place) % len(ids)] for place in range(SHOWN)] for tab in range(tabs)]
    opened = [await Tab.open(port, token, shown) for shown in each]
    stopped = await Tab.open(port, token, ids[:SHOWN])
    transport = cast("asyncio.Transport", stopped.writer.transport)
    transport.pause_reading()
    from_ = time.monotonic() + WARM_S
    waits = await asyncio.gather(*(measure(tab, from_, from_ + span) for tab in opened))
    transport.resume_reading()
    age = await newest_after_silence(stopped)
    for tab in [*opened, stopped]:
        tab.writer.close()
    return [wait for each in waits for wait in each], age


def open_tabs(port: int, token: str, ids: list[int], results: Connection, ended: Event) -> None:
    """The process of the tabs: one alone, then all."""
    results.send(asyncio.run(watch(port, token, ids, 1, MEASURED_S / 2)))
    results.send(asyncio.run(watch(port, token, ids, TABS, MEASURED_S)))
    ended.set()


async def speak(bus: Client, ended: Event) -> None:
    """States at the rate, in turn of all robots, until the tabs have measured."""
    began, place, tick = time.perf_counter(), ROBOTS, 0
    while not ended.is_set():
        at = int(time.time() * 1000)
        for _ in range(max(1, PER_SECOND // SLICES)):
            number = place * STRIDE % ROBOTS  # those of one tab speak at different times
            await bus.publish(protocol.state(serial(number)), payload(number, place // ROBOTS, at))
            place += 1
        await flush(bus)
        tick += max(1, PER_SECOND // SLICES)
        await asyncio.sleep(max(0.0, began + tick / PER_SECOND - time.perf_counter()))


async def prepare(running: Product, bus: Client) -> tuple[str, list[int]]:
    """A token, and the robots once each has spoken."""
    async with running.database() as db:
        await db.execute(FLEET, ROBOTS)
        for number in range(ROBOTS):
            await bus.publish(protocol.state(serial(number)), payload(number, 0, int(time.time() * 1000)))
        await flush(bus)

        async def stored() -> bool:
            return (await db.fetchval(TRACKED) or 0) >= ROBOTS

        await until(stored, "a state of each robot")
        ids = [row["id"] for row in await db.fetch(IDS, ROBOTS)]
    async with running.console("dealer") as dealer:
        return dealer.http.headers["token"], ids


async def measured(running: Product) -> None:
    bus = await nats.connect(running.run["nats"])
    token, ids = await prepare(running, bus)
    context = multiprocessing.get_context("spawn")
    results, sent = context.Pipe(duplex=False)
    ended = context.Event()
    tabs = context.Process(target=open_tabs, args=(running.port, token, ids, sent, ended))
    tabs.start()
    speaking = asyncio.create_task(speak(bus, ended))
    try:
        alone, _ = await asyncio.to_thread(results.recv)
        server = running.processes()["server"]
        used, began = sum(server.cpu_times()[:2]), time.monotonic()
        all_, age = await asyncio.to_thread(results.recv)
        share = (sum(server.cpu_times()[:2]) - used) / (time.monotonic() - began)
    finally:
        ended.set()
        await speaking
        await asyncio.to_thread(tabs.join)
        await bus.close()
    if not alone or not all_:
        raise SystemExit("no state has arrived")
    print(f"{len(all_)} rows to {TABS} tabs; p50 {percentile(all_, 0.5):.0f} ms; server: {share:.2f} of a core")
    print_figure(
        f"{TABS} tabs with {SHOWN} robots each, {PER_SECOND} states a second: a state to a tab, p95",
        percentile(all_, 0.95),
        "ms",
        limit=LIMIT_MS,
        worst=round(max(all_), 1),
        floor=round(percentile(alone, 0.95), 1),
        floor_name="one tab alone, p95, ms",
    )
    print_figure("age of what a tab reads that did not read for a while", age, "ms", limit=1500)


if __name__ == "__main__":
    with started("--robots", "1") as running:
        asyncio.run(measured(running))
