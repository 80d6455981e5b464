"""Versions of this software: what is new in each, for the people who use it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.database import edits
from lustra.core.db import now
from lustra.core.scope import shared
from lustra.core.wire import PageOf
from lustra.domains.version.service import lock_row, refuse_taken, same_name
from lustra.domains.version.tables import CloudVersion

NEWS = 10  # versions that people are shown


async def load_page(ctx: Ctx, paging: PageOf) -> tuple[Sequence[CloudVersion], int]:
    """The latest first."""
    rows = shared.select(CloudVersion).order_by(CloudVersion.publish_time.desc(), CloudVersion.id.desc())
    return await query.paginate(ctx.db, rows, paging)


async def find(ctx: Ctx, cloud_id: int) -> CloudVersion:
    return await query.fetch_one(ctx.db, shared.select(CloudVersion).where(CloudVersion.id == cloud_id))


async def list_news(ctx: Ctx) -> Sequence[CloudVersion]:
    """The published versions of the console that its page of news shows, the latest first."""
    rows = shared.select(CloudVersion).where(CloudVersion.publish_time <= now())
    rows = rows.order_by(CloudVersion.publish_time.desc(), CloudVersion.id.desc()).limit(NEWS)
    return (await ctx.db.scalars(rows)).all()


async def _refuse_taken_version(ctx: Ctx, version: str, own: int | None) -> None:
    taken = shared.select(CloudVersion.id).where(same_name(CloudVersion.version, version))
    await refuse_taken(ctx, taken, own, "version", "duplicate_version_name")


async def add(ctx: Ctx, version: str, log: str, publish_time: datetime | None) -> CloudVersion:
    """A version with its notes; without a time it is published at once."""
    await _refuse_taken_version(ctx, version, None)
    cloud = CloudVersion(version=version, log=log, publish_time=publish_time or now())
    ctx.db.add(cloud)
    await ctx.db.flush()
    ctx.note(id=cloud.id)
    return cloud


async def change(ctx: Ctx, cloud_id: int, values: dict[str, Any], seen: datetime | None) -> None:
    cloud = await lock_row(ctx, CloudVersion, cloud_id)
    if "version" in values:
        await _refuse_taken_version(ctx, values["version"], cloud.id)
    ctx.note(before=edits.apply(cloud, values, seen))


async def delete(ctx: Ctx, cloud_id: int) -> None:
    cloud = await lock_row(ctx, CloudVersion, cloud_id)
    ctx.note(version=cloud.version)
    await ctx.db.delete(cloud)
