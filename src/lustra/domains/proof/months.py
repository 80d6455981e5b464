"""A month of a customer as one sealed record: each run that began in it, by the day of its site, and their sums.

Rules: the sums are those of the list, to the last digit; a run that goes on is not in it. The spot checks of its days
stand beside them, for who may see those, and what was to be cleaned and was saved, by the figures of the customer. The
record stands for itself: it has no place in a robot's chain, and is made anew whenever it is asked for.
"""

from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.domains.account.api import Account, narrow_scope
from lustra.domains.proof import envelope, keys
from lustra.domains.proof.tables import ProofKey
from lustra.domains.report.api import (
    Days,
    ReportRobots,
    build_report_where,
    compare_with_target,
    count_robot_days,
    describe_target,
    find_target,
    read_all_reports,
    sum_reports,
    thousandths_of,
)
from lustra.domains.spot_check.api import load_spot_checks, name_inspectors

FORM = 3  # version of the record: 2 has spot checks, 3 the target
MOST_RUNS = 5000
COLUMNS = (
    "deviceCode",
    "deviceSerialNumber",
    "building",
    "floor",
    "taskName",
    "day",
    "startTime",
    "endTime",
    "seconds",
    "end",
    "plannedArea",
    "cleanedArea",
    "coverage",
    "liquidMl",
    "warnCount",
    "byHand",
)
CHECK_COLUMNS = ("time", "day", "building", "floor", "zone", "items", "score", "coverage", "inspector", "note")
SEES_CHECKS = "device/spotCheck"
SUMMED = ("seconds", "plannedArea", "cleanedArea", "liquidMl", "warnCount")
HOUR_S = 3600
DAY_LETTERS = len("2026-10-01")


@dataclass(frozen=True)
class SealedMonth:
    """`text`: what is signed; `values`: the same to be read."""

    owner_id: int
    text: str
    values: dict[str, Any]
    key: ProofKey
    private: str = field(repr=False)

    @property
    def file(self) -> bytes:
        return envelope.write(self.text, envelope.sign(self.text, self.private), self.key.certificate)


def read_month(month: str) -> tuple[date, date]:
    """Its first and last day. Refused where it has not begun anywhere."""
    first = date.fromisoformat(f"{month}-01")
    if first > (now() + timedelta(days=1)).date():
        raise Refusal(Code.BAD_INPUT, "month", reason="month_ahead")
    return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


async def seal_month(ctx: Ctx, month: str, user_id: int | None) -> SealedMonth:
    """Of an account in scope and all below it; null: of one's own."""
    first, last = read_month(month)
    customer = await query.fetch_one(ctx.db, ctx.scope.select(Account).where(Account.id == _owner(ctx, user_id)))
    runs = await _load_runs(ctx, user_id, first, last)
    sums = sum_runs(runs)
    key, private = await keys.signing_key(ctx.db, ctx.app.settings)
    values = {
        "form": FORM,
        "kind": "month",
        "month": month,
        "customer": customer.name,
        "sealed": now().isoformat(timespec="seconds"),
        "sums": sums,
        "target": await _load_target(ctx, user_id, customer.id, sums, Days(first, last)),
        "columns": list(COLUMNS),
        "runs": [[run[name] for name in COLUMNS] for run in runs],
        "checkColumns": list(CHECK_COLUMNS),
        "checks": await _load_checks(ctx, user_id, first, last),
    }
    return SealedMonth(customer.id, envelope.write_canonical(values), values, key, private)


def _owner(ctx: Ctx, user_id: int | None) -> int:
    return user_id or ctx.actor.acting_id


async def _load_runs(ctx: Ctx, user_id: int | None, first: date, last: date) -> list[dict[str, Any]]:
    where = build_report_where(await narrow_scope(ctx, user_id), since=first, until=last)
    where.add("r.\"end\" <> 'running'")
    async with ctx.app.pool.acquire() as db, db.transaction(readonly=True):
        count = (await sum_reports(db, where))["runs"]
        if count > MOST_RUNS:
            raise Refusal(Code.BAD_INPUT, "userId", reason="month_long", count=count, most=MOST_RUNS)
        rows = [row async for part in read_all_reports(db, where, None) for row in part]
    return [_describe(row) for row in reversed(rows)]


async def _load_target(
    ctx: Ctx, user_id: int | None, owner_id: int, sums: dict[str, Any], days: Days
) -> dict[str, Any]:
    """The figures that somebody has set, and what the sums are beside them."""
    robots = ReportRobots(await narrow_scope(ctx, user_id), None, None)
    target = await find_target(ctx, owner_id)
    [robot_days] = await count_robot_days(ctx.app.pool, robots, [days])
    return {"figures": describe_target(target), **compare_with_target(target, sums, robot_days)}


async def _load_checks(ctx: Ctx, user_id: int | None, first: date, last: date) -> list[list[Any]]:
    """`score` in hundredths of 1 to 5; `coverage`: what the last run swept of the zone, in thousandths."""
    if SEES_CHECKS not in ctx.actor.keys:
        return []
    checks = await load_spot_checks(ctx, await narrow_scope(ctx, user_id), first, last)
    people = await name_inspectors(ctx, checks)
    return [
        [
            check.checked_at.isoformat(timespec="seconds"),
            check.day.isoformat(),
            check.building,
            check.floor,
            check.room_name,
            check.items,
            check.score,
            check.coverage,
            people.get(check.inspector_id or 0, ""),
            check.note,
        ]
        for check in checks
    ]


def _describe(row: dict[str, Any]) -> dict[str, Any]:
    """Times are those of the site, each with what it is ahead of UTC."""
    times = {name: row[name].astimezone(ZoneInfo(row["zone"])).isoformat() for name in ("startTime", "endTime")}
    return {name: row.get(name) for name in COLUMNS} | times | {"day": times["startTime"][:DAY_LETTERS]}


def add(values: list[Any]) -> float:
    """Exactly, whatever their order."""
    return float(sum((Decimal(str(value)) for value in values if value is not None), Decimal()))


def sum_runs(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Coverage is of all that was to be cleaned together, in thousandths; efficiency in hundredths of m²/h."""
    sums = {name: add([run[name] for run in runs]) for name in SUMMED}
    planned, cleaned, seconds = sums["plannedArea"], sums["cleanedArea"], sums["seconds"]
    return sums | {
        "runs": len(runs),
        "robots": len({run["deviceSerialNumber"] for run in runs}),
        "warnCount": int(sums["warnCount"]),
        "coverage": thousandths_of(cleaned, planned) or 0,
        "efficiency": round(cleaned / seconds * HOUR_S * 100) if seconds else 0,
    }
