"""Keys of root: made and replaced by people, on whatever machine they trust (`lustra keys`).

Rules: root and `targets`, which says who may sign what, are signed by so many of these keys as the threshold says; the
next root by so many of the former one's keys too, so that robots follow. Who has lost more keys than that must set
robots up anew, and nobody can do it for them. A root of before, whose `targets` the worker signs, is replaced where its
keys are at hand; names that robots know from it stay.
"""

# tuf and securesystemslib document these names where they are imported from here:
# pyright: reportPrivateImportUsage=false
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from securesystemslib.signer import CryptoSigner, Key, SSlibKey
from sqlalchemy.ext.asyncio import AsyncSession
from tuf.api.exceptions import UnsignedMetadataError
from tuf.api.metadata import DelegatedRole, Delegations, Metadata, Root, Targets

from lustra.core.db import now
from lustra.core.files.private_files import write_private
from lustra.domains.rollout import trust
from lustra.domains.rollout.tables import TrustMetadata
from lustra.domains.rollout.trust import ALWAYS_ONLINE, ONLINE, load_newest, online_key
from lustra.protocol.updates import PACKAGE_KINDS

ROOT_LIVES = timedelta(days=5 * 365)
ONLINE_PATHS = [f"{kind}/*/*" for kind in PACKAGE_KINDS]


class KeyFault(Exception):
    """In a sentence for whoever holds the keys."""


def open_key(file: Path) -> CryptoSigner:
    """The private key of a file, which is made where there is none."""
    if not file.exists():
        pem = form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption()
        write_private(file, Ed25519PrivateKey.generate().private_bytes(*pem).decode())
    key = form.load_pem_private_key(file.read_bytes(), None)
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyFault(f"{file} is no Ed25519 key")
    return CryptoSigner(key)


def open_keys(files: Sequence[Path]) -> list[CryptoSigner]:
    """Keys that must be there."""
    if missing := [str(file) for file in files if not file.exists()]:
        raise KeyFault(f"{missing[0]} is not there")
    return [open_key(file) for file in files]


def read_public(file: Path) -> Key:
    """Of a public key, or of a private one its public part."""
    if not file.exists():
        raise KeyFault(f"{file} is not there")
    if b"PRIVATE KEY" in (content := file.read_bytes()):
        return open_key(file).public_key
    key = form.load_pem_public_key(content)
    if not isinstance(key, Ed25519PublicKey):
        raise KeyFault(f"{file} is no Ed25519 key")
    return SSlibKey.from_crypto(key)


def make_key(file: Path) -> Path:
    """A new private key, and its public part beside it, which may be given to anybody."""
    if file.exists():
        raise KeyFault(f"{file} is there already")
    pem = form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo
    open_key(file)
    key = form.load_pem_private_key(file.read_bytes(), None)
    public = file.with_suffix(f"{file.suffix}.pub")
    public.write_bytes(key.public_key().public_bytes(*pem))
    return public


async def make_root(db: AsyncSession, secret: str, files: Sequence[Path], threshold: int) -> None:
    """The first root, with what it delegates. One that is there stays; one of before is replaced where these are its
    keys."""
    newest = await load_newest(db)
    if "root" not in newest:
        holders = [open_key(file) for file in files]
        store(db, _new_root(secret, holders, threshold, 1), "root")
        store(db, _new_targets(secret, holders, {}), "targets")
    elif trust.is_of_before(newest) and all(file.exists() for file in files):
        root = trust.read(Root, newest["root"])
        if {read_public(file).keyid for file in files} == set(root.roles["root"].keyids):
            await rotate_root(db, secret, files, files, root.roles["root"].threshold)


async def rotate_root(
    db: AsyncSession, secret: str, former: Sequence[Path], files: Sequence[Path], threshold: int
) -> int:
    """The next root, by keys of the former one: for the keys of `files`, and for the online keys of today's secret; its
    version. What is delegated to others stays so."""
    newest = await load_newest(db)
    if "root" not in newest:
        raise KeyFault("There is no root yet: lustra keys make")
    formers = open_keys(former)
    known = trust.read(Root, newest["root"])
    holders = [open_key(file) for file in files]
    root = _new_root(secret, holders, threshold, known.version + 1)
    for signer in formers:
        root.sign(signer, append=True)
    try:
        known.verify_delegate("root", root.signed_bytes, root.signatures)
    except UnsignedMetadataError:
        raise KeyFault(f"The root needs {known.roles['root'].threshold} of its own keys to be followed") from None
    store(db, root, "root")
    store(db, _new_targets(secret, holders, newest), "targets")
    return root.signed.version


def _new_root(secret: str, holders: Sequence[CryptoSigner], threshold: int, version: int) -> Metadata[Root]:
    if not secret:
        raise KeyFault("LUSTRA_UPDATE_KEY is not set: the worker's own secret, as openssl rand -hex 32 makes one")
    if not 1 <= threshold <= len(holders):
        raise KeyFault("The threshold is 1 to the number of keys")
    root = Root(version=version, expires=(now() + ROOT_LIVES).replace(microsecond=0), consistent_snapshot=True)
    for role in ("root", "targets"):
        for signer in holders:
            root.add_key(signer.public_key, role)
        root.roles[role].threshold = threshold
    for role in ALWAYS_ONLINE:
        root.add_key(online_key(secret, role).public_key, role)
    return sign_by(root, holders)


def _new_targets(
    secret: str, holders: Sequence[CryptoSigner], newest: Mapping[str, TrustMetadata]
) -> Metadata[Targets]:
    """Roles of makers as they were, and the worker's for all else, also for names that robots know from before."""
    known = trust.read(Targets, newest["targets"]) if "targets" in newest else Targets()
    delegations = known.delegations or Delegations({}, {})
    roles = dict(delegations.roles or {})
    former = roles.pop(ONLINE, None)
    paths = [*ONLINE_PATHS, *sorted(known.targets)] if former is None else list(former.paths or [])
    version = newest["targets"].version + 1 if "targets" in newest else 1
    return sign_targets(holders, version, roles, delegations.keys, online_role(secret, paths))


def online_role(secret: str, paths: Sequence[str]) -> tuple[DelegatedRole, Key]:
    key = online_key(secret, ONLINE).public_key
    return DelegatedRole(ONLINE, [key.keyid], 1, terminating=False, paths=list(paths)), key


def sign_targets(
    holders: Sequence[CryptoSigner],
    version: int,
    makers: Mapping[str, DelegatedRole],
    keys: Mapping[str, Key],
    online: tuple[DelegatedRole, Key],
) -> Metadata[Targets]:
    """The next `targets`. Makers come first: what is theirs nobody else signs."""
    role, key = online
    roles = {**makers, ONLINE: role}
    used = {keyid for each in roles.values() for keyid in each.keyids}
    known_keys = {keyid: each for keyid, each in {**keys, key.keyid: key}.items() if keyid in used}
    targets = Targets(
        version=version,
        expires=(now() + ROOT_LIVES).replace(microsecond=0),
        delegations=Delegations(known_keys, roles),
    )
    return sign_by(targets, holders)


def sign_by(content: "Root | Targets", signers: Sequence[CryptoSigner]) -> Metadata[Any]:
    signed = Metadata[Any](content)
    for signer in signers:
        signed.sign(signer, append=True)
    return signed


def store(db: AsyncSession, signed: Metadata[Any], role: str) -> None:
    db.add(TrustMetadata(role=role, version=signed.signed.version, content=signed.to_bytes().decode()))
