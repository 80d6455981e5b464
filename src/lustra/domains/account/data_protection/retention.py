"""How long what is kept: for the installation, and for a customer otherwise.

Rules: whoever stands above a customer sets its days, 0 for ever; the customer itself may only shorten them. Without
either the installation's hold (LUSTRA_RETENTION, "report=730,message=365"); what that does not name is kept for ever.
Each night what is older goes, by the event OldData that clearing by hand uses too, and is recorded with its counts. The
audit is no such kind: a row that went would look like a forged one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, get_args

import structlog
from sqlalchemy import func

from lustra.core import events, query
from lustra.core.audit_trail import audit
from lustra.core.context import NOBODY, Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of, system
from lustra.domains.account import granting
from lustra.domains.account.access import support
from lustra.domains.account.events import OldData
from lustra.domains.account.service import own
from lustra.domains.account.tables import Account, Retention

log = structlog.get_logger(__name__)
DataKind = Literal["report", "warn", "message", "track", "log", "video"]
KINDS: tuple[DataKind, ...] = get_args(DataKind)
FOR_EVER = 0


@dataclass(frozen=True, slots=True)
class RetentionPolicy:
    """`days` in effect, 0 for ever; `given` from above or by the installation; `own`: the customer's, if shorter."""

    kind: DataKind
    days: int
    given: int
    own: int | None


def parse_installation_days(text: str) -> dict[str, int]:
    """The installation's days by kind. What cannot be read is a fault at the start, not a deletion at night."""
    days_by_kind: dict[str, int] = dict.fromkeys(KINDS, FOR_EVER)
    for part in filter(None, (entry.strip() for entry in text.split(","))):
        kind, _, days = part.partition("=")
        if kind not in KINDS or not days.isdigit():
            raise ValueError(f"LUSTRA_RETENTION: {part}")
        days_by_kind[kind] = int(days)
    return days_by_kind


def build_policies(usual: Mapping[str, int], rows: Mapping[str, Retention]) -> list[RetentionPolicy]:
    policies: list[RetentionPolicy] = []
    for kind in KINDS:
        row = rows.get(kind)
        given = usual[kind] if row is None or row.days is None else row.days
        own_days = row.own_days if row else None
        shorter = own_days is not None and (given == FOR_EVER or own_days < given)
        policies.append(RetentionPolicy(kind, own_days if shorter and own_days else given, given, own_days))
    return policies


async def find_customer(ctx: Ctx, customer_id: int | None, *, change: bool = False) -> Account:
    """The customer itself, or one in the scope of who administers it."""
    if customer_id in (None, ctx.actor.real_id):
        if not support.may_open(ctx.actor):
            raise Refusal(Code.FORBIDDEN, reason="customer_only")
        return await own(ctx.db, ctx.actor, lock=change)
    granting.demand_key(ctx, "user/index/edit")
    rows = ctx.scope.select(Account).where(Account.id == customer_id, Account.level == support.CUSTOMER_LEVEL)
    return await query.fetch_one(ctx.db, rows.with_for_update() if change else rows)


async def load_policies(ctx: Ctx, account: Account) -> list[RetentionPolicy]:
    rows = await ctx.db.scalars(rows_of(account).select(Retention).execution_options(populate_existing=True))
    return build_policies(parse_installation_days(ctx.app.settings.retention), {row.kind: row for row in rows})


async def set_days(ctx: Ctx, customer_id: int | None, kind: str, days: int | None) -> list[RetentionPolicy]:
    """`days` null: as the installation has it; by the customer: as given."""
    account = await find_customer(ctx, customer_id, change=True)
    is_own = account.id == ctx.actor.real_id
    before = next(policy for policy in await load_policies(ctx, account) if policy.kind == kind)
    if is_own and days is not None and (days == FOR_EVER or (before.given != FOR_EVER and days > before.given)):
        raise Refusal(Code.BAD_INPUT, "days", reason="retention_longer", days=before.given)
    field = "own_days" if is_own else "days"
    row = rows_of(account).insert(Retention).values(account_id=account.id, kind=kind, **{field: days})
    statement = row.on_conflict_do_update(index_elements=["account_id", "kind"], set_={field: days})
    await ctx.db.execute(statement)
    policies = await load_policies(ctx, account)
    ctx.note(
        customer=account.id,
        before={"days": before.days},
        after={"days": next(policy.days for policy in policies if policy.kind == kind)},
    )
    return policies


async def purge(app: Services) -> None:
    """A nightly job, a customer at a time, so that one that fails holds up no other."""
    usual = parse_installation_days(app.settings.retention)
    async with app.sessions() as db:
        every = system("of all accounts")
        query = every.select(Retention, func.ltree2text(Account.path)).join(Account, Account.id == Retention.account_id)
        special: dict[tuple[int, str], dict[str, Retention]] = {}
        for row, path in await db.execute(query):
            special.setdefault((row.account_id, path), {})[row.kind] = row
        roots = list(await db.scalars(every.select(func.ltree2text(Account.path)).where(Account.parent_id.is_(None))))
    for (account_id, path), rows in special.items():
        await _purge_branch(app, account_id, path, build_policies(usual, rows))
    for root in roots:
        excluded = [path for _, path in special if path.startswith(f"{root}.")]
        await _purge_branch(app, 0, root, build_policies(usual, {}), excluded)


async def _purge_branch(
    app: Services, account_id: int, path: str, policies: list[RetentionPolicy], excluded: list[str] | None = None
) -> None:
    before = {policy.kind: now() - timedelta(days=policy.days) for policy in policies if policy.days != FOR_EVER}
    if not before:
        return
    async with app.sessions.begin() as db:
        old = OldData(path, before, remove=True, excluded=excluded or [])
        await events.emit(db, old)
        if any(old.counts.values()):
            audit.write(db, NOBODY, "retention.clean", detail={"customer": account_id, "counts": old.counts})
    log.info("retention", account=account_id, counts=old.counts)
