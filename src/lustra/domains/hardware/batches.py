"""Production batches: a catalogue of the whole installation. Which robots are of one follows from their frame numbers
and types (hardware/racks).

Rules: a name is had once; a frame number is of one batch, so ranges never meet; types and parts exist. A batch that
robots are of stays, and who would delete it is told how many. Fitting gives each robot of the batch, in the categories
of the batch's parts, exactly these parts; other categories stay as they are, and doing it again changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import edits, query
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.wire import PageOf
from lustra.domains.device import edit
from lustra.domains.device.events import TypesInUse
from lustra.domains.device.scope import visible
from lustra.domains.device.tables import Device, DeviceType
from lustra.domains.hardware import fitted, racks
from lustra.domains.hardware.tables import DeviceBatch, DeviceHard, HardCategory, HardPart

NAMED = 5
MOST = 5000  # robots that one call fits
NAMES = {"name": "batchName", "low": "rackRange", "high": "rackRange", "part_ids": "hardSupportIds"}
ONE_AT_A_TIME = text("lock table device_batch in share row exclusive mode")


@dataclass(slots=True)
class Fit:
    """How many robots the batch has within the actor's reach, and how many of them lack something of it."""

    robots: int
    changed: int
    names: list[str]


async def page(ctx: Ctx, words: str, of: PageOf) -> tuple[Sequence[DeviceBatch], int]:
    """By frame numbers."""
    rows = select(DeviceBatch)
    if words := words.strip():
        texts = func.concat_ws(" ", DeviceBatch.name, DeviceBatch.low, DeviceBatch.high)
        rows = rows.where(func.strpos(func.lower(func.normalize(texts)), func.lower(func.normalize(words))) > 0)
    total = await ctx.db.scalar(select(func.count()).select_from(rows.subquery())) or 0
    query.bounded(total, of)
    rows = rows.order_by(DeviceBatch.low, DeviceBatch.id)
    return (await ctx.db.scalars(rows.limit(of.page_size).offset((of.current_page - 1) * of.page_size))).all(), total


async def sizes(ctx: Ctx, ids: Sequence[int]) -> dict[int, int]:
    """How many robots that the actor sees are of each."""
    rows = select(DeviceBatch.id, func.count().label("robots")).join(Device, racks.matches())
    rows = rows.where(DeviceBatch.id.in_(ids), Device.id.in_(visible(ctx.actor))).group_by(DeviceBatch.id)
    return {one.id: one.robots for one in await ctx.db.execute(rows)}


async def find(ctx: Ctx, batch_id: int | None, name: str | None = None, *, lock: bool = False) -> DeviceBatch:
    """By its id or, without one, by its name; what is told of both fits together."""
    rows = select(DeviceBatch)
    if batch_id is not None:
        rows = rows.where(DeviceBatch.id == batch_id)
    if name is not None or batch_id is None:
        rows = rows.where(func.lower(DeviceBatch.name) == (name or "").lower())
    found = await ctx.db.scalar(rows.with_for_update() if lock else rows)
    if found is None:
        raise Refusal(Code.NOT_FOUND, reason="batch_unknown")
    return found


async def make(ctx: Ctx, told: dict[str, Any]) -> DeviceBatch:
    await _fits(ctx, told, None)
    made = DeviceBatch(**told)
    ctx.db.add(made)
    await ctx.db.flush()
    return made


async def change(ctx: Ctx, batch_id: int, told: dict[str, Any], seen: datetime | None) -> None:
    batch = await find(ctx, batch_id, lock=True)
    await _fits(ctx, told, batch.id)
    ctx.note(before=edits.apply(batch, told, seen, NAMES))


async def change_parts(ctx: Ctx, batch_id: int, part_ids: list[int], seen: datetime | None) -> None:
    batch = await find(ctx, batch_id, lock=True)
    await _parts_known(ctx, part_ids)
    ctx.note(before=edits.apply(batch, {"part_ids": part_ids}, seen, NAMES))


async def drop_part(ctx: Ctx, batch_id: int, part_id: int) -> None:
    """From the batch alone; robots keep it."""
    batch = await find(ctx, batch_id, lock=True)
    if part_id not in batch.part_ids:
        raise Refusal(Code.NOT_FOUND, "hardSupportId")
    left = [one for one in batch.part_ids if one != part_id]
    ctx.note(before=edits.apply(batch, {"part_ids": left}, None, NAMES))


async def remove(ctx: Ctx, batch_id: int) -> None:
    batch = await find(ctx, batch_id, lock=True)
    if count := await ctx.db.scalar(select(func.count()).select_from(_robots(batch).subquery())):
        named = _robots(batch).where(Device.id.in_(visible(ctx.actor))).order_by(Device.name).limit(NAMED)
        names = " · ".join(one.name for one in await ctx.db.scalars(named))
        raise Refusal(Code.BAD_INPUT, "batchId", reason="used_by_robots", count=count, names=names)
    ctx.note(batchName=batch.name, rackRange=str(racks.of(batch)))
    await ctx.db.delete(batch)


async def types_in_use(db: AsyncSession, asked: TypesInUse) -> None:
    rows = select(DeviceBatch.name).where(DeviceBatch.type_ids.contains([asked.type_id]))
    asked.batches += await db.scalars(rows.order_by(DeviceBatch.name))


async def fit_all(ctx: Ctx, batch_id: int, *, really: bool) -> Fit:
    """All robots of it that the actor may change. Not `really`: what would be done."""
    batch = await find(ctx, batch_id)
    mine = _robots(batch).where(Device.id.in_(edit.readable_devices(ctx.actor).with_only_columns(Device.id)))
    count = await ctx.db.scalar(select(func.count()).select_from(mine.subquery())) or 0
    if count > MOST:
        raise Refusal(Code.TOO_MANY_ROWS, "batchId", count=count, limit=MOST)
    robots = (await ctx.db.scalars(mine.order_by(Device.id).with_for_update(of=Device))).all()
    changed = await _fit(ctx, batch, robots, really=really)
    ctx.note(robots=len(robots), changed=len(changed))
    return Fit(len(robots), len(changed), sorted(one.name for one in changed)[:NAMED])


async def fit_one(ctx: Ctx, device_id: int, batch_id: int) -> None:
    """A robot whose type is the batch's; its frame number, once it has one, as well."""
    robot = await edit.load_owned(ctx, device_id)
    batch = await find(ctx, batch_id)
    if robot.type_id not in batch.type_ids:
        raise Refusal(Code.BAD_INPUT, "batchId", reason="batch_type")
    if robot.rack_number and robot.rack_number not in racks.of(batch):
        raise Refusal(Code.BAD_INPUT, "batchId", reason="batch_rack", rack=robot.rack_number)
    await _fit(ctx, batch, [robot], really=True)


def _robots(batch: DeviceBatch) -> Select[Device]:
    """Unscoped: those who ask narrow it, or want a number alone."""
    return select(Device).join(DeviceBatch, racks.matches()).where(
        DeviceBatch.id == batch.id, Device.deleted_at.is_(None)
    )  # fmt: skip


async def _fit(ctx: Ctx, batch: DeviceBatch, robots: Sequence[Device], *, really: bool) -> list[Device]:
    """The robots that lacked something. Unscoped: they were found in scope and are locked."""
    parts = (
        select(HardPart, HardCategory)
        .join(HardCategory, HardCategory.id == HardPart.category_id)
        .where(HardPart.id.in_(batch.part_ids))
        .order_by(HardPart.id)
    )
    wanted = [(part, category) for part, category in await ctx.db.execute(parts)]
    categories = [category.id for _, category in wanted]
    present = (
        select(DeviceHard, HardPart.category_id)
        .join(HardPart, HardPart.id == DeviceHard.part_id)
        .where(
            DeviceHard.device_id.in_([robot.id for robot in robots]), DeviceHard.removed_at.is_(None),
            HardPart.category_id.in_(categories),
        )
        .order_by(DeviceHard.id)
    )  # fmt: skip
    having: dict[int, list[tuple[DeviceHard, int]]] = {}
    for row, category in await ctx.db.execute(present):
        having.setdefault(row.device_id, []).append((row, category))
    changed: list[Device] = []
    for robot in robots:
        lacking, over = _difference(wanted, having.get(robot.id, []))
        if lacking or over:
            changed.append(robot)
        if really:
            _exchange(ctx, batch, robot, lacking, over)
    await ctx.db.flush()
    return changed


Wanted = list[tuple[HardPart, HardCategory]]
Present = list[tuple[DeviceHard, int]]


def _difference(wanted: Wanted, present: Present) -> tuple[Wanted, Present]:
    """What is to be fitted, and what is to go."""
    over, lacking = list(present), list[tuple[HardPart, HardCategory]]()
    for part, category in wanted:
        same = next((one for one in over if (one[0].part_id, one[0].version) == (part.id, part.version)), None)
        if same:
            over.remove(same)
        else:
            lacking.append((part, category))
    return lacking, over


def _exchange(ctx: Ctx, batch: DeviceBatch, robot: Device, lacking: Wanted, over: Present) -> None:
    for row, _ in over:
        fitted.end(ctx, robot, row)
    left = list(over)
    for part, category in lacking:
        instead = next((one for one in left if one[1] == category.id), None)
        if instead:
            left.remove(instead)
        fitted.fit(ctx, robot, part, category, part.version, batch=batch, instead=instead[0] if instead else None)


async def _fits(ctx: Ctx, told: dict[str, Any], but: int | None) -> None:
    await ctx.db.execute(ONE_AT_A_TIME)  # two ranges that meet must not be written side by side
    same = select(DeviceBatch.id).where(
        func.lower(DeviceBatch.name) == told["name"].lower(), DeviceBatch.id.is_distinct_from(but)
    )
    if await ctx.db.scalar(same):
        raise Refusal(Code.EXISTS, "batchName")
    meeting = select(DeviceBatch).where(
        racks.meeting(racks.Racks(told["low"], told["high"])), DeviceBatch.id.is_distinct_from(but)
    )
    if other := await ctx.db.scalar(meeting.order_by(DeviceBatch.low).limit(1)):
        raise Refusal(
            Code.BAD_INPUT, "rackRange", reason="batch_meets", name=other.name, rackRange=str(racks.of(other))
        )
    types = select(DeviceType.id).where(DeviceType.id.in_(told["type_ids"])).with_for_update(read=True, key_share=True)
    if set(told["type_ids"]) - set(await ctx.db.scalars(types)):
        raise Refusal(Code.BAD_INPUT, "typeIds", reason="type_unknown")
    await _parts_known(ctx, told.get("part_ids", []))


async def _parts_known(ctx: Ctx, ids: Sequence[int]) -> None:
    """They stay while the batch is written."""
    known = select(HardPart.id).where(HardPart.id.in_(ids)).with_for_update(read=True, key_share=True)
    if unknown := set(ids) - set(await ctx.db.scalars(known)):
        raise Refusal(Code.BAD_INPUT, "hardSupportIds", reason="part_unknown", name=min(unknown))
