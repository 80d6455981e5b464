"""A map of 10 MB to 20 robots at once, over lines that break each 3 MB: what is sent again, and how long it takes.

Floor of the same run: the same 20 files over the same lines, unbroken and only read.
"""

import asyncio
import hashlib
import logging
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import aiohttp
import numpy as np
import structlog
import uvicorn
from starlette.applications import Starlette

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, print_figure

from lustra.app.wiring import wire
from lustra.core import db
from lustra.core.calls import rpc
from lustra.core.context import Services
from lustra.core.files.objects import Objects
from lustra.core.settings import Settings
from lustra.domains.map.formats.bundle import build_bundle
from lustra.domains.map.formats.plan import Plan
from lustra.protocol.bus import TakeMap
from lustra.robot.robot import Robot, Spec
from tests.map.robots import Line

MB = 1 << 20
ROBOTS = 2 if SHORT else 20
SIDE = 1900 if SHORT else 3240
CUT_AFTER = 3 * MB
NOWHERE = "postgresql://127.0.0.1:1/none"  # the object endpoint asks no database


@asynccontextmanager
async def serving(objects: Objects) -> AsyncIterator[Line]:
    wire()
    engine = db.engine(NOWHERE)
    settings = Settings(database_url=NOWHERE)
    unused = cast("Any", (None, None, None))
    services = Services(settings, cast("Any", None), objects, engine, db.sessions(engine), *unused)
    app = Starlette(routes=[rpc.CallRoute(services)])
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, lifespan="off"))
    task = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110  uvicorn has no event for it
        await asyncio.sleep(0.01)
    line = Line(server.servers[0].sockets[0].getsockname()[1])
    line.server = await asyncio.start_server(line.carry, "127.0.0.1", 0)
    yield line
    line.server.close()
    server.should_exit = True
    await task


async def read(url: str) -> None:
    async with aiohttp.ClientSession() as client, client.get(url) as answer:
        async for _ in answer.content.iter_chunked(1 << 16):
            pass


async def main(folder: Path) -> None:
    objects = Objects(f"file://{folder}/objects", "secret")
    grid = np.random.default_rng(1).integers(0, 256, (SIDE, SIDE), np.uint8)
    archive = build_bundle(Plan("Big", 0.05, (0.0, 0.0, 0.0), grid))
    await objects.put_bytes("syncs/big.zip", archive)
    async with serving(objects) as line:
        url = f"{line.url}/api/oss/object{objects.signed('syncs/big.zip', life_s=900)}"
        began = time.perf_counter()
        await asyncio.gather(*(read(url) for _ in range(ROBOTS)))
        floor = time.perf_counter() - began
        line.sent, line.cut_after = 0, CUT_AFTER
        robots = [Robot.open(Spec(f"B{n}"), folder / f"B{n}") for n in range(ROBOTS)]
        sha256 = hashlib.sha256(archive).hexdigest()
        began = time.perf_counter()
        for robot in robots:
            robot.downloads.accept(TakeMap(number=1, name="Big", url=url, size=len(archive), sha256=sha256))
        tasks = [asyncio.create_task(robot.downloads.run()) for robot in robots]
        while any(robot.downloads.orders[1].report.state != "received" for robot in robots):  # noqa: ASYNC110  it has no event
            await asyncio.sleep(0.05)
        took = time.perf_counter() - began
        for task in tasks:
            task.cancel()
        again = (line.sent - ROBOTS * len(archive)) / line.cuts / MB
        print_figure(
            f"sent again for a cut ({line.cuts} cuts of {ROBOTS} robots, {len(archive) / MB:.1f} MB)",
            again,
            "MB",
            limit=1,
        )
        print_figure(
            f"{ROBOTS} robots have the map, cuts included",
            took,
            "s",
            floor=round(floor, 3),
            floor_name="the files only read",
        )


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with tempfile.TemporaryDirectory() as temporary:
        asyncio.run(main(Path(temporary)))
