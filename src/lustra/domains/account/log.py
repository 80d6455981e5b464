"""The audit list: what the accounts at or below one's place did, and were denied.

What nobody did who was logged in (refused log-ins, calls to relays without a grant) is seen from the top of the tree. A
deleted account's rows stay with those above it.
"""

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, Text, cast, func, literal, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from lustra.core import audit, texts
from lustra.core.audit import Audit, Seal
from lustra.core.context import Actor, Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.permission import within
from lustra.core.registry import CALLS
from lustra.domains.account.tables import Account

AT_ONCE = 500  # rows of an export in memory
LOOK = "support.look"  # by dealers and staff, recorded once an hour (support)
RELAY, CALL = "relay", "call"  # commands to robots, by their names; denied calls that are not recorded else, by path
CODES = {int(code): code.name for code in Code if code}
Row = tuple[Audit, str]  # and the name of the account that was acted for
Found = Select[Audit, str]


@dataclass(frozen=True, slots=True)
class Wanted:
    """`start` included, `end` not."""

    user_id: int | None = None
    action: str = ""
    start: datetime | None = None
    end: datetime | None = None
    refused: bool = False
    device_id: int | None = None
    words: str = ""


def actions() -> list[str]:
    """What an action may be filtered by; each has a text."""
    return [*sorted({one.audit for one in CALLS.values() if one.audit}), LOOK, RELAY, CALL]


def title(action: str, language: str) -> str:
    """In the reader's language; of a command or a path, what kind it is and its name."""
    if action.startswith(f"{RELAY}."):
        return f"{texts.say(language, 'action.relay')}: {action.removeprefix(f'{RELAY}.')}"
    if action.startswith("/"):
        return f"{texts.say(language, 'action.call')}: {action}"
    return texts.say(language, f"action.{action}") if texts.known(f"action.{action}") else action


def visible(actor: Actor) -> Select[int]:
    """Ids of the accounts whose rows the actor may see, and 0 for nobody's."""
    mine = select(Account.id).where(within(actor, Account.path))
    return mine if "." in actor.path else select(mine.union_all(select(literal(0))).subquery().c[0])


def rows(actor: Actor, wanted: Wanted, language: str) -> Found:
    """The newest first."""
    acting = aliased(Account)
    found = select(Audit, func.coalesce(acting.account, "")).outerjoin(acting, acting.id == Audit.acting_id)
    found = found.where(Audit.account_id.in_(visible(actor)))
    if wanted.user_id is not None:
        found = found.where(or_(Audit.account_id == wanted.user_id, Audit.acting_id == wanted.user_id))
    if wanted.action:
        found = found.where(_of(wanted.action))
    if wanted.start:
        found = found.where(Audit.created_at >= wanted.start)
    if wanted.end:
        found = found.where(Audit.created_at < wanted.end)
    if wanted.refused:
        found = found.where(Audit.code != 0)
    if wanted.device_id is not None:
        found = found.where(Audit.device_id == wanted.device_id)
    if words := wanted.words.strip():
        found = found.where(_saying(words, language))
    return found.order_by(Audit.id.desc())


def _of(action: str) -> Any:
    if action == RELAY:
        return Audit.action.startswith(f"{RELAY}.")
    return Audit.action.startswith("/") if action == CALL else Audit.action == action


def _saying(words: str, language: str) -> Any:
    """Part of a name, an action as the reader sees it, an address, or what was told."""
    fields = (Audit.name, Audit.action, Audit.address, cast(Audit.detail, Text))
    titled = [name for name in actions() if words.lower() in title(name, language).lower()]
    return or_(*(field.icontains(words, autoescape=True) for field in fields), *(_of(name) for name in titled))


async def count(ctx: Ctx, found: Found) -> int:
    ids = found.with_only_columns(Audit.id).order_by(None)  # unscoped: of rows that are narrowed already
    return await ctx.db.scalar(select(func.count()).select_from(ids.subquery())) or 0


async def page(ctx: Ctx, found: Found, size: int, number: int) -> Sequence[Row]:
    return [(row[0], row[1]) for row in await ctx.db.execute(found.limit(size).offset((number - 1) * size))]


async def all_of(db: AsyncSession, found: Found) -> AsyncIterator[list[Row]]:
    """Some at a time."""
    told = await db.stream(found.execution_options(yield_per=AT_ONCE))
    async for part in told.partitions():
        yield [(row[0], row[1]) for row in part]


def changed(detail: dict[str, Any]) -> tuple[dict[str, Any], Any, Any]:
    """What was asked, and what of it was otherwise before: the same fields, unless the change told them itself."""
    asked = {name: value for name, value in detail.items() if name not in ("before", "after")}
    before = detail.get("before")
    after = detail.get("after")
    if after is None and isinstance(before, dict):
        after = {name: asked[name] for name in before if name in asked}
    return asked, before, after


async def intact(ctx: Ctx) -> tuple[int | None, int, int]:
    """Where the chain is broken, how many rows it covers, how many wait. It is everybody's, so admins alone ask."""
    if ctx.actor.level != 1:
        raise Refusal(Code.FORBIDDEN)
    sealed = await ctx.db.scalar(select(func.count()).select_from(Seal)) or 0  # unscoped: the one chain of all
    written = await ctx.db.scalar(select(func.count()).select_from(Audit)) or 0
    return await audit.broken(ctx.db), sealed, written - sealed


def result(code: int, language: str) -> str:
    """A code in words, as far as its text needs no values; relays have codes of their own."""
    if code == 0:
        return texts.say(language, "result.done")
    if code in CODES:
        said = texts.template(language, f"code.{CODES[code]}")
        if "{" not in said:
            return said
    return texts.say(language, "result.refused", code=code)


def called(name: str, language: str) -> str:
    """`#12` stands where somebody was erased; no login name has that sign."""
    return texts.say(language, "log.erased", number=name) if name.startswith("#") else name


def flat(told: Any) -> str | None:
    """For a cell."""
    return json.dumps(told, ensure_ascii=False) if told else None
