"""By what robots trust a package: metadata of TUF.

Rules: `root` says whose signatures count, `targets` who may sign which packages; both are signed by keys that lie
offline (keys.py, delegation.py). The worker signs snapshot, timestamp and what is delegated to it (`online`), by keys
that it derives from one secret; it renews them long before they end, and signs anew what is to be signed by other keys.
Where the root is of before, the worker signs `targets` itself. What was signed once stays as it is.
"""

# tuf and securesystemslib document these names where they are imported from here:
# pyright: reportPrivateImportUsage=false
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from securesystemslib.signer import CryptoSigner
from sqlalchemy import func, text, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from tuf.api.exceptions import UnsignedMetadataError
from tuf.api.metadata import (
    DelegatedRole,
    Metadata,
    MetaFile,
    Root,
    Snapshot,
    TargetFile,
    Targets,
    Timestamp,
)

from lustra.core.context import Services
from lustra.core.db import now
from lustra.core.scope import shared
from lustra.domains.rollout.tables import TrustMetadata
from lustra.domains.rollout.targets import Listed, by_path, list_packages, of_before

ONLINE = "online"
ALWAYS_ONLINE = ("snapshot", "timestamp")
LIVES = {
    "targets": timedelta(days=90),  # where the worker signs it
    ONLINE: timedelta(days=90),
    "snapshot": timedelta(days=90),
    "timestamp": timedelta(days=7),
}
RENEWED = {
    "targets": timedelta(days=30),
    ONLINE: timedelta(days=30),
    "snapshot": timedelta(days=30),
    "timestamp": timedelta(days=4),
}  # before it ends
LOCK = text("select pg_advisory_xact_lock(30054)")  # one signs at a time

LONGEST_NUMBER = 9  # digits

T = TypeVar("T", Root, Targets)

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


@dataclass(frozen=True, slots=True)
class RoleEnd:
    """When robots trust the newest of a role no more. `by_hand`: people sign it, and not the worker."""

    role: str
    end: datetime
    by_hand: bool


async def load_ends(db: AsyncSession) -> list[RoleEnd]:
    """Of each role that counts. Empty: there are no keys yet."""
    newest = await load_newest(db)
    if "root" not in newest:
        return []
    before = is_of_before(newest)
    delegated = {} if before else delegated_roles(read(Targets, newest["targets"]))
    worker = {"snapshot", "timestamp", "targets" if before else ONLINE}
    return [
        RoleEnd(role, Metadata[Any].from_bytes(row.content.encode()).signed.expires, role not in worker)
        for role, row in newest.items()
        if role in {"root", "targets", *ALWAYS_ONLINE, *delegated}
    ]


def is_of_before(newest: Mapping[str, TrustMetadata]) -> bool:
    """The worker itself signs all targets, as it did before there were delegations."""
    return "targets" not in newest or read(Targets, newest["targets"]).delegations is None


async def renew(app: Services) -> None:
    """Signs what is due. Without keys that is nothing; with keys that nobody trusts robots would trust nothing."""
    if not app.settings.update_key:
        return
    async with app.sessions.begin() as db:
        await db.execute(LOCK)
        newest = await load_newest(db)
        if "root" not in newest:
            return
        for role, signed in sign_due(newest, app.settings.update_key, await list_packages(db), now()).items():
            content = signed.to_bytes().decode()
            db.add(TrustMetadata(role=role, version=signed.signed.version, content=content))


def sign_due(
    newest: Mapping[str, TrustMetadata], secret: str, packages: Sequence[Listed], moment: datetime
) -> dict[str, Metadata[Any]]:
    """What is not right any more, by role. What a role lists is signed before it."""
    root = read(Root, newest["root"])
    before = is_of_before(newest)
    above = root if before else read(Targets, newest["targets"])
    listing = "targets" if before else ONLINE
    delegators = {listing: above, "snapshot": root, "timestamp": root}
    keys = {role: online_key(secret, role) for role in delegators}
    if any(keys[role].public_key.keyid not in keys_of(by, role) for role, by in delegators.items()):
        log.error("trust.other_keys", help="lustra keys rotate")
        return {}
    versions = {role: row.version for role, row in newest.items()}
    signed: dict[str, Metadata[Any]] = {}

    def sign(role: str, content: Targets | Snapshot | Timestamp) -> None:
        versions[role] = content.version = versions.get(role, 0) + 1
        content.expires = (moment + LIVES[role]).replace(microsecond=0)
        signed[role] = envelope = Metadata[Any](content)
        envelope.sign(keys[role])

    targets = choose_targets(above, newest.get(listing), packages)
    listed = _valid(above, listing, newest, moment)
    if listed is None or listed.signed.targets != targets:
        sign(listing, Targets(targets=targets))
    # A role that was revoked stays: whoever has seen it there takes no snapshot without it.
    meta = {
        f"{role}.json": MetaFile(version)
        for role, version in sorted(versions.items())
        if role not in ("root", *ALWAYS_ONLINE)
    }
    snapshot = _valid(root, "snapshot", newest, moment)
    if snapshot is None or snapshot.signed.meta != meta:
        sign("snapshot", Snapshot(meta=meta))
    if "snapshot" in signed or _valid(root, "timestamp", newest, moment) is None:
        sign("timestamp", Timestamp(snapshot_meta=MetaFile(versions["snapshot"])))
    return signed


def choose_targets(
    above: Root | Targets, known: TrustMetadata | None, packages: Sequence[Listed]
) -> dict[str, TargetFile]:
    """What the worker lists: what is not a maker's to sign, and names of before that it may sign and listed so far."""
    former = of_before(packages)
    if isinstance(above, Root):
        listed = read(Targets, known).targets if known else {}
        return by_path(packages) | {name: former[name] for name in former if name in listed}
    targets = by_path(packages) | former
    return {path: target for path, target in targets.items() if find_role(above, path) == ONLINE}


def find_role(targets: Targets, path: str) -> str:
    """The first that may sign the path; empty: none."""
    roles = targets.delegations.get_roles_for_target(path) if targets.delegations else iter(())
    return next((role for role, _ in roles), "")


def delegated_roles(targets: Targets) -> dict[str, DelegatedRole]:
    return dict((targets.delegations and targets.delegations.roles) or {})


def keys_of(above: Root | Targets, role: str) -> set[str]:
    """Whose signatures count for the role; none where it is not delegated."""
    if isinstance(above, Root):
        return set(above.roles[role].keyids)
    roles = delegated_roles(above)
    return set(roles[role].keyids) if role in roles else set()


def read(kind: type[T], row: TrustMetadata) -> T:
    signed = Metadata[Any].from_bytes(row.content.encode()).signed
    if not isinstance(signed, kind):
        raise TypeError(f"{row.role} is no {kind.__name__}")
    return signed


def _valid(
    above: Root | Targets, role: str, newest: Mapping[str, TrustMetadata], moment: datetime
) -> Metadata[Any] | None:
    """The newest of a role, unless it must be signed anew."""
    if role not in newest:
        return None
    known = Metadata[Any].from_bytes(newest[role].content.encode())
    try:
        above.verify_delegate(role, known.signed_bytes, known.signatures)
    except UnsignedMetadataError:
        return None
    return known if known.signed.expires > moment + RENEWED[role] else None
