"""From a robot's state to the tab that shows it: 12 robots at 10 Hz, each on the control page of a tab of its own.

Measured from the robot's own `at` in the payload to its arrival at the tab's socket, one clock for both. The tabs keep
their part of the bargain: a state that a newer one has overtaken on the way is not sent. Floor of the same run, while
the robots speak: a message of the same size through the same bus and one bare web socket.
"""

import asyncio
import json
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path

import nats
import numpy as np
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.product.running import Product, product, until

ROBOTS, LIMIT_MS = 12, 150.0
SAMPLES = 200  # of each robot: some 20 s
FLOOR_EACH_S = 0.02
SUBJECT = "bench.floor"


async def online(at: Product) -> tuple[str, list[int]]:
    async with at.console("admin") as admin:

        async def robots_online() -> list[int] | None:
            ids = [row["deviceId"] for row in (await admin.devices()).values() if row["online"]]
            return ids[:ROBOTS] if len(ids) >= ROBOTS else None

        return admin.http.headers["token"], await until(robots_online, f"{ROBOTS} robots online")


async def watch(at: Product, token: str, device: int, every: list[float]) -> None:
    """One control page. The first states come while the robot changes its pace."""
    async with connect(f"ws://127.0.0.1:{at.port}/api/live", max_size=None) as web:
        await web.send(json.dumps({"token": token}))
        await web.send(json.dumps({"show": {"robots": [device], "cells": [], "detail": device, "counts": False}}))
        seen: list[float] = []
        async for text in web:
            arrived = time.time() * 1000
            frame = json.loads(text)
            if frame["kind"] == "robots":
                seen += [arrived - row["at"] for row in frame["robots"]]
            if len(seen) >= SAMPLES + 20:
                break
        every += seen[20:]


async def floor(at: Product, every: list[float]) -> None:
    """Bus and web socket with nothing between them, until cancelled."""
    payload = b"x" * 600
    async with AsyncExitStack() as open_:
        bus = await nats.connect(at.run["nats"])
        open_.push_async_callback(bus.close)

        async def forward(web: ServerConnection) -> None:
            async def pass_on(message: nats.aio.msg.Msg) -> None:
                await web.send(message.data.decode())

            await bus.subscribe(SUBJECT, cb=pass_on)
            await web.wait_closed()

        server = await open_.enter_async_context(serve(forward, "127.0.0.1", 0))
        port = server.sockets[0].getsockname()[1]
        web = await open_.enter_async_context(connect(f"ws://127.0.0.1:{port}"))
        await bus.flush()
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
    with product("--no-history", "--robots", str(ROBOTS + 1)) as running:
        running.start()
        running.wait()
        states, least, took = asyncio.run(measured(running))
    p50, p95, p99 = (float(np.percentile(states, share)) for share in (50, 95, 99))
    lowest = float(np.percentile(least, 95))
    print(f"{len(states)} states of {ROBOTS} robots in {took:.0f} s; p50 {p50:.0f} ms, p99 {p99:.0f} ms")
    figure = {"name": "state of a robot to a tab, p95", "value": round(p95, 1), "unit": "ms", "limit": LIMIT_MS}
    print(json.dumps(figure | {"floor": round(lowest, 2), "floor_name": "bus and a bare web socket, p95, ms"}))
