"""Bus and database over TLS, by the addresses that operate.md names: who is not certified is not spoken to."""

import asyncio
import contextlib
import hashlib
import ssl
import struct
import sysconfig
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import aiomqtt
import asyncpg
import psycopg
import pytest
import sqlalchemy.exc
from nats import connect

from lustra.core import bus, db
from lustra.core.migrations import upgrade
from lustra.core.settings import Settings
from lustra.gate import jwt
from lustra.gate.process import serving
from lustra.robot.fleet import Entry, Fleet
from lustra.stack import place
from lustra.stack.accounts import sample
from tests.stack.certificates import Certificate, certify
from tests.world import until

SSL_REQUEST = struct.pack("!ii", 8, 80877103)  # of PostgreSQL's protocol


@pytest.fixture
def certificate(tmp_path: Path) -> Certificate:
    return certify(tmp_path)


@dataclass(frozen=True)
class SecureBus:
    """The bus by its documented configuration, which writes its passwords as this."""

    port: int
    mqtt: int
    seed: str  # of the gate

    def address(self, user: str) -> str:
        return f"tls://{user}:{user.upper()}_PASSWORD@localhost:{self.port}"


@pytest.fixture
async def secure_bus(certificate: Certificate, tmp_path: Path) -> AsyncIterator[SecureBus]:
    port, mqtt = place.free_ports(place.LOOPBACK, 2)
    conf, seed = tmp_path / "nats.conf", jwt.new_seed()
    words = {
        "CERTIFICATE.pem": str(certificate.chain),
        "KEY.pem": str(certificate.key),
        "0.0.0.0:4222": f"127.0.0.1:{port}",
        "0.0.0.0:8883": f"127.0.0.1:{mqtt}",
        "/var/lib/nats": str(tmp_path / "nats"),
        "50GB": "16GB",
        "PUBLIC_KEY_OF_THE_GATE": jwt.public(jwt.from_seed(seed)),
    }
    configured = sample()
    for word, own in words.items():
        configured = configured.replace(word, own)
    conf.write_text(configured)
    program = Path(sysconfig.get_path("scripts")) / "nats-server"
    server = await asyncio.create_subprocess_exec(
        program,
        "-c",
        conf,
    )

    async def listens() -> bool:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            return False
        writer.close()
        return True

    await until(listens)
    yield SecureBus(port, mqtt, seed)
    server.terminate()
    await server.wait()


async def test_the_bus_is_reached_over_tls_by_who_trusts_its_authority(
    secure_bus: SecureBus, certificate: Certificate, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.authority))
    link = await bus.connect(secure_bus.address("server"), "test")
    await link.link.flush()
    assert link.link.connected_url.scheme == "tls"
    await link.close()


async def test_a_bus_of_an_unknown_authority_is_not_spoken_to(secure_bus: SecureBus):
    with pytest.raises(ssl.SSLCertVerificationError):
        await connect(secure_bus.address("server"), allow_reconnect=False)


async def hear_nothing(_: str, __: bytes) -> dict[str, object]:
    return {}


async def say_nothing() -> None:
    """There is nothing to repeat after a break."""


@pytest.mark.filterwarnings("ignore:unclosed <ssl.SSLSocket:ResourceWarning")  # paho leaves that of a refused handshake
@pytest.mark.parametrize("protocol", ["nats", "mqtt"])
async def test_a_robot_speaks_over_tls_with_a_bus_whose_authority_it_trusts(
    secure_bus: SecureBus, certificate: Certificate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, protocol: str
):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.authority))
    server = await bus.connect(secure_bus.address("server"), "test")
    await server.set_up(1 << 26)
    gate = Settings(
        nats_url=secure_bus.address("roster"),
        gate_url=secure_bus.address("gate"),
        system_url=secure_bus.address("sys"),
        gate_seed=secure_bus.seed,
        data=str(tmp_path),
    )
    entry = Entry(sn="SC0001", password="right", bus="mqtt" if protocol == "mqtt" else "nats")
    fleet = Fleet(nats=f"tls://localhost:{secure_bus.port}", mqtt=f"mqtts://localhost:{secure_bus.mqtt}")
    link = fleet.link(entry)
    proof = hashlib.sha256(b"right").hexdigest()
    registered = {"deviceId": 1, "port": 20001, "protocol": 3, "sshKey": "", "password": proof}
    async with serving(gate) as roster:

        async def is_known() -> bool:
            return roster.passwords.get("SC0001") == proof

        async def is_connected() -> bool:
            return link.connected

        await server.put("devices", "SC0001", registered)
        await until(is_known)
        states = await server.link.subscribe("robots.SC0001.state")
        await server.link.flush()
        with monkeypatch.context() as elsewhere:
            elsewhere.delenv("SSL_CERT_FILE")
            port = secure_bus.mqtt if protocol == "mqtt" else secure_bus.port
            with pytest.raises((ssl.SSLError, aiomqtt.MqttError)):
                await link.once("localhost", port, hear_nothing, say_nothing)
        running = asyncio.create_task(link.run(hear_nothing, say_nothing))
        await until(is_connected)
        assert await link.say("robots.SC0001.state", b"{}")
        assert (await states.next_msg(5)).data == b"{}"
        await link.close()
        running.cancel()
    await server.close()


@pytest.fixture
async def database_door(certificate: Certificate) -> AsyncIterator[tuple[str, list[bytes]]]:
    """Where a database of a certificate would be, up to who asks in: the wheel's own is built without TLS. The address,
    and what came in over TLS."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate.chain, certificate.key)
    arrived: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            if await reader.readexactly(8) == SSL_REQUEST:
                writer.write(b"S")
                await writer.drain()
                await writer.start_tls(context)
                length = int.from_bytes(await reader.readexactly(4), "big")
                arrived.append(await reader.readexactly(length - 4))
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        yield f"postgresql://lustra:secret@localhost:{port}/lustra", arrived


async def by_calls(address: str) -> None:
    async with db.engine(address, size=1).connect():
        pass


async def by_jobs(address: str) -> None:
    await psycopg.AsyncConnection.connect(address)


async def by_migrations(address: str) -> None:
    await asyncio.to_thread(upgrade, address)


WAYS = {"calls": by_calls, "hot SQL": db.pool, "jobs": by_jobs, "migrations": by_migrations}


@pytest.mark.parametrize("way", WAYS)
async def test_each_way_to_the_database_goes_over_tls(
    database_door: tuple[str, list[bytes]], certificate: Certificate, way: str
):
    address, arrived = database_door
    with pytest.raises((OSError, psycopg.OperationalError, asyncpg.PostgresError, sqlalchemy.exc.DBAPIError)):
        await WAYS[way](f"{address}?sslmode=verify-full&sslrootcert={certificate.authority}")
    assert b"user\0lustra\0" in arrived[0]


@pytest.mark.parametrize("way", WAYS)
async def test_send_nothing_to_a_database_of_an_unknown_authority(
    database_door: tuple[str, list[bytes]], tmp_path: Path, way: str
):
    address, arrived = database_door
    other = tmp_path / "other"
    other.mkdir()
    with pytest.raises((OSError, psycopg.OperationalError, sqlalchemy.exc.DBAPIError)):
        await WAYS[way](f"{address}?sslmode=verify-full&sslrootcert={certify(other).authority}")
    assert arrived == []
