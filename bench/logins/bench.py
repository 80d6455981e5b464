"""A whole fleet logs in over MQTT and TLS, as after the bus was away: bus, gate, and robots that greet and stay.

Each robot makes a connection of its own, with a full handshake. Floor of the same run: the handshakes alone, of robots
that do not say who they are. The robots run on the same cores, and cost about as much as all else.
"""

import asyncio
import hashlib
import json
import os
import resource
import socket
import ssl
import struct
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import psutil
from figures import SHORT, percentile, print_figure

from lustra.core.bus import connect
from lustra.gate import jwt
from lustra.stack import place, programs
from lustra.stack.accounts import USERS
from lustra.stack.certificates import Pair
from lustra.stack.liveness import NotYet
from lustra.stack.nats import Nats
from tests.product.running import until
from tests.stack.certificates import Certificate, certify

ROBOTS = 20 if SHORT else 10_000
AT_ONCE = 32  # handshakes under way
PASSWORD = "right"
LUSTRA = Path(sys.executable).with_name("lustra")
LET_IN = b"\x20\x02\x00\x00"  # MQTT's CONNACK without a session of before


def serial(number: int) -> str:
    return f"LG{number:06}"


def build_connect(sn: str) -> bytes:
    """MQTT's CONNECT packet of a robot, version 3.1.1, without a session that stays. A library's client would cost more
    than what is measured."""
    words = b"".join(struct.pack("!H", len(word)) + word for word in (sn.encode(), sn.encode(), PASSWORD.encode()))
    content = b"\x00\x04MQTT\x04\xc2\x00\x3c" + words
    return bytes([0x10, len(content)]) + content


@dataclass
class Robots:
    """Robots that stay connected."""

    port: int
    trust: ssl.SSLContext
    lines: list[ssl.SSLSocket] = field(default_factory=list[ssl.SSLSocket])

    def connect(self) -> ssl.SSLSocket:
        line = socket.create_connection((place.LOOPBACK, self.port), timeout=60)
        # Else CONNECT waits 40 ms for the bus to acknowledge the handshake's last words.
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        secure = self.trust.wrap_socket(line, server_hostname=place.LOOPBACK)
        self.lines.append(secure)
        return secure

    def shake(self, _: int) -> float:
        """Seconds of a handshake."""
        began = time.perf_counter()
        self.connect()
        return time.perf_counter() - began

    def log_in(self, number: int) -> float:
        """Seconds of a handshake and a log-in."""
        began = time.perf_counter()
        secure = self.connect()
        secure.sendall(build_connect(serial(number)))
        if (answer := secure.recv(4)) != LET_IN:
            raise SystemExit(f"{serial(number)} is not let in: {answer!r}")
        return time.perf_counter() - began

    def all(self, do: Callable[[int], float]) -> tuple[float, list[float]]:
        """Seconds until all have done it, and of each."""
        began = time.perf_counter()
        with ThreadPoolExecutor(AT_ONCE) as pool:
            each = list(pool.map(do, range(ROBOTS)))
        return time.perf_counter() - began, each

    def close(self) -> None:
        for line in self.lines:
            line.close()
        self.lines.clear()


@asynccontextmanager
async def run(*words: str | Path, log: Path, **environment: str) -> AsyncIterator[None]:
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *map(str, words), env=os.environ | environment, stdout=output, stderr=output
        )
        try:
            yield
        finally:
            process.terminate()
            await process.wait()


@asynccontextmanager
async def listening(folder: Path, certificate: Certificate) -> AsyncIterator[int]:
    """Port of MQTT of a bus with its gate, which know all robots."""
    seed, (port, mqtt) = jwt.new_seed(), place.free_ports(place.LOOPBACK, 2)
    passwords = {name: f"{name}-bench" for name in USERS}
    nats = Nats(
        programs.installed().nats,
        folder,
        place.LOOPBACK,
        port,
        mqtt,
        passwords,
        jwt.public(jwt.from_seed(seed)),
        os.getuid(),
        {},
        certificates=[Pair(certificate.chain, certificate.key)],
    )
    nats.prepare()
    os.environ["SSL_CERT_FILE"] = str(certificate.authority)
    service = nats.service()
    async with run(*service.command, log=folder / "nats.log"):

        async def answers() -> bool:
            try:
                await nats.check_ready()
            except NotYet:
                return False
            return True

        await until(answers, "the bus")
        bus = await connect(nats.url(USERS[0]), "bench")
        await bus.set_up(1 << 28)
        proof = hashlib.sha256(PASSWORD.encode()).hexdigest()
        for number in range(ROBOTS):
            entry = {"deviceId": number + 1, "port": 20001, "protocol": 3, "sshKey": "", "password": proof}
            await bus.put("devices", serial(number), entry)
        _, _, roster, gate, system = map(nats.url, USERS)
        environment = {
            "LUSTRA_NATS_URL": roster,
            "LUSTRA_GATE_URL": gate,
            "LUSTRA_SYSTEM_URL": system,
            "LUSTRA_GATE_SEED": seed,
            "LUSTRA_DATA": str(folder),
        }
        async with run(LUSTRA, "gate", log=folder / "gate.log", **environment):
            known = folder / "gate.json"

            async def knows_all() -> bool:
                return known.exists() and len(json.loads(known.read_text())) >= ROBOTS

            await until(knows_all, "a gate that knows all robots")
            yield mqtt
        await bus.close()


def cpu_s() -> dict[str, float]:
    """Seconds of CPU that bus, gate and robots have used."""
    names = {"nats-server": "bus", "lustra": "gate"}
    own = psutil.Process()
    times = {names.get(process.name(), process.name()): sum(process.cpu_times()[:2]) for process in own.children()}
    return times | {"robots": sum(own.cpu_times()[:2])}


async def measured(folder: Path) -> None:
    certificate = certify(folder)
    trust = ssl.create_default_context(cafile=str(certificate.authority))
    async with listening(folder, certificate) as port:
        robots = Robots(port, trust)
        floor, _ = await asyncio.to_thread(robots.all, robots.shake)
        robots.close()
        before = cpu_s()
        seconds, each = await asyncio.to_thread(robots.all, robots.log_in)
        used = {name: (seconds - before[name]) * 1000 / ROBOTS for name, seconds in cpu_s().items()}
        robots.close()
    print(f"CPU of a log-in: {', '.join(f'{name} {ms:.2f} ms' for name, ms in used.items())}")
    print_figure(
        f"{ROBOTS:,} robots log in over MQTT and TLS",
        seconds,
        "s",
        limit=10,
        most_floors=3.5,
        floor=round(floor, 2),
        floor_name="their TLS handshakes alone, s",
    )
    print_figure("one of them, p99", percentile(each, 0.99) * 1000, "ms", worst=round(max(each) * 1000))


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with tempfile.TemporaryDirectory(prefix="lustra-bench-") as path:
        asyncio.run(measured(Path(path)))
