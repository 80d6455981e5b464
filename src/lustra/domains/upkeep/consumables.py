"""The parts of a robot that wear.

Rules: a robot has those that its abilities ask for; a life is greater than 0, and without one nobody is warned; whoever
replaces a part says when, not later than today, and what it had worked before (a used one); then its hours start anew.
"""

from collections.abc import Mapping
from datetime import date, datetime

from lustra.core.context import Ctx
from lustra.core.database import edits
from lustra.core.errors import Code, Refusal
from lustra.domains.device.api import Device, DeviceType
from lustra.domains.upkeep import rules, service
from lustra.domains.upkeep.rules import Item
from lustra.domains.upkeep.tables import NEVER, Upkeep

KIND: service.Kind = "consumable"


async def items_of(ctx: Ctx, robot: Device) -> tuple[Item, ...]:
    kind = await ctx.db.get(DeviceType, robot.type_id)
    return rules.items({*robot.abilities, *(kind.abilities if kind else ())})


async def load_consumables(ctx: Ctx, robot: Device) -> list[tuple[Upkeep, float]]:
    """All that the robot has; those that nobody has touched yet have worked since its first report."""
    rows = {row.name: (row, hours) for row, hours in await service.load_rows(ctx, robot, KIND)}
    items = await items_of(ctx, robot)
    fresh = [item for item in items if item not in rows]
    worked = await service.worked_hours(ctx, robot) if fresh else 0.0
    begun = robot.created_at
    rows |= {item: (Upkeep(device_id=robot.id, kind=KIND, name=item, updated_at=begun), worked) for item in fresh}
    return [rows[item] for item in items]


async def set_lives(ctx: Ctx, serial: str, lives: Mapping[Item, float], seen: datetime | None) -> None:
    robot = await service.lock_device(ctx, serial)
    rows: dict[Item, Upkeep] = {item: await _lock_row(ctx, robot, item, "items") for item in lives}
    late = [item for item, row in rows.items() if seen and row.updated_at > seen and row.changes]
    if late:
        raise Refusal(Code.CONFLICT, fields=late)
    ctx.note(before={item: row.hours for item, row in rows.items()})
    for item, row in rows.items():
        if edits.apply(row, {"hours": lives[item]}, None, {"hours": item}):
            row.checked_at = NEVER


async def replace_part(
    ctx: Ctx, serial: str, item: Item, on: date | None, *, used: float, seen: datetime | None
) -> None:
    robot = await service.lock_device(ctx, serial)
    row = await _lock_row(ctx, robot, item, "item")
    edits.apply(row, {}, seen)
    today = service.local_today(robot)
    if (on or today) > today:
        raise Refusal(Code.BAD_INPUT, "replaceDate", reason="day_to_come")
    await service.restart(ctx, robot, row, service.period_start(robot, on or today), used)
    edits.stamp(row, item)


async def _lock_row(ctx: Ctx, robot: Device, item: Item, field: str) -> Upkeep:
    if item not in await items_of(ctx, robot):
        raise Refusal(Code.BAD_INPUT, field, reason="consumable_none")
    rows = {row.name: row for row, _ in await service.load_rows(ctx, robot, KIND)}
    if item in rows:
        return rows[item]
    row = Upkeep(device_id=robot.id, kind=KIND, name=item)
    ctx.db.add(row)
    await ctx.db.flush()
    return row
