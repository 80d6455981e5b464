"""How long `lustra up --demo` takes until it is ready: over an empty folder, and with its two weeks of history there.

Floors of the same run: initdb and a bare PostgreSQL that answers; a Python that loads what the server loads, which the
second start is judged by.
"""

import asyncio
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, print_figure

from lustra.stack import place, programs
from lustra.stack.liveness import NotYet
from lustra.stack.postgres import Postgres
from tests.product.running import Product, product, until

FIRST_S = 15.0
AGAIN_S = 2.0
MOST_LOADS = 2.5  # as long as loading takes
LOAD = "import gc; gc.disable(); import lustra.app.processes.server as server; server.wire()"  # as the product does
STARTS = 0 if SHORT else 3  # starting at all is what a short form has time for
HISTORY_S = 300.0


def seconds(do: Callable[[], None]) -> float:
    began = time.perf_counter()
    do()
    return time.perf_counter() - began


def answers(postgres: Postgres) -> bool:
    try:
        asyncio.run(postgres.check_ready())
    except NotYet:
        return False
    return True


def load() -> None:
    subprocess.run([sys.executable, "-c", LOAD], check=True)


def bare() -> float:
    """Seconds of a first start."""
    with tempfile.TemporaryDirectory(prefix="lustra-bare-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        uid, as_user = place.child_user()
        binaries = programs.find(folder, as_user).postgres
        postgres = Postgres(binaries, folder, place.free_port(place.LOOPBACK), "floor", uid, as_user)

        def start() -> None:
            postgres.prepare()
            service = postgres.service()
            process = subprocess.Popen(service.command, cwd="/", stderr=subprocess.DEVNULL, **service.as_user)
            running.append(process)
            while not answers(postgres):
                time.sleep(0.01)

        running: list[subprocess.Popen[bytes]] = []
        took = seconds(start)
        running[-1].send_signal(signal.SIGINT)
        running[-1].wait()
        return took


def start(over: Product) -> None:
    over.start()
    over.wait()


async def wait_for_history(over: Product) -> None:
    """It is planned first, after the product is ready."""

    async def history_stands() -> bool:
        [row] = await over.fetch("select count(*) > 0 and bool_and(made) as made from history_day")
        return row["made"]

    await until(history_stands, "two weeks of history", patience_s=HISTORY_S)


if __name__ == "__main__":
    with product(*(("--no-history", "--robots", "1") if SHORT else ())) as running:
        first = seconds(lambda: start(running))
        if not SHORT:
            asyncio.run(wait_for_history(running))
        again: list[float] = []
        for _ in range(STARTS):
            running.stop()
            again.append(seconds(lambda: start(running)))
    floor = {"floor": round(bare(), 2), "floor_name": "initdb and a bare PostgreSQL"}
    print_figure("first start", first, "s", limit=FIRST_S, **floor)
    if again:
        floor = {"floor": round(min(seconds(load) for _ in range(3)), 2), "floor_name": "loading the server alone"}
        name = f"start with data, slowest of {STARTS}"
        print_figure(name, max(again), "s", limit=AGAIN_S, most_floors=MOST_LOADS, **floor)
