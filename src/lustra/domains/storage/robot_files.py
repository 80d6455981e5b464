"""Files that robots send up because the server asked for them: logs, recordings, backups.

Rules: the signed address is good for one order and ends; the bytes are stored only where they are as many as the robot
says and have its SHA-256, and where the order still waits for them (RobotFileStored). They count as files of the
account that holds them.
"""

from collections.abc import AsyncIterator
from functools import partial
from typing import Any
from uuid import uuid4

from lustra.core import events, quota
from lustra.core.context import Ctx, Services
from lustra.core.errors import Code, Refusal
from lustra.core.files import addresses
from lustra.core.files.objects import Stored
from lustra.domains.storage.events import RobotFileStored
from lustra.domains.storage.service import LARGEST, TOKEN_LIFE_MS
from lustra.protocol.files import FileKind

ORDER = "robotFile"


def folder_of(kind: FileKind) -> str:
    """The folder of the store in which robots' files of that kind lie."""
    return f"robotfiles/{kind}/"


def upload_url(app: Services, kind: FileKind, number: int) -> str:
    """The URL to which a robot puts the file that an order asks for."""
    return addresses.upload_url(app.settings, app.objects, {ORDER: [kind, number]}, TOKEN_LIFE_MS)


async def store(ctx: Ctx, claims: dict[str, Any], content: AsyncIterator[bytes], size: int, sha256: str) -> Stored:
    """Store the bytes of an order, in its transaction."""
    kind, number = claims[ORDER]
    objects = ctx.app.objects
    stored = await objects.put(f"{folder_of(kind)}{uuid4().hex}", content, largest=LARGEST)
    try:
        former = await _enter(ctx, RobotFileStored(kind, number, stored), size, sha256)
    except BaseException:
        await objects.delete(stored.path)
        raise
    if former:
        ctx.after_commit(partial(objects.delete, former))
    return stored


async def _enter(ctx: Ctx, file: RobotFileStored, size: int, sha256: str) -> str:
    """Writes the file's row; the path of the content that it replaces."""
    stored = file.stored
    if (stored.size, stored.sha256) != (size, sha256):
        raise Refusal(Code.BAD_INPUT, "sha256", reason="upload_checksum")
    await events.emit(ctx.db, file)
    if file.owner_id is None:
        raise Refusal(Code.UPLOAD_EXPIRED)
    await quota.release(ctx.db, [file.former])
    await quota.hold(ctx, file.owner_id, "files", stored.path, stored.size)
    return file.former
