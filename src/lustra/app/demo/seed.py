"""The demo's accounts and robots: `lustra demo`, before the robots start; with --history their past.

Idempotent: what stands stays. Passwords and keys of the robots are random and stand in the fleet's file and beside it
in keys/ (0600); the database keeps the password's hash and the public key only.
"""

import asyncio
import hashlib
import json
import secrets
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.app.demo.assets import assets
from lustra.app.demo.fleet import BOUND, HOTEL, TYPES, Robot, fleet
from lustra.app.demo.upkeep import upkeep
from lustra.app.opening import opened
from lustra.core.files.private_files import write_private
from lustra.core.http.addresses import canonical
from lustra.core.scope import shared, system
from lustra.core.settings import Settings
from lustra.domains.account.access import support
from lustra.domains.account.seed import seed_accounts
from lustra.domains.account.tables import Account
from lustra.domains.control import bus_entries
from lustra.domains.device import registry, sim
from lustra.domains.device.tables import Device, DeviceAccount, DeviceCredential, DeviceType
from lustra.domains.elevator.tables import Elevator
from lustra.domains.enrolment.api import server_addresses
from lustra.domains.node.tables import Node
from lustra.domains.rollout.api import load_root
from lustra.robot.updates.slots import FACTORY

START = system("at start-up, of the demo")
FIRST_PORT = 20_001
COUNT = 12


async def seed(settings: Settings, file: Path, count: int = COUNT) -> None:
    robots, access = fleet(count), _known(file)
    keys_in = file.parent / "keys"
    for robot in robots:
        if robot.sn not in access:
            access[robot.sn] = secrets.token_urlsafe(24)
    keys = {robot.sn: _key(keys_in, robot.sn) for robot in robots}
    async with opened(settings, "demo", size=2) as services:
        async with services.sessions.begin() as db:
            accounts = await seed_accounts(db)
            await _types(db)
            node = await _node(db, settings)
            elevator = await _elevators(db, accounts)
            for place, robot in enumerate(robots):
                proof = hashlib.sha256(access[robot.sn].encode()).hexdigest()
                await _robot(
                    db,
                    robot,
                    FIRST_PORT + place,
                    accounts,
                    proof=proof,
                    key=keys[robot.sn],
                    node=node,
                    elevator=elevator,
                )
            await assets(db, accounts)
            await upkeep(db)
            root = await load_root(db) or ""
        await services.bus.set_up(settings.stream_bytes, settings.stream_copies)
        await registry.sync(services)
        await bus_entries.sync(services)
        await support.publish_all(services)
    write_private(file, json.dumps(_file(settings, robots, access, keys_in) | {"root": root}, indent=1))
    if settings.sim_file:
        _cards(Path(settings.sim_file), len(robots))


def _sim(port: int) -> str:
    return f"8944500000{port}"


def _cards(file: Path, count: int) -> None:
    """What the provider of the demo's SIM cards would know of them."""
    cards = [
        sim.Card(
            c_no=_sim(FIRST_PORT + n), status="active", used_mb=40.0 + 7 * n, total_mb=500, expire_date="2027-12-31"
        )
        for n in range(count)
    ]
    file.write_bytes(msgspec.json.encode(cards))


def _known(file: Path) -> dict[str, str]:
    """Robots' passwords by serial number, as an earlier start wrote them; empty before the first."""
    try:
        return {robot["sn"]: robot["password"] for robot in json.loads(file.read_text())["robots"]}
    except (OSError, ValueError, KeyError):
        return {}


def _key(folder: Path, sn: str) -> str:
    """The public line of the robot's key; the private one is made once."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / sn
    if not path.exists():
        private_key = Ed25519PrivateKey.generate()
        text = private_key.private_bytes(form.Encoding.PEM, form.PrivateFormat.OpenSSH, form.NoEncryption())
        write_private(path, text.decode())
    key = form.load_ssh_private_key(path.read_bytes(), None)
    return key.public_key().public_bytes(form.Encoding.OpenSSH, form.PublicFormat.OpenSSH).decode()


def _file(settings: Settings, robots: list[Robot], access: dict[str, str], keys_in: Path) -> dict[str, Any]:
    """What `lustra robot` reads."""
    addresses = server_addresses(settings)
    return {
        "nats": addresses["nats"],
        "mqtt": addresses["mqtt"],
        "relays": addresses["relays"],
        "hostKey": addresses["host_key"],
        "robots": [
            {
                "sn": robot.sn,
                "name": robot.name,
                "password": access[robot.sn],
                "key": str(keys_in / robot.sn),
                "port": FIRST_PORT + place,
                "protocol": robot.protocol,
                "model": robot.type.name,
                "building": robot.site.building,
                "floor": robot.floor,
                "bus": robot.bus,
                "tunnel": robot.tunnel,
                "off": robot.off,
                "battery": robot.battery,
                "task": robot.task,
                "emergency": robot.emergency,
                "rides": robot.rides,
                "webrtc": robot.webrtc,
                "factor": 1,
                "zone": robot.site.zone,
                "week": [asdict(plan) for plan in robot.week],
            }
            for place, robot in enumerate(robots)
        ],
    }


async def _types(db: AsyncSession) -> None:
    rows = [
        {"name": kind.name, "url": "", "description": kind.description, "abilities": list(kind.abilities)}
        for kind in TYPES
    ]
    await db.execute(shared.insert(DeviceType).values(rows).on_conflict_do_nothing(index_elements=["name"]))


async def _node(db: AsyncSession, settings: Settings) -> str:
    """The product's own relay, under a name: robots come in there."""
    url = canonical(settings.relays[0])
    row = {"name": "Kestrel relay", "url": url, "country": HOTEL.area, "region": "eu"}
    await db.execute(shared.insert(Node).values(row).on_conflict_do_nothing())
    return url


async def _elevators(db: AsyncSession, accounts: dict[str, int]) -> int | None:
    """The hotel's two, side by side; the built-in provider moves them. Gives the id of one, for its robots."""
    rows = [
        {
            "account_id": accounts["user"],
            "elevator_name": f"Lift {code[-1]}",
            "code": code,
            "building_name": HOTEL.building,
            "building_address": "1 Quay Road, London",
            "contact_name": "Front desk",
            "group_id": 1,
            "size": "2.1 × 2.4 m",
            "floor": "floor 1,floor 2,floor 3",
            "position": "Lift hall",
        }
        for code in ("KQ-A", "KQ-B")
    ]
    await db.execute(START.insert(Elevator).values(rows).on_conflict_do_nothing())
    of_user = Elevator.account_id == accounts["user"]
    return await db.scalar(START.select(func.min(Elevator.id)).where(of_user))


async def _robot(
    db: AsyncSession,
    robot: Robot,
    port: int,
    accounts: dict[str, int],
    *,
    proof: str,
    key: str,
    node: str,
    elevator: int | None,
) -> None:
    device = await db.scalar(START.select(Device).where(Device.serial_number == robot.sn))
    if device is None:
        site = robot.site
        owner, kind = accounts[robot.owner], shared.select(DeviceType.id).where(DeviceType.name == robot.type.name)
        device = Device(
            serial_number=robot.sn,
            name=robot.name,
            type_id=await db.scalar(kind) or 0,
            owner_id=owner,
            owner_path=await _path(db, owner),
            protocol=robot.protocol,
            address=site.building,
            address1=robot.floor,
            area=site.area,
            zone=site.zone,
            latitude=site.latitude,
            longitude=site.longitude,
            customer_name=site.customer,
            abilities=[*robot.type.abilities, *(["ride"] if robot.rides else [])],
            elevator_id=elevator if site is HOTEL else None,
            frp_host=node,
            frp_port=port,
            sim_no=_sim(port),
            sim_support=port % len(sim.VENDORS),
            rack_number=robot.sn,
            soft_version=FACTORY["software"],
            firmware_version=FACTORY["firmware"],
            pad_version=FACTORY["app"],
        )
        db.add(device)
        await db.flush()
        if bound := BOUND.get(robot.sn):
            path = await _path(db, accounts[bound])
            db.add(DeviceAccount(device_id=device.id, account_id=accounts[bound], account_path=path))
    held = START.insert(DeviceCredential).values(device_id=device.id, password=proof, ssh_key=key)
    await db.execute(held.on_conflict_do_update(index_elements=["device_id"], set_={"password": proof, "ssh_key": key}))


async def _path(db: AsyncSession, account_id: int) -> str:
    path = START.select(func.ltree2text(Account.path)).where(Account.id == account_id)
    return await db.scalar(path) or ""


def main(file: Path, robots: int, *, history: bool) -> None:
    if history:
        from lustra.app.demo.history import make_history  # noqa: PLC0415  the simulator is large: only where it is used

        asyncio.run(make_history(Settings.read(), fleet(robots)))
    else:
        asyncio.run(seed(Settings.read(), file, robots))
