"""Production batches: a catalogue of the whole installation. Which robots are of one follows from their frame numbers
and types (hardware/racks).

Rules: a name is had once; a frame number is of one batch, so ranges never meet; types and parts exist. A batch that
robots are of stays, and a refusal to delete it says how many. Fitting gives each robot of the batch, in the categories
of the batch's parts, exactly these parts; other categories stay as they are, and doing it again changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.database import edits
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of, shared, system
from lustra.core.wire import PageOf
from lustra.domains.device.api import Device, DeviceType, TypesInUse, load_owned
from lustra.domains.hardware import fitted, racks
from lustra.domains.hardware.tables import DeviceBatch, DeviceHard, HardCategory, HardPart

NAMES_SHOWN = 5
MOST = 5000  # robots that one call fits
NAMES = {"name": "batchName", "low": "rackRange", "high": "rackRange", "part_ids": "hardSupportIds"}
LOCK_BATCHES = text("lock table device_batch in share row exclusive mode")


@dataclass(slots=True)
class FitResult:
    """How many robots the batch has within the actor's reach, and how many of them lack something of it."""

    robots: int
    changed: int
    names: list[str]


async def list_page(ctx: Ctx, words: str, paging: PageOf) -> tuple[Sequence[DeviceBatch], int]:
    """One page of the batches in the order of their frame numbers, and how many there are."""
    rows = shared.select(DeviceBatch)
    if words := words.strip():
        texts = func.concat_ws(" ", DeviceBatch.name, DeviceBatch.low, DeviceBatch.high)
        rows = rows.where(func.strpos(func.lower(func.normalize(texts)), func.lower(func.normalize(words))) > 0)
    rows = rows.order_by(DeviceBatch.low, DeviceBatch.id)
    return await query.paginate(ctx.db, rows, paging)


async def count_devices(ctx: Ctx, ids: Sequence[int]) -> dict[int, int]:
    """How many robots that the actor sees are of each."""
    rows = ctx.scope.select(func.count(Device.id)).join(DeviceBatch, racks.in_range())
    rows = rows.where(DeviceBatch.id.in_(ids)).group_by(DeviceBatch.id).add_columns(DeviceBatch.id)
    return {batch: robots for robots, batch in await ctx.db.execute(rows)}


async def find_batch(ctx: Ctx, batch_id: int | None, name: str | None = None, *, lock: bool = False) -> DeviceBatch:
    """A batch by its id or, without one, by its name. Where both are given, both must be its own."""
    rows = shared.select(DeviceBatch)
    if batch_id is not None:
        rows = rows.where(DeviceBatch.id == batch_id)
    if name is not None or batch_id is None:
        rows = rows.where(func.lower(DeviceBatch.name) == (name or "").lower())
    batch = await ctx.db.scalar(rows.with_for_update() if lock else rows)
    if batch is None:
        raise Refusal(Code.NOT_FOUND, reason="batch_unknown")
    return batch


async def create(ctx: Ctx, values: dict[str, Any]) -> DeviceBatch:
    await _refuse_bad_values(ctx, values, None)
    batch = DeviceBatch(**values)
    ctx.db.add(batch)
    await ctx.db.flush()
    return batch


async def change(ctx: Ctx, batch_id: int, values: dict[str, Any], based_on: datetime | None) -> None:
    batch = await find_batch(ctx, batch_id, lock=True)
    now_values = {name: getattr(batch, name) for name in ("name", "low", "high", "type_ids")}
    await _refuse_bad_values(ctx, now_values | values, batch.id)
    ctx.note(before=edits.apply(batch, values, based_on, NAMES))


async def change_parts(ctx: Ctx, batch_id: int, part_ids: list[int], based_on: datetime | None) -> None:
    batch = await find_batch(ctx, batch_id, lock=True)
    await _refuse_unknown_parts(ctx, part_ids)
    ctx.note(before=edits.apply(batch, {"part_ids": part_ids}, based_on, NAMES))


async def remove_part(ctx: Ctx, batch_id: int, part_id: int) -> None:
    """Takes a part out of the batch. Robots in which it is fitted keep it."""
    batch = await find_batch(ctx, batch_id, lock=True)
    if part_id not in batch.part_ids:
        raise Refusal(Code.NOT_FOUND, "hardSupportId")
    part_ids = [part for part in batch.part_ids if part != part_id]
    ctx.note(before=edits.apply(batch, {"part_ids": part_ids}, None, NAMES))


async def remove(ctx: Ctx, batch_id: int) -> None:
    batch = await find_batch(ctx, batch_id, lock=True)
    if count := await query.count_rows(ctx.db, _of_batch(system("a number alone").select(Device), batch)):
        seen = _of_batch(ctx.scope.select(Device), batch).order_by(Device.name).limit(NAMES_SHOWN)
        names = " · ".join(device.name for device in await ctx.db.scalars(seen))
        raise Refusal(Code.BAD_INPUT, "batchId", reason="used_by_robots", count=count, names=names)
    ctx.note(batchName=batch.name, rackRange=str(racks.range_of(batch)))
    await ctx.db.delete(batch)


async def types_in_use(db: AsyncSession, event: TypesInUse) -> None:
    rows = shared.select(DeviceBatch.name).where(DeviceBatch.type_ids.contains([event.type_id]))
    event.batches += await db.scalars(rows.order_by(DeviceBatch.name))


async def fit_batch(ctx: Ctx, batch_id: int, *, really: bool) -> FitResult:
    """All robots of it that the actor may change. Not `really`: what would be done."""
    batch = await find_batch(ctx, batch_id)
    rows = _of_batch(ctx.scope.changeable.select(Device), batch)
    count = await query.count_rows(ctx.db, rows)
    if count > MOST:
        raise Refusal(Code.TOO_MANY_ROWS, "batchId", count=count, limit=MOST)
    robots = (await ctx.db.scalars(rows.order_by(Device.id).with_for_update(of=Device))).all()
    changed = await _fit_devices(ctx, batch, robots, really=really)
    ctx.note(robots=len(robots), changed=len(changed))
    return FitResult(len(robots), len(changed), sorted(device.name for device in changed)[:NAMES_SHOWN])


async def fit_device(ctx: Ctx, device_id: int, batch_id: int) -> None:
    """A robot whose type is the batch's; its frame number, once it has one, as well."""
    robot = await load_owned(ctx, device_id)
    batch = await find_batch(ctx, batch_id)
    if robot.type_id not in batch.type_ids:
        raise Refusal(Code.BAD_INPUT, "batchId", reason="batch_type")
    if robot.rack_number and robot.rack_number not in racks.range_of(batch):
        raise Refusal(Code.BAD_INPUT, "batchId", reason="batch_rack", rack=robot.rack_number)
    await _fit_devices(ctx, batch, [robot], really=True)


def _of_batch(robots: Select[Device], batch: DeviceBatch) -> Select[Device]:
    return robots.join(DeviceBatch, racks.in_range()).where(DeviceBatch.id == batch.id, Device.deleted_at.is_(None))


async def _fit_devices(ctx: Ctx, batch: DeviceBatch, robots: Sequence[Device], *, really: bool) -> list[Device]:
    """Fits what each of these robots lacks of the batch; the robots that this changed. They are locked."""
    parts = (
        shared.select(HardPart, HardCategory)
        .join(HardCategory, HardCategory.id == HardPart.category_id)
        .where(HardPart.id.in_(batch.part_ids))
        .order_by(HardPart.id)
    )
    batch_parts = [(part, category) for part, category in await ctx.db.execute(parts)]
    categories = [category.id for _, category in batch_parts]
    fitted_rows = (
        rows_of(*robots)
        .select(DeviceHard, HardPart.category_id)
        .join(HardPart, HardPart.id == DeviceHard.part_id)
        .where(
            DeviceHard.removed_at.is_(None),
            HardPart.category_id.in_(categories),
        )
        .order_by(DeviceHard.id)
    )
    fitted_by_device: dict[int, list[tuple[DeviceHard, int]]] = {}
    for row, category in await ctx.db.execute(fitted_rows):
        fitted_by_device.setdefault(row.device_id, []).append((row, category))
    changed: list[Device] = []
    for robot in robots:
        lacking, surplus = _compare_parts(batch_parts, fitted_by_device.get(robot.id, []))
        if lacking or surplus:
            changed.append(robot)
        if really:
            _exchange_parts(ctx, batch, robot, lacking, surplus)
    await ctx.db.flush()
    return changed


BatchParts = list[tuple[HardPart, HardCategory]]
FittedParts = list[tuple[DeviceHard, int]]


def _compare_parts(batch_parts: BatchParts, fitted_parts: FittedParts) -> tuple[BatchParts, FittedParts]:
    """Parts of the batch that are not fitted yet, and fitted ones that it replaces."""
    surplus, lacking = list(fitted_parts), list[tuple[HardPart, HardCategory]]()
    for part, category in batch_parts:
        match = next(
            (
                fitted_part
                for fitted_part in surplus
                if (fitted_part[0].part_id, fitted_part[0].version) == (part.id, part.version)
            ),
            None,
        )
        if match:
            surplus.remove(match)
        else:
            lacking.append((part, category))
    return lacking, surplus


def _exchange_parts(ctx: Ctx, batch: DeviceBatch, robot: Device, lacking: BatchParts, surplus: FittedParts) -> None:
    for row, _ in surplus:
        fitted.end_fitting(ctx, robot, row)
    replaceable = list(surplus)
    for part, category in lacking:
        replaced = next((fitted_part for fitted_part in replaceable if fitted_part[1] == category.id), None)
        if replaced:
            replaceable.remove(replaced)
        fitted.fit_part(
            ctx, robot, part, category, part.version, batch=batch, replaced=replaced[0] if replaced else None
        )


async def _refuse_bad_values(ctx: Ctx, values: dict[str, Any], except_id: int | None) -> None:
    await ctx.db.execute(LOCK_BATCHES)  # two ranges that meet must not be written side by side
    same_name = shared.select(DeviceBatch.id).where(
        func.lower(DeviceBatch.name) == values["name"].lower(), DeviceBatch.id.is_distinct_from(except_id)
    )
    if await ctx.db.scalar(same_name):
        raise Refusal(Code.EXISTS, "batchName")
    overlapping = shared.select(DeviceBatch).where(
        racks.overlapping(racks.Racks(values["low"], values["high"])), DeviceBatch.id.is_distinct_from(except_id)
    )
    if other := await ctx.db.scalar(overlapping.order_by(DeviceBatch.low).limit(1)):
        raise Refusal(
            Code.BAD_INPUT, "rackRange", reason="batch_meets", name=other.name, rackRange=str(racks.range_of(other))
        )
    types = (
        shared.select(DeviceType.id)
        .where(DeviceType.id.in_(values["type_ids"]))
        .with_for_update(read=True, key_share=True)
    )
    if set(values["type_ids"]) - set(await ctx.db.scalars(types)):
        raise Refusal(Code.BAD_INPUT, "typeIds", reason="type_unknown")
    await _refuse_unknown_parts(ctx, values.get("part_ids", []))


async def _refuse_unknown_parts(ctx: Ctx, ids: Sequence[int]) -> None:
    """Lock the parts against deletion while the batch is written."""
    known = shared.select(HardPart.id).where(HardPart.id.in_(ids)).with_for_update(read=True, key_share=True)
    if unknown := set(ids) - set(await ctx.db.scalars(known)):
        raise Refusal(Code.BAD_INPUT, "hardSupportIds", reason="part_unknown", name=min(unknown))
