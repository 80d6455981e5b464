"""What files that are handed in cost everybody else: two accounts hand in every bomb of the tests, others go on.

Floor of the same run: the same calls while nothing is handed in.
"""

import asyncio
import sys
import time
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, percentile, print_figure, time_ms
from products import started

from lustra.domains.map import reading
from tests.intake.bombs import BOMBS
from tests.map.test_map_server import PGM, YAML
from tests.product.running import Product

LIMIT_MS = 100.0
IDLE = 20 if SHORT else 200
PAUSE_S = 0.02
IMPORTS = 2 if SHORT else 20
HEALTH = "/healthz"
CHEAP = "/api/message/findMessageByUnRead"


async def ask(http: httpx.AsyncClient, path: str) -> float:
    """Milliseconds."""

    async def attempt() -> None:
        (await (http.get(path) if path == HEALTH else http.post(path, json={}))).raise_for_status()

    return await time_ms(attempt)


async def watch(http: httpx.AsyncClient, times: dict[str, list[float]], until: "asyncio.Event | int") -> None:
    count = 0
    while count < until if isinstance(until, int) else not until.is_set():
        for path, measured in times.items():
            measured.append(await ask(http, path))
        await asyncio.sleep(PAUSE_S)
        count += 1


async def hand_in(http: httpx.AsyncClient, files: dict[str, bytes]) -> float:
    """Seconds. Whether it is refused or taken is the tests' matter."""
    began = time.perf_counter()
    form = [("files", (name, content)) for name, content in files.items()]
    (await http.post("/api/map/importMap", files=form, timeout=120)).raise_for_status()
    return time.perf_counter() - began


async def measure(over: Product) -> None:
    makers = [make for work, make, _ in BOMBS.values() if work is reading.read_maps]
    bombs = [await asyncio.to_thread(make) for make in makers[: 2 if SHORT else None]]
    async with over.console("user") as first, over.console("rivaluser") as second, over.console("admin") as other:
        idle: dict[str, list[float]] = {HEALTH: [], CHEAP: []}
        await watch(other.http, idle, IDLE)
        ordinary = [await hand_in(first.http, {"a.yaml": YAML, "floor.pgm": PGM}) for _ in range(IMPORTS)]
        busy: dict[str, list[float]] = {HEALTH: [], CHEAP: []}
        ended = asyncio.Event()
        watching = asyncio.create_task(watch(other.http, busy, ended))

        async def bring(http: httpx.AsyncClient, several: list[dict[str, bytes]]) -> None:
            for files in several:
                await hand_in(http, files)

        await asyncio.gather(bring(first.http, bombs[::2]), bring(second.http, bombs[1::2]))
        ended.set()
        await watching
    print_figure("an ordinary import, median", percentile(ordinary, 0.5) * 1000, "ms")
    print_figure("bombs handed in", len(bombs), "files")
    for path, name in ((HEALTH, "/healthz"), (CHEAP, "a cheap call")):
        floor = {"floor": round(percentile(idle[path], 0.99), 2), "floor_name": "while nothing is handed in"}
        p99, worst = percentile(busy[path], 0.99), round(max(busy[path]), 2)
        print_figure(f"{name} among bombs, 99 of 100", p99, "ms", limit=LIMIT_MS, worst=worst, **floor)


def main() -> None:
    with started("--robots", "1") as over:
        asyncio.run(measure(over))


if __name__ == "__main__":
    main()
