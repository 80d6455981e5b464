"""NATS with JetStream and MQTT as our child: its configuration, its command, and whether it answers.

Accounts and their users stand in accounts.py. Everyone who is not listed there is asked about.
"""

import asyncio
import contextlib
import json
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lustra.core.files.private_files import write_private
from lustra.stack.accounts import USERS, block
from lustra.stack.liveness import NotYet
from lustra.stack.place import LOOPBACK, private_folder
from lustra.stack.supervise import Service

CONF = """# Written at every start by `lustra up`; changes here are lost.
listen: "{host}:{port}"
server_name: lustra
max_payload: 1MB
jetstream {{
  store_dir: "{store}"
  max_file_store: {most}
  max_memory_store: 268435456
  sync_interval: 1s
}}
mqtt {{ listen: "{host}:{mqtt}", reject_qos2_publish: true, downgrade_qos2_subscribe: true }}
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

    def url(self, user: str) -> str:
        return f"nats://{user}:{self.passwords[user]}@{near(self.host)}:{self.port}"

    def prepare(self) -> None:
        place = private_folder(self.folder / "nats", self.uid)
        text = CONF.format(
            host=self.host,
            port=self.port,
            mqtt=self.mqtt,
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
        await greet(near(self.host), self.port, "server", self.passwords["server"])


def near(host: str) -> str:
    """The address at which this machine reaches a listener of `host`."""
    return LOOPBACK if host == "0.0.0.0" else host  # noqa: S104  compared, not bound


async def greet(host: str, port: int, user: str, password: str) -> None:
    """The first words of the protocol: nats-py would log a refusal with its stack and wait two seconds."""
    try:
        read, write = await asyncio.open_connection(host, port)
    except OSError as why:
        raise NotYet from why
    try:
        hello = json.dumps({"user": user, "pass": password, "verbose": False, "pedantic": False, "lang": "stack"})
        write.write(f"CONNECT {hello}\r\nPING\r\n".encode())
        while (line := await read.readline()) != b"PONG\r\n":
            if not line.startswith(b"INFO "):
                raise NotYet(line.decode())
    except ConnectionError as why:
        raise NotYet from why
    finally:
        write.close()
        with contextlib.suppress(OSError):
            await write.wait_closed()
