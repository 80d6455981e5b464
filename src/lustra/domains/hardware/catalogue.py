"""Hardware parts and their categories: a catalogue of the whole installation.

Rules: a category's name is had once, a part's name and version once in its category; a category that has parts stays,
and so does a part that is fitted in robots or stands in a batch, and a refusal to delete it says how many and which.
What was once fitted and is no longer stays in the robots' histories by its name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import String, cast, func, or_

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.database import edits
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of, shared, system
from lustra.domains.device.api import Device
from lustra.domains.hardware.tables import DeviceBatch, DeviceHard, HardCategory, HardPart

NAMES_SHOWN = 5
PART_NAMES = {"category_id": "cate_id", "name": "hard_support_text"}
CATEGORY_NAMES = {"name": "cateName"}


@dataclass(slots=True)
class Part:
    row: HardPart
    category: HardCategory
    robots: int


async def list_categories(ctx: Ctx) -> Sequence[HardCategory]:
    return (await ctx.db.scalars(shared.select(HardCategory).order_by(func.lower(HardCategory.name)))).all()


async def list_parts(ctx: Ctx, category_key: str = "", ids: Sequence[int] | None = None) -> list[Part]:
    """The parts by category and name. `category_key`: only of this category, by its name or id."""
    rows = shared.select(HardPart, HardCategory).join(HardCategory, HardCategory.id == HardPart.category_id)
    if category_key:
        named = func.lower(HardCategory.name) == category_key.lower()
        rows = rows.where(or_(named, cast(HardCategory.id, String) == category_key))
    if ids is not None:
        rows = rows.where(HardPart.id.in_(ids))
    order = (func.lower(HardCategory.name), func.lower(HardPart.name), HardPart.version, HardPart.id)
    pairs = (await ctx.db.execute(rows.order_by(*order))).all()
    used = await count_fitted(ctx, [part.id for part, _ in pairs])
    return [Part(part, category, used.get(part.id, 0)) for part, category in pairs]


async def count_fitted(ctx: Ctx, ids: Sequence[int]) -> Mapping[int, int]:
    """By part: in how many robots it is fitted now."""
    fitted = (
        system("numbers alone")
        .select(DeviceHard.part_id, func.count(DeviceHard.device_id.distinct()))
        .join(Device, Device.id == DeviceHard.device_id)
        .where(DeviceHard.part_id.in_(ids), DeviceHard.removed_at.is_(None), Device.deleted_at.is_(None))
        .group_by(DeviceHard.part_id)
    )
    return {part: count for part, count in await ctx.db.execute(fitted) if part is not None}


async def add_category(ctx: Ctx, name: str) -> HardCategory:
    await _refuse_taken_name(ctx, name, None)
    category = HardCategory(name=name)
    ctx.db.add(category)
    await ctx.db.flush()
    return category


async def change_category(ctx: Ctx, category_id: int, name: str, based_on: datetime | None) -> None:
    row = await _lock_category(ctx, category_id)
    await _refuse_taken_name(ctx, name, row.id)
    ctx.note(before=edits.apply(row, {"name": name}, based_on, CATEGORY_NAMES))


async def remove_category(ctx: Ctx, category_id: int) -> None:
    row = await _lock_category(ctx, category_id)
    having = shared.select(func.count(HardPart.id)).where(HardPart.category_id == row.id)
    if count := await ctx.db.scalar(having):
        names = await ctx.db.scalars(
            shared.select(HardPart.name)
            .where(HardPart.category_id == row.id)
            .order_by(HardPart.name)
            .limit(NAMES_SHOWN)
        )
        raise Refusal(Code.BAD_INPUT, "cateId", reason="category_used", count=count, names=" · ".join(names))
    ctx.note(cateName=row.name)
    await ctx.db.delete(row)


async def add_part(ctx: Ctx, values: dict[str, Any]) -> HardPart:
    await _refuse_bad_part(ctx, values, None)
    part = HardPart(**values)
    ctx.db.add(part)
    await ctx.db.flush()
    return part


async def change_part(ctx: Ctx, part_id: int, values: dict[str, Any], based_on: datetime | None) -> None:
    row = await _lock_part(ctx, part_id)
    now_values = {name: getattr(row, name) for name in ("category_id", "name", "version")}
    await _refuse_bad_part(ctx, now_values | values, row.id)
    ctx.note(before=edits.apply(row, values, based_on, PART_NAMES))


async def remove_part(ctx: Ctx, part_id: int) -> None:
    row = await _lock_part(ctx, part_id)
    if count := (await count_fitted(ctx, [row.id])).get(row.id, 0):
        names = " · ".join(await _device_names(ctx, row))
        raise Refusal(Code.BAD_INPUT, "id", reason="used_by_robots", count=count, names=names)
    in_batches = list(
        await ctx.db.scalars(shared.select(DeviceBatch.name).where(DeviceBatch.part_ids.contains([row.id])))
    )
    if in_batches:
        names = " · ".join(sorted(in_batches)[:NAMES_SHOWN])
        raise Refusal(Code.BAD_INPUT, "id", reason="used_by_batches", count=len(in_batches), names=names)
    ctx.note(hard_support_text=row.name, version=row.version)
    await ctx.db.delete(row)


async def _device_names(ctx: Ctx, part: HardPart) -> Sequence[str]:
    """Names of some that have it and that the actor sees."""
    fitted = rows_of(part).select(DeviceHard.device_id).where(DeviceHard.removed_at.is_(None))
    rows = ctx.scope.select(Device.name).where(Device.id.in_(fitted))
    return (await ctx.db.scalars(rows.order_by(Device.name).limit(NAMES_SHOWN))).all()


async def _lock_category(ctx: Ctx, category_id: int) -> HardCategory:
    return await query.fetch_one(
        ctx.db, shared.select(HardCategory).where(HardCategory.id == category_id).with_for_update()
    )


async def _lock_part(ctx: Ctx, part_id: int) -> HardPart:
    return await query.fetch_one(ctx.db, shared.select(HardPart).where(HardPart.id == part_id).with_for_update())


async def _refuse_taken_name(ctx: Ctx, name: str, except_id: int | None) -> None:
    same_name = shared.select(HardCategory.id).where(
        func.lower(HardCategory.name) == name.lower(), HardCategory.id.is_distinct_from(except_id)
    )
    if await ctx.db.scalar(same_name):
        raise Refusal(Code.EXISTS, "cateName")


async def _refuse_bad_part(ctx: Ctx, values: dict[str, Any], except_id: int | None) -> None:
    """The category stays while the part is written: its row is locked against deletion by the foreign key."""
    if await ctx.db.get(HardCategory, values["category_id"]) is None:
        raise Refusal(Code.BAD_INPUT, "cate_id", reason="category_unknown")
    same_part = shared.select(HardPart.id).where(
        HardPart.category_id == values["category_id"],
        func.lower(HardPart.name) == values["name"].lower(),
        func.lower(HardPart.version) == values["version"].lower(),
        HardPart.id.is_distinct_from(except_id),
    )
    if await ctx.db.scalar(same_part):
        raise Refusal(Code.EXISTS, "hard_support_text", reason="part_exists")
