"""By what robots trust a package: metadata of TUF, which says of each published version its size, SHA-256, number, part
of the robot and types of robots.

Rules: `root` says whose signatures count, and is signed by keys that lie offline (`lustra keys`). The worker signs
targets, snapshot and timestamp by keys that it derives from one secret; it renews them long before they end, and signs
anew what a later root wants signed by other keys. What was signed once stays as it is.
"""

# tuf and securesystemslib document these names where they are imported from here:
# pyright: reportPrivateImportUsage=false
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from securesystemslib.signer import CryptoSigner
from sqlalchemy import func, text, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from tuf.api.exceptions import UnsignedMetadataError
from tuf.api.metadata import Metadata, MetaFile, Root, Snapshot, TargetFile, Targets, Timestamp

from lustra.core.context import Services
from lustra.core.db import now
from lustra.core.scope import shared
from lustra.domains.device.api import DeviceType
from lustra.domains.rollout.tables import TrustMetadata
from lustra.domains.version.api import AppVersion, FirmwareVersion, SoftBuild, SoftVersion, VersionFile, name_target

ONLINE = ("targets", "snapshot", "timestamp")
LIVES = {"targets": timedelta(days=90), "snapshot": timedelta(days=90), "timestamp": timedelta(days=7)}
RENEWED = {
    "targets": timedelta(days=30),
    "snapshot": timedelta(days=30),
    "timestamp": timedelta(days=4),
}  # before it ends
LOCK = text("select pg_advisory_xact_lock(30054)")  # one signs at a time

LONGEST_NUMBER = 9  # digits

log = structlog.get_logger(__name__)


def online_key(secret: str, role: str) -> CryptoSigner:
    """Of one role: each has its own, all from the one secret of the worker."""
    derived = HKDF(SHA256(), 32, None, f"lustra updates {role}".encode()).derive(secret.encode())
    return CryptoSigner(Ed25519PrivateKey.from_private_bytes(derived))


async def load_newest(db: AsyncSession) -> dict[str, TrustMetadata]:
    newest = tuple_(TrustMetadata.role, TrustMetadata.version).in_(
        shared.select(TrustMetadata.role, func.max(TrustMetadata.version)).group_by(TrustMetadata.role)
    )
    return {row.role: row for row in await db.scalars(shared.select(TrustMetadata).where(newest))}


async def load_file(db: AsyncSession, name: str) -> str | None:
    """The file of that name as TUF's clients ask for it: `timestamp.json`, else `<version>.<role>.json`."""
    *version, role, end = name.split(".")
    rows = shared.select(TrustMetadata.content).where(TrustMetadata.role == role)
    if end != "json" or (role == "timestamp") != (version == []):
        return None
    if version and not (len(version) == 1 and version[0].isdecimal() and len(version[0]) <= LONGEST_NUMBER):
        return None
    if version:
        rows = rows.where(TrustMetadata.version == int(version[0]))
    return await db.scalar(rows.order_by(TrustMetadata.version.desc()).limit(1))


async def load_root(db: AsyncSession) -> str | None:
    """The newest: what a robot is given when it is set up. None: there are no keys yet."""
    rows = shared.select(TrustMetadata.content).where(TrustMetadata.role == "root")
    return await db.scalar(rows.order_by(TrustMetadata.version.desc()).limit(1))


async def load_ends(db: AsyncSession) -> dict[str, datetime]:
    """When the newest of each role ends, after which robots trust it no more. Empty: there are no keys yet."""
    newest = await load_newest(db)
    return {role: Metadata[Any].from_bytes(row.content.encode()).signed.expires for role, row in newest.items()}


async def list_targets(db: AsyncSession) -> dict[str, TargetFile]:
    """Each build that is published, or once was: robots may go back to it; firmware that is enabled, and published
    apps."""
    types = {row.id: row.name for row in await db.scalars(shared.select(DeviceType))}
    builds = await db.execute(
        shared.select(SoftBuild, VersionFile, SoftVersion.type_id)
        .join(VersionFile, VersionFile.id == SoftBuild.file_id)
        .join(SoftVersion, SoftVersion.id == SoftBuild.version_id)
        .where(SoftBuild.published_at.is_not(None))
    )
    firmware = await db.execute(
        shared.select(FirmwareVersion, VersionFile)
        .join(VersionFile, VersionFile.id == FirmwareVersion.file_id)
        .where(FirmwareVersion.enabled)
    )
    apps = await db.execute(
        shared.select(AppVersion, VersionFile)
        .join(VersionFile, VersionFile.id == AppVersion.release_id)
        .where(AppVersion.published_at.is_not(None))
    )
    targets = [
        *(
            _target(name_target("soft", build.id), file, build.version, build.name, type=types[type_id])
            for build, file, type_id in builds
        ),
        *(
            _target(
                name_target("firmware", row.id),
                file,
                row.version,
                row.name,
                part="firmware",
                types=sorted(types[type_id] for type_id in row.type_ids),
            )
            for row, file in firmware
        ),
        *(_target(name_target("app", row.id), file, row.name, row.name, part="app") for row, file in apps),
    ]
    return {target.path: target for target in targets}


def _target(name: str, file: VersionFile, version: str, title: str, **about: Any) -> TargetFile:
    """A target without a part is software, as robots of before take it."""
    custom = {"version": version, "name": title, **about}
    return TargetFile(file.size, {"sha256": file.sha256}, name, {"custom": custom})


async def renew(app: Services) -> None:
    """Signs what is due. Without keys that is nothing; with keys that root does not name robots would trust nothing."""
    if not app.settings.update_key:
        return
    async with app.sessions.begin() as db:
        await db.execute(LOCK)
        newest = await load_newest(db)
        if "root" not in newest:
            return
        root = Metadata[Root].from_bytes(newest["root"].content.encode()).signed
        keys = {role: online_key(app.settings.update_key, role) for role in ONLINE}
        if any(key.public_key.keyid not in root.roles[role].keyids for role, key in keys.items()):
            log.error("trust.other_keys", help="lustra keys rotate")
            return
        for role, signed in sign_due(root, newest, keys, await list_targets(db), now()).items():
            content = signed.to_bytes().decode()
            db.add(TrustMetadata(role=role, version=signed.signed.version, content=content))


def sign_due(
    root: Root,
    newest: Mapping[str, TrustMetadata],
    keys: Mapping[str, CryptoSigner],
    targets: dict[str, TargetFile],
    moment: datetime,
) -> dict[str, Metadata[Any]]:
    """What is not right any more, by role. What a role lists is signed before it."""
    known_targets = _valid(root, "targets", newest, moment)
    signed: dict[str, Metadata[Any]] = {}
    version = {role: newest[role].version if role in newest else 0 for role in ONLINE}

    def sign(role: str, content: Targets | Snapshot | Timestamp) -> None:
        version[role] += 1
        content.version = version[role]
        content.expires = (moment + LIVES[role]).replace(microsecond=0)
        signed[role] = envelope = Metadata[Any](content)
        envelope.sign(keys[role])

    if known_targets is None or known_targets.signed.targets != targets:
        sign("targets", Targets(targets=targets))
    if signed or _valid(root, "snapshot", newest, moment) is None:
        sign("snapshot", Snapshot(meta={"targets.json": MetaFile(version["targets"])}))
    if signed or _valid(root, "timestamp", newest, moment) is None:
        sign("timestamp", Timestamp(snapshot_meta=MetaFile(version["snapshot"])))
    return signed


def _valid(root: Root, role: str, newest: Mapping[str, TrustMetadata], moment: datetime) -> Metadata[Targets] | None:
    """The newest of a role, unless it must be signed anew."""
    if role not in newest:
        return None
    content = newest[role].content.encode()
    known = Metadata[Targets].from_bytes(content)
    try:
        root.verify_delegate(role, known.signed_bytes, known.signatures)
    except UnsignedMetadataError:
        return None
    return known if known.signed.expires > moment + RENEWED[role] else None
