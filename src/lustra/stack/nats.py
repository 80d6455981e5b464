"""NATS with JetStream and MQTT as our child: its configuration, its command, and whether it answers.

Accounts and their users stand in accounts.py. Everyone who is not listed there is asked about.
"""

import asyncio
import json
import signal
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lustra.core.files.private_files import write_private
from lustra.stack.accounts import USERS, block
from lustra.stack.certificates import Pair
from lustra.stack.liveness import NotYet
from lustra.stack.place import LOOPBACK, private_folder
from lustra.stack.supervise import Service

CONF = """# Written at every start by `lustra up`; changes here are lost.
listen: "{host}:{port}"
server_name: lustra
max_payload: 1MB
{tls}
jetstream {{
  store_dir: "{store}"
  max_file_store: {most}
  max_memory_store: 268435456
  sync_interval: 1s
}}
mqtt {{
  listen: "{host}:{mqtt}"
  {tls}
  reject_qos2_publish: true
  downgrade_qos2_subscribe: true
}}
{accounts}
system_account: SYS
authorization {{
  auth_callout {{ issuer: {issuer}, account: GATE, auth_users: {users} }}
  timeout: 3
}}
"""


@dataclass(frozen=True)
class Nats:
    program: Path
    folder: Path
    host: str
    port: int
    mqtt: int
    passwords: dict[str, str]  # of each of USERS
    issuer: str  # public key of the gate
    uid: int
    as_user: dict[str, Any]
    promised: int = 16 << 30  # bytes that its streams may be promised together
    certificates: Sequence[Pair] = ()  # for TLS; who gives no name sees the first

    def url(self, user: str) -> str:
        return f"{self.scheme}://{user}:{self.passwords[user]}@{near(self.host)}:{self.port}"

    @property
    def scheme(self) -> str:
        return "tls" if self.certificates else "nats"

    def prepare(self) -> None:
        place = private_folder(self.folder / "nats", self.uid)
        text = CONF.format(
            host=self.host,
            port=self.port,
            mqtt=self.mqtt,
            tls=tls_block(self.certificates),
            store=place,
            most=self.promised,
            issuer=self.issuer,
            accounts=block(self.passwords),
            users=json.dumps(USERS),
        )
        write_private(place / "nats.conf", text, self.uid)

    def service(self) -> Service:
        command: list[str | Path] = [self.program, "-c", self.folder / "nats" / "nats.conf"]
        return Service("nats", command, self.check_ready, as_user=self.as_user, end=signal.SIGINT)

    async def check_ready(self) -> None:
        await self.greet("server")

    async def greet(self, user: str) -> None:
        """Raises NotYet while the bus does not take this user."""
        tls = ssl.create_default_context() if self.certificates else None
        await greet(near(self.host), self.port, user, self.passwords[user], tls)


def tls_block(certificates: Sequence[Pair]) -> str:
    """Part of the configuration, of the bus and of its MQTT; empty without TLS."""
    pairs = [{"cert_file": str(pair.certificate), "key_file": str(pair.key)} for pair in certificates]
    return f"tls {{ certs: {json.dumps(pairs)} }}" if pairs else ""


def near(host: str) -> str:
    """The address at which this machine reaches a listener of `host`."""
    return LOOPBACK if host == "0.0.0.0" else host  # noqa: S104  compared, not bound


async def greet(host: str, port: int, user: str, password: str, tls: ssl.SSLContext | None = None) -> None:
    """The first words of the protocol, over TLS after the very first of them: nats-py would log a refusal with its
    stack and wait two seconds."""
    try:
        read, write = await asyncio.open_connection(host, port)
    except OSError as why:
        raise NotYet from why
    try:
        if not (await read.readline()).startswith(b"INFO "):
            raise NotYet
        if tls:
            await write.start_tls(tls, server_hostname=host)
        hello = json.dumps({"user": user, "pass": password, "verbose": False, "pedantic": False, "lang": "stack"})
        write.write(f"CONNECT {hello}\r\nPING\r\n".encode())
        while (line := await read.readline()) != b"PONG\r\n":
            if not line.startswith(b"INFO "):
                raise NotYet(line.decode())
    except ConnectionError as why:
        raise NotYet from why
    finally:
        write.transport.abort()  # nobody waits for the end of an upgraded stream: 3.11 complains of it
