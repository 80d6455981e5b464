"""Versions of a whole machine: app, firmware and software that belong together, and which robots get them.

Rules: what is published stays as it is until it is unpublished; the server says when it was published; a robot stands
in the black list or in the white one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.database import edits
from lustra.core.db import now
from lustra.core.scope import shared
from lustra.core.wire import PageOf
from lustra.domains.version import ranges
from lustra.domains.version.events import refuse_if_rolled_out
from lustra.domains.version.packages import name_target
from lustra.domains.version.service import load_row, lock_row, refuse_if_published, refuse_taken, same_name
from lustra.domains.version.tables import WholeVersion


@dataclass(frozen=True, slots=True)
class WholeView:
    whole: WholeVersion
    black: Sequence[str]
    white: Sequence[str]


async def load_page(ctx: Ctx, name: str, paging: PageOf) -> tuple[Sequence[WholeView], int]:
    """The newest first."""
    rows = shared.select(WholeVersion)
    if name:
        rows = rows.where(func.strpos(func.lower(WholeVersion.name), func.lower(name)) > 0)
    wholes, total = await query.paginate(ctx.db, rows.order_by(WholeVersion.id.desc()), paging)
    ids = [whole.id for whole in wholes]
    black, white = [await ranges.list_serials(ctx, "whole_id", ids, name) for name in ("black", "white")]
    return [WholeView(whole, black.get(whole.id, []), white.get(whole.id, [])) for whole in wholes], total


async def _refuse_taken_name(ctx: Ctx, name: str, own: int | None) -> None:
    await refuse_taken(ctx, shared.select(WholeVersion.id).where(same_name(WholeVersion.name, name)), own, "name")


async def add(ctx: Ctx, values: dict[str, Any]) -> WholeVersion:
    await _refuse_taken_name(ctx, values["name"], None)
    whole = WholeVersion(**values)
    ctx.db.add(whole)
    await ctx.db.flush()
    ctx.note(id=whole.id)
    return whole


async def change(
    ctx: Ctx, whole_id: int, values: dict[str, Any], seen: datetime | None, *, published: bool | None
) -> None:
    """Unpublished and changed in one go, or changed and published; not changed while it is published."""
    whole = await lock_row(ctx, WholeVersion, whole_id)
    if "name" in values:
        await _refuse_taken_name(ctx, values["name"], whole.id)
    fresh = any(getattr(whole, name) != value for name, value in values.items())
    refuse_if_published(whole.published_at and published is not False and fresh)
    ctx.note(name=whole.name, before=edits.apply(whole, values, seen))
    if whole.published_at and published is False:
        await refuse_if_rolled_out(ctx.db, name_target("whole", whole.id))
    if published is not None and published is (whole.published_at is None):
        whole.published_at = now() if published else None
        edits.stamp(whole, "published")


async def delete(ctx: Ctx, whole_id: int) -> None:
    whole = await lock_row(ctx, WholeVersion, whole_id)
    refuse_if_published(whole.published_at)
    ctx.note(name=whole.name)
    await ctx.db.delete(whole)


async def list_robots(ctx: Ctx, whole_id: int, name: ranges.Name) -> list[ranges.RangeRow]:
    whole = await load_row(ctx, WholeVersion, whole_id)
    return await ranges.list_range(ctx, ranges.RobotList("whole_id", whole.id, name))


async def set_robots(ctx: Ctx, whole_id: int, name: ranges.Name, serial_numbers: Sequence[str]) -> None:
    whole = await lock_row(ctx, WholeVersion, whole_id)
    ctx.note(name=whole.name)
    await ranges.set_range(ctx, ranges.RobotList("whole_id", whole.id, name), serial_numbers)
