"""The product on several of everything, on one machine: three servers of the bus, two of each process of ours behind
nginx, a database with a standby, files in a bucket. Nobody starts again what a test kills: what is left must do.
"""

import asyncio
import errno
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import nats.errors
import nats.js.errors

from lustra.app.commands.installation import generate_secrets
from lustra.core.bus import connect
from lustra.core.database.database_rights import ROLE_OF_PROCESS, ROLES
from lustra.stack import programs
from lustra.stack.http_probe import http_ok
from lustra.stack.liveness import NotYet
from lustra.stack.place import LOOPBACK, child_user, free_port
from lustra.stack.postgres import Postgres
from lustra.stack.roles import OWNER, make_roles
from tests.product.running import Product
from tests.several.configuration import COPIES, NGINX, NODES, PAIRS, STREAM_BYTES, write_bus, write_proxy
from tests.storage import s3

START_S = 90.0
END_S = 15.0
LOG_END = 4000  # characters
PORTS = {  # by who listens there
    **{node: (node, f"{node} mqtt", f"{node} cluster") for node in NODES},
    **{f"postgres-{n}": (f"postgres_{n}",) for n in (1, 2)},
    **{f"server-{n}": (f"server_{n}",) for n in (1, 2)},
    **{f"relay-{n}": (f"inner_{n}", f"ssh_{n}") for n in (1, 2)},
    "nginx": ("http", "relay_1", "relay_2"),
    "s3": ("s3",),
}
BUS_USERS = {"relay": "relay", "gate": "roster"}
LATER = (NotYet, OSError, TimeoutError, asyncpg.PostgresError, nats.errors.Error, nats.js.errors.Error)


async def once_well(attempt: Callable[[], Awaitable[Any]], goal: str, seconds: float = START_S) -> Any:
    """What the attempt gives once it no longer fails."""
    end = time.monotonic() + seconds
    while True:
        try:
            return await asyncio.wait_for(attempt(), 5)
        except LATER as why:
            if time.monotonic() > end:
                raise AssertionError(f"waited in vain for {goal}") from why
            await asyncio.sleep(0.05)


@dataclass
class Cluster(Product):
    folder: Path
    robots: int
    children: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict[str, "subprocess.Popen[bytes]"])
    commands: dict[str, tuple[list[str], dict[str, str], dict[str, Any]]] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        self.up, self.output = None, []
        names = [name for ports in PORTS.values() for name in ports]
        self.reserved = {name: reserve_port() for name in names}
        self.ports: dict[str, int] = {name: held.getsockname()[1] for name, held in self.reserved.items()}
        self.port = self.ports["http"]
        self.secrets = generate_secrets()
        self.uid, self.as_user = child_user()
        self.programs = programs.find(self.folder, self.as_user)
        (self.folder / "log").mkdir()
        self.bus = write_bus(self.programs.nats, self.folder, self.ports, self.secrets)
        self.primary, self.standby = (self.postgres(n) for n in (1, 2))

    def postgres(self, n: int) -> Postgres:
        folder = self.folder / f"postgres-{n}"
        folder.mkdir()
        folder.chmod(0o755)
        os.chown(folder, self.uid, -1)
        password = self.secrets["postgres_password"]
        return Postgres(self.programs.postgres, folder, self.ports[f"postgres_{n}"], password, self.uid, self.as_user)

    @property
    def run(self) -> dict[str, str]:
        return {
            "nats": self.bus["nats-1"].url("server"),
            "postgres": self.database_url(OWNER),
            "relay": self.relay_url(1),
        }

    def bus_urls(self, user: str) -> str:
        return ",".join(node.url(user) for node in self.bus.values())

    def database_url(self, role: str) -> str:
        """Of the one of the two that takes writes."""
        hosts = ",".join(f"{LOOPBACK}:{each.port}" for each in (self.primary, self.standby))
        return (
            f"postgresql://{role}:{self.secrets[f'{role}_password']}@{hosts}/postgres?target_session_attrs=read-write"
        )

    def relay_url(self, n: int) -> str:
        return f"http://{LOOPBACK}:{self.ports[f'relay_{n}']}"

    def environ(self, process: str, n: int = 1) -> dict[str, str]:
        """Settings of a process. Each relay names itself first, and takes the other's robots."""
        relays = [self.relay_url(n), self.relay_url(3 - n)] if process == "relay" else [*map(self.relay_url, (1, 2))]
        data = self.folder / f"{process}-{n}"
        data.mkdir(exist_ok=True)
        settings = {
            "DATA": str(data),
            "DEMO": "1",
            "PUBLIC_URL": f"http://{LOOPBACK}:{self.port}",
            "RELAY_URL": ",".join(relays),
            "NATS_URL": self.bus_urls(BUS_USERS.get(process, "server")),
            "ROBOTS_NATS": ",".join(f"nats://{LOOPBACK}:{self.ports[node]}" for node in NODES),
            "MQTT_URL": ",".join(f"{LOOPBACK}:{self.ports[f'{node} mqtt']}" for node in NODES),
            "SSH_URL": ",".join(f"{LOOPBACK}:{self.ports[f'ssh_{n}']}" for n in (1, 2)),
            "DATABASE_URL": self.database_url(ROLE_OF_PROCESS.get(process, OWNER)),
            "OBJECTS_URL": f"s3://{s3.BUCKET}/lustra",
            "HTTP_PORT": str(self.ports[f"server_{n}"]),
            "RELAY_PORT": str(self.ports[f"inner_{n}"]),
            "SSH_PORT": str(self.ports[f"ssh_{n}"]),
            "STREAM_BYTES": str(STREAM_BYTES),
            "STREAM_COPIES": str(COPIES),
            "TRUSTED_PROXIES": LOOPBACK,
            "CHECK_ANSWERS": "log",
            "GATE_URL": self.bus_urls("gate"),
            "SYSTEM_URL": self.bus_urls("sys"),
        }
        given = ("secret", "grant_key", "grant_public", "host_key", "host_public", "update_key", "gate_seed")
        ours = {f"LUSTRA_{name}": value for name, value in settings.items()}
        ours |= {f"LUSTRA_{name.upper()}": str(self.secrets[name]) for name in given}
        return {name: value for name, value in os.environ.items() if not name.startswith("LUSTRA_")} | {
            **ours,
            "AWS_ACCESS_KEY_ID": s3.KEY,
            "AWS_SECRET_ACCESS_KEY": s3.SECRET,
            "AWS_REGION": s3.REGION,
            "AWS_ENDPOINT": f"http://{LOOPBACK}:{self.ports['s3']}",
            "AWS_ALLOW_HTTP": "true",
            "PYTHONFAULTHANDLER": "1",  # who has to be killed says in its log where its threads stood
        }

    def begin(self, name: str, *command: str | Path, environ: dict[str, str] | None = None, **how: Any) -> None:
        self.commands[name] = ([*map(str, command)], environ or dict(os.environ), how)
        self.give_ports(name)
        self.begin_again(name)

    def give_ports(self, name: str) -> None:
        """To who listens there, and begins now."""
        for port in PORTS.get(name, ()):
            self.reserved.pop(port).close()

    def begin_again(self, name: str) -> None:
        command, environ, how = self.commands[name]
        with (self.folder / "log" / f"{name}.log").open("ab") as log:
            self.children[name] = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", env=environ, **how
            )

    def begin_ours(self, name: str, n: int) -> None:
        command = [sys.executable, "-m", "lustra.app.cli", name]
        self.begin(f"{name}-{n}", *command, environ=self.environ(name, n))

    async def once(self, name: str, *words: str) -> None:
        """Runs a command of ours to its end."""
        command = [sys.executable, "-m", "lustra.app.cli", *words]
        with (self.folder / "log" / f"{name}.log").open("ab") as log:
            process = await asyncio.create_subprocess_exec(*command, stdout=log, stderr=log, env=self.environ(name))
        assert await process.wait() == 0, self.log(name)

    async def start_all(self) -> None:
        for node, server in self.bus.items():
            self.begin(node, *server.service().command)
        self.primary.prepare()
        self.begin_postgres(1)
        await once_well(self.primary.check_ready, "the database")
        passwords = {role: self.secrets[f"{role}_password"] for role in (OWNER, *ROLES)}
        await make_roles(self.primary.dsn, passwords)
        await self.start_standby()
        await self.once("db", "db", "upgrade")
        await once_well(self.bus_stands, "the bus")
        await self.once("keys", "keys", "make", "--root", str(self.folder / "root.key"))
        await self.once("demo", "demo", "--fleet", str(self.fleet_file), "--robots", str(self.robots))
        for name in PAIRS:
            for n in (1, 2):
                self.begin_ours(name, n)
        self.begin("nginx", NGINX, "-p", self.folder, "-c", write_proxy(self.folder, self.ports))
        for n in (1, 2):
            await self.until_well(f"server-{n}")
            await self.until_well(f"relay-{n}")
        await once_well(lambda: http_ok(LOOPBACK, self.port, "/readyz"), "nginx")
        robot = [sys.executable, "-m", "lustra.app.cli", "robot", "--fleet", self.fleet_file]
        self.begin("robots", *robot, "--state", self.folder / "robots", environ=self.environ("robot"))

    @property
    def fleet_file(self) -> Path:
        return self.folder / "fleet.json"

    def begin_postgres(self, n: int) -> None:
        database = (self.primary, self.standby)[n - 1]
        self.begin(f"postgres-{n}", *database.service().command, **self.as_user)

    async def start_standby(self) -> None:
        """A copy of the primary that follows it; from then on a commit counts when both have it."""
        copy = [self.programs.postgres / "pg_basebackup", "-h", LOOPBACK, "-p", str(self.primary.port), "-U", "lustra"]
        copy += ["-D", self.standby.folder / "pg", "-R", "-X", "stream", "-c", "fast"]
        environ = {**os.environ, "PGPASSWORD": self.secrets["postgres_password"]}
        done = await asyncio.create_subprocess_exec(*copy, cwd="/", env=environ, **self.as_user)
        assert await done.wait() == 0
        self.begin_postgres(2)
        link = await asyncpg.connect(self.primary.dsn)
        try:
            await link.execute("alter system set synchronous_standby_names = '*'")
            await link.execute("select pg_reload_conf()")
            in_step = "select true from pg_stat_replication where sync_state = 'sync'"
            while not await link.fetchval(in_step):  # noqa: ASYNC110  the database tells nobody
                await asyncio.sleep(0.05)
        finally:
            await link.close()

    async def bus_stands(self) -> None:
        bus = await connect(self.bus_urls("server"), "test")
        try:
            await bus.set_up(STREAM_BYTES, COPIES)
        finally:
            await bus.close()

    async def until_well(self, name: str) -> None:
        """Until a process that has a page of its own says that it is well."""
        kind, n = name.split("-")
        door, path = {"server": ("server", "/readyz"), "relay": ("inner", "/healthz")}[kind]
        port = self.ports[f"{door}_{n}"]
        await once_well(lambda: http_ok(LOOPBACK, port, path), name)

    def kill_named(self, name: str) -> None:
        """`kill -9`; of PostgreSQL the head, whose children end with it."""
        self.children[name].kill()
        self.children[name].wait()

    def end_all(self) -> list[str]:
        """What needs others before what others need; names of those that had to be killed."""
        needed = {name for name in self.children if name.startswith(("nats", "postgres"))}
        return [*self.end(self.children.keys() - needed), *self.end(needed)]

    def end(self, names: Iterable[str]) -> list[str]:
        children = {name: self.children[name] for name in names}
        for child in children.values():
            child.send_signal(signal.SIGINT)
        stubborn: list[str] = []
        for name, child in children.items():
            try:
                child.wait(END_S)
            except subprocess.TimeoutExpired:
                stubborn.append(name)
                child.send_signal(signal.SIGABRT)
                child.wait()
        return stubborn


def reserve_port() -> socket.socket:
    """Held from the draw on: other tests draw ports too, and a process may begin half a minute later."""
    while True:
        held = socket.socket()
        try:
            held.bind((LOOPBACK, free_port(LOOPBACK)))
        except OSError as why:
            held.close()
            if why.errno != errno.EADDRINUSE:  # another test has bound it in the same moment
                raise
        else:
            return held


@asynccontextmanager
async def running_cluster(folder: Path, robots: int) -> AsyncIterator[Cluster]:
    cluster = Cluster(folder, robots)
    cluster.give_ports("s3")
    async with s3.running(cluster.ports["s3"]):
        try:
            await cluster.start_all()
            yield cluster
        finally:
            # Apart from this loop: the bucket answers to the last, so that nobody waits for it at its end.
            stubborn = await asyncio.to_thread(cluster.end_all)
            for held in cluster.reserved.values():
                held.close()
    assert not stubborn, "\n".join(f"{name} had to be killed: {cluster.log(name)[-LOG_END:]}" for name in stubborn)
