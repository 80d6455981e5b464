"""Support access: administrators, dealers and staff see a customer's maps, video and device passwords, and control its
robots, only while it is open.

A customer is an account of level 3 with all below it; what stands above it belongs to none and is not guarded. It alone
opens, for hours or always; its end is at once, on open sockets and grants too, which follow the bucket `support`. Each
look of support is recorded once an hour. A shadow is of the kind of its own account. ADR 25 says why nobody is exempt.

What a call gives away of such data it asks here for: `demand` refuses, `may_look` answers, `sql` is a condition.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any, Literal

import asyncpg
import msgspec
from sqlalchemy import BigInteger, func, true

from lustra.core import events, query
from lustra.core.audit_trail.audit import Audit
from lustra.core.context import Actor, Ctx, Services
from lustra.core.db import Connection, now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import system
from lustra.core.wire import PageOf
from lustra.domains.account import queries
from lustra.domains.account.events import SupportRequested
from lustra.domains.account.log import LOOK
from lustra.domains.account.service import own
from lustra.domains.account.tables import Account
from lustra.domains.account.users import select_accounts

LookKind = Literal["map", "maps", "live", "robot", "report", "task", "video", "password", "log", "live_log"]
Default = Literal["off", "always"]
CUSTOMER_LEVEL = 3
REQUEST_ACTION = "support.ask"
REQUEST_EACH = timedelta(minutes=10)
HOUR_S = 3600
ABOUT_ACTOR = system("one's own requests, and looks of others at one's own")
ALWAYS = datetime(9999, 1, 1, tzinfo=timezone.utc)


@dataclass(frozen=True, slots=True)
class Look:
    """What is looked at; `id` and `name` of a map, a robot or a report."""

    kind: LookKind
    id: int
    name: str = ""
    device_id: int | None = None


def customer_of(path: str) -> int | None:
    """The id of the customer in a path of accounts, as the SQL function support_customer finds it."""
    ids = path.split(".")
    return int(ids[CUSTOMER_LEVEL - 1]) if len(ids) >= CUSTOMER_LEVEL else None


def sql_condition(actor: Actor, path: str) -> str:
    """Whether the actor may see such data of a row: in plain SQL, on its column with the owner's path."""
    return f"support_open({path})" if actor.support else "true"


def condition(actor: Actor, path: Any) -> Any:
    """The condition on an owner's path that keeps what the customer has not opened to the actor."""
    return func.support_open(path) if actor.support else true()


async def demand_access(ctx: Ctx, look: Look, path: str, field: str = "") -> None:
    """Refuses support where it is closed, and records the look where it is open. `path`: of the owner of the data."""
    if not ctx.actor.support:
        return
    stands = await ctx.app.pool.fetchrow(system("whose a row in scope is").sql(queries.CUSTOMER_OF), path)
    if not stands["open"]:
        raise Refusal(Code.SUPPORT_CLOSED, field, customer=stands["name"] or "", customerId=stands["id"])
    if stands["id"] is not None:
        await record_looks(ctx.app.pool, ctx.actor, ctx.address, [(stands["id"], look)])


async def may_look(ctx: Ctx, look: Look, path: str) -> bool:
    """For answers of which a part stays visible: without a refusal."""
    try:
        await demand_access(ctx, look, path)
    except Refusal:
        return False
    return True


async def record_looks(
    db: asyncpg.Pool | Connection, actor: Actor, address: str, looks: Iterable[tuple[int, Look]]
) -> None:
    """By customer; once an hour for each account and thing. Its own transaction: who looked has looked."""
    hour = int(time.time() // HOUR_S)
    await db.executemany(
        system("a new row, the actor's own").sql(queries.RECORD_LOOK),
        [
            (
                actor.real_id,
                actor.acting_id,
                actor.name,
                actor.session_id,
                address,
                {
                    "key": f"{LOOK}.{actor.real_id}.{look.kind}.{look.id}.{hour}",
                    "customer": customer,
                    "what": look.kind,
                    "id": look.id,
                    "name": look.name,
                },
                look.device_id,
            )
            for customer, look in looks
        ],
    )


class SupportState(msgspec.Struct):
    """An entry of the bucket: until when it is open, in ms. No entry: closed."""

    until: int

    @property
    def open(self) -> bool:
        return self.until > time.time() * 1000

    @property
    def ended(self) -> bool:
        """Whether its time ran out, without anybody closing it."""
        return self.until > 0 and not self.open


def open_until(account: Account) -> datetime | None:
    """When the customer's access for support ends; ALWAYS where it has no end, None where it is closed."""
    if account.support_default == "always":
        return ALWAYS
    return account.support_until if account.support_until and account.support_until > now() else None


def bucket_entry(until: datetime) -> dict[str, Any]:
    return {"until": round(until.timestamp() * 1000)}


def may_open(actor: Actor) -> bool:
    """The customer itself: no shadow, nobody above, nobody below."""
    return actor.level == CUSTOMER_LEVEL and not actor.support and actor.real_id == actor.acting_id


async def change_access(ctx: Ctx, *, default: Default | None = None, hours: int | None = None) -> Account:
    """Sets a customer's default, or opens for some hours; 0 ends the hours that run."""
    if not may_open(ctx.actor):
        raise Refusal(Code.FORBIDDEN, reason="customer_only")
    account = await own(ctx.db, ctx.actor, lock=True)
    ctx.note(before=_recorded_access(account))
    if default is not None:
        account.support_default = default
    if hours is not None:
        account.support_until = now() + timedelta(hours=hours) if hours else None
    ctx.note(after=_recorded_access(account))
    announce(ctx, account.id)
    return account


def _recorded_access(account: Account) -> dict[str, str | None]:
    until = account.support_until
    return {"default": account.support_default, "until": until.isoformat() if until else None}


def announce(ctx: Ctx, customer_id: int) -> None:
    """To relays and sockets. The row is read again under its lock: of two changes the later one stays."""

    async def publish() -> None:
        async with ctx.app.sessions.begin() as db:
            row = system("what was just changed").select(Account).where(Account.id == customer_id)
            until = open_until((await db.scalars(row.with_for_update())).one())
            if until is None:
                await ctx.app.bus.drop("support", str(customer_id))
            else:
                await ctx.app.bus.put("support", str(customer_id), bucket_entry(until))

    ctx.after_commit(publish)


async def publish_all(app: Services) -> None:
    """Writes all open accesses into the bus, at the start of a server."""
    entries = {
        str(row["id"]): bucket_entry(ALWAYS if row["support_default"] == "always" else row["support_until"])
        for row in await app.pool.fetch(system("relays must know all").sql(queries.OPEN_CUSTOMERS))
    }
    await app.bus.sync("support", entries)


async def find_customer(ctx: Ctx) -> Account | None:
    """The customer that acts, or that the acting account stands below."""
    customer_id = func.support_customer(func.text2ltree(ctx.actor.path))
    return await ctx.db.scalar(system("it may stand above the actor").select(Account).where(Account.id == customer_id))


async def list_customers(ctx: Ctx, words: str, page: PageOf) -> tuple[Sequence[Account], int]:
    """A page of the customers in scope, by name, and how many there are."""
    rows = select_accounts(ctx.actor, words, [], shadows=False).where(Account.level == CUSTOMER_LEVEL)
    return await query.paginate(ctx.db, rows, page)


async def request_access(ctx: Ctx, customer_id: int) -> None:
    """The customer, or of an account below it. Once in ten minutes."""
    below = await query.fetch_one(ctx.db, ctx.scope.select(Account).where(Account.id == customer_id))
    customer_query = ctx.scope.select(Account).where(Account.id == customer_of(below.path))
    account = await query.fetch_one(ctx.db, customer_query.with_for_update())
    if not ctx.actor.support:
        raise Refusal(Code.FORBIDDEN, reason="support_only")
    if open_until(account):
        raise Refusal(Code.BAD_INPUT, "customerId", reason="support_open")
    last_request = ABOUT_ACTOR.select(func.max(Audit.created_at)).where(
        Audit.account_id == ctx.actor.real_id,
        Audit.action == REQUEST_ACTION,
        Audit.code == 0,
        Audit.detail["asked"].as_integer() == account.id,
        Audit.created_at > now() - REQUEST_EACH,
    )
    if at := await ctx.db.scalar(last_request):
        raise Refusal(Code.TOO_MANY_TRIES, seconds=round((at + REQUEST_EACH - now()).total_seconds()))
    ctx.note(asked=account.id)
    await events.emit(ctx.db, SupportRequested(account.id, ctx.actor))


async def list_looks(ctx: Ctx, page: PageOf) -> tuple[list[tuple[Audit, str]], int]:
    """Entries of the audit: when support looked at what the acting account owns."""
    conditions = (Audit.action == LOOK, Audit.detail["customer"].as_string().cast(BigInteger) == ctx.actor.acting_id)
    looks = (
        ABOUT_ACTOR.select(Audit, func.coalesce(Account.name, "").label("name"))
        .outerjoin(Account, Account.id == Audit.account_id)
        .where(*conditions)
        .order_by(Audit.id.desc())
    )
    rows, total = await query.paginate_columns(ctx.db, looks, page)
    return [(row[0], row[1]) for row in rows], total
