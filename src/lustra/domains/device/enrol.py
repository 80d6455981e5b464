"""A new robot gets in: with a code of two minutes that somebody of its owner's made, for once.

Rules: of those who use a code at the same time just one wins; a code lets in a robot that is new here, one that was
added before and never logged in, or that one alone whose number it names; a robot that comes again gets new
credentials, and whatever logged in with the old ones is thrown out. Credentials are told this once: of the bus' the
database keeps a hash, of the SSH key the public line.
"""

import hashlib
import secrets
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert

from lustra.core import one_time
from lustra.core.addresses import canonical
from lustra.core.context import Actor, Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.random_code import random_code
from lustra.core.settings import Settings
from lustra.domains.account.tables import Account
from lustra.domains.device import edit, ports, vault
from lustra.domains.device.tables import Device, DeviceCredential, DeviceType
from lustra.domains.node import service as nodes

KIND = "enrol"
LIFE = timedelta(minutes=2)
KINDS = (b"ssh-ed25519", b"ecdsa-sha2-nistp256", b"ecdsa-sha2-nistp384", b"ssh-rsa")
SMALLEST_RSA = 2048
BUS_PASSWORD = 24  # random bytes


@dataclass(frozen=True, slots=True)
class Given:
    """What a code stands for. `serial_number`: for this robot alone; empty: for one that is new."""

    account_id: int
    owner_id: int
    serial_number: str
    type_id: int | None


@dataclass(frozen=True, slots=True)
class Robot:
    """What a robot tells of itself."""

    serial_number: str
    ssh_key: str
    type_name: str
    fields: dict[str, Any]


async def new_code(ctx: Ctx, owner_id: int | None, serial: str, type_id: int | None) -> str:
    """For a new robot of that owner, or for just the robot of that number."""
    of = await edit.owner(ctx, owner_id, "userId")
    known = select(Device).where(Device.serial_number == serial, Device.deleted_at.is_(None))  # unscoped: had once
    if serial and (robot := await ctx.db.scalar(known)):
        seen = edit.readable_robots(ctx.actor).where(Device.id == robot.id)
        if await ctx.db.scalar(seen) is None:
            raise Refusal(Code.EXISTS, "deviceSerialNumber", reason="serial_taken")
        of_robot = select(Account).where(Account.id == robot.owner_id)  # unscoped: whose robot the actor may change
        of = await ctx.db.scalar(of_robot) or of
    if type_id is not None and await ctx.db.get(DeviceType, type_id) is None:
        raise Refusal(Code.BAD_INPUT, "deviceType", reason="type_unknown")
    code = random_code()
    given = Given(ctx.actor.real_id, of.id, serial, type_id)
    one_time.keep(ctx.db, KIND, code, asdict(given), LIFE)
    ctx.note(ownerUserId=of.id)
    return code


async def enrol(ctx: Ctx, code: str, told: Robot) -> dict[str, Any]:
    """What the robot needs from now on. Unscoped: the code says for whom, and a number is had once."""
    given = await _used(ctx, code, told.serial_number)
    public = ssh_line(told.ssh_key)
    same = select(Device).where(Device.serial_number == told.serial_number, Device.deleted_at.is_(None))
    robot = await ctx.db.scalar(same.with_for_update())
    if robot is None:
        robot = await _made(ctx, given, told)
    elif robot.owner_id != given.owner_id or not (given.serial_number or await _never_in(ctx, robot)):
        raise Refusal(Code.EXISTS, "deviceSerialNumber", reason="serial_taken")
    for name, value in told.fields.items():
        if value and name != "name":
            setattr(robot, name, value)
    if robot.frp_port is None:
        robot.frp_port = await ports.take(ctx, robot.frp_host, await nodes.node_at(ctx.db, robot.frp_host))
    password = secrets.token_urlsafe(BUS_PASSWORD)
    credential = {"password": hashlib.sha256(password.encode()).hexdigest(), "ssh_key": public}
    row = insert(DeviceCredential).values(device_id=robot.id, **credential)
    await ctx.db.execute(row.on_conflict_do_update(index_elements=["device_id"], set_=credential))
    own = await vault.given(ctx, robot)
    ctx.note(deviceId=robot.id)
    ports.announce(ctx, robot)
    return {
        "device_id": robot.id, "device_serial_number": robot.serial_number, "bus_password": password,
        "device_password": own, "port": robot.frp_port, "protocol": robot.protocol, **ways(ctx.app.settings),
    }  # fmt: skip


async def _used(ctx: Ctx, code: str, serial: str) -> Given:
    """The code is used up in this transaction: who comes at the same time waits here, and then finds it used."""
    told = await one_time.use(ctx.db, KIND, code.strip())
    given = Given(**told) if told else None
    maker = given and await ctx.db.get(Account, given.account_id)  # unscoped: nobody acts yet
    if given is None or maker is None or maker.deleted_at or given.serial_number not in ("", serial):
        raise Refusal(Code.CODE_INVALID, "code")
    ctx.actor = Actor(maker.id, maker.id, maker.path, maker.level, frozenset(), "", maker.account)
    return given


async def _never_in(ctx: Ctx, robot: Device) -> bool:
    return await ctx.db.get(DeviceCredential, robot.id) is None


async def _made(ctx: Ctx, given: Given, told: Robot) -> Device:
    """Of the type that the robot names, else of the code's. Unscoped: types are shared, the owner is the code's."""
    named = select(DeviceType).where(func.lower(DeviceType.name) == told.type_name.lower())
    kind = await ctx.db.scalar(named) if told.type_name else None
    kind = kind or (await ctx.db.get(DeviceType, given.type_id) if given.type_id else None)
    if kind is None:
        raise Refusal(Code.BAD_INPUT, "typeName", reason="type_unknown")
    of = await ctx.db.get(Account, given.owner_id)
    if of is None or of.deleted_at:
        raise Refusal(Code.CODE_INVALID, "code")
    made = Device(
        serial_number=told.serial_number, name=told.fields.get("name") or told.serial_number, type_id=kind.id,
        owner_id=of.id, owner_path=of.path, frp_host=first_node(ctx.app.settings),
    )  # fmt: skip
    ctx.db.add(made)
    await ctx.db.flush()
    return made


def ssh_line(told: str) -> str:
    """The public key as one OpenSSH line without a comment; of a kind and size that holds."""
    try:
        key = form.load_ssh_public_key(told.strip().encode())
    except (ValueError, UnsupportedAlgorithm):
        raise Refusal(Code.BAD_INPUT, "sshKey", reason="ssh_key") from None
    if isinstance(key, RSAPublicKey) and key.key_size < SMALLEST_RSA:
        raise Refusal(Code.BAD_INPUT, "sshKey", reason="ssh_key")
    line = key.public_bytes(form.Encoding.OpenSSH, form.PublicFormat.OpenSSH)
    if line.split()[0] not in KINDS:
        raise Refusal(Code.BAD_INPUT, "sshKey", reason="ssh_key")
    return line.decode()


def first_node(settings: Settings) -> str:
    """Our own first relay stands in the list of nodes."""
    return canonical(settings.relays[0]) if settings.relays else ""


def ways(settings: Settings) -> dict[str, Any]:
    """Where bus and tunnels are for robots, without our own log-in."""
    nats, ssh = urlsplit(settings.robots_nats or settings.nats_url), urlsplit(f"ssh://{settings.ssh_url}")
    return {
        "nats": f"nats://{nats.hostname}:{nats.port}", "mqtt": settings.mqtt_url,
        "relays": [{"host": ssh.hostname, "port": ssh.port}] if ssh.port else [],
        "host_key": settings.host_public,
    }  # fmt: skip
