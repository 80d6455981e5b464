"""What is to be done on a robot again and again.

Rules: it is due after its period, in hours of work, and on its date if it has one, whichever comes first; a period is
greater than 0, a name is had once on a robot; "done" starts the next period, with a date to come or none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from lustra.core.context import Ctx
from lustra.core.database import edits
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.domains.device.api import Device
from lustra.domains.upkeep import rules, service
from lustra.domains.upkeep.tables import NEVER, Upkeep

NAMES = {"hours": "period", "due_on": "maintainDate"}


@dataclass(frozen=True, slots=True)
class PlanFields:
    """Without `id` it is known by its name, or new. `values`: of its columns `name`, `hours` and `due_on`; what is
    left out stays."""

    id: int | None
    values: dict[str, Any]
    done: bool


def level(row: Upkeep, used: float, today: date) -> int:
    """0, rules.SOON or rules.DUE, by the worked hours; DUE on its date, too."""
    by_date = rules.DUE if row.due_on is not None and row.due_on <= today else 0
    return max(by_date, rules.level(used, row.hours))


async def write_plans(ctx: Ctx, serial: str, plans: Sequence[PlanFields], seen: datetime | None) -> None:
    """The whole list; a maintenance that is not in it any more goes."""
    robot = await service.lock_device(ctx, serial)
    rows = {row.id: row for row, _ in await service.load_rows(ctx, robot, "maintenance")}
    names = [_name_of(plan, rows).casefold() for plan in plans]
    if len(set(names)) < len(names):
        raise Refusal(Code.BAD_INPUT, "list", reason="name_twice")
    ctx.note(before=[{"name": row.name, "maintainDate": str(row.due_on), "period": row.hours} for row in rows.values()])
    by_name = {row.name.casefold(): row for row in rows.values()}
    pairs = [
        (plan, rows.get(plan.id) if plan.id else by_name.get(name)) for plan, name in zip(plans, names, strict=True)
    ]
    await _delete_plans(ctx, [row for row in rows.values() if all(row is not plan for _, plan in pairs)], seen)
    for plan, row in pairs:
        if row is None and plan.id:
            raise Refusal(Code.CONFLICT, fields=[plan.values.get("name", str(plan.id))])
        await _write_plan(ctx, robot, plan, row, seen)


def _name_of(plan: PlanFields, rows: dict[int, Upkeep]) -> str:
    known = rows.get(plan.id or 0)
    return plan.values.get("name") or (known.name if known else str(plan.id))


async def _delete_plans(ctx: Ctx, rows: Sequence[Upkeep], seen: datetime | None) -> None:
    late = sorted(row.name for row in rows if seen and row.updated_at > seen)
    if late:
        raise Refusal(Code.CONFLICT, fields=late)
    for row in rows:
        await ctx.db.delete(row)
    await ctx.db.flush()


async def _write_plan(ctx: Ctx, robot: Device, plan: PlanFields, row: Upkeep | None, seen: datetime | None) -> None:
    if row is None:
        values = plan.values
        new = Upkeep(device_id=robot.id, kind="maintenance", since=now(), name=values["name"], hours=values["hours"])
        new.due_on = values.get("due_on")
        ctx.db.add(new)
        return
    if edits.apply(row, plan.values, seen, NAMES):
        row.checked_at = NEVER
    if plan.done:
        if row.due_on is not None and row.due_on <= service.local_today(robot):
            raise Refusal(Code.BAD_INPUT, "maintainDate", reason="day_passed")
        await service.restart(ctx, robot, row, now())
        edits.stamp(row, "done")
