"""What was cleaned, in sums: over days or months, and taken apart by robot, type, group, customer or country.

A run counts whole on the day on which it began at its robot's site, as on the status page. Sums are exact: they equal
those of the list to the last digit, whatever the zones of the sites. Runs that old data was cleared of stay in them,
and are counted (`clearedRuns`). Coverage is of all that was to be cleaned together, in thousandths; efficiency in
hundredths of m²/h.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Literal

from asyncpg import Pool

from lustra.core.scope import Scope
from lustra.domains.device.api import Where, country_name
from lustra.domains.report.sums import queries
from lustra.domains.report.sums.figures import thousandths_of
from lustra.domains.report.sums.ranges import Days, Unit, cover

MOST_PARTS = 1000
HOUR_S = 3600
Part = Literal["robot", "type", "group", "customer", "country"]
NOTHING: dict[str, int] = dict.fromkeys(queries.FIGURES, 0)


@dataclass(frozen=True, slots=True)
class Robots:
    """Of which robots: those of a scope, or of these only."""

    scope: Scope
    device_ids: list[int] | None
    type_id: int | None

    def where(self, row: str) -> Where:
        """Conditions of a statement on rows that are stamped with an owner, beside their robot `d`."""
        where = Where.of_stamped(self.scope, row)
        if self.device_ids is not None:
            where.add("d.id = any({}::bigint[])", self.device_ids)
        if self.type_id is not None:
            where.add("d.type_id = {}", self.type_id)
        return where


async def load_today(pool: Pool, scope: Scope) -> date:
    """The latest at any site; without robots that of the server."""
    where = Where.of_robots(scope)
    return await pool.fetchval(where.sql(queries.TODAY), *where.values) or date.today()  # noqa: DTZ011  no site, no zone


def _day_parts(where: Where, days: Days, *, by_month: bool = True) -> dict[str, str]:
    """By month: whole months come from their own sums."""
    month, after_month = days.whole_months if by_month else (days.start, days.start)
    values = {"month": month, "after_month": after_month, "start": days.start, "end": days.end}
    return {name: f"{where.value(value)}::date" for name, value in values.items()}


async def load_series(pool: Pool, robots: Robots, days: Days) -> list[dict[str, Any]]:
    """The sums of each day or month, those without a run too."""
    unit = days.unit
    rows = await _load_rows(pool, robots, days, unit, by_month=unit == "month")
    by_day = {row["day"]: row for row in rows}
    return [{"date": part.start, **figures(by_day.get(part.start, NOTHING))} for part in days.parts(unit)]


async def _load_rows(pool: Pool, robots: Robots, days: Days, unit: Unit, *, by_month: bool) -> Sequence[Any]:
    """Of all robots of a scope from the sums of its owners: a hundredth of the rows."""
    where = robots.where("s")
    parts = _day_parts(where, days, by_month=by_month) | {"unit": f"'{unit}'"}
    if robots.device_ids is not None or robots.type_id is not None:
        return await pool.fetch(where.sql(queries.SERIES, **parts), *where.values)
    path = where.value(robots.scope.path)
    return await pool.fetch(where.sql(queries.SERIES_OF_OWNERS, path=path, **parts), *where.values)


async def load_total(pool: Pool, robots: Robots, days: Days) -> dict[str, Any]:
    """The sums of all days together."""
    rows = await _load_rows(pool, robots, days, "month", by_month=True)
    return figures({name: sum((row[name] for row in rows), Decimal()) for name in queries.FIGURES})


async def load_parts(pool: Pool, robots: Robots, days: Days, part: Part, language: str) -> list[dict[str, Any]]:
    """The sums of each robot, type …, the largest cleaned area first. A robot counts in each of its groups."""
    key, name, joined = queries.PARTS[part]
    where = robots.where("s")
    blocks = cover(days)
    values = {
        "path": robots.scope.path,
        "grains": [block.grain for block, _ in blocks],
        "days": [block.days.start for block, _ in blocks],
        "signs": [sign for _, sign in blocks],
    }
    parts = {hole: where.value(value) for hole, value in values.items()}
    parts |= {"start": f"{where.value(days.start)}::date", "end": f"{where.value(days.end)}::date"}
    sql = where.sql(queries.APART, key=key, name=name, joined=joined.format(scope="$1"), most=str(MOST_PARTS), **parts)
    async with pool.acquire() as db, db.transaction(readonly=True):
        await db.execute(queries.SORT_IN_MEMORY)
        rows = await db.fetch(sql, *where.values)
    return [
        {
            "key": row["key"],
            "name": country_name(row["name"], language) if part == "country" else row["name"],
            **figures(row),
        }
        for row in rows
    ]


def figures(row: Mapping[str, Any]) -> dict[str, Any]:
    """As the wire has them."""
    planned, cleaned, seconds = row["planned"], row["cleaned"], row["seconds"]
    return {
        "runs": int(row["runs"]),
        "clearedRuns": int(row["cleared"]),
        "time": float(seconds),
        "workArea": float(row["work_area"]),
        "plannedArea": float(planned),
        "cleanedArea": float(cleaned),
        "coverage": thousandths_of(cleaned, planned),
        "efficiency": round(cleaned * HOUR_S * 100 / seconds) if seconds > 0 else None,
        "liquidMl": float(row["liquid_ml"]),
        "distance": float(row["distance"]),
        "warnCount": int(row["faults"]),
    }
