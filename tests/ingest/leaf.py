"""A hub of the bus and a leaf of it, joined by a line that can be cut; and robots that log in at the leaf."""

import asyncio
import contextlib
import hashlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import aiomqtt
import nats
from nats.aio.client import Client

from lustra.core.bus import Bus
from lustra.core.settings import Settings
from lustra.gate import jwt
from lustra.gate.process import serving
from lustra.gate.roster import Roster
from lustra.stack import leaf, place, programs
from lustra.stack.accounts import USERS
from lustra.stack.liveness import NotYet
from lustra.stack.nats import Nats, greet
from tests.faults.fault_proxy import FaultProxy, between

LEAF = "cn"
PASSWORDS = {name: f"{name}-test" for name in (*USERS, "leaf")}
START_S = 20.0


@dataclass
class Joined:
    hub: Nats
    line: FaultProxy
    port: int  # of the leaf
    mqtt: int

    def leaf_url(self, user: str) -> str:
        return f"nats://{user}:{PASSWORDS[user]}@{place.LOOPBACK}:{self.port}"

    @contextlib.asynccontextmanager
    async def gate(self, folder: Path, seed: str) -> AsyncIterator[Roster]:
        """Beside the leaf: it learns of robots from the hub, and answers the leaf's questions."""
        settings = Settings(
            nats_url=self.hub.url("roster"),
            gate_url=self.leaf_url("gate"),
            system_url=self.leaf_url("sys"),
            gate_seed=seed,
            data=str(folder),
        )
        async with serving(settings) as roster:
            yield roster

    async def native(self, sn: str) -> Client:
        return await nats.connect(f"nats://{place.LOOPBACK}:{self.port}", user=sn, password=sn, connect_timeout=5)

    def by_mqtt(self, sn: str) -> aiomqtt.Client:
        return aiomqtt.Client(place.LOOPBACK, self.mqtt, username=sn, password=sn, identifier=sn, timeout=5)


async def register(bus: Bus, sn: str) -> None:
    """With its serial number as its password."""
    proof = hashlib.sha256(sn.encode()).hexdigest()
    await bus.put("devices", sn, {"deviceId": 1, "port": 20001, "protocol": 3, "sshKey": "", "password": proof})


def write_hub(folder: Path, program: Path, seed: str, ports: list[int]) -> Nats:
    """As docs/samples/leaf.conf says what is to be added."""
    hub = Nats(program, folder, place.LOOPBACK, ports[0], ports[1], PASSWORDS, jwt.public(jwt.from_seed(seed)), -1, {})
    hub.prepare()
    user = leaf.leaf_user(LEAF, PASSWORDS["leaf"])
    file = folder / "nats" / "nats.conf"
    text = file.read_text().replace('"users": [', f'"users": [{json.dumps(user)},', 1)
    text = text.replace("auth_users: [", f'auth_users: ["{user["user"]}", ')
    file.write_text(f'{text}\nleafnodes {{ listen: "{place.LOOPBACK}:{ports[2]}", no_advertise: true }}\n')
    return hub


@contextlib.asynccontextmanager
async def joined(folder: Path, seed: str, *, intruder: bool = False) -> AsyncIterator[Joined]:
    """`intruder`: somebody has given himself a user of the leaf's account FLEET, as the user "server"."""
    ports = place.free_ports(place.LOOPBACK, 5)
    program = programs.find(folder, {}).nats
    (folder / "leaf").mkdir()
    async with between(place.LOOPBACK, ports[2]) as line:
        hub = write_hub(folder, program, seed, ports)
        text = leaf.write_conf(
            LEAF,
            f"nats://leaf-{LEAF}:{PASSWORDS['leaf']}@{place.LOOPBACK}:{line.port}",
            PASSWORDS,
            jwt.public(jwt.from_seed(seed)),
            host=place.LOOPBACK,
            port=ports[3],
            mqtt=ports[4],
            store=folder / "leaf",
            most="1GB",
        )
        if intruder:
            user = {"user": "server", "password": PASSWORDS["server"]}
            text = text.replace('"imports": [', f'"users": [{json.dumps(user)}], "imports": [', 1)
            text = text.replace("auth_users: [", 'auth_users: ["server", ').replace("deny_exports", "deny_imports")
        conf = folder / "leaf.conf"
        conf.write_text(text)
        commands = [hub.service().command, [program, "-c", conf]]
        processes = [
            await asyncio.create_subprocess_exec(*map(str, command), stderr=asyncio.subprocess.DEVNULL)
            for command in commands
        ]
        try:
            await until_well(ports[0], "server")
            await until_well(ports[3], "gate")
            yield Joined(hub, line, ports[3], ports[4])
        finally:
            for process in processes:
                process.terminate()
                await process.wait()


async def until_well(port: int, user: str) -> None:
    async with asyncio.timeout(START_S):
        while True:
            try:
                await greet(place.LOOPBACK, port, user, PASSWORDS[user])
            except NotYet:
                await asyncio.sleep(0.05)
            else:
                return
