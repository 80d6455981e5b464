"""What robots are to clean, and what they save beside cleaning by hand.

Rules: a figure is an account's own, else that of the nearest who stands above it and has one; where nobody has set it
nothing is made up, and what follows from it is not known. A chart is read by the figures of the account it is about,
whoever owns the robots. A robot's target counts for each day that has begun at its site while it was the account's.
Hours saved are what a person would have needed for the cleaned area, less what a person spent on each run; water saved
is what a person would have used, less what robots say that they used. Either may be below zero.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any, Self

from asyncpg import Pool
from pydantic.alias_generators import to_camel

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.database import edits
from lustra.domains.account.api import Account
from lustra.domains.report.queries import EVERY
from lustra.domains.report.sums.figures import WHOLE
from lustra.domains.report.sums.ranges import Days
from lustra.domains.report.sums.service import Robots
from lustra.domains.report.tables import CleaningTarget
from lustra.domains.report.targets import queries

HOUR_S = 3600
MINUTE_S = 60
LITRE_ML = 1000
FIGURES = ("target_area", "manual_rate", "manual_water", "care_minutes")


@dataclass(frozen=True, slots=True)
class Target:
    """m² a robot and day; m² an hour and litres a m² by hand; minutes of a person for each run. None: nobody set it."""

    target_area: float | None = None
    manual_rate: float | None = None
    manual_water: float | None = None
    care_minutes: float | None = None

    @classmethod
    def of(cls, row: Any) -> Self:
        return cls(**{name: getattr(row, name) for name in FIGURES})


def describe(target: Target) -> dict[str, float | None]:
    """As the wire has it."""
    return {to_camel(name): getattr(target, name) for name in FIGURES}


def compare(target: Target, sums: Mapping[str, Any], robot_days: int) -> dict[str, Any]:
    """What the sums of runs are beside the target, as the wire has it."""
    cleaned, runs = _exact(sums["cleanedArea"]), sums["runs"]
    area = None if target.target_area is None else _exact(target.target_area) * robot_days
    return {
        "robotDays": robot_days,
        "targetArea": None if area is None else float(area),
        "targetShare": round(WHOLE * cleaned / area) if area else None,
        "savedTime": _saved_seconds(target, cleaned, runs),
        "savedWaterMl": _saved_water(target, cleaned, sums["liquidMl"]),
    }


def _exact(value: float) -> Decimal:
    return Decimal(str(value))


def _saved_seconds(target: Target, cleaned: Decimal, runs: int) -> float | None:
    if target.manual_rate is None:
        return None
    by_hand = cleaned * HOUR_S / _exact(target.manual_rate)
    care = runs * MINUTE_S * _exact(target.care_minutes or 0)
    return float((by_hand - care).quantize(Decimal(1), ROUND_HALF_EVEN))


def _saved_water(target: Target, cleaned: Decimal, liquid_ml: float) -> float | None:
    if target.manual_water is None:
        return None
    return float(cleaned * _exact(target.manual_water) * LITRE_ML - _exact(liquid_ml))


async def find_target(ctx: Ctx, account_id: int) -> Target:
    """That counts for this account."""
    rows = await ctx.db.execute(EVERY.text(queries.TARGET), {"account": account_id})
    return Target.of(rows.one())


async def load_own(ctx: Ctx, account_id: int, *, lock: bool = False) -> CleaningTarget | None:
    rows = ctx.scope.select(CleaningTarget).where(CleaningTarget.account_id == account_id)
    return await ctx.db.scalar(rows.with_for_update() if lock else rows)


async def load_account(ctx: Ctx, user_id: int | None) -> Account:
    """One's own, or another in one's scope."""
    chosen = user_id or ctx.actor.acting_id
    return await query.fetch_one(ctx.db, ctx.scope.select(Account).where(Account.id == chosen))


async def change(ctx: Ctx, account_id: int, figures: dict[str, Any], since: datetime | None) -> None:
    row = await load_own(ctx, account_id, lock=True)
    if row is None:
        ctx.db.add(CleaningTarget(account_id=account_id, **figures))
    else:
        ctx.note(before=edits.apply(row, figures, since))
    await ctx.db.flush()


async def count_robot_days(pool: Pool, robots: Robots, parts: Sequence[Days]) -> list[int]:
    """Of each of these spans of days: one for each robot and day that has begun."""
    where = robots.where("o")
    rows = await pool.fetch(where.sql(queries.ROBOT_DAYS), *where.values)
    return [sum(row["robots"] * _days_in(part, row["first"], row["last"]) for row in rows) for part in parts]


def _days_in(part: Days, first: date, last: date) -> int:
    return max(0, (min(part.end, last) - max(part.start, first)).days + 1)
