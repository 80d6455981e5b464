"""Files that accounts upload: named by path, overwritten by the same path, kept apart by owner.

The new content stands before the old is gone. Pictures are pictures by their bytes and at most 2 MB. A private file is
seen by its owner's scope; another also by those below the owner.
"""

import re
from collections.abc import AsyncIterable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Protocol
from urllib.parse import quote
from uuid import uuid4

from sqlalchemy import and_, func, or_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped

from lustra.core import query, quota
from lustra.core.context import Actor, Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.files.addresses import fetch_path
from lustra.core.files.objects import URL_LIFE_S, Objects
from lustra.core.scope import system
from lustra.domains.storage.tables import StoredFile

TOKEN_LIFE_MS = 6_600_000
LARGEST = 256 << 20
LARGEST_IMAGE = 2 << 20
PURGE_AFTER = timedelta(days=30)  # after its deletion
UNUSED = timedelta(days=1)  # far longer than an upload's token lives
FILES = "files/"  # half written
UNFINISHED = ("new/", "robots/")  # sent by robots and never taken
SEGMENTS = 8
NAME = re.compile(r"(?!\.)[\w.\-]{1,128}")  # letters of any script, digits, dot, underscore, hyphen; no leading dot
IMAGES = {
    ".png": ("image/png",),
    ".jpg": ("image/jpeg",),
    ".jpeg": ("image/jpeg",),
    ".gif": ("image/gif",),
    ".webp": ("image/webp",),
}
EVERY_FILE = system("of all accounts")
KINDS = IMAGES | {".zip": ("application/zip",), ".pdf": ("application/pdf",)}


def path_of(target: str, name: str) -> str:
    """Where a file is to stand; every part of it keeps the rule of file names."""
    parts = [*(part for part in target.split("/") if part), name]
    check_names(parts, "file")
    return "/".join(parts)


def check_names(names: Sequence[str], field: str) -> None:
    """Of a file and its folders: no spaces or special characters."""
    if len(names) > SEGMENTS or not all(NAME.fullmatch(name) for name in names):
        raise Refusal(Code.BAD_INPUT, field, reason="file_name")


def upload_token(objects: Objects, actor: Actor, path: str, *, private: bool) -> str:
    whose = {"owner": actor.acting_id, "tree": actor.path}
    return objects.ticket({"path": path, "private": private} | whose, TOKEN_LIFE_MS)


def limits_of(path: str) -> tuple[int, tuple[str, ...]]:
    """How large, and which kinds by content, a file of that name may be."""
    suffix = "." + path.rsplit(".", 1)[-1].lower() if "." in path else ""
    return (LARGEST_IMAGE if suffix in IMAGES else LARGEST), KINDS.get(suffix, ())


async def store_file(ctx: Ctx, claims: dict[str, Any], parts: AsyncIterable[bytes], *, largest: int = 0) -> StoredFile:
    """Put the content of an upload token in its place. What stood there before goes when this stands. `largest`: bytes
    that it may have; 0: as many as one that comes at once."""
    path, objects = claims["path"], ctx.app.objects
    most, kinds = limits_of(path)
    largest = largest or most
    new = await objects.put(f"{FILES}{uuid4().hex}", parts, largest=largest, kinds=kinds)
    try:
        file, old = await _lock_row(ctx.db, claims)
        await _hold_quota(ctx, claims["owner"], new.path, new.size, old)
    except BaseException:
        await objects.delete(new.path)
        raise
    file.place, file.kind, file.size, file.sha256, file.updated_at = new.path, new.kind, new.size, new.sha256, now()
    ctx.db.add(file)
    if old:
        ctx.after_commit(lambda: objects.delete(old))
    return file


async def holdings(ctx: Ctx) -> list[tuple[quota.Kind, int, int]]:
    """Kind, bytes used, limit. Adverts and pictures are a shadow's own, the others the account's that it acts for."""
    limits = quota.read_limits(ctx.app.settings.quota_gb)
    acting, real = await quota.used_by(ctx.db, ctx.actor.acting_id), await quota.used_by(ctx.db, ctx.actor.real_id)
    return [
        ("files", acting["files"], limits["files"]),
        ("maps", acting["maps"], limits["maps"]),
        ("recordings", acting["recordings"], limits["recordings"]),
        ("adverts", real["adverts"], limits["adverts"]),
        ("pictures", real["pictures"], limits["pictures"]),
    ]


async def _hold_quota(ctx: Ctx, owner: int, place: str, size: int, old: str) -> None:
    """What it takes the place of makes room, and what is deleted goes earlier than it would."""
    await quota.release(ctx.db, [old])
    try:
        await quota.hold(ctx, owner, "files", place, size)
    except Refusal:
        files = EVERY_FILE.select(StoredFile)
        deleted = files.where(StoredFile.owner_id == owner, StoredFile.deleted_at.is_not(None))
        outdated = list(await ctx.db.scalars(deleted.with_for_update()))
        if not outdated:
            raise
        await quota.release(ctx.db, [file.place for file in outdated])
        await quota.hold(ctx, owner, "files", place, size)
        for file in outdated:
            await ctx.db.delete(file)
            ctx.after_commit(partial(ctx.app.objects.delete, file.place))


async def _lock_row(db: AsyncSession, claims: dict[str, Any]) -> tuple[StoredFile, str]:
    """The row of that path, locked, and where its former content lies."""
    path, owner = claims["path"], claims["owner"]
    same = (
        system("the token says whose it is")
        .select(StoredFile)
        .where(StoredFile.path == path, StoredFile.owner_id == owner, StoredFile.deleted_at.is_(None))
    )
    if known := await db.scalar(same.with_for_update()):
        known.private = claims["private"]
        return known, known.place
    fresh = StoredFile(
        path=path,
        owner_id=owner,
        owner_path=claims["tree"],
        private=claims["private"],
        kind="",
        size=0,
        sha256="",
        place="",
        updated_at=now(),
    )
    return fresh, ""


async def find_file(db: AsyncSession, actor: Actor, path: str) -> StoredFile:
    """The file of that path: the actor's own before another's."""
    above = StoredFile.owner_path.op("@>", is_comparison=True)(func.text2ltree(actor.path))
    in_sight = or_(actor.scope.below(StoredFile.owner_path), and_(above, StoredFile.private.is_(False)))
    rows = system("somebody above the actor keeps some for all below").select(StoredFile)
    rows = rows.where(StoredFile.path == path, StoredFile.deleted_at.is_(None), in_sight)
    own_first = (StoredFile.owner_id != actor.acting_id, StoredFile.owner_path, StoredFile.id.desc())
    return await query.fetch_one(db, rows.order_by(*own_first).limit(1), "file_unknown")


class Placed(Protocol):
    """A stored content and the name under which it is downloaded."""

    path: Mapped[str]
    place: Mapped[str]


def sign_url(objects: Objects, file: Placed) -> str:
    """Opens the file for a minute, to be saved by its name."""
    return sign_place(objects, file.place, file.path.rsplit("/", 1)[-1])


def sign_place(objects: Objects, place: str, name: str, *, life_s: float = URL_LIFE_S) -> str:
    return f"{fetch_path(objects, place, life_s=life_s)}&name={quote(name)}"


async def find_own_file(db: AsyncSession, actor: Actor, path: str) -> StoredFile | None:
    """The actor's own file of that path, locked."""
    rows = actor.scope.select(StoredFile).where(StoredFile.path == path, StoredFile.owner_id == actor.acting_id)
    return await db.scalar(rows.with_for_update())


async def share_file(db: AsyncSession, actor: Actor, path: str) -> StoredFile:
    """The actor's own file of that path, which those below may read from now on."""
    file = await find_own_file(db, actor, path)
    if file is None:
        raise Refusal(Code.BAD_INPUT, "file", reason="file_unknown")
    file.private = False
    return file


def mark_deleted(files: Sequence[StoredFile]) -> None:
    """Files disappear from lists at once; their content 30 days later."""
    for file in files:
        file.deleted_at = now()


async def delete_files(db: AsyncSession, actor: Actor, paths: list[str]) -> None:
    """Marks files deleted: all of them or, where one is not in scope, none."""
    in_scope = actor.scope.select(StoredFile).where(StoredFile.path.in_(paths))
    files = list(await db.scalars(in_scope.where(StoredFile.owner_id == actor.acting_id).with_for_update()))
    others = [path for path in paths if path not in {file.path for file in files}]
    if others:
        files += list(await db.scalars(in_scope.where(StoredFile.path.in_(others)).with_for_update()))
    if {file.path for file in files} != set(paths):
        raise Refusal(Code.NOT_FOUND, "savePath", reason="file_unknown")
    mark_deleted(files)


async def purge(app: Services) -> None:
    """What was deleted 30 days ago goes for good, and what an upload that came to no end has left. A nightly job."""
    while await _purge_deleted(app):
        pass
    for folder in UNFINISHED:
        async for paths in app.objects.older(folder, now() - UNUSED):
            for path in paths:
                await app.objects.delete(path)
    async for paths in app.objects.older(FILES, now() - UNUSED):
        for path in await _paths_without_row(app, paths):
            await app.objects.delete(path)


async def _purge_deleted(app: Services) -> int:
    """Deletes contents whose 30 days are over, some at a time; how many."""
    query = EVERY_FILE.select(StoredFile).where(StoredFile.deleted_at < now() - PURGE_AFTER).limit(1000)
    async with app.sessions.begin() as db:
        files = list(await db.scalars(query.with_for_update(skip_locked=True)))
        for file in files:
            await app.objects.delete(file.place)
            await db.delete(file)
        await quota.release(db, [file.place for file in files])
    return len(files)


async def _paths_without_row(app: Services, paths: list[str]) -> set[str]:
    """Those of the paths that no row names: their upload was never committed."""
    places = EVERY_FILE.select(StoredFile.place)
    async with app.sessions() as db:
        return set(paths) - set(await db.scalars(places.where(StoredFile.place.in_(paths))))
