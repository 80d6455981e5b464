"""Who may sign packages for which robots: lines of makers and dealers, given and taken by the keys of root.

Rules: a role has a name, keys of its own, and the packages of some types of robots; nobody else signs these then, not
even the worker. What it signs is drafted here, signed wherever its keys lie, and taken only if it is of its line, newer
than what it signed before, and what is published, byte for byte.
"""

# tuf and securesystemslib document these names where they are imported from here:
# pyright: reportPrivateImportUsage=false
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession
from tuf.api.exceptions import RepositoryError, UnsignedMetadataError
from tuf.api.metadata import DelegatedRole, Metadata, Root, TargetFile, Targets

from lustra.core.db import now
from lustra.core.scope import shared
from lustra.domains.device.api import DeviceType
from lustra.domains.rollout import trust
from lustra.domains.rollout.keys import KeyFault, open_keys, read_public, sign_by, sign_targets, store
from lustra.domains.rollout.tables import TrustMetadata
from lustra.domains.rollout.targets import by_path, list_packages
from lustra.domains.rollout.trust import ONLINE, delegated_roles, find_role, load_newest
from lustra.protocol.updates import PACKAGE_KINDS, target_path

NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
TAKEN = {"root", "targets", "snapshot", "timestamp", ONLINE}
LIVES = timedelta(days=400)


@dataclass(frozen=True, slots=True)
class Line:
    """Who signs packages of these kinds for robots of these types, by so many of the keys."""

    name: str
    keys: Sequence[Path]
    threshold: int
    types: Sequence[str]
    kinds: Sequence[str] = PACKAGE_KINDS


async def delegate(db: AsyncSession, line: Line, by: Sequence[Path]) -> None:
    """From now on, in place of what the role had before."""
    if not NAME.fullmatch(line.name) or line.name in TAKEN:
        raise KeyFault("A name has 1 to 32 small letters, digits and hyphens, and is none of TUF's own")
    if not 1 <= line.threshold <= len(line.keys):
        raise KeyFault("The threshold is 1 to the number of keys")
    known = set(await db.scalars(shared.select(DeviceType.name)))
    if unknown := sorted(set(line.types) - known):
        raise KeyFault(f"There is no type of robots {unknown[0]}")
    newest = await _load(db)
    targets = trust.read(Targets, newest["targets"])
    others = {name: role for name, role in delegated_roles(targets).items() if name not in (line.name, ONLINE)}
    paths = [target_path(kind, name, "*") for kind in line.kinds for name in sorted(set(line.types))]
    for name, role in others.items():
        if both := sorted(set(paths) & set(role.paths or [])):
            raise KeyFault(f"{both[0]} is {name}'s already")
    keys = [read_public(file) for file in line.keys]
    role = DelegatedRole(line.name, [key.keyid for key in keys], line.threshold, terminating=True, paths=paths)
    listed = trust.read(Targets, newest[ONLINE]).targets if ONLINE in newest else {}
    former = {name for name, target in listed.items() if _is_of(line, name, target)}
    _sign(db, newest, {**others, line.name: role}, {key.keyid: key for key in keys}, by, without=former)
    await _sign_at_once(db, newest, line, paths)


def _is_of(line: Line, name: str, target: TargetFile) -> bool:
    """A name of before, under which the worker could sign what is the line's now."""
    about = target.unrecognized_fields.get("custom", {})
    types = about.get("types", [about["type"]] if "type" in about else line.types)
    return name.count("/") == 1 and name.partition("/")[0] in line.kinds and bool(set(types) & set(line.types))


async def _sign_at_once(db: AsyncSession, newest: Mapping[str, TrustMetadata], line: Line, paths: list[str]) -> None:
    """Where the keys are at hand, so that its robots need not wait."""
    private = [file for file in line.keys if b"PRIVATE KEY" in file.read_bytes()]
    if len(private) >= line.threshold:
        role = DelegatedRole(line.name, [], 1, terminating=True, paths=paths)
        content = await _draft(db, role, newest.get(line.name))
        store(db, sign_by(content, open_keys(private)), line.name)


async def revoke(db: AsyncSession, name: str, by: Sequence[Path]) -> None:
    """What was its line is the worker's to sign again."""
    newest = await _load(db)
    roles = delegated_roles(trust.read(Targets, newest["targets"]))
    _demand_maker(roles, name)
    _sign(db, newest, {each: role for each, role in roles.items() if each not in (name, ONLINE)}, {}, by)


def _demand_maker(roles: Mapping[str, DelegatedRole], name: str) -> None:
    if name == ONLINE or name not in roles:
        raise KeyFault(f"There is no role {name}")


async def _load(db: AsyncSession) -> dict[str, TrustMetadata]:
    newest = await load_newest(db)
    if "root" not in newest:
        raise KeyFault("There is no root yet: lustra keys make")
    if trust.is_of_before(newest):
        raise KeyFault("The worker signs all packages as yet: lustra keys rotate")
    return newest


def _sign(
    db: AsyncSession,
    newest: Mapping[str, TrustMetadata],
    makers: Mapping[str, DelegatedRole],
    keys: Mapping[str, Any],
    by: Sequence[Path],
    *,
    without: AbstractSet[str] = frozenset(),
) -> None:
    """`without`: names of before that the worker signs no more."""
    targets = trust.read(Targets, newest["targets"])
    roles = delegated_roles(targets)
    known = {**(targets.delegations.keys if targets.delegations else {}), **keys}
    online = roles[ONLINE]
    online.paths = [path for path in online.paths or [] if path not in without]
    key = known[online.keyids[0]]
    signed = sign_targets(open_keys(by), targets.version + 1, makers, known, (online, key))
    root = trust.read(Root, newest["root"])
    try:
        root.verify_delegate("targets", signed.signed_bytes, signed.signatures)
    except UnsignedMetadataError:
        raise KeyFault(f"It needs {root.roles['targets'].threshold} of the root's keys") from None
    store(db, signed, "targets")


async def draft(db: AsyncSession, name: str) -> bytes:
    """What the role is to sign: all of its line that is published."""
    newest = await _load(db)
    roles = delegated_roles(trust.read(Targets, newest["targets"]))
    _demand_maker(roles, name)
    return Metadata[Targets](await _draft(db, roles[name], newest.get(name))).to_bytes()


async def _draft(db: AsyncSession, role: DelegatedRole, known: TrustMetadata | None) -> Targets:
    published = by_path(await list_packages(db))
    targets = {path: target for path, target in published.items() if role.is_delegated_path(path)}
    expires = (now() + LIVES).replace(microsecond=0)
    return Targets(version=known.version + 1 if known else 1, expires=expires, targets=targets)


def sign_draft(content: bytes, by: Sequence[Path]) -> tuple[bytes, list[str]]:
    """Signed, wherever the keys lie; and a line of each package, to compare with what its maker built."""
    try:
        signed = Metadata[Targets].from_bytes(content)
    except RepositoryError as why:
        raise KeyFault("That is no draft of `lustra keys draft`") from why
    for signer in open_keys(by):
        signed.sign(signer, append=True)
    lines = [
        f"{path}  {target.unrecognized_fields['custom']['version']}  {target.length}  {target.hashes['sha256']}"
        for path, target in sorted(signed.signed.targets.items())
    ]
    return signed.to_bytes(), lines


async def take(db: AsyncSession, name: str, content: bytes) -> int:
    """How many packages it lists then."""
    newest = await _load(db)
    targets = trust.read(Targets, newest["targets"])
    roles = delegated_roles(targets)
    _demand_maker(roles, name)
    try:
        signed = Metadata[Targets].from_bytes(content)
        targets.verify_delegate(name, signed.signed_bytes, signed.signatures)
    except RepositoryError as why:
        raise KeyFault(f"It needs the signatures of {roles[name].threshold} of {name}'s keys") from why
    if name in newest and signed.signed.version <= newest[name].version:
        raise KeyFault("Something newer was signed already: draft it anew")
    published = by_path(await list_packages(db))
    for path, target in signed.signed.targets.items():
        if not roles[name].is_delegated_path(path):
            raise KeyFault(f"{path} is not of the line of {name}")
        if published.get(path) != target:
            raise KeyFault(f"{path} is not what is published: draft it anew")
    store(db, signed, name)
    return len(signed.signed.targets)


async def find_unsigned(db: AsyncSession, names: Mapping[str, Sequence[str]]) -> str:
    """Of packages (`soft/7`) with types of robots: the first role that has not signed one; empty: all are signed."""
    newest = await load_newest(db)
    if trust.is_of_before(newest):
        return ""
    targets = trust.read(Targets, newest["targets"])
    published = by_path(await list_packages(db))
    for name, types in names.items():
        kind, number = name.split("/")
        for path in (target_path(kind, each, number) for each in types):
            role = find_role(targets, path)
            if role not in ("", ONLINE) and _signed_by(newest.get(role)).get(path) != published.get(path):
                return role
    return ""


def _signed_by(row: TrustMetadata | None) -> dict[str, TargetFile]:
    return trust.read(Targets, row).targets if row else {}
