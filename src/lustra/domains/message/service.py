"""Messages go to one account and are its own: a shadow has others than the account that it acts for."""

import json
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import Select, Text, cast, func, or_
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import query, quota, texts
from lustra.core.audit_trail.chain import scrubbed
from lustra.core.context import NOBODY, Actor, Ctx
from lustra.core.db import now
from lustra.core.files.disk import LOW
from lustra.core.scope import system
from lustra.core.wire import PageOf
from lustra.domains.account.api import (
    Account,
    BranchMoved,
    FirstPasswordSet,
    OldData,
    PermissionsChanged,
    PersonalDataRequested,
    PersonErased,
    SupportRequested,
)
from lustra.domains.message.tables import Message
from lustra.domains.storage.api import DiskMeasured

NAMED = 5  # of several things as many are named, the others counted
WELL = 2.5  # times the reserve of the disk
DAY = timedelta(days=1)
NEWEST = 100  # unread ones that are sent at once
BOUND = "bound"
UNBOUND = "unbound"

EVERY = system("what administrators and owners were sent about the installation")
of_person = system("the person's own, and wherever the person is named")


def notify(
    db: AsyncSession, account_ids: Iterable[int | None], kind: str, by: Actor, *, person: str = "", **values: Any
) -> None:
    """Nobody is notified of what they did themselves. `person`: what people call who did it; else the log-in."""
    for account_id in sorted({account_id for account_id in account_ids if account_id is not None} - {by.real_id}):
        db.add(Message(account_id=account_id, kind=kind, values={"by": person or by.name, **values}))


async def notify_daily(
    db: AsyncSession, account_ids: Iterable[int], kind: str, by: Actor, about: str, **values: Any
) -> None:
    """As `notify`, but once a day for each account and what the value `about` names."""
    same = (Message.kind == kind, Message.values[about].as_string() == str(values[about]))
    recent = EVERY.select(Message.account_id).where(*same, Message.created_at > now() - DAY)
    notify(db, set(account_ids) - set(await db.scalars(recent)), kind, by, **values)


async def load_administrators(db: AsyncSession) -> Sequence[int]:
    """Numbers of the accounts that keep the installation."""
    accounts = EVERY.select(Account.id).where(Account.level == 1)
    return (await db.scalars(accounts.where(Account.deleted_at.is_(None), Account.shadow_of.is_(None)))).all()


def join_names(names: Sequence[str], named: int = NAMED) -> str:
    """The first names in one line, and how many more there are."""
    more = len(names) - named
    return " · ".join(names[:named]) + (f" … +{more}" if more > 0 else "")


def name_several(names: Sequence[str]) -> dict[str, Any]:
    return {"names": list(names[:NAMED]), "more": max(0, len(names) - NAMED)}


def render(message: Message, language: str) -> tuple[str, str]:
    """Title and content."""
    values = dict(message.values)
    if "names" in values:
        more = values["more"]
        values["names"] = " · ".join(values["names"]) + (f" … +{more}" if more else "")
    if "consumable" in values:
        values["consumable"] = texts.say(language, f"consumable.{values['consumable']}")
    if "alarm" in values:
        code = f"alarm.{values['alarm']}"
        values["alarm"] = texts.say(language, code) if texts.known(code) else values["alarm"]
    title, content = f"message.{message.kind}", f"message_text.{message.kind}"
    return texts.say(language, title), texts.say(language, content, **values)


def _newest_first(ctx: Ctx) -> Select[Message]:
    return ctx.scope.select(Message).order_by(Message.id.desc())


async def load_unread(ctx: Ctx) -> tuple[Sequence[Message], int]:
    """The newest of them, and how many there are."""
    rows = _newest_first(ctx).where(Message.read_at.is_(None))
    return (await ctx.db.scalars(rows.limit(NEWEST))).all(), await query.count_rows(ctx.db, rows)


async def load_page(ctx: Ctx, paging: PageOf, read: int | None) -> tuple[Sequence[Message], int]:
    rows = _newest_first(ctx)
    if read is not None:
        rows = rows.where(Message.read_at.is_not(None) if read else Message.read_at.is_(None))
    return await query.paginate(ctx.db, rows, paging)


async def _lock_message(ctx: Ctx, message_id: int) -> Message:
    return await query.fetch_one(ctx.db, ctx.scope.select(Message).where(Message.id == message_id).with_for_update())


async def mark_read(ctx: Ctx, message_id: int) -> None:
    """Notes when the actor read the message first."""
    message = await _lock_message(ctx, message_id)
    message.read_at = message.read_at or now()


async def mark_all_read(ctx: Ctx) -> None:
    await ctx.db.execute(ctx.scope.update(Message).where(Message.read_at.is_(None)).values(read_at=now()))


async def delete_message(ctx: Ctx, message_id: int) -> None:
    (await _lock_message(ctx, message_id)).deleted_at = now()


async def on_permissions_changed(db: AsyncSession, event: PermissionsChanged) -> None:
    notify(db, [event.account_id], "permission", event.by)


async def on_first_password_set(db: AsyncSession, event: FirstPasswordSet) -> None:
    notify(db, [event.account_id], "password", event.by)


async def on_branch_moved(db: AsyncSession, event: BranchMoved) -> None:
    """Writes to the moved account, and to the account above it before and after."""
    recipients = (event.account_id, event.parent_before, event.parent)
    notify(db, recipients, "moved", event.by, account=event.name, parent=event.parent_name)


async def on_support_requested(db: AsyncSession, event: SupportRequested) -> None:
    notify(db, [event.account_id], "support", event.by)


async def on_disk_measured(db: AsyncSession, disk: DiskMeasured) -> None:
    """Administrators are notified once when room runs low, and once when there is enough again."""
    kinds = ("disk_low", "disk_well")
    newest = EVERY.select(Message.kind).where(Message.kind.in_(kinds)).order_by(Message.id.desc()).limit(1)
    low = await db.scalar(newest) == "disk_low"
    if disk.free < LOW * disk.reserve and not low:
        kind = "disk_low"
    elif disk.free > WELL * disk.reserve and low:
        kind = "disk_well"
    else:
        return
    sizes = {"free": quota.size_text(disk.free), "reserve": quota.size_text(disk.reserve)}
    notify(db, await load_administrators(db), kind, NOBODY, **sizes)


async def on_old_data(db: AsyncSession, old_data: OldData) -> None:
    """Counts, and where asked deletes, old messages of all accounts that the event is about."""
    if (before := old_data.before.get("message")) is None:
        return
    old = system("the event says whose")
    whose = old.select(Account.id).where(old_data.within(Account.path))
    conditions = (Message.account_id.in_(whose), Message.created_at < before)
    old_data.counts["message"] = await db.scalar(old.select(func.count(Message.id)).where(*conditions)) or 0
    if old_data.remove:
        await db.execute(old.delete(Message).where(*conditions))


async def on_personal_data_requested(db: AsyncSession, request: PersonalDataRequested) -> None:
    query = of_person.select(Message).where(Message.account_id == request.account_id).order_by(Message.id)
    request.rows["messages"] = [
        {
            "time": message.created_at,
            "kind": message.kind,
            "values": message.values,
            "read": message.read_at,
            "deleted": message.deleted_at,
        }
        for message in await db.scalars(query)
    ]


async def on_person_erased(db: AsyncSession, event: PersonErased) -> None:
    """Deletes the person's own messages; in those of others the label takes the name's place."""
    await db.execute(of_person.delete(Message).where(Message.account_id == event.account_id))
    conditions = [
        func.strpos(cast(Message.values, Text), json.dumps(value, ensure_ascii=False)) > 0 for value in event.values
    ]
    for message in await db.scalars(of_person.select(Message).where(or_(*conditions))):
        message.values = scrubbed(message.values, set(event.values), event.label)
