"""Keys of root: made and replaced by people, on whatever machine they trust (`lustra keys`).

Rules: a root is signed by so many of its keys as its threshold says; the next one by so many of the former root's keys
too, so that robots follow. Who has lost more keys than that must set robots up anew, and nobody can do it for them.
"""

# tuf and securesystemslib document these names where they are imported from here:
# pyright: reportPrivateImportUsage=false
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from securesystemslib.signer import CryptoSigner
from sqlalchemy.ext.asyncio import AsyncSession
from tuf.api.exceptions import UnsignedMetadataError
from tuf.api.metadata import Metadata, Root

from lustra.core.db import now
from lustra.core.files.private_files import write_private
from lustra.domains.rollout.tables import TrustMetadata
from lustra.domains.rollout.trust import ONLINE, load_root, online_key

ROOT_LIVES = timedelta(days=5 * 365)


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


async def make_root(db: AsyncSession, secret: str, files: Sequence[Path], threshold: int) -> None:
    """The first root. Where there is one already, it stays."""
    if await load_root(db) is None:
        _store(db, _new_root(secret, [open_key(file) for file in files], threshold, 1))


async def rotate_root(
    db: AsyncSession, secret: str, former: Sequence[Path], files: Sequence[Path], threshold: int
) -> int:
    """The next root, by keys of the former one: for the keys of `files`, and for the online keys of today's secret; its
    version."""
    content = await load_root(db)
    if content is None:
        raise KeyFault("There is no root yet: lustra keys make")
    if missing := [str(file) for file in former if not file.exists()]:
        raise KeyFault(f"{missing[0]} is not there")
    known = Metadata[Root].from_bytes(content.encode())
    holders = [open_key(file) for file in files]
    root = _new_root(secret, holders, threshold, known.signed.version + 1)
    for signer in map(open_key, former):
        root.sign(signer, append=True)
    try:
        known.signed.verify_delegate("root", root.signed_bytes, root.signatures)
    except UnsignedMetadataError:
        raise KeyFault(
            f"The root needs {known.signed.roles['root'].threshold} of its own keys to be followed"
        ) from None
    _store(db, root)
    return root.signed.version


def _new_root(secret: str, holders: Sequence[CryptoSigner], threshold: int, version: int) -> Metadata[Root]:
    if not secret:
        raise KeyFault("LUSTRA_UPDATE_KEY is not set: the worker's own secret, as openssl rand -hex 32 makes one")
    if not 1 <= threshold <= len(holders):
        raise KeyFault("The threshold is 1 to the number of keys")
    root = Root(version=version, expires=(now() + ROOT_LIVES).replace(microsecond=0), consistent_snapshot=True)
    for signer in holders:
        root.add_key(signer.public_key, "root")
    root.roles["root"].threshold = threshold
    for role in ONLINE:
        root.add_key(online_key(secret, role).public_key, role)
    signed = Metadata(root)
    for signer in holders:
        signed.sign(signer, append=True)
    return signed


def _store(db: AsyncSession, root: Metadata[Root]) -> None:
    db.add(TrustMetadata(role="root", version=root.signed.version, content=root.to_bytes().decode()))
