"""What it costs to bring a large package to robots: 1 GB up in parts, cut once on the way, and down again, with the
memory of the server meanwhile; and a robot's look at what it may trust (TUF).

Floors of the same run: the same bytes written and read by one process, and an answer without anything to do.
"""

import asyncio
import hashlib
import random
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, percentile, print_figure, times_ms
from products import started
from sqlalchemy.ext.asyncio import async_sessionmaker, create_async_engine
from tuf.ngclient import Updater

from lustra.core.files.tickets import Tickets
from lustra.domains.rollout import trust
from lustra.domains.rollout.orders import PURPOSE
from lustra.stack import place
from tests.product.running import Console, Product

MB = 1 << 20
SIZE = (24 if SHORT else 1024) * MB
PART = 8 * MB
LOOKS = 10 if SHORT else 200
LOOK_S = 0.05
NOT_LISTED = "soft/Scrub%2050/999"  # looked for in whatever may sign it
NOISE = random.Random(1).randbytes(PART)


class Memory:
    """The largest that processes of the server were, in MB, while it watches."""

    def __init__(self, product: Product) -> None:
        processes = product.processes()
        self.processes = [process for name, process in processes.items() if name.startswith("server")]
        self.largest = 0.0

    async def watch(self) -> None:
        while True:
            for process in self.processes:
                with suppress(psutil.NoSuchProcess):
                    self.largest = max(self.largest, process.memory_info().rss / MB)
            await asyncio.sleep(LOOK_S)


async def put(console: Console, token: str, start: int, content: bytes) -> int:
    """How many bytes have come then."""
    end = start + len(content)
    span = f"bytes {start}-{end - 1}/{SIZE}" if content else f"bytes */{SIZE}"
    answer = await console.http.put(
        "/api/oss/object", params={"token": token}, content=content, headers={"content-range": span}
    )
    return console.good("/oss/object", answer)["received"]


async def cut(console: Console, token: str, start: int) -> int:
    """A part whose line breaks in its middle; bytes that were sent in vain."""
    sent = 0

    async def half():
        nonlocal sent
        for _ in range(4):
            sent += PART // 8
            yield NOISE[: PART // 8]
        raise ConnectionResetError

    headers = {"content-range": f"bytes {start}-{start + PART - 1}/{SIZE}", "content-length": str(PART)}
    with suppress(ConnectionResetError, httpx.HTTPError):
        await console.http.put("/api/oss/object", params={"token": token}, content=half(), headers=headers)
    return sent


async def measure_files(product: Product, console: Console, folder: Path) -> None:
    began = time.perf_counter()
    with (folder / "floor").open("wb") as file:
        digest = hashlib.sha256()
        for _ in range(SIZE // PART):
            file.write(NOISE)
            digest.update(NOISE)
    floor = SIZE / MB / (time.perf_counter() - began)
    memory = Memory(product)
    before = max(process.memory_info().rss for process in memory.processes) / MB
    watching = asyncio.create_task(memory.watch())
    token = await console("/oss/upload", file="package.bin", targetPath="bench", isPrivate=1)
    began, received, vain = time.perf_counter(), 0, 0
    while received < SIZE:
        if received == SIZE // 2:
            vain += await cut(console, token, received)
            received = await put(console, token, 0, b"")
        received = await put(console, token, received, NOISE)
    up = time.perf_counter() - began
    url = await console("/oss/downloadUrl", savePath="bench/package.bin")
    began, size = time.perf_counter(), 0
    async with console.http.stream("GET", url) as answer:
        async for part in answer.aiter_raw():
            size += len(part)
    down = time.perf_counter() - began
    watching.cancel()
    await console("/oss/delete", savePath="bench/package.bin")
    if size != SIZE:
        raise SystemExit(f"{size} bytes came back of {SIZE}")
    writing = "writing and hashing the bytes"
    print_figure("file up in parts, cut once", SIZE / MB / up, "MB/s", floor=floor, floor_name=writing)
    print_figure("file down", SIZE / MB / down, "MB/s", floor=floor, floor_name=writing)
    print_figure("bytes sent again after a cut", vain / MB, "MB", limit=8)
    print_figure("server's memory, more than before", memory.largest - before, "MB", limit=150)


async def sign(product: Product, settings: dict[str, Any]) -> None:
    """What the worker signs each hour: a fresh product has nothing signed yet."""
    engine = create_async_engine(product.run["postgres"].replace("postgresql://", "postgresql+asyncpg://"))
    app: Any = SimpleNamespace(
        settings=SimpleNamespace(update_key=settings["update_key"]), sessions=async_sessionmaker(engine)
    )
    await trust.renew(app)
    await engine.dispose()


async def measure_trust(product: Product, console: Console, folder: Path) -> None:
    root = (await console.http.get("/api/version/root")).content
    settings = place.load_settings(product.folder)
    await sign(product, settings)
    secret = settings["secret"]
    (device, *_) = (await console.devices()).values()
    link = Tickets(secret, "link").sign({PURPOSE: device["deviceId"]}, 600.0)
    metadata = f"http://127.0.0.1:{product.port}/api/version/metadata/{link}/"

    async def refresh() -> None:
        await asyncio.to_thread(lambda: Updater(str(folder), metadata, bootstrap=root).get_targetinfo(NOT_LISTED))

    async def ask() -> None:
        (await console.http.get("/readyz")).raise_for_status()

    times, floors = await times_ms(refresh, LOOKS, warm=2), await times_ms(ask, LOOKS, warm=2)
    print_figure(
        "what a robot trusts, looked up anew, p95",
        percentile(times, 0.95),
        "ms",
        worst=max(times),
        floor=percentile(floors, 0.95),
        floor_name="an answer that the server is ready",
        limit=50,
    )


async def measure(product: Product, folder: Path) -> None:
    async with product.console("admin") as console:
        await measure_files(product, console, folder)
        await measure_trust(product, console, folder / "trust")


if __name__ == "__main__":
    with started("--robots", "1") as running, tempfile.TemporaryDirectory(prefix="lustra-bench-") as name:
        (Path(name) / "trust").mkdir()
        asyncio.run(measure(running, Path(name)))
