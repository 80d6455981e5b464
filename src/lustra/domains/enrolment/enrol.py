"""A new robot gets in: with a code of two minutes that somebody of its owner's made, for once.

Rules: of those who use a code at the same time just one wins; a code lets in a robot that is new here, one that was
added before and never logged in, or that one alone whose number it names; a robot that comes again gets new
credentials, and whatever logged in with the old ones is thrown out. Credentials are given this once: of the bus' the
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
from sqlalchemy import func

from lustra.core.context import Actor, Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.http.addresses import canonical
from lustra.core.scope import rows_of, shared, system
from lustra.core.security import one_time
from lustra.core.security.random_code import random_code
from lustra.core.settings import Settings, split_urls
from lustra.domains.account.api import Account
from lustra.domains.device.api import (
    Device,
    DeviceCredential,
    DeviceType,
    announce_device,
    load_owner,
    take_port,
)
from lustra.domains.enrolment import vault
from lustra.domains.node import api as nodes

KIND = "enrol"
LIFE = timedelta(minutes=2)
KEY_KINDS = (b"ssh-ed25519", b"ecdsa-sha2-nistp256", b"ecdsa-sha2-nistp384", b"ssh-rsa")
SMALLEST_RSA = 2048
BUS_PASSWORD_BYTES = 24  # random bytes


@dataclass(frozen=True, slots=True)
class CodeContent:
    """What a code stands for. `serial_number`: for this robot alone; empty: for one that is new."""

    account_id: int
    owner_id: int
    serial_number: str
    type_id: int | None


ONCE = system("a serial number is had once in the whole installation")


@dataclass(frozen=True, slots=True)
class RobotData:
    """What a robot tells of itself."""

    serial_number: str
    ssh_key: str
    type_name: str
    fields: dict[str, Any]


async def create_code(ctx: Ctx, owner_id: int | None, serial: str, type_id: int | None) -> str:
    """For a new robot of that owner, or for just the robot of that number."""
    owner = await load_owner(ctx, owner_id, "userId")
    same_serial = ONCE.select(Device).where(Device.serial_number == serial, Device.deleted_at.is_(None))
    if serial and (robot := await ctx.db.scalar(same_serial)):
        changeable = ctx.scope.changeable.select(Device).where(Device.id == robot.id)
        if await ctx.db.scalar(changeable) is None:
            raise Refusal(Code.EXISTS, "deviceSerialNumber", reason="serial_taken")
        owner = await ctx.db.scalar(rows_of(robot).select(Account)) or owner
    if type_id is not None and await ctx.db.get(DeviceType, type_id) is None:
        raise Refusal(Code.BAD_INPUT, "deviceType", reason="type_unknown")
    code = random_code()
    content = CodeContent(ctx.actor.real_id, owner.id, serial, type_id)
    one_time.keep(ctx.db, KIND, code, asdict(content), LIFE)
    ctx.note(ownerUserId=owner.id)
    return code


async def enrol(ctx: Ctx, code: str, data: RobotData) -> dict[str, Any]:
    """Lets a robot in by its code; credentials and addresses that it needs from then on."""
    content = await _use_code(ctx, code, data.serial_number)
    public = normalize_ssh_key(data.ssh_key)
    same_serial = ONCE.select(Device).where(Device.serial_number == data.serial_number, Device.deleted_at.is_(None))
    robot = await ctx.db.scalar(same_serial.with_for_update())
    if robot is None:
        robot = await _create_device(ctx, content, data)
    elif robot.owner_id != content.owner_id or not (content.serial_number or await _never_enrolled(ctx, robot)):
        raise Refusal(Code.EXISTS, "deviceSerialNumber", reason="serial_taken")
    for name, value in data.fields.items():
        if value and name != "name":
            setattr(robot, name, value)
    if robot.frp_port is None:
        robot.frp_port = await take_port(ctx, robot.frp_host, await nodes.find_node_at(ctx.db, robot.frp_host))
    password = secrets.token_urlsafe(BUS_PASSWORD_BYTES)
    credential = {"password": hashlib.sha256(password.encode()).hexdigest(), "ssh_key": public}
    row = rows_of(robot).insert(DeviceCredential).values(device_id=robot.id, **credential)
    await ctx.db.execute(row.on_conflict_do_update(index_elements=["device_id"], set_=credential))
    device_password = await vault.set_password(ctx, robot)
    ctx.note(deviceId=robot.id)
    announce_device(ctx, robot)
    return {
        "device_id": robot.id,
        "device_serial_number": robot.serial_number,
        "bus_password": password,
        "device_password": device_password,
        "port": robot.frp_port,
        "protocol": robot.protocol,
        **server_addresses(ctx.app.settings),
    }


async def _use_code(ctx: Ctx, code: str, serial: str) -> CodeContent:
    """The code is used up in this transaction: who comes at the same time waits here, and then finds it used."""
    values = await one_time.use(ctx.db, KIND, code.strip())
    content = CodeContent(**values) if values else None
    maker = content and await _load_account(ctx, content.account_id)
    if content is None or maker is None or content.serial_number not in ("", serial):
        raise Refusal(Code.CODE_INVALID, "code")
    ctx.actor = Actor(maker.id, maker.id, maker.path, maker.level, frozenset(), "", maker.account)
    return content


async def _never_enrolled(ctx: Ctx, robot: Device) -> bool:
    return await ctx.db.scalar(rows_of(robot).select(DeviceCredential)) is None


async def _load_account(ctx: Ctx, account_id: int) -> Account | None:
    rows = system("nobody acts yet: the code says for whom").select(Account)
    return await ctx.db.scalar(rows.where(Account.id == account_id, Account.deleted_at.is_(None)))


async def _create_device(ctx: Ctx, content: CodeContent, data: RobotData) -> Device:
    """A new robot of the type that it names, else of the code's."""
    same_name = shared.select(DeviceType).where(func.lower(DeviceType.name) == data.type_name.lower())
    kind = await ctx.db.scalar(same_name) if data.type_name else None
    kind = kind or (await ctx.db.get(DeviceType, content.type_id) if content.type_id else None)
    if kind is None:
        raise Refusal(Code.BAD_INPUT, "typeName", reason="type_unknown")
    owner = await _load_account(ctx, content.owner_id)
    if owner is None:
        raise Refusal(Code.CODE_INVALID, "code")
    device = Device(
        serial_number=data.serial_number,
        name=data.fields.get("name") or data.serial_number,
        type_id=kind.id,
        owner_id=owner.id,
        owner_path=owner.path,
        frp_host=first_node(ctx.app.settings),
    )
    ctx.db.add(device)
    await ctx.db.flush()
    return device


def normalize_ssh_key(text: str) -> str:
    """The public key as one OpenSSH line without a comment; of a kind and size that holds."""
    try:
        key = form.load_ssh_public_key(text.strip().encode())
    except (ValueError, UnsupportedAlgorithm):
        raise Refusal(Code.BAD_INPUT, "sshKey", reason="ssh_key") from None
    if isinstance(key, RSAPublicKey) and key.key_size < SMALLEST_RSA:
        raise Refusal(Code.BAD_INPUT, "sshKey", reason="ssh_key")
    line = key.public_bytes(form.Encoding.OpenSSH, form.PublicFormat.OpenSSH)
    if line.split()[0] not in KEY_KINDS:
        raise Refusal(Code.BAD_INPUT, "sshKey", reason="ssh_key")
    return line.decode()


def first_node(settings: Settings) -> str:
    """Name of the node that stands for our own first relay."""
    return canonical(settings.relays[0]) if settings.relays else ""


def server_addresses(settings: Settings) -> dict[str, Any]:
    """Where bus and tunnels are for robots, without our own log-in."""
    buses = [urlsplit(url) for url in split_urls(settings.robots_nats or settings.nats_url)]
    relays = [urlsplit(f"ssh://{url}") for url in split_urls(settings.ssh_url)]
    return {
        "nats": ",".join(f"{bus.scheme}://{bus.hostname}:{bus.port}" for bus in buses),
        "mqtt": settings.mqtt_url,
        "relays": [{"host": relay.hostname, "port": relay.port} for relay in relays if relay.port],
        "host_key": settings.host_public,
    }
