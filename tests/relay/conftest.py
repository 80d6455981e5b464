"""A relay on the real bus, robots with their local HTTP behind its tunnels."""

import asyncio
import contextlib
import itertools
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

import asyncssh
import httpx
import pytest
import uvicorn
from aiohttp import web

from lustra.core.bus import Bus, connect
from lustra.core.security.grants import Grant, new_keys, private, sign
from lustra.core.settings import Settings
from lustra.protocol.commands import DELETE_MAPS, DRIVE, MAPS, TASKS, VIEW
from lustra.relay.process import Running, application
from lustra.relay.tunnel_server import openssh
from tests.conftest import Stack

HOST = "127.0.0.1"
NODE = "http://relay.test"
FORMER = "https://former.example"
PORTS = itertools.count(20000)
EVERY_KEY = [VIEW, DRIVE, MAPS, DELETE_MAPS, TASKS]


async def until(true: Callable[[], object], seconds: float = 20) -> None:
    """Waits for a condition: no test sleeps for a guessed time."""
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110  any condition, so there is no event to wait for
            await asyncio.sleep(0.01)


@dataclass
class Robot:
    """A device of the table and the little HTTP server that stands for it."""

    sn: str
    port: int
    key: asyncssh.SSHKey
    local: int
    requests: list[dict[str, object]]
    answer: Callable[[web.Request], Awaitable[web.StreamResponse]] | None = None

    def entry(self) -> dict[str, object]:
        line = self.key.export_public_key().decode().strip()
        return {
            "deviceId": self.port,
            "port": self.port,
            "node": NODE,
            "protocol": 3,
            "sshKey": line,
            "password": "0" * 64,
        }


MakeRobot = Callable[..., Awaitable[Any]]  # `await robots(kind, field=…)`: a robot of that class in the table


@dataclass
class World:
    bus: Bus
    running: Running
    url: str
    http: httpx.AsyncClient
    grant_key: str
    host_public: str
    audit: list[dict[str, object]]

    def grant(self, robot: Robot, **changed: object) -> Grant:
        plain = Grant(
            sid="s1",
            account=7,
            acting=7,
            name="user",
            device=robot.port,
            sn=robot.sn,
            port=robot.port,
            protocol=3,
            keys=EVERY_KEY,
            number=0,
            exp=int(time.time() * 1000) + 60_000,
        )
        return replace(plain, **changed)

    def signed(self, grant: Grant, key: str = "") -> str:
        return sign(grant, private(key or self.grant_key))

    async def call(self, robot: Robot, m: str, body: object = None, **changed: object) -> dict[str, object]:
        return await self.ask(f"/?m={m}&p={robot.port}", self.signed(self.grant(robot, **changed)), body)

    async def ask(self, path: str, grant: str | None, body: object = None) -> dict[str, object]:
        headers = {} if grant is None else {"grant": grant}
        answer = await self.http.post(path, headers=headers, json={} if body is None else body)
        assert answer.status_code == 200
        return answer.json()

    async def control(self, robot: Robot, number: int, owner: str = "user", until_ms: int = 0) -> None:
        """A new lock, known to the relay."""
        await self.bus.put("control", robot.sn, {"number": number, "owner": owner, "ownerId": 7, "until": until_ms})
        await until(lambda: (c := self.running.known.control.get(robot.sn)) and c.number == number and c.owner == owner)

    async def client(self, robot: Robot, **changed: object) -> asyncssh.SSHClientConnection:
        """As a robot without a stock client comes in."""
        host = asyncssh.import_public_key(self.host_public)
        port = self.running.tunnel_server.port
        options = {"username": robot.sn, "client_keys": [robot.key], "known_hosts": ([host], [], [])} | changed
        return await asyncssh.connect(HOST, port, config=None, agent_path=None, **options)

    @contextlib.asynccontextmanager
    async def tunnel(self, robot: Robot) -> AsyncIterator[asyncssh.SSHClientConnection]:
        async with await self.client(robot) as link:
            await link.forward_remote_port(HOST, robot.port, HOST, robot.local)
            yield link

    async def until(self, true: Callable[[], object], seconds: float = 20) -> None:
        await until(true, seconds)

    def audited(self, **fields: object) -> list[dict[str, object]]:
        return [row for row in self.audit if fields.items() <= row.items()]


@pytest.fixture
async def world(stack: Stack) -> AsyncIterator[World]:
    bus = await connect(stack.nats, "test")
    await bus.set_up(1 << 26)
    secret, shown = new_keys()
    host_private, _ = new_keys()
    host_public = asyncssh.import_private_key(openssh(host_private)).export_public_key().decode()
    settings = Settings(
        nats_url=stack.relay_url,
        relay_url=NODE,
        relay_former_urls=FORMER,
        grant_public=shown,
        host_key=host_private,
        demo=True,
        public_url="https://console.test",
        frp_host=HOST,
    )
    app = application(settings)
    server = uvicorn.Server(uvicorn.Config(app, host=HOST, port=0, log_level="warning", ws="none"))
    serving = asyncio.create_task(server.serve())
    await until(lambda: server.started)
    running: Running = app.state.running
    await until(lambda: running.well)
    url = f"http://{HOST}:{server.servers[0].sockets[0].getsockname()[1]}"
    audit: list[dict[str, object]] = []

    async def row(message: Any) -> None:
        audit.append(json.loads(message.data))

    await bus.subscribe("audit.relay", row)
    try:
        async with httpx.AsyncClient(base_url=url, timeout=20) as http:
            yield World(bus, running, url, http, secret, host_public, audit)
    finally:
        server.should_exit = True
        await serving
        await bus.close()


@pytest.fixture
async def robots(world: World) -> AsyncIterator[MakeRobot]:
    """Makes robots that answer what they heard."""
    runners: list[web.AppRunner] = []

    async def make(kind: type[Robot] = Robot, **changed: object) -> Robot:
        port = next(PORTS)
        robot = kind(f"SC{port}", port, asyncssh.generate_private_key("ssh-ed25519"), 0, [])

        async def answer(request: web.Request) -> web.StreamResponse:
            if robot.answer is not None:
                return await robot.answer(request)
            body = await request.read()
            robot.requests.append(
                {"path": request.path, "method": request.method, "body": body, "headers": dict(request.headers)}
            )
            return web.json_response({"code": 0, "msg": "", "path": request.path})

        app = web.Application(client_max_size=1 << 30)
        app.router.add_route("*", "/{path:.*}", answer)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)  # a refused upload may leave it waiting
        await runner.setup()
        site = web.TCPSite(runner, HOST, 0)
        await site.start()
        robot.local = runner.addresses[0][1]
        runners.append(runner)
        await world.bus.put("devices", robot.sn, robot.entry() | changed)
        await until(lambda: robot.sn in world.running.known.devices)
        return robot

    yield make
    for runner in runners:
        await runner.cleanup()
