"""What tests of several parts share: PostgreSQL and NATS from the wheels, once a session."""

import asyncio
import faulthandler
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Generator, Iterator
from concurrent.futures import Future
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import asyncpg
import hypothesis
import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key
from argon2 import PasswordHasher
from httpx import ASGITransport, AsyncClient
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.applications import Starlette

from lustra.app import opening
from lustra.app.opening import opened
from lustra.app.processes import server
from lustra.app.wiring import wire
from lustra.core import db as core_db
from lustra.core.bus import Bus, connect
from lustra.core.context import Services
from lustra.core.migrations import upgrade
from lustra.core.security.grants import new_keys
from lustra.core.settings import Settings
from lustra.domains.account.credentials import attempts, passwords
from lustra.domains.account.seed import DEMO_PASSWORD, seed_accounts
from lustra.gate import jwt
from lustra.stack import place, programs
from lustra.stack.accounts import USERS
from lustra.stack.nats import Nats
from lustra.stack.postgres import Postgres
from lustra.stack.roles import make_roles
from lustra.stack.supervise import Supervisor
from tests import readers, sharing
from tests.buses import empty_bus
from tests.clients import ENGLISH, Console, LogIn
from tests.copies import Copies, copy
from tests.databases import PASSWORDS, make_fast, remember_types, share_statements, statement
from tests.tracing import exact_coverage
from tests.watcher import ended_with_us
from tests.world import Fleet, put_fleet

# httpx asks for it at every request. Where it is not installed, each asking searches all folders of the path.
sys.modules.setdefault("sniffio", cast("Any", None))
MEMORY = Path("/dev/shm")
ROOM = 4 << 30  # bytes
TEAR_DOWN_S = 120


# A busy machine takes its time for an example.
hypothesis.settings.register_profile("busy", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("busy")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """A test that was timed out may have left what never ends: its process ends then, and says where it stood. (pytest
    takes back `faulthandler_timeout` as soon as a test fails.)
    """
    standard_error = item.config.stash[fault_handler_stderr_fd_key]
    faulthandler.dump_traceback_later(TEAR_DOWN_S, exit=True, file=standard_error)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.fixture(autouse=True)
def longer_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that is busy for a second forgives no attempt."""
    monkeypatch.setattr(attempts, "SHORTEST_S", 60)


@pytest.fixture(autouse=True, scope="session")
def cheap_hashes() -> None:
    """Nearly each test logs in: what makes a password slow to guess would be most of its time."""
    passwords.hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture(autouse=True, scope="session")
def trace_exactly() -> Iterator[None]:
    with exact_coverage():
        yield


@pytest.fixture(autouse=True, scope="session")
def shared_readers() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "Intake", readers.SharedIntake)
        yield
    readers.end_idle()


@dataclass(frozen=True)
class Stack:
    folder: Path
    postgres: str  # dsn of the database "postgres"
    nats: str  # our own processes' url
    relay_url: str
    roster_url: str
    gate_url: str
    system_url: str
    mqtt: str  # host:port
    gate_seed: str


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(sharing.Plugin())
    remember_types()
    share_statements()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How much was tried is part of what some tests say."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if name == "tried":
                terminalreporter.write_line(str(value))


def readable_folder() -> Path:
    """PostgreSQL's user must reach it: pytest's own folders are root's alone. In memory where there is room: making a
    database for each test is mostly the copying of files."""
    memory = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    folder = Path(tempfile.mkdtemp(prefix="lustra-test-", dir=MEMORY if memory else None))
    folder.chmod(0o755)
    return folder


async def serve(folder: Path, started: "Future[tuple[Stack, Supervisor, asyncio.AbstractEventLoop]]") -> None:
    uid, as_user = place.child_user()
    binaries, seed = programs.find(folder, as_user), jwt.new_seed()
    ports = place.free_ports(place.LOOPBACK, 3)
    postgres = Postgres(binaries.postgres, folder, ports[0], "test", uid, as_user)
    passwords = {name: f"{name}-test" for name in USERS}
    issuer = jwt.public(jwt.from_seed(seed))
    nats = Nats(binaries.nats, folder, place.LOOPBACK, ports[1], ports[2], passwords, issuer, uid, as_user)
    postgres.prepare()
    nats.prepare()
    supervisor = Supervisor(folder / "log", print)
    try:
        await supervisor.start(postgres.service(), nats.service())
        mqtt = f"{place.LOOPBACK}:{ports[2]}"
        own, relay, roster, gate, system = map(nats.url, USERS)
        stack = Stack(folder, postgres.dsn, own, relay, roster, gate, system, mqtt, seed)
        started.set_result((stack, supervisor, asyncio.get_running_loop()))
        with ended_with_us(*(process.pid for process in supervisor.processes.values())):
            await supervisor.run()
    except BaseException as why:  # handed to the thread that waits
        if not started.done():
            started.set_exception(why)
        raise
    finally:
        await supervisor.stop()


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    """In a thread and a loop of its own, so that tests may use any loop."""
    folder = readable_folder()
    started: Future[tuple[Stack, Supervisor, asyncio.AbstractEventLoop]] = Future()
    thread = threading.Thread(target=lambda: asyncio.run(serve(folder, started)))
    thread.start()
    binaries, supervisor, loop = started.result(90)
    yield binaries
    loop.call_soon_threadsafe(supervisor.stopping.set)
    thread.join(30)
    shutil.rmtree(folder)


SETTINGS: dict[str, Any] = {
    "secret": "test-secret",
    "demo": True,
    "check_answers": "refuse",
    "hosts": "test",
    "idle_expiry_h": 12.0,
    "relay_url": "http://127.0.0.1:1",
}


@pytest.fixture(scope="session")
def template(stack: Stack) -> str:
    """Name of a database with all migrations and the demo's accounts; each test gets a copy of it."""

    async def make_database() -> None:
        await make_fast(stack.postgres)
        await make_roles(stack.postgres, PASSWORDS)  # migrations give their rights to those that there are
        await statement(stack.postgres, "CREATE DATABASE template_test")
        dsn = stack.postgres.rsplit("/", 1)[0] + "/template_test"
        await asyncio.to_thread(upgrade, dsn)
        engine = core_db.engine(dsn, size=1)
        async with core_db.sessions(engine).begin() as session:
            await seed_accounts(session)
        await engine.dispose()

    asyncio.run(make_database())
    return "template_test"


@pytest.fixture(scope="session")
def copies(stack: Stack, template: str) -> Iterator[Copies]:
    with closing(Copies(stack.postgres, template)) as copies:
        yield copies


@pytest.fixture(scope="session")
def fleet_copies(stack: Stack, template: str) -> Iterator[tuple[Copies, Fleet]]:
    """Of a template that holds a fleet too, and the fleet's ids: what `world` starts from."""

    async def make_fleet() -> Fleet:
        await statement(stack.postgres, copy("template_fleet", template))
        link = await asyncpg.connect(stack.postgres.rsplit("/", 1)[0] + "/template_fleet")
        try:
            return await put_fleet(link)
        finally:
            await link.close()

    fleet = asyncio.run(make_fleet())
    with closing(Copies(stack.postgres, "template_fleet")) as copies:
        yield copies, fleet


@pytest.fixture
def database(copies: Copies) -> Iterator[str]:
    """DSN of a database as the template is."""
    with copies.lend() as dsn:
        yield dsn


@pytest.fixture
def settings(stack: Stack, database: str, tmp_path: Path) -> Settings:
    private, public = new_keys()
    return Settings(
        database_url=database,
        nats_url=stack.nats,
        objects_url=f"file://{tmp_path}/objects",
        grant_key=private,
        grant_public=public,
        data=str(tmp_path),
        **SETTINGS,
    )


@pytest.fixture
async def services(settings: Settings, bus: Bus) -> AsyncIterator[Services]:
    """What a server process has open, over the test's own database."""
    wire()
    async with opened(settings, "test") as services:
        yield services


@pytest.fixture
async def db(services: Services) -> AsyncIterator[AsyncSession]:
    """A session whose changes are committed by `await db.commit()`."""
    async with services.sessions() as session:
        yield session


@pytest.fixture
async def bus(stack: Stack) -> AsyncIterator[Bus]:
    """The bus with its streams and buckets, empty."""
    link = await connect(stack.nats, "test")
    await empty_bus(link)
    yield link
    await link.close()


@pytest.fixture
async def web(services: Services) -> Starlette:
    return server.app(services)


@pytest.fixture
async def anonymous(web: Starlette) -> AsyncIterator[Console]:
    """Nobody is logged in; English."""
    async with AsyncClient(transport=ASGITransport(web), base_url="http://test", headers=ENGLISH) as http:
        yield Console(http, {})


@pytest.fixture
async def console(web: Starlette) -> AsyncIterator[LogIn]:
    """`await console("dealer")`: a client logged in to that demo account, in English."""
    async with AsyncExitStack() as open_clients:

        async def logged_in(account: str, password: str = DEMO_PASSWORD, language: str = "en") -> Console:
            client = AsyncClient(transport=ASGITransport(web), base_url="http://test", headers=ENGLISH)
            http = await open_clients.enter_async_context(client)
            payload = {"account": account, "password": password, "type": "user", "language": language}
            answer = (await http.post("/api/login", json=payload)).json()
            assert answer["message"]["code"] == 0, answer
            http.headers["token"] = answer["data"]["token"]
            return Console(http, answer["data"])

        yield logged_in
