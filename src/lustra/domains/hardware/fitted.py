"""What is fitted in a robot, and what was: from when to when, and by whom.

Rules: only parts of the catalogue are fitted, in robots whose owner lies in scope; a part is never overwritten: it
ends, and another begins in its place; who would replace one that somebody has replaced meanwhile is refused. The
history goes with the robot, but who did something to it, and when, is shown only to the scope of whoever owned it then.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, func, or_
from sqlalchemy.orm import aliased

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import Reach, rows_of, shared
from lustra.core.wire import PageOf
from lustra.domains.account.api import Account, narrow_scope
from lustra.domains.device.api import Device, load_owned
from lustra.domains.hardware.tables import DeviceBatch, DeviceHard, HardCategory, HardPart

MOST_PARTS = 200  # parts in one robot
ALL = PageOf(current_page=1, page_size=1_000_000)
# Owner and fitter, owner and remover. Made once: it takes longer than to run a statement.
ACCOUNTS = tuple(aliased(Account) for _ in range(4))


@dataclass(slots=True)
class Bean:
    """A part to be fitted, by its id, or by category and name: then of the version given, if the catalogue has it."""

    part_id: int | None = None
    category_id: int | None = None
    name: str = ""
    version: str | None = None


@dataclass(slots=True)
class Fitted:
    row: DeviceHard
    part: HardPart | None
    category: HardCategory | None
    robot: Device

    @property
    def name(self) -> str:
        return self.part.name if self.part else self.row.name

    @property
    def category_name(self) -> str:
        return self.category.name if self.category else self.row.category


@dataclass(slots=True)
class Span:
    """The ends' times and people are None where they are not given."""

    fitted: Fitted
    since: datetime | None
    by: str | None
    until: datetime | None
    until_by: str | None


def _select_fitted(reach: Reach) -> Select[DeviceHard, HardPart, HardCategory, Device]:
    return (
        reach.select(DeviceHard)
        .add_columns(HardPart, HardCategory, Device)
        .join(Device, Device.id == DeviceHard.device_id)
        .outerjoin(HardPart, HardPart.id == DeviceHard.part_id)
        .outerjoin(HardCategory, HardCategory.id == HardPart.category_id)
    )


async def load_device(ctx: Ctx, device_id: int) -> Device:
    return await query.fetch_one(ctx.db, ctx.scope.select(Device).where(Device.id == device_id))


async def list_in_device(ctx: Ctx, device_id: int) -> list[Fitted]:
    """What is fitted in a robot, by category and name."""
    device = await load_device(ctx, device_id)
    rows = _select_fitted(rows_of(device)).where(DeviceHard.removed_at.is_(None))
    return sorted(
        (Fitted(*row) for row in await ctx.db.execute(rows)),
        key=lambda entry: (entry.category_name.lower(), entry.name, entry.row.id),
    )


async def list_in_devices(ctx: Ctx, user_id: int | None, part_id: int | None) -> list[Fitted]:
    """In the robots of an account and of all below it; `part_id`: only this part."""
    rows = _select_fitted(ctx.scope).where(DeviceHard.removed_at.is_(None))
    if user_id is not None:
        rows = rows.where((await narrow_scope(ctx, user_id)).below(Device.owner_path))
    if part_id is not None:
        rows = rows.where(DeviceHard.part_id == part_id)
    query.bounded(await query.count_rows(ctx.db, rows), ALL)
    return [Fitted(*row) for row in await ctx.db.execute(rows.order_by(Device.name, Device.id, DeviceHard.id))]


async def load_history(ctx: Ctx, device_id: int) -> list[Span]:
    """What was and is fitted in a robot, the newest first."""
    device = await load_device(ctx, device_id)
    owner, by, last_owner, last_by = ACCOUNTS
    owner_in_scope, last_owner_in_scope = ctx.scope.below(owner.path), ctx.scope.below(last_owner.path)
    rows = (
        _select_fitted(rows_of(device))
        .join(owner, owner.id == DeviceHard.owner_id)
        .join(by, by.id == DeviceHard.by_id)
        .outerjoin(last_owner, last_owner.id == DeviceHard.removed_owner_id)
        .outerjoin(last_by, last_by.id == DeviceHard.removed_by_id)
        .add_columns(owner_in_scope, by.name, func.coalesce(last_owner_in_scope, False), last_by.name)
        .where(or_(owner_in_scope, last_owner_in_scope, DeviceHard.removed_at.is_(None)))
        .order_by(DeviceHard.id.desc())
    )
    return [
        Span(
            Fitted(row, part, category, row_device),
            *((row.created_at, name) if shown else (None, None)),
            *((row.removed_at, last_name) if end_shown else (None, None)),
        )
        for row, part, category, row_device, shown, name, end_shown, last_name in await ctx.db.execute(rows)
    ]


async def add(ctx: Ctx, device_id: int, beans: Sequence[Bean]) -> None:
    device = await load_owned(ctx, device_id)
    fitted_count = rows_of(device).select(func.count(DeviceHard.id)).where(DeviceHard.removed_at.is_(None))
    if (await ctx.db.scalar(fitted_count) or 0) + len(beans) > MOST_PARTS:
        raise Refusal(Code.BAD_INPUT, "hardBeansJson", reason="parts_many", most=MOST_PARTS)
    for bean in beans:
        part, category = await _find_part(ctx, bean)
        fit_part(ctx, device, part, category, part.version if bean.version is None else bean.version)
    await ctx.db.flush()


async def replace(ctx: Ctx, device_id: int, fitted_id: int, part_id: int | None, version: str | None) -> None:
    """Replace what is fitted by another part or version. `part_id` None: it is taken out."""
    device = await load_owned(ctx, device_id)
    rows = rows_of(device).select(DeviceHard).where(DeviceHard.id == fitted_id)
    old = await query.fetch_one(ctx.db, rows)
    if old.removed_at is not None:
        raise Refusal(Code.CONFLICT, fields=["hardSupportId"])
    ctx.note(before={"hardSupportId": old.part_id, "name": old.name, "version": old.version})
    if part_id is None:
        end_fitting(ctx, device, old)
        return
    part, category = await _find_part(ctx, Bean(part_id=part_id))
    new_version = part.version if version is None else version
    if (part.id, new_version) != (old.part_id, old.version):
        end_fitting(ctx, device, old)
        fit_part(ctx, device, part, category, new_version, replaced=old)
    await ctx.db.flush()


def fit_part(
    ctx: Ctx,
    robot: Device,
    part: HardPart,
    category: HardCategory,
    version: str,
    *,
    batch: DeviceBatch | None = None,
    replaced: DeviceHard | None = None,
) -> None:
    """`robot`: found in scope and locked."""
    ctx.db.add(
        DeviceHard(
            device_id=robot.id,
            part_id=part.id,
            category=category.name,
            name=part.name,
            version=version,
            owner_id=robot.owner_id,
            by_id=ctx.actor.real_id,
            before=part_title(replaced) if replaced else "",
            batch_id=batch.id if batch else None,
            batch_name=batch.name if batch else "",
        )
    )


def end_fitting(ctx: Ctx, robot: Device, old: DeviceHard) -> None:
    old.removed_at, old.removed_owner_id, old.removed_by_id = now(), robot.owner_id, ctx.actor.real_id


def part_title(row: DeviceHard) -> str:
    return f"{row.name} {row.version}".strip()


async def _find_part(ctx: Ctx, bean: Bean) -> tuple[HardPart, HardCategory]:
    rows = shared.select(HardPart, HardCategory).join(HardCategory, HardCategory.id == HardPart.category_id)
    if bean.part_id is not None:
        rows = rows.where(HardPart.id == bean.part_id)
    else:
        rows = rows.where(HardPart.category_id == bean.category_id, func.lower(HardPart.name) == bean.name.lower())
    same_version = (func.lower(HardPart.version) == (bean.version or "").lower()).desc()
    row = (await ctx.db.execute(rows.order_by(same_version, HardPart.id.desc()).limit(1))).one_or_none()
    if row is None:
        field = "hardBeansJson" if bean.part_id is None else "hardSupportId"
        raise Refusal(Code.BAD_INPUT, field, reason="part_unknown", name=bean.name or bean.part_id)
    return row[0], row[1]
