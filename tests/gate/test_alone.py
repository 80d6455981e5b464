"""The gate with nothing but its file: server and database stopped, the bus started anew and empty."""

import asyncio
import hashlib
import json
import shutil
import tempfile
from pathlib import Path

import nats
import pytest
from nats.aio.client import Client

from lustra.core.settings import Settings
from lustra.gate import jwt
from lustra.gate.process import serving
from lustra.stack import place, programs
from lustra.stack.accounts import USERS
from lustra.stack.nats import Nats
from lustra.stack.supervise import Supervisor

ROBOTS = 20


@pytest.fixture
def folder():
    path = Path(tempfile.mkdtemp(prefix="lustra-test-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


# nats-py leaves a connection that the bus ended before the log-in to the garbage collector
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_robots_are_back_when_only_bus_and_gate_run(folder: Path):
    uid, as_user = place.child_user()
    seed, ports = jwt.new_seed(), place.free_ports(place.LOOPBACK, 2)
    passwords = dict.fromkeys(USERS, "test")
    binaries = programs.find(folder, as_user)
    bus = Nats(
        binaries.nats,
        folder,
        place.LOOPBACK,
        ports[0],
        ports[1],
        passwords,
        jwt.public(jwt.from_seed(seed)),
        uid,
        as_user,
    )
    serials = [f"AL{n}" for n in range(ROBOTS)]
    known = {sn: hashlib.sha256(sn.encode()).hexdigest() for sn in serials}
    (folder / "gate.json").write_text(json.dumps(known))
    settings = Settings(
        nats_url=bus.url("roster"),
        gate_url=bus.url("gate"),
        system_url=bus.url("sys"),
        gate_seed=seed,
        data=str(folder),
    )

    async def robot(sn: str) -> Client:
        async def quiet(_: Exception) -> None:
            """Refusals while the gate comes back are what is waited for."""

        return await nats.connect(
            f"nats://{place.LOOPBACK}:{ports[0]}",
            user=sn,
            password=sn,
            max_reconnect_attempts=-1,
            reconnect_time_wait=0.5,
            error_cb=quiet,
        )

    bus.prepare()
    supervisor = Supervisor(folder / "log", print)
    await supervisor.start(bus.service())
    async with serving(settings):
        links = await asyncio.gather(*map(robot, serials))
        supervisor.processes["nats"].kill()
        async with asyncio.timeout(30):
            while not all(link.stats["reconnects"] and link.is_connected for link in links):  # noqa: ASYNC110  no event
                await asyncio.sleep(0.05)
        for link in links:
            await link.close()
    assert json.loads((folder / "gate.json").read_text()) == known
    await supervisor.stop()
