"""Hardware parts and their categories: a catalogue of the whole installation.

Rules: a category's name is had once, a part's name and version once in its category; a category that has parts stays,
and so does a part that is fitted in robots or stands in a batch, and who would delete it is told how many and which.
What was once fitted and is no longer stays in the robots' histories by its name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import String, cast, func, or_, select

from lustra.core import edits, query
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.domains.device.scope import visible
from lustra.domains.device.tables import Device
from lustra.domains.hardware.tables import DeviceBatch, DeviceHard, HardCategory, HardPart

NAMED = 5
PART_NAMES = {"category_id": "cate_id", "name": "hard_support_text"}
CATEGORY_NAMES = {"name": "cateName"}


@dataclass(slots=True)
class Part:
    row: HardPart
    category: HardCategory
    robots: int


async def categories(ctx: Ctx) -> Sequence[HardCategory]:
    return (await ctx.db.scalars(select(HardCategory).order_by(func.lower(HardCategory.name)))).all()


async def parts(ctx: Ctx, kind: str = "", ids: Sequence[int] | None = None) -> list[Part]:
    """By category and name; `kind`: only of this category, told by its name or id."""
    rows = select(HardPart, HardCategory).join(HardCategory, HardCategory.id == HardPart.category_id)
    if kind:
        named = func.lower(HardCategory.name) == kind.lower()
        rows = rows.where(or_(named, cast(HardCategory.id, String) == kind))
    if ids is not None:
        rows = rows.where(HardPart.id.in_(ids))
    order = (func.lower(HardCategory.name), func.lower(HardPart.name), HardPart.version, HardPart.id)
    found = (await ctx.db.execute(rows.order_by(*order))).all()
    used = await in_use(ctx, [part.id for part, _ in found])
    return [Part(part, category, used.get(part.id, 0)) for part, category in found]


async def in_use(ctx: Ctx, ids: Sequence[int]) -> Mapping[int, int]:
    """In how many robots each is. Unscoped: numbers alone."""
    fitted = (
        select(DeviceHard.part_id, func.count(DeviceHard.device_id.distinct()))
        .join(Device, Device.id == DeviceHard.device_id)
        .where(DeviceHard.part_id.in_(ids), DeviceHard.removed_at.is_(None), Device.deleted_at.is_(None))
        .group_by(DeviceHard.part_id)
    )
    return {part: count for part, count in await ctx.db.execute(fitted) if part is not None}


async def add_category(ctx: Ctx, name: str) -> HardCategory:
    await _category_free(ctx, name, None)
    made = HardCategory(name=name)
    ctx.db.add(made)
    await ctx.db.flush()
    return made


async def change_category(ctx: Ctx, category_id: int, name: str, seen: datetime | None) -> None:
    row = await _category(ctx, category_id)
    await _category_free(ctx, name, row.id)
    ctx.note(before=edits.apply(row, {"name": name}, seen, CATEGORY_NAMES))


async def remove_category(ctx: Ctx, category_id: int) -> None:
    row = await _category(ctx, category_id)
    having = select(func.count()).where(HardPart.category_id == row.id)
    if count := await ctx.db.scalar(having):
        names = await ctx.db.scalars(
            select(HardPart.name).where(HardPart.category_id == row.id).order_by(HardPart.name).limit(NAMED)
        )
        raise Refusal(Code.BAD_INPUT, "cateId", reason="category_used", count=count, names=" · ".join(names))
    ctx.note(cateName=row.name)
    await ctx.db.delete(row)


async def add_part(ctx: Ctx, told: dict[str, Any]) -> HardPart:
    await _part_fits(ctx, told, None)
    made = HardPart(**told)
    ctx.db.add(made)
    await ctx.db.flush()
    return made


async def change_part(ctx: Ctx, part_id: int, told: dict[str, Any], seen: datetime | None) -> None:
    row = await _part(ctx, part_id)
    await _part_fits(ctx, told, row.id)
    ctx.note(before=edits.apply(row, told, seen, PART_NAMES))


async def remove_part(ctx: Ctx, part_id: int) -> None:
    row = await _part(ctx, part_id)
    if count := (await in_use(ctx, [row.id])).get(row.id, 0):
        names = " · ".join(await _robots(ctx, row))
        raise Refusal(Code.BAD_INPUT, "id", reason="used_by_robots", count=count, names=names)
    in_batches = list(await ctx.db.scalars(select(DeviceBatch.name).where(DeviceBatch.part_ids.contains([row.id]))))
    if in_batches:
        names = " · ".join(sorted(in_batches)[:NAMED])
        raise Refusal(Code.BAD_INPUT, "id", reason="used_by_batches", count=len(in_batches), names=names)
    ctx.note(hard_support_text=row.name, version=row.version)
    await ctx.db.delete(row)


async def _robots(ctx: Ctx, part: HardPart) -> Sequence[str]:
    """Names of some that have it and that the actor sees."""
    fitted = select(DeviceHard.device_id).where(DeviceHard.part_id == part.id, DeviceHard.removed_at.is_(None))
    rows = select(Device.name).where(Device.id.in_(fitted), Device.id.in_(visible(ctx.actor)))
    return (await ctx.db.scalars(rows.order_by(Device.name).limit(NAMED))).all()


async def _category(ctx: Ctx, category_id: int) -> HardCategory:
    return await query.fetch_one(ctx.db, select(HardCategory).where(HardCategory.id == category_id).with_for_update())


async def _part(ctx: Ctx, part_id: int) -> HardPart:
    return await query.fetch_one(ctx.db, select(HardPart).where(HardPart.id == part_id).with_for_update())


async def _category_free(ctx: Ctx, name: str, but: int | None) -> None:
    same = select(HardCategory.id).where(
        func.lower(HardCategory.name) == name.lower(), HardCategory.id.is_distinct_from(but)
    )
    if await ctx.db.scalar(same):
        raise Refusal(Code.EXISTS, "cateName")


async def _part_fits(ctx: Ctx, told: dict[str, Any], but: int | None) -> None:
    """The category stays while the part is written: its row is locked against deletion by the foreign key."""
    if await ctx.db.get(HardCategory, told["category_id"]) is None:
        raise Refusal(Code.BAD_INPUT, "cate_id", reason="category_unknown")
    same = select(HardPart.id).where(
        HardPart.category_id == told["category_id"], func.lower(HardPart.name) == told["name"].lower(),
        func.lower(HardPart.version) == told["version"].lower(), HardPart.id.is_distinct_from(but),
    )  # fmt: skip
    if await ctx.db.scalar(same):
        raise Refusal(Code.EXISTS, "hard_support_text", reason="part_exists")
