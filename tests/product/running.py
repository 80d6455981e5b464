"""The whole product as users run it, for tests and benches: `lustra up --demo` over a folder of its own.

Whatever happens, what was started is ended: by the supervisor, and what a killed supervisor left by its folder.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import psutil

from lustra.core.process.standby import holder
from lustra.protocol.commands import COMMANDS, route
from lustra.stack import orphans, place

PASSWORD = "Lustra-demo-1"
MODULE = "lustra.app.cli"
PATIENCE_S = 120.0  # for what takes seconds on a machine of its own
PAIRS = {"server", "relay"}
PROGRAMS = {"postgres": "postgres", "nats-server": "nats"}


async def until(
    true: Callable[[], Awaitable[Any]], goal: str, detail: Callable[[], str] = str, patience_s: float = PATIENCE_S
) -> Any:
    """Waits for a condition, over the outages of what it asks; gives what it found. `detail`: how it stands instead."""
    end, why = time.monotonic() + patience_s, ""
    while time.monotonic() < end:
        try:
            if value := await true():
                return value
            why = ""
        except (OSError, httpx.HTTPError, asyncpg.PostgresError, asyncpg.InterfaceError, Refused) as trouble:
            why = repr(trouble)
        await asyncio.sleep(0.1)
    raise AssertionError(f"waited in vain for {goal}: {why} {detail()}")


class Refused(Exception):
    """An answer other than success."""

    def __init__(self, path: str, answer: dict[str, Any]) -> None:
        super().__init__(f"{path}: {answer}")
        self.code: int = answer["message"]["code"] if "message" in answer else answer["code"]
        self.reason: str = answer.get("reason", "")


class Console:
    """One account's session: calls of the server, and of its robots through their relay."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http
        self.id = 0
        self.session = ""
        self.grants: dict[int, dict[str, Any]] = {}

    async def login(self, account: str) -> "Console":
        answer = await self("/login", account=account, password=PASSWORD)
        self.http.headers["token"], self.id, self.session = answer["token"], answer["userId"], answer["uuid"]
        return self

    async def __call__(self, path: str, **payload: Any) -> Any:
        return self.good(path, await self.http.post(f"/api{path}", json=payload))

    async def form(self, path: str, files: list[Any], **fields: str) -> Any:
        return self.good(path, await self.http.post(f"/api{path}", files=files, data=fields))

    async def raw(self, path: str, **payload: Any) -> httpx.Response:
        """A call that answers a file, or an envelope with its refusal."""
        answer = await self.http.post(f"/api{path}", json=payload)
        if answer.headers["content-type"].startswith("application/json"):
            self.good(path, answer)
        return answer

    def good(self, path: str, answer: httpx.Response) -> Any:
        answer.raise_for_status()
        envelope = answer.json()
        if envelope["message"]["code"]:
            raise Refused(path, envelope)
        return envelope["data"]

    async def grant(self, device: int) -> dict[str, Any]:
        """Kept for half its life; taken anew after control has changed hands."""
        grant = self.grants.get(device)
        if grant is None or grant["expiresAt"] - time.time() * 1000 < 30_000:
            grant = self.grants[device] = await self("/device/relayGrant", deviceId=device)
        return grant

    async def robot(self, device: int, command: str, /, *, form: dict[str, Any] | None = None, **payload: Any) -> Any:
        """A command of the table to a robot, by its relay."""
        grant = await self.grant(device)
        m = route(COMMANDS[command], grant["protocol"])
        return await self.relayed(grant, m, grant["port"], form, payload)

    async def relayed(self, grant: dict[str, Any], m: str, port: int, form: Any, payload: dict[str, Any]) -> Any:
        body = form or {"json": payload}
        answer = await self.http.post(f"{grant['url']}/?m={m}&p={port}", headers={"grant": grant["grant"]}, **body)
        answer.raise_for_status()
        content = answer.json()
        if content["code"]:
            raise Refused(m, content)
        return content

    async def devices(self) -> dict[str, dict[str, Any]]:
        """The robots in scope, by serial number."""
        listing = await self("/device/selectDevicePc", pageSize=100)
        return {row["deviceSerialNumber"]: row for row in listing["list"]}


class Product:
    """One data folder and what runs over it."""

    def __init__(self, folder: Path, *words: str, **environ: str) -> None:
        self.folder, self.words, self.environ = folder, words, environ
        self.port = place.free_port(place.LOOPBACK)
        self.up: subprocess.Popen[str] | None = None
        self.output: list[str] = []

    def start(self) -> None:
        """Not yet ready: see `ready`."""
        self.output = []
        words = ["up", "--demo", "--port", str(self.port), "--data", str(self.folder), *self.words]
        self.up = subprocess.Popen(
            [sys.executable, "-m", MODULE, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, **self.environ},
        )
        threading.Thread(target=self._listen, args=(self.up,), daemon=True).start()

    def _listen(self, up: "subprocess.Popen[str]") -> None:
        assert up.stdout
        with up.stdout:
            self.output += up.stdout

    def ready(self) -> bool:
        assert self.up is not None
        assert self.up.poll() is None, "".join(self.output)
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False

    def wait(self) -> None:
        end = time.monotonic() + PATIENCE_S
        while not (self.ready() and self.run_file.exists()):
            assert time.monotonic() < end, "".join(self.output)
            time.sleep(0.02)

    @property
    def run_file(self) -> Path:
        return self.folder / "run.json"

    @property
    def run(self) -> dict[str, str]:
        return json.loads(self.run_file.read_text())

    def log(self, name: str) -> str:
        return (self.folder / "log" / f"{name}.log").read_text(errors="replace")

    def stop(self) -> None:
        if self.up is not None and self.up.poll() is None:
            self.up.send_signal(signal.SIGINT)
            self.up.wait(60)
        orphans.end(list(self.processes().values()), signal.SIGKILL)

    def processes(self) -> dict[str, psutil.Process]:
        """Living ones of this folder: up, postgres, nats, gate, server, relay, ingest …, and spares."""
        processes: dict[str, psutil.Process] = {}
        for process in psutil.process_iter():
            try:
                words = orphans.words_of(process)
            except psutil.NoSuchProcess:  # also one that has ended and is not collected yet
                continue
            if str(self.folder) not in " ".join(words):
                continue
            program = Path(words[0]).name
            name = words[words.index(MODULE) + 1] if MODULE in words else PROGRAMS.get(program, program)
            if name in PAIRS and process.pid != holder(self.folder / f"{name}.turn"):
                name += " spare"
            processes[name] = process
        return processes

    def kill(self, name: str) -> int:
        """`kill -9`; gives the pid that is no more."""
        process = self.processes()[name]
        process.kill()
        return process.pid

    def kill_all(self) -> None:
        """The supervisor too, all at once."""
        assert self.up is not None
        for process in self.processes().values():
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self.up.wait(30)

    @asynccontextmanager
    async def console(self, account: str) -> AsyncIterator[Console]:
        address, english = f"http://127.0.0.1:{self.port}", {"accept-language": "en"}
        async with httpx.AsyncClient(base_url=address, headers=english, timeout=30) as http:
            yield await Console(http).login(account)

    @asynccontextmanager
    async def database(self) -> AsyncIterator[asyncpg.Connection]:
        link = await asyncpg.connect(self.run["postgres"])
        try:
            yield link
        finally:
            await link.close()

    async def fetch(self, query: str, *values: Any) -> list[asyncpg.Record]:
        """On a link of its own: it survives the deaths of the database."""
        async with self.database() as db:
            return await db.fetch(query, *values)


@contextmanager
def product(*words: str, **environ: str) -> Iterator[Product]:
    """Over a fresh folder, which PostgreSQL's user must reach. Not yet started."""
    with tempfile.TemporaryDirectory(prefix="lustra-product-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        running = Product(folder, *words, **environ)
        try:
            yield running
        finally:
            running.stop()
