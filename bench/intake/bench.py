"""What files that are handed in cost everybody else: two accounts hand in every bomb of the tests, others go on.

Floor of the same run: the same calls while nothing is handed in.
"""

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from lustra.domains.map import reading
from tests.intake.bombs import BOMBS
from tests.map.test_map_server import PGM, YAML
from tests.product.running import Product, product

LIMIT_MS = 100.0
IDLE, PAUSE_S, IMPORTS = 200, 0.02, 20
HEALTH, CHEAP = "/healthz", "/api/message/findMessageByUnRead"


def show(name: str, value: float, unit: str, **more: Any) -> None:
    print(json.dumps({"name": name, "value": round(value, 2), "unit": unit} | more), flush=True)


def share(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


async def ask(http: httpx.AsyncClient, path: str) -> float:
    """Milliseconds."""
    began = time.perf_counter()
    response = await (http.get(path) if path == HEALTH else http.post(path, json={}))
    response.raise_for_status()
    return (time.perf_counter() - began) * 1000


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
    bombs = [await asyncio.to_thread(make) for work, make, _ in BOMBS.values() if work is reading.read_maps]
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
    show("an ordinary import, median", share(ordinary, 0.5) * 1000, "ms")
    show("bombs handed in", len(bombs), "files")
    for path, name in ((HEALTH, "/healthz"), (CHEAP, "a cheap call")):
        floor = {"floor": round(share(idle[path], 0.99), 2), "floor_name": "while nothing is handed in"}
        show(f"{name} among bombs, 99 of 100", share(busy[path], 0.99), "ms", limit=LIMIT_MS, **floor)
        show(f"{name} among bombs, slowest of {len(busy[path])}", max(busy[path]), "ms")


def main() -> None:
    with product("--robots", "1", "--no-history") as over:
        over.start()
        over.wait()
        asyncio.run(measure(over))


if __name__ == "__main__":
    main()
