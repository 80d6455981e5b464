"""What tests of several parts share: PostgreSQL and NATS from the wheels, once a session."""

import asyncio
import shutil
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

import pytest

from lustra.gate import jwt
from lustra.stack import place, programs
from lustra.stack.nats import Nats
from lustra.stack.postgres import Postgres
from lustra.stack.supervise import Supervisor


@dataclass(frozen=True)
class Stack:
    folder: Path
    postgres: str  # dsn of the database "postgres"
    nats: str  # our own processes' url
    gate_url: str
    system_url: str
    mqtt: str  # host:port
    gate_seed: str


def readable_folder() -> Path:
    """PostgreSQL's user must reach it: pytest's own folders are root's alone."""
    folder = Path(tempfile.mkdtemp(prefix="lustra-test-"))
    folder.chmod(0o755)
    return folder


async def serve(folder: Path, started: "Future[tuple[Stack, Supervisor, asyncio.AbstractEventLoop]]") -> None:
    uid, as_user = place.child_user()
    found, seed = programs.find(folder, as_user), jwt.new_seed()
    ports = [place.free_port(place.LOOPBACK) for _ in range(3)]
    postgres = Postgres(found.postgres, folder, ports[0], "test", uid, as_user)
    passwords = {name: f"{name}-test" for name in ("server", "gate", "sys")}
    issuer = jwt.public(jwt.from_seed(seed))
    nats = Nats(found.nats, folder, place.LOOPBACK, ports[1], ports[2], passwords, issuer, uid, as_user)
    postgres.prepare()
    nats.prepare()
    supervisor = Supervisor(folder / "log", print)
    try:
        await supervisor.start(postgres.service(), nats.service())
        mqtt = f"{place.LOOPBACK}:{ports[2]}"
        stack = Stack(folder, postgres.dsn, *map(nats.url, ("server", "gate", "sys")), mqtt, seed)
        started.set_result((stack, supervisor, asyncio.get_running_loop()))
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
    found, supervisor, loop = started.result(90)
    yield found
    loop.call_soon_threadsafe(supervisor.stopping.set)
    thread.join(30)
    shutil.rmtree(folder)
