"""From a robot's state to the tab that shows it: 12 robots at 10 Hz, each on the control page of a tab of its own.

Measured from the robot's own `at` in the payload to its arrival at the tab's socket, one clock for both. The tabs keep
their part of the bargain: a state that a newer one has overtaken on the way is not sent. Floor of the same run, while
the robots speak: a message of the same size through the same bus and one bare web socket.
"""

import asyncio
import json
import sys
import time
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import nats
from nats.aio.msg import Msg
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, percentile, print_figure
from products import started

from tests.flush import flush
from tests.product.running import Product, until

ROBOTS = 1 if SHORT else 12
LIMIT_MS = 10.0
WARM_S = 0.0 if SHORT else 3.0  # robots change their pace first
MEASURED_S = 30.0 if SHORT else 20.0
ENOUGH = 5 if SHORT else 1_000_000  # states of a tab, where that comes first
PACE = 10.0  # states a second of a robot whose control page is open
FLOOR_EACH_S = 0.02
SUBJECT = "bench.floor"
STILL = {"emergency", "help", "offline"}  # such a robot may speak seldom, whoever watches


async def online(at: Product) -> tuple[str, list[int]]:
    async with at.console("rivaluser") as customer:  # its robots show themselves to the administrator too
        await customer("/support/default", default="always")
    async with at.console("admin") as admin:

        async def robots_online() -> list[int] | None:
            rows = (await admin.devices()).values()
            ids = [row["deviceId"] for row in rows if row["online"] and row["mode"] not in STILL]
            return ids[:ROBOTS] if len(ids) >= ROBOTS else None

        return admin.http.headers["token"], await until(robots_online, f"{ROBOTS} robots online")


async def watch(at: Product, token: str, device: int, every: list[float]) -> None:
    """One control page, for a fixed time: a robot that speaks seldom must not make the bench endless."""
    async with connect(f"ws://127.0.0.1:{at.port}/api/live", max_size=None) as web:
        await web.send(json.dumps({"token": token}))
        await web.send(json.dumps({"show": {"robots": [device], "cells": [], "detail": device, "counts": False}}))
        warm = time.monotonic() + WARM_S
        with suppress(TimeoutError):
            async with asyncio.timeout(WARM_S + MEASURED_S):
                async for text in web:
                    arrived = time.time() * 1000
                    frame = json.loads(text)
                    if frame["kind"] == "robots" and time.monotonic() > warm:
                        every += [arrived - row["at"] for row in frame["robots"]]
                    if len(every) >= ENOUGH:
                        return


async def floor(at: Product, every: list[float]) -> None:
    """Bus and web socket with nothing between them, until cancelled."""
    payload = b"x" * 600
    async with AsyncExitStack() as open_:
        bus = await nats.connect(at.run["nats"])
        open_.push_async_callback(bus.close)

        async def forward(web: ServerConnection) -> None:
            async def pass_on(message: Msg) -> None:
                await web.send(message.data.decode())

            await bus.subscribe(SUBJECT, cb=pass_on)
            await web.wait_closed()

        server = await open_.enter_async_context(serve(forward, "127.0.0.1", 0))
        port = server.sockets[0].getsockname()[1]
        web = await open_.enter_async_context(connect(f"ws://127.0.0.1:{port}"))
        await flush(bus)
        while True:
            began = time.perf_counter()
            await bus.publish(SUBJECT, payload)
            await web.recv()
            every.append((time.perf_counter() - began) * 1000)
            await asyncio.sleep(FLOOR_EACH_S)


async def measured(at: Product) -> tuple[list[float], list[float], float]:
    token, ids = await online(at)
    states: list[float] = []
    least: list[float] = []
    beside = asyncio.create_task(floor(at, least))
    began = time.monotonic()
    await asyncio.gather(*(watch(at, token, device, states) for device in ids))
    took = time.monotonic() - began
    beside.cancel()
    await asyncio.gather(beside, return_exceptions=True)
    return states, least, took


if __name__ == "__main__":
    with started("--robots", str(ROBOTS + 1)) as running:
        states, least, took = asyncio.run(measured(running))
    if not states:
        raise SystemExit(f"no state of {ROBOTS} robots arrived in {took:.0f} s")
    rate = len(states) / ROBOTS / min(MEASURED_S, took - WARM_S)
    p50, p95, p99 = (percentile(states, share) for share in (0.5, 0.95, 0.99))
    print(f"{len(states)} states of {ROBOTS} robots in {took:.0f} s; p50 {p50:.0f} ms, p99 {p99:.0f} ms")
    print_figure("states of a watched robot", rate, "1/s", limit=0.8 * PACE, at_least=True)
    beside = {"floor": round(percentile(least, 0.95), 2), "floor_name": "bus and a bare web socket, p95, ms"}
    print_figure("state of a robot to a tab, p95", p95, "ms", limit=LIMIT_MS, worst=round(max(states), 1), **beside)
