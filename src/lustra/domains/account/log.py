"""The audit list: what the accounts at or below one's place did, and were denied.

What nobody did who was logged in (refused log-ins, calls to relays without a grant) is seen from the top of the tree. A
deleted account's rows stay with those above it.
"""

import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Select, Text, case, cast, func, literal, null, or_
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from lustra.core import jobs, texts
from lustra.core.audit_trail import chain, chain_check
from lustra.core.audit_trail.anonymous import AnonymousTry
from lustra.core.audit_trail.audit import Audit
from lustra.core.audit_trail.chain import Seal
from lustra.core.calls.registry import CALLS
from lustra.core.context import Actor, Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.query import count_rows, cut_page
from lustra.core.scope import Scope, system
from lustra.domains.account.seed import ADDED
from lustra.domains.account.tables import Account
from lustra.protocol.commands import COMMANDS

AT_ONCE = 500  # rows of an export in memory
MOST_COMMANDS = 500  # to one robot in one run
CHECKED_AGAIN = timedelta(minutes=1)
LOOK = "support.look"  # by support, recorded once an hour (support)
FOLLOW = "device_log.follow"  # a robot's log as it is written, recorded by the live socket
RELAY = "relay"  # commands to robots, by their names
CALL = "call"  # denied calls that are not recorded else, by path
PROTOCOL = re.compile(r"^api\d*/")  # before the name of a command: which protocol of robots it is of
CODES = {int(code): code.name for code in Code if code}
JUDGED = system("narrowed by the account of each entry, or by the run that a command belongs to")
ACTING = aliased(Account)  # made once: it takes longer than to run a statement
LogEntry = tuple[Audit, str]  # and the name of the account that was acted for
EntryQuery = Select[Audit, str]


@dataclass(frozen=True, slots=True)
class EntryFilter:
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
    recorded = {registered.audit for registered in CALLS.values() if registered.audit} | {FOLLOW}
    return [*sorted(recorded), LOOK, ADDED, RELAY, CALL]


def action_title(action: str, language: str) -> str:
    """In the reader's language; of a command or a path, what kind it is and its name."""
    if action.startswith(f"{RELAY}."):
        command = PROTOCOL.sub("", action.removeprefix(f"{RELAY}."))
        key = f"command.{command}"
        return f"{texts.say(language, 'action.relay')}: {texts.say(language, key) if texts.known(key) else command}"
    if action.startswith("/"):
        return f"{texts.say(language, 'action.call')}: {action}"
    return texts.say(language, f"action.{action}") if texts.known(f"action.{action}") else action


def _is_in_scope(entry: Any, scope: Scope) -> ColumnElement[bool]:
    """Of accounts in scope, deleted ones too; from the top of the tree nobody's as well."""
    accounts = system("deleted ones too").select(Account.id).where(scope.below(Account.path))
    in_scope = entry.account_id.in_(accounts)
    return in_scope if "." in scope.path else or_(in_scope, entry.account_id == 0)


@cache
def _entries() -> Any:
    """The audit, and with it what nobody tried who was logged in. Of these `tries` says how many stand for how many;
    their ids are below 0."""
    columns = (
        "id",
        "created_at",
        "account_id",
        "acting_id",
        "name",
        "session_id",
        "address",
        "action",
        "code",
        "detail",
        "device_id",
    )
    nothing = literal("")
    tries = AnonymousTry.detail.op("||")(func.jsonb_build_object("tries", AnonymousTry.tries))
    detail = case((AnonymousTry.summed, tries), else_=AnonymousTry.detail)
    anonymous = JUDGED.select(
        -AnonymousTry.id,
        AnonymousTry.created_at,
        literal(0),
        literal(0),
        nothing,
        nothing,
        AnonymousTry.address,
        AnonymousTry.action,
        AnonymousTry.code,
        detail,
        cast(null(), BigInteger),
    )
    return aliased(Audit, JUDGED.select(*(getattr(Audit, name) for name in columns)).union_all(anonymous).subquery())


def select_entries(actor: Actor, filters: EntryFilter, language: str) -> EntryQuery:
    """The newest first."""
    entry = _entries()
    rows = JUDGED.select(entry, func.coalesce(ACTING.account, ""))
    query = rows.outerjoin(ACTING, ACTING.id == entry.acting_id).where(_is_in_scope(entry, actor.scope))
    if filters.user_id is not None:
        query = query.where(or_(entry.account_id == filters.user_id, entry.acting_id == filters.user_id))
    if filters.action:
        query = query.where(_has_action(entry, filters.action))
    if filters.start:
        query = query.where(entry.created_at >= filters.start)
    if filters.end:
        query = query.where(entry.created_at < filters.end)
    if filters.refused:
        query = query.where(entry.code != 0)
    if filters.device_id is not None:
        query = query.where(entry.device_id == filters.device_id)
    if words := filters.words.strip():
        query = query.where(_has_text(entry, words, language))
    return query.order_by(entry.created_at.desc(), entry.id.desc())


def _has_action(entry: Any, action: str) -> Any:
    if action == RELAY:
        return entry.action.startswith(f"{RELAY}.")
    if action.startswith(f"{RELAY}."):
        return entry.action.endswith(f"/{action.removeprefix(f'{RELAY}.')}")
    return entry.action.startswith("/") if action == CALL else entry.action == action


def _has_text(entry: Any, words: str, language: str) -> Any:
    """Part of a name, an action as the reader sees it, an address, or a value."""
    fields = (entry.name, entry.action, entry.address, cast(entry.detail, Text))
    commands = [f"{RELAY}.{name}" for name in COMMANDS if texts.known(f"command.{name}")]
    titles = {name: action_title(name, language) for name in (*actions(), *commands)}
    matching_actions = [name for name, title in titles.items() if words.lower() in title.lower()]
    return or_(
        *(field.icontains(words, autoescape=True) for field in fields),
        *(_has_action(entry, name) for name in matching_actions),
    )


async def load_commands(
    ctx: Ctx, device_id: int, start: datetime, end: datetime
) -> Sequence[tuple[datetime, str, str]]:
    """When a robot obeyed which command of a person, and of whom: the name of nobody out of scope. The caller judges
    whether the robot was in scope then."""
    name = case((_is_in_scope(Audit, ctx.scope), Audit.name), else_="")
    rows = JUDGED.select(Audit.created_at, Audit.action, name)
    query = rows.where(
        Audit.device_id == device_id,
        Audit.action.startswith(f"{RELAY}."),
        Audit.code == 0,
        Audit.created_at.between(start, end),
    )
    return [
        (at, action, who) for at, action, who in await ctx.db.execute(query.order_by(Audit.id).limit(MOST_COMMANDS))
    ]


async def count_entries(ctx: Ctx, query: EntryQuery) -> int:
    return await count_rows(ctx.db, query)


async def load_page(ctx: Ctx, query: EntryQuery, size: int, number: int) -> Sequence[LogEntry]:
    return [(row[0], row[1]) for row in await ctx.db.execute(cut_page(query, size, number))]


async def stream_entries(db: AsyncSession, query: EntryQuery) -> AsyncIterator[list[LogEntry]]:
    """Some at a time."""
    stream = await db.stream(query.execution_options(yield_per=AT_ONCE))
    async for part in stream.partitions():
        yield [(row[0], row[1]) for row in part]


def look_title(kind: str, language: str) -> str:
    """What support looked at; a kind without a text is its own name."""
    return texts.say(language, f"look.{kind}") if texts.known(f"look.{kind}") else kind


def entry_detail(entry: Audit, language: str) -> dict[str, Any]:
    """As people read it: of a look of support in words, without the key that keeps the looks of an hour apart."""
    if entry.action != LOOK:
        return entry.detail
    look = entry.detail
    return {"viewed": look_title(look["what"], language), "name": look["name"], "ownerUserId": look["customer"]}


def split_detail(detail: dict[str, Any]) -> tuple[dict[str, Any], Any, Any]:
    """What was asked, and what of it was otherwise before: the same fields, unless the change recorded them itself."""
    payload = {name: value for name, value in detail.items() if name not in ("before", "after")}
    before = detail.get("before")
    after = detail.get("after")
    if after is None and isinstance(before, dict):
        after = {name: payload[name] for name in before if name in payload}
    return payload, before, after


async def chain_state(ctx: Ctx) -> tuple[chain_check.Result | None, int]:
    """What the last check of the chain found, and how many rows were written since those it covers. An old result
    starts a check, for the next to ask. It is everybody's, so admins alone ask."""
    if ctx.actor.level != 1:
        raise Refusal(Code.FORBIDDEN)
    last = await chain_check.last_result(ctx.db, chain.key_of(ctx.app.settings))
    if last is None or datetime.fromisoformat(last.at) < now() - CHECKED_AGAIN:
        with suppress(IntegrityError):  # one waits already
            async with ctx.db.begin_nested():
                await jobs.later(ctx.db, chain_check.CHECK, once=chain_check.CHECK)
    every = system("the one chain of all")
    seal = every.select(Seal.audit_id).where(Seal.position == last.position).scalar_subquery() if last else literal(0)
    waiting = await ctx.db.scalar(every.select(func.count(Audit.id)).where(Audit.id > func.coalesce(seal, 0)))
    return last, waiting or 0


def result_text(code: int, language: str) -> str:
    """A code in words, as far as its text needs no values; relays have codes of their own."""
    if code == 0:
        return texts.say(language, "result.done")
    if code in CODES:
        template = texts.template(language, f"code.{CODES[code]}")
        if "{" not in template:
            return template
    return texts.say(language, "result.refused", code=code)


def account_label(name: str, language: str) -> str:
    """`#12` stands where somebody was erased; no login name has that sign."""
    return texts.say(language, "log.erased", number=name) if name.startswith("#") else name


STARS = "**********"  # as pydantic writes one
ACCOUNTS = {"userId", "targetUserId", "ownerUserId", "parentId", "lesseeUserId"}


def named_accounts(details: Sequence[Any]) -> set[int]:
    """Accounts that payloads speak of by their ids."""
    pairs = (pair for detail in details if isinstance(detail, dict) for pair in detail.items())
    return {value for name, value in pairs if name in ACCOUNTS and isinstance(value, int)}


async def account_names(ctx: Ctx, ids: set[int]) -> dict[int, str]:
    """Names by id, of the accounts in scope."""
    if not ids:
        return {}
    rows = ctx.scope.select(Account.id, Account.name).where(Account.id.in_(ids))
    return {row[0]: row[1] for row in await ctx.db.execute(rows)}


def readable(detail: Any, names: dict[int, str]) -> Any:
    """Without secrets; accounts with their names where these are known."""
    if not isinstance(detail, dict):
        return detail
    content: dict[str, Any] = {name: value for name, value in detail.items() if value != STARS}
    for name in ACCOUNTS & content.keys():
        number = content[name]
        if isinstance(number, int) and number in names:
            content[name] = f"{names[number]} (#{number})"
    return content


def field_names(details: Sequence[Any], language: str) -> dict[str, str]:
    """What the fields of payloads are called, as far as they have a name."""
    fields = {name for detail in details if isinstance(detail, dict) for name in detail}
    return {name: texts.say(language, f"field.{name}") for name in sorted(fields) if texts.known(f"field.{name}")}


def detail_text(detail: Any, language: str) -> str | None:
    """An entry's detail in words, for the cell of a sheet: each field with its name."""
    if not isinstance(detail, dict):
        return json.dumps(detail, ensure_ascii=False) if detail else None
    plain = {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in detail.items()
    }
    return " · ".join(f"{texts.field_name(language, name)}: {value}" for name, value in plain.items()) or None
