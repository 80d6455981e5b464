"""A person's right to be forgotten.

Rules: erasing wants the key that deletes accounts and the login name typed, keeps the rules of deletion, and is refused
to the last administrator. Personal values go at once, also from the audit, whose rows and chain stay
(core/audit_trail/chain). Whom a restored backup brings back is erased again when the server starts: the object store
has a list of the erased accounts, numbers and times without a name, and no restored database takes that back.
"""

from collections.abc import AsyncIterator, Collection
from contextlib import suppress
from dataclasses import replace
from datetime import timezone
from typing import Any

import structlog
from sqlalchemy import and_, func, or_
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import events
from lustra.core.audit_trail import anonymous, chain
from lustra.core.audit_trail.audit import Audit
from lustra.core.context import NOBODY, Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.files.objects import Objects
from lustra.core.scope import rows_of, system
from lustra.domains.account import granting, users
from lustra.domains.account.data_protection.privacy import load_person, select_entries
from lustra.domains.account.events import PersonErased
from lustra.domains.account.tables import Account, AccountSubject

log = structlog.get_logger(__name__)

LIST = "privacy/erased"  # a folder of the object store: stack/archive leaves it where it is


async def erase(ctx: Ctx, user_id: int | None, typed_name: str) -> int:
    """Takes a person out of everything that stays; how many entries of the audit named them."""
    granting.demand_key(ctx, "user/index/delete")
    account = await load_person(ctx, user_id, "user/index/delete", lock=True)
    if typed_name.strip() != account.account:
        raise Refusal(Code.BAD_INPUT, "account", reason="name_typed")
    if await _is_last_admin(ctx.db, account):
        raise Refusal(Code.BAD_INPUT, "targetUserId", reason="last_admin")
    values = await _personal_values(ctx.db, account)
    await users.close_account(ctx, account)
    count = await _overwrite(ctx, account, values)
    if account.id == ctx.actor.real_id:  # what is recorded of this very call
        ctx.actor, ctx.address = replace(ctx.actor, name=account.name, session_id=""), ""
    place = _place_of(account)
    ctx.after_commit(lambda: _enlist(ctx.app.objects, place))
    return count


async def _overwrite(ctx: Ctx, account: Account, values: set[str]) -> int:
    name, label = account.account, f"#{account.id}"
    await ctx.db.execute(rows_of(account).delete(AccountSubject))
    account.account, account.name, account.phone, account.email, account.url = f"erased{account.id}", label, "", "", ""
    account.password, account.preferences, account.language = "", {}, ""
    account.updated_at = now()
    await ctx.db.flush()
    await events.emit(ctx.db, PersonErased(account.id, sorted(values), label))
    await anonymous.erase(ctx.db, name)
    return await chain.erase(ctx.db, chain.key_of(ctx.app.settings), account.id, sorted(values), label)


async def erase_restored(app: Services) -> list[int]:
    """At the start of a server: erases again whom a restored database knows, and enlists who is missing in the list.
    Answers the accounts that were erased again."""
    restored: list[int] = []
    listed = {place async for place in _read_list(app.objects)}
    async with app.sessions() as db:
        accounts = (await db.scalars(_listed_or_erased(listed))).all()
    for account in accounts:
        place, erased = _place_of(account), _is_erased(account)
        if erased and place not in listed:
            await _enlist(app.objects, place)
        elif place in listed and not erased and await _erase_again(app, account):
            restored.append(account.id)
    if restored:
        log.warning("erasure.repeated", accounts=restored, why="a restored database knew them")
    return restored


def _listed_or_erased(listed: Collection[str]) -> Any:
    numbers = [int(place.removeprefix(f"{LIST}/").partition("-")[0]) for place in listed]
    accounts = system("in the list, or erased").select(Account)
    return accounts.where(or_(Account.id.in_(numbers), and_(Account.password == "", Account.name.startswith("#"))))


async def _erase_again(app: Services, restored: Account) -> bool:
    """An account that others stand below keeps its place, with nothing of the person. The only administrator that the
    backup knows stays: nobody could get in any more."""
    async with app.sessions.begin() as db:
        ctx = Ctx(db, NOBODY, app, "", "en", {})
        account = (await db.scalars(rows_of(restored).select(Account).with_for_update())).one()
        if await _is_last_admin(db, account):
            log.error("erasure.not_repeated", account=account.id, why="it is the only administrator")
            return False
        values = await _personal_values(db, account)
        with suppress(Refusal):
            await users.close_account(ctx, account)
        await users.end_all_access(ctx, account)
        await _overwrite(ctx, account, values)
    for publish in ctx.later:
        await publish()
    return True


def _is_erased(account: Account) -> bool:
    return (account.account, account.name, account.password) == (f"erased{account.id}", f"#{account.id}", "")


def _place_of(account: Account) -> str:
    """With the time at which the account was made: a restored database may give its number to somebody else."""
    created = account.created_at.astimezone(timezone.utc)
    return f"{LIST}/{account.id}-{created:%Y%m%dT%H%M%S.%f}"


async def _enlist(objects: Objects, place: str) -> None:
    await objects.put_bytes(place, now().isoformat().encode())


async def _read_list(objects: Objects) -> AsyncIterator[str]:
    async for places in objects.older(LIST, now()):
        for place in places:
            yield place


async def _personal_values(db: AsyncSession, account: Account) -> set[str]:
    """What names the person: also at single sign-on, now and before."""
    subject = Audit.detail["subject"].astext
    entries = select_entries(account, subject)
    former_subjects = await db.scalars(entries.where(subject.is_not(None)).distinct())
    subjects = await db.scalars(rows_of(account).select(AccountSubject.subject))
    return {
        value
        for value in (account.account, account.name, account.phone, account.email, *former_subjects, *subjects)
        if value
    }


async def _is_last_admin(db: AsyncSession, account: Account) -> bool:
    admins = (
        system("the last one of the installation")
        .select(func.count(Account.id))
        .where(Account.level == 1, Account.deleted_at.is_(None), Account.shadow_of.is_(None))
    )
    return account.level == 1 and account.shadow_of is None and (await db.scalar(admins) or 0) <= 1
