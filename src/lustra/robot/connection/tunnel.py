"""The robot's way out to a relay, through whatever stands between: `ssh -R` by the stock client or by asyncssh.

It knows the relay's host key, ends when the forwarding fails, notices a dead line within 15 s, and goes to the next
relay of its list when one does not take it.
"""

import asyncio
import contextlib
import itertools
import logging
import random
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import asyncssh

log = logging.getLogger(__name__)
Way = Literal["ssh", "asyncssh"]
AGAIN_S = 1.0  # the next relay within 5 s
# After a line that stood it tries at once, not all robots in the same moment.
STOOD_S = 10.0
SPREAD_S = 0.3
CONNECT_S = 4
ALIVE_S = 5
ALIVE_COUNT = 3
# Stock clients prefer AES-CTR, whose checksums (umac) the relay would compute by Python for each packet.
CIPHERS = "aes128-gcm@openssh.com,aes256-gcm@openssh.com,aes128-ctr"


@dataclass(frozen=True)
class Relay:
    host: str
    port: int


@dataclass(frozen=True)
class Tunnel:
    sn: str
    key: Path
    port: int  # registered at the relay
    local: int  # where the robot's API listens
    relays: list[Relay]
    host_key: str
    folder: Path
    way: Way = "ssh"

    async def run(self) -> None:
        stock = self.way == "ssh" and shutil.which("ssh") is not None
        for relay in itertools.cycle(self.relays):
            began = time.monotonic()
            try:
                await (self.by_client(relay) if stock else self.by_library(relay))
            except (OSError, asyncssh.Error, asyncssh.ChannelListenError, TimeoutError) as why:
                log.info("%s: tunnel to %s:%s: %r", self.sn, relay.host, relay.port, why)
            stood = time.monotonic() - began > STOOD_S
            await asyncio.sleep(random.uniform(0, SPREAD_S) if stood else AGAIN_S)  # noqa: S311  no secret

    async def by_client(self, relay: Relay) -> None:
        known = self.folder / "known_hosts"
        known.write_text("".join(f"[{r.host}]:{r.port} {self.host_key}\n" for r in self.relays))
        options = {
            "ExitOnForwardFailure": "yes",
            "ServerAliveInterval": ALIVE_S,
            "ServerAliveCountMax": ALIVE_COUNT,
            "ConnectTimeout": CONNECT_S,
            "UserKnownHostsFile": known,
            "StrictHostKeyChecking": "yes",
            "BatchMode": "yes",
            "IdentitiesOnly": "yes",
            "LogLevel": "ERROR",
            "Ciphers": CIPHERS,
        }
        arguments = [part for name, value in options.items() for part in ("-o", f"{name}={value}")]
        forward = f"127.0.0.1:{self.port}:127.0.0.1:{self.local}"
        child = await asyncio.create_subprocess_exec(
            "ssh",
            "-F",
            "/dev/null",
            "-N",
            "-T",
            "-R",
            forward,
            "-i",
            str(self.key),
            "-p",
            str(relay.port),
            *arguments,
            f"{self.sn}@{relay.host}",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            await child.wait()
        finally:
            if child.returncode is None:
                child.terminate()
                with contextlib.suppress(ProcessLookupError):
                    await asyncio.shield(child.wait())

    async def by_library(self, relay: Relay) -> None:
        async with asyncssh.connect(
            relay.host,
            relay.port,
            username=self.sn,
            client_keys=[str(self.key)],
            config=None,
            agent_path=None,
            known_hosts=([asyncssh.import_public_key(self.host_key)], [], []),
            connect_timeout=CONNECT_S,
            login_timeout=CONNECT_S,
            keepalive_interval=ALIVE_S,
            keepalive_count_max=ALIVE_COUNT,
        ) as link:
            await link.forward_remote_port("127.0.0.1", self.port, "127.0.0.1", self.local)
            await link.wait_closed()
