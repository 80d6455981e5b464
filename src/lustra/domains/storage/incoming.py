"""Uploads that come in parts: how large they may become, and whom they count for until they are whole.

Rules: what an upload will take counts for its account from its first part on, beside what it replaces, so that no
number of half uploads passes the limit; it counts no more once it is whole, refused, or a day old.
"""

from collections.abc import AsyncIterator
from typing import Any

from lustra.core import quota
from lustra.core.context import Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.files.upload_parts import FOLDER, PartUpload, Span
from lustra.domains.storage import robot_files
from lustra.domains.storage.service import EVERY_FILE, LARGEST, LARGEST_IMAGE, UNUSED, limits_of

LARGEST_IN_PARTS = 4 << 30


def part_limits(claims: dict[str, Any]) -> tuple[int, tuple[str, ...]]:
    """How large an upload in parts may become, and which kinds its content may be of."""
    if robot_files.ORDER in claims:
        return LARGEST, ()
    if "place" in claims:
        return claims["largest"], ()
    largest, kinds = limits_of(claims["path"])
    return (largest if largest == LARGEST_IMAGE else LARGEST_IN_PARTS), kinds


async def add_part(
    ctx: Ctx, claims: dict[str, Any], upload: PartUpload, span: Span, content: AsyncIterator[bytes]
) -> int:
    """Store a part; how many bytes of the upload are there then."""
    largest, kinds = part_limits(claims)
    if span.total > largest:
        raise Refusal(Code.TOO_LARGE, "file", limit=f"{largest / (1 << 20):g} MB")
    if span.start == 0 and span.end:
        ctx.app.objects.demand_space(2 * span.total)  # its parts, and the whole that is made of them
        if "owner" in claims:
            await quota.hold(ctx, claims["owner"], "files", upload.folder, span.total)
    return await upload.add(span, content, kinds)


async def drop(app: Services, upload: PartUpload) -> None:
    """What was refused once it was whole."""
    await upload.delete()
    async with app.sessions.begin() as db:
        await quota.release(db, [upload.folder])


async def purge(app: Services) -> None:
    """Uploads of which nothing came for a day. A nightly job."""
    async for paths in app.objects.older(FOLDER, now() - UNUSED):
        for path in paths:
            await app.objects.delete(path)
    async with app.sessions.begin() as db:
        held = EVERY_FILE.select(quota.Holding.place).where(quota.Holding.place.startswith(FOLDER))
        for place in await db.scalars(held):
            if not await app.objects.list_folder(place):
                await quota.release(db, [place])
