"""Messages go to one account and are its own: a shadow has others than the account that it acts for."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Select, Text, cast, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import query, quota, texts
from lustra.core.chain import scrubbed
from lustra.core.context import NOBODY, Actor, Ctx
from lustra.core.db import now
from lustra.core.disk import LOW
from lustra.core.wire import PageOf
from lustra.domains.account.events import (
    BranchMoved,
    FirstPasswordSet,
    OldData,
    PermissionsChanged,
    PersonAsked,
    PersonErased,
    SupportAsked,
)  # fmt: skip
from lustra.domains.account.tables import Account
from lustra.domains.message.tables import Message
from lustra.domains.storage.events import DiskMeasured

NAMED = 5  # of several things as many are named, the others counted
WELL = 2.5  # times the reserve of the disk
NEWEST = 100  # unread ones that are told at once
BOUND, UNBOUND = "bound", "unbound"


def tell(db: AsyncSession, account_ids: Iterable[int | None], kind: str, by: Actor, **values: Any) -> None:
    """Nobody is told what they did themselves."""
    for account_id in sorted({one for one in account_ids if one is not None} - {by.real_id}):
        db.add(Message(account_id=account_id, kind=kind, values={"by": by.name, **values}))


def several(names: Sequence[str]) -> dict[str, Any]:
    return {"names": list(names[:NAMED]), "more": max(0, len(names) - NAMED)}


def say(message: Message, language: str) -> tuple[str, str]:
    """Title and content."""
    values = dict(message.values)
    if "names" in values:
        more = values["more"]
        values["names"] = " · ".join(values["names"]) + (f" … +{more}" if more else "")
    if "consumable" in values:
        values["consumable"] = texts.say(language, f"consumable.{values['consumable']}")
    title, content = f"message.{message.kind}", f"message_text.{message.kind}"
    return texts.say(language, title), texts.say(language, content, **values)


def visible(actor: Actor) -> Select[Message]:
    """The real account's own, the newest first."""
    mine = select(Message).where(Message.account_id == actor.real_id, Message.deleted_at.is_(None))
    return mine.order_by(Message.id.desc())


async def unread(ctx: Ctx) -> tuple[Sequence[Message], int]:
    """The newest of them, and how many there are."""
    rows = visible(ctx.actor).where(Message.read_at.is_(None))
    count = await ctx.db.scalar(select(func.count()).select_from(rows.order_by(None).subquery())) or 0
    return (await ctx.db.scalars(rows.limit(NEWEST))).all(), count


async def page(ctx: Ctx, of: PageOf, read: int | None) -> tuple[Sequence[Message], int]:
    rows = visible(ctx.actor)
    if read is not None:
        rows = rows.where(Message.read_at.is_not(None) if read else Message.read_at.is_(None))
    total = await ctx.db.scalar(select(func.count()).select_from(rows.order_by(None).subquery())) or 0
    query.bounded(total, of)
    found = await ctx.db.scalars(rows.limit(of.page_size).offset((of.current_page - 1) * of.page_size))
    return found.all(), total


async def _one(ctx: Ctx, message_id: int) -> Message:
    return await query.fetch_one(ctx.db, visible(ctx.actor).where(Message.id == message_id).with_for_update())


async def read(ctx: Ctx, message_id: int) -> None:
    """The first reading counts."""
    message = await _one(ctx, message_id)
    message.read_at = message.read_at or now()


async def read_all(ctx: Ctx) -> None:
    mine = visible(ctx.actor).where(Message.read_at.is_(None)).with_only_columns(Message.id).order_by(None)
    await ctx.db.execute(update(Message).where(Message.id.in_(mine)).values(read_at=now()))


async def remove(ctx: Ctx, message_id: int) -> None:
    (await _one(ctx, message_id)).deleted_at = now()


async def permissions_changed(db: AsyncSession, what: PermissionsChanged) -> None:
    tell(db, [what.account_id], "permission", what.by)


async def first_password_set(db: AsyncSession, what: FirstPasswordSet) -> None:
    tell(db, [what.account_id], "password", what.by)


async def branch_moved(db: AsyncSession, what: BranchMoved) -> None:
    """The account itself and those that lose and gain it."""
    told = (what.account_id, what.parent_before, what.parent)
    tell(db, told, "moved", what.by, account=what.name, parent=what.parent_name)


async def support_asked(db: AsyncSession, what: SupportAsked) -> None:
    tell(db, [what.account_id], "support", what.by)


async def disk_measured(db: AsyncSession, disk: DiskMeasured) -> None:
    """Administrators are told once when room runs low, and once when there is enough again. Unscoped: all of them."""
    kinds = ("disk_low", "disk_well")
    newest = select(Message.kind).where(Message.kind.in_(kinds)).order_by(Message.id.desc()).limit(1)
    low = await db.scalar(newest) == "disk_low"
    if disk.free < LOW * disk.reserve and not low:
        kind = "disk_low"
    elif disk.free > WELL * disk.reserve and low:
        kind = "disk_well"
    else:
        return
    admins = select(Account.id).where(Account.level == 1, Account.deleted_at.is_(None), Account.shadow_of.is_(None))
    sizes = {"free": quota.size_text(disk.free), "reserve": quota.size_text(disk.reserve)}
    tell(db, await db.scalars(admins), kind, NOBODY, **sizes)


async def old(db: AsyncSession, wanted: OldData) -> None:
    """Of all accounts in scope, deleted ones too. Unscoped: the event says whose."""
    if (before := wanted.before.get("message")) is None:
        return
    whose = select(Account.id).where(wanted.within(Account.path))
    mine = (Message.account_id.in_(whose), Message.created_at < before)
    wanted.counts["message"] = await db.scalar(select(func.count()).select_from(Message).where(*mine)) or 0
    if wanted.remove:
        await db.execute(delete(Message).where(*mine))


async def person(db: AsyncSession, asked: PersonAsked) -> None:
    """Unscoped: the person's own."""
    mine = select(Message).where(Message.account_id == asked.account_id).order_by(Message.id)
    asked.rows["messages"] = [
        {"time": one.created_at, "kind": one.kind, "values": one.values, "read": one.read_at, "deleted": one.deleted_at}
        for one in await db.scalars(mine)
    ]


async def erased(db: AsyncSession, who: PersonErased) -> None:
    """The person's own go; in others' stands the label. Unscoped: wherever the person is named."""
    await db.execute(delete(Message).where(Message.account_id == who.account_id))
    told = [func.strpos(cast(Message.values, Text), json.dumps(value, ensure_ascii=False)) > 0 for value in who.values]
    for one in await db.scalars(select(Message).where(or_(*told))):
        one.values = scrubbed(one.values, set(who.values), who.label)
