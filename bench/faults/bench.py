"""What people miss when a process dies, hangs, or everything is killed at once; and that nothing acknowledged is lost.

Accounts and robots write all the time, as in tests/product/load. From the moment of each fault: until the process is
there again, the first write, the first call to a robot, and the first live picture that came after it. `bench.py short`
does each kill once and stops nothing: under a minute on two quiet cores.
"""

import asyncio
import contextlib
import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from figures import SHORT, print_figure
from products import started

from lustra.core.process.tasks import cancel_all
from tests.product.load import Load, stands, writing
from tests.product.running import Console, Product, Refused, until

KILLED = (
    "server",
    "relay",
    "gate",
    "ingest",
    "worker",
    "elevators",
    "nats",
    "postgres",
    "robot",
    "server spare",
    "relay spare",
)
STOPPED = ("server", "relay", "postgres", "nats", "ingest")
PROBES = ("write", "call", "picture")
EACH_S = 0.05
ANSWER_S = 3.0
QUIET_S = 1.0
LIMITS = {("server", "write"): 2.0, ("relay", "call"): 3.0, ("everything", "write"): 8.0}
TROUBLE = (httpx.HTTPError, Refused, OSError, WebSocketException, KeyError, ValueError)


async def passed(condition: Callable[[], bool], patience_s: float, name: str) -> None:
    try:
        async with asyncio.timeout(patience_s):
            while not condition():  # noqa: ASYNC110  it is measured here, not waited for an event
                await asyncio.sleep(0.01)
    except TimeoutError as why:
        raise TimeoutError(f"{name}: not within {patience_s:g} s") from why


@dataclass
class Watched:
    """Something that succeeds again and again; `good` is when the newest success began, `ended` when it ended."""

    good: float = field(default=0.0, init=False)
    ended: float = field(default=0.0, init=False)

    async def after(self, fault: float, patience_s: float, name: str) -> float:
        """Seconds from the fault to the end of the first success that began after it."""
        await passed(lambda: self.good >= fault, patience_s, name)
        return self.ended - fault


@dataclass
class Probe(Watched):
    """Tries again and again."""

    attempt: Callable[[], Awaitable[None]]

    async def run(self) -> None:
        while True:
            began = time.monotonic()
            with contextlib.suppress(*TROUBLE, TimeoutError):
                async with asyncio.timeout(ANSWER_S):
                    await self.attempt()
                self.good, self.ended = began, time.monotonic()
            await asyncio.sleep(EACH_S)


@dataclass
class Picture(Watched):
    """A tab's live socket, opened anew when it ends; a message that comes is a success."""

    running: Product
    token: str
    device: int

    async def run(self) -> None:
        while True:
            with contextlib.suppress(*TROUBLE, TimeoutError):
                async with (
                    asyncio.timeout(None),
                    connect(
                        f"ws://127.0.0.1:{self.running.port}/api/live", max_size=None, open_timeout=ANSWER_S
                    ) as web,
                ):
                    await web.send(json.dumps({"token": self.token}))
                    await web.send(json.dumps({"show": {"detail": self.device}}))
                    async for text in web:
                        if json.loads(text).get("robots"):
                            self.good = self.ended = time.monotonic()
            await asyncio.sleep(EACH_S)


@dataclass
class Bench:
    running: Product
    user: Console
    load: Load
    probes: dict[str, Any] = field(default_factory=dict[str, Any])
    rows: dict[str, dict[str, list[float]]] = field(default_factory=dict[str, dict[str, list[float]]])
    faults: int = 0

    @contextlib.asynccontextmanager
    async def probing(self) -> AsyncIterator[None]:
        address = f"http://127.0.0.1:{self.running.port}"
        async with httpx.AsyncClient(base_url=address, headers=dict(self.user.http.headers), timeout=ANSWER_S) as http:
            console = Console(http)
            number = iter(range(1 << 31))

            async def write() -> None:
                await console("/user/preferences", set={"faults": next(number)})

            async def call() -> None:
                await console.robot(self.load.device, "robot_pose")

            self.probes = {
                "write": Probe(write),
                "call": Probe(call),
                "picture": Picture(self.running, self.user.http.headers["token"], self.load.device),
            }
            tasks = [asyncio.create_task(probe.run()) for probe in self.probes.values()]
            try:
                yield
            finally:
                await cancel_all(*tasks)

    async def steady(self) -> None:
        """All is well, the spares have loaded, and the machine is quiet again."""
        await self.load.more(1)
        await until(self.calm, "a machine that is quiet", patience_s=180)
        now = time.monotonic()
        await asyncio.gather(*(probe.after(now, 60, f"before a fault, {name}") for name, probe in self.probes.items()))

    async def calm(self) -> bool:
        here = self.running.processes()
        loaded = all(name in here for name in KILLED)
        for process in here.values():
            with contextlib.suppress(psutil.NoSuchProcess):
                process.cpu_percent()
        await asyncio.sleep(QUIET_S)
        spares = [process for name, process in here.items() if name.endswith("spare")]
        with contextlib.suppress(psutil.NoSuchProcess):
            return loaded and all(process.cpu_percent() < 10 for process in spares)
        return False

    async def fault(self, name: str, do: Callable[[], None], back: Callable[[], bool], patience_s: float = 90) -> None:
        await self.steady()
        began = time.monotonic()
        do()
        self.faults += 1
        names = ["back", *PROBES]
        waits = [
            self.recovered_after(began, back, patience_s, name),
            *(self.probes[p].after(began, patience_s, f"{name}, first {p}") for p in PROBES),
        ]
        for column, seconds in zip(names, await asyncio.gather(*waits), strict=True):
            self.rows.setdefault(name, {}).setdefault(column, []).append(seconds)
        row = self.rows[name]
        print("  ".join([f"{name:16}", *(f"{column} {row[column][-1]:5.2f}" for column in names)]), flush=True)

    async def recovered_after(self, began: float, back: Callable[[], bool], patience_s: float, name: str) -> float:
        await passed(back, patience_s, f"{name} back")
        return time.monotonic() - began

    async def kill(self, name: str) -> None:
        process = self.running.processes()[name]
        await self.fault(name, process.kill, self.replaced(name, process.pid))

    async def stop(self, name: str) -> None:
        process = self.running.processes()[name]
        await self.fault(f"{name} stopped", process.suspend, self.replaced(name, process.pid))

    def replaced(self, name: str, pid: int) -> Callable[[], bool]:
        """Whether another process stands in the place of that one."""

        def back() -> bool:
            current = self.running.processes().get(name)
            return current is not None and current.pid != pid

        return back

    async def everything(self) -> None:
        def again() -> None:
            self.running.kill_all()
            self.running.start()

        await self.fault("everything", again, self.up)

    async def restart(self) -> None:
        def again() -> None:
            self.running.stop()
            self.running.start()

        await self.fault("clean restart", again, self.up)

    def up(self) -> bool:
        return self.running.run_file.exists() and "server" in self.running.processes()


async def main(*, short: bool) -> None:
    """SHORT of the tests: the relay alone, once."""
    times = 1 if short or SHORT else 3
    with started("--robots", "12") as running:
        async with running.console("sub") as user, writing(running, "faults") as load:
            bench = Bench(running, user, load)
            async with bench.probing():
                for name in ("relay",) if SHORT else KILLED:
                    for _ in range(times):
                        await bench.kill(name)
                if not SHORT:
                    for _ in range(times):
                        await bench.everything()
                    await bench.restart()
                for name in () if short or SHORT else STOPPED:
                    await bench.stop(name)
                await bench.steady()
            written = sum(load.done.values())
            await stands(load, unaudited=2 * bench.faults)
    show(bench, written)


def show(bench: Bench, written: int) -> None:
    """Raises before this if anything acknowledged was lost."""
    print(f"{'seconds, each time':20}{'process back':>20}{'first write':>20}{'first call':>20}{'live picture':>20}")
    for name, row in bench.rows.items():
        cells = ["/".join(f"{seconds:.1f}" for seconds in row[column]) for column in ("back", *PROBES)]
        print(f"{name:20}" + "".join(f"{cell:>20}" for cell in cells))
    for (name, column), limit in LIMITS.items():
        if name in bench.rows:
            print_figure(f"{name} killed, first {column}", max(bench.rows[name][column]), "s", limit=limit)
    print_figure("faults", bench.faults, "faults")
    print_figure("acknowledged writes", written, "writes")
    print_figure("acknowledged writes lost", 0, "writes", limit=0)


if __name__ == "__main__":
    asyncio.run(main(short="short" in sys.argv[1:]))
