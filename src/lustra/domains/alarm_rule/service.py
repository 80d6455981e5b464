"""By what the server itself raises alarms, for whom, and how often it would have.

Rules: the nearest account above a robot that has decided on a kind decides, else the default. A rule goes the way of
all alarms: one open alarm of a robot and a code, its settings, groups, snoozes and channels. Every minute each kind is
one statement over all robots; what it does not see any more is cleared. A threshold out of its bounds is refused.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import structlog

from lustra.core import query
from lustra.core.context import Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.jobs import job
from lustra.core.scope import rows_of
from lustra.domains.account.api import Account, narrow_scope
from lustra.domains.alarm.api import every_alarm
from lustra.domains.alarm_rule import kinds, queries
from lustra.domains.alarm_rule.kinds import KINDS, Kind, Name
from lustra.domains.alarm_rule.tables import AlarmRule
from lustra.domains.telemetry.api import chunk_codec

MOST_RUNS = 3000  # whose last minute is read, the newest
LIQUID = 5  # place in a point of the history
ALONE = "select pg_try_advisory_xact_lock(hashtext('alarm_rule'), hashtext($1))"

log = structlog.get_logger(__name__)


@job("alarm.rules", cron="* * * * *", queue="alarms")
async def evaluate_all(app: Services) -> None:
    """A kind that fails holds no other up, and is tried again in a minute."""
    for kind in KINDS.values():
        try:
            await evaluate(app, kind)
        except Exception:
            log.exception("alarm.rule", kind=kind.name)


async def evaluate(app: Services, kind: Kind) -> None:
    async with app.pool.acquire() as db, db.transaction():
        if await db.fetchval(ALONE, kind.name):
            statement = every_alarm.sql(queries.EVALUATE[kind.name])
            await db.execute(statement, kind.name, kind.enabled, float(kind.threshold))


async def load(ctx: Ctx, user_id: int | None) -> list[dict[str, Any]]:
    """What holds for the robots of an account, and who decided it, whose name is said where the asker sees it."""
    account = await _load_account(ctx, user_id)
    rows = await ctx.app.pool.fetch(every_alarm.sql(queries.HOLDING), account.path)
    holding = {row["kind"]: row for row in rows}
    seen = ctx.scope.select(Account.id, Account.name).where(Account.id.in_([row["accountId"] for row in rows]))
    names = {row.id: row.name for row in await ctx.db.execute(seen)}
    return [_render(kind, holding.get(kind.name), account.id, names) for kind in KINDS.values()]


def _render(kind: Kind, row: Any, account_id: int, names: dict[int, str]) -> dict[str, Any]:
    by = row["accountId"] if row else None
    return {
        "kind": kind.name,
        "unit": kind.unit,
        "least": kind.least,
        "most": kind.most,
        "enabled": row["enabled"] if row else kind.enabled,
        "threshold": int(row["threshold"]) if row else kind.threshold,
        "decided": "default" if by is None else "own" if by == account_id else "above",
        "decided_by": names.get(by or 0, ""),
        "standing": kind.standing,
    }


async def edit(ctx: Ctx, user_id: int | None, name: Name, *, enabled: bool | None, threshold: int | None) -> None:
    """None: what holds above holds again."""
    account = await _load_account(ctx, user_id)
    rows = ctx.scope.changeable.select(AlarmRule).where(AlarmRule.account_id == account.id, AlarmRule.kind == name)
    row = await ctx.db.scalar(rows.with_for_update())
    ctx.note(account=account.account, kind=name, before=row and {"on": row.enabled, "threshold": row.threshold})
    if enabled is None:
        if row is not None:
            await ctx.db.delete(row)
        return
    value = demand_threshold(KINDS[name], threshold)
    values = {"enabled": enabled, "threshold": float(value), "updated_at": now()}
    insert = rows_of(account).insert(AlarmRule).values(account_id=account.id, kind=name, **values)
    await ctx.db.execute(insert.on_conflict_do_update(index_elements=["account_id", "kind"], set_=values))


def demand_threshold(kind: Kind, threshold: int | None) -> int:
    if threshold is None:
        raise Refusal(Code.BAD_INPUT, "threshold", reason="required")
    if not kinds.allows(kind, threshold):
        raise Refusal(Code.BAD_INPUT, "threshold", reason="rule_bounds", least=kind.least, most=kind.most)
    return threshold


async def count_past(ctx: Ctx, user_id: int | None, name: Name, threshold: int) -> int:
    """How often it would have raised an alarm of robots of the account and of those below it."""
    demand_threshold(KINDS[name], threshold)
    account = await _load_account(ctx, user_id)
    scope = ctx.scope.at(account.path)
    if name == "disinfectant_level":
        rows = await ctx.app.pool.fetch(scope.sql(queries.LAST_MINUTES), scope.path, MOST_RUNS)
        levels = await asyncio.to_thread(_read_levels, rows)
        return sum(level < threshold for level in levels)
    return await ctx.app.pool.fetchval(scope.sql(queries.TRY[name]), scope.path, float(threshold)) or 0


def _read_levels(rows: Sequence[Any]) -> list[float]:
    """Of each run that the history knows the end of, what was left in the tank."""
    levels: list[float] = []
    for row in rows:
        if row["liquid"] is not None:
            levels.append(row["liquid"])
        elif row["data"] is not None:
            before = [point for point in chunk_codec.decode(row["data"]) if point[0] <= row["ended"]]
            levels += [before[-1][LIQUID]] if before else []
    return levels


async def _load_account(ctx: Ctx, user_id: int | None) -> Account:
    """Raises NOT_FOUND for one that is not in scope."""
    scope = await narrow_scope(ctx, user_id)
    rows = ctx.scope.select(Account).where(Account.id == (user_id or ctx.actor.acting_id))
    return await query.fetch_one(ctx.db, rows.where(scope.below(Account.path)))
