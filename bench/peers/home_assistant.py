"""Home Assistant with its recorder (SQLite), fed and listened to as its documentation says: one entity a robot, whose
attributes are the five values (POST /api/states), and its web socket for who looks."""

import asyncio
import contextlib
import json
import sqlite3
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from lustra.stack import place

HOST = place.LOOPBACK
CLIENT = "http://bench.invalid/"
SETTINGS = """homeassistant:
  name: bench
  time_zone: UTC
http:
  server_host: {host}
  server_port: {port}
api:
websocket_api:
onboarding:
recorder:
  commit_interval: 1
"""
COUNT = """
select count(*) from states s join states_meta m on m.metadata_id = s.metadata_id
where m.entity_id like 'sensor.robot%'"""


@dataclass
class Server:
    python: Path
    folder: Path
    port: int
    token: str = ""
    process: asyncio.subprocess.Process | None = None
    links: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = field(default_factory=list)

    async def start(self) -> None:
        command = [str(self.python), "-m", "homeassistant", "-c", str(self.folder), "--skip-pip"]
        with (self.folder / "output.log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(*command, stdout=log, stderr=log)
        end = time.monotonic() + 90
        async with httpx.AsyncClient(base_url=f"http://{HOST}:{self.port}") as http:
            while True:
                try:
                    if (await http.get("/api/")).status_code == 401:
                        break
                except httpx.HTTPError:
                    pass
                if time.monotonic() > end:
                    raise RuntimeError((self.folder / "output.log").read_text()[-2000:])
                await asyncio.sleep(0.2)
            if not self.token:
                person = {"client_id": CLIENT, "name": "b", "username": "b", "password": "bench-1", "language": "en"}
                code = (await http.post("/api/onboarding/users", json=person)).json()["auth_code"]
                form = {"grant_type": "authorization_code", "code": code, "client_id": CLIENT}
                self.token = (await http.post("/auth/token", data=form)).json()["access_token"]

    async def open(self, count: int) -> None:
        self.links = [await asyncio.open_connection(HOST, self.port) for _ in range(count)]

    def close(self) -> None:
        for _, writer in self.links:
            writer.close()
        self.links = []

    async def kill(self) -> None:
        assert self.process is not None
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()

    async def send(self, link: int, number: int, values: dict[str, Any]) -> None:
        """Over one of the links that are open, each of which takes one message after the other."""
        reader, writer = self.links[link]
        data = json.dumps({"state": str(values["battery"]), "attributes": values}).encode()
        head = f"POST /api/states/sensor.robot_{number} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {self.token}"
        writer.write(f"{head}\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        if not answer.startswith(("http/1.1 200", "http/1.1 201")):
            raise ConnectionError(answer)
        await reader.readexactly(int(answer.split("content-length:")[1].split("\r\n")[0]))

    @contextlib.asynccontextmanager
    async def watching(self) -> AsyncIterator[ClientConnection]:
        """A web socket to which each change of a state comes."""
        async with connect(f"ws://{HOST}:{self.port}/api/websocket", max_size=None) as web:
            await web.recv()
            await web.send(json.dumps({"type": "auth", "access_token": self.token}))
            await web.recv()
            await web.send(json.dumps({"id": 1, "type": "subscribe_events", "event_type": "state_changed"}))
            await web.recv()
            yield web

    def count(self) -> int:
        """Stored messages."""
        with contextlib.closing(sqlite3.connect(self.folder / "home-assistant_v2.db")) as db:
            return db.execute(COUNT).fetchone()[0]


@contextlib.asynccontextmanager
async def running(python: Path) -> AsyncIterator[Server]:
    with tempfile.TemporaryDirectory(prefix="lustra-home-assistant-") as name:
        server = Server(python, Path(name), place.free_port(HOST))
        (server.folder / "configuration.yaml").write_text(SETTINGS.format(host=HOST, port=server.port))
        try:
            await server.start()
            yield server
        finally:
            server.close()
            if server.process:
                await server.kill()
