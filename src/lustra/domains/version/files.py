"""Files of versions: copied out of an account's uploads, so that a version stays whole whatever becomes of these.

The upload is gone once its copy stands; what no version has any more is deleted, and a nightly job deletes copies of
changes that came to nothing.
"""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from uuid import uuid4

from lustra.core import query
from lustra.core.context import Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import shared
from lustra.domains.storage.api import find_own_file, mark_deleted, sign_url
from lustra.domains.version.tables import VersionFile

FOLDER = "versions/"
UNUSED = timedelta(days=1)


async def take_file(ctx: Ctx, path: str, field: str) -> VersionFile:
    """Copies the actor's own upload of that path."""
    upload = await find_own_file(ctx.db, ctx.actor, path)
    if upload is None:
        raise Refusal(Code.BAD_INPUT, field, reason="file_unknown")
    if upload.size == 0:
        raise Refusal(Code.BAD_INPUT, field, reason="file_empty")
    objects = ctx.app.objects
    content = objects.parts(upload.place, 0, upload.size)
    stored = await objects.put(f"{FOLDER}{uuid4().hex}", content, largest=upload.size, field=field)
    mark_deleted([upload])
    file = VersionFile(path=path, place=stored.path, kind=stored.kind, size=stored.size, sha256=stored.sha256)
    ctx.db.add(file)
    await ctx.db.flush()
    return file


async def replace_file(ctx: Ctx, file_id: int, path: str, field: str) -> int:
    """The number of the file that a version has once it is changed: a form sends back the path that it was shown, which
    is a new file only where such a one was uploaded since."""
    former = await load_file(ctx, file_id)
    if path == former.path and await find_own_file(ctx.db, ctx.actor, path) is None:
        return file_id
    return (await take_file(ctx, path, field)).id


async def load_file(ctx: Ctx, file_id: int) -> VersionFile:
    return await query.fetch_one(ctx.db, shared.select(VersionFile).where(VersionFile.id == file_id), "file_unknown")


async def load_files(ctx: Ctx, ids: Sequence[int | None]) -> dict[int, VersionFile]:
    rows = shared.select(VersionFile).where(VersionFile.id.in_({file_id for file_id in ids if file_id is not None}))
    return {file.id: file for file in await ctx.db.scalars(rows)}


async def drop_files(ctx: Ctx, ids: Sequence[int | None]) -> None:
    """Those of a version that has been deleted or has others now."""
    await ctx.db.flush()
    for file in (await load_files(ctx, ids)).values():
        await ctx.db.delete(file)
        ctx.after_commit(partial(ctx.app.objects.delete, file.place))


async def find_url(ctx: Ctx, file_id: int) -> str:
    return sign_url(ctx.app.objects, await load_file(ctx, file_id))


async def purge(app: Services) -> None:
    """Copies that no version has. A nightly job."""
    async for paths in app.objects.older(FOLDER, now() - UNUSED):
        async with app.sessions() as db:
            used = set(await db.scalars(shared.select(VersionFile.place).where(VersionFile.place.in_(paths))))
        for path in set(paths) - used:
            await app.objects.delete(path)
