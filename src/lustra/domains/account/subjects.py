"""Which person of a provider's an account is connected with: at most one, and one person with one account."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Select, delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.context import Actor, Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.security.permission import within
from lustra.domains.account.service import own
from lustra.domains.account.tables import Account, AccountSubject


def visible(actor: Actor) -> Select[AccountSubject]:
    """The real account's own."""
    return select(AccountSubject).where(AccountSubject.account_id == actor.real_id)


async def list_subjects(ctx: Ctx) -> Sequence[AccountSubject]:
    return (await ctx.db.scalars(visible(ctx.actor).order_by(AccountSubject.began_at))).all()


async def find_account(db: AsyncSession, issuer: str, subject: str) -> Account | None:
    """Unscoped: nobody acts yet."""
    named = (AccountSubject.issuer == issuer, AccountSubject.subject == subject, Account.deleted_at.is_(None))
    query = select(Account).join(AccountSubject, AccountSubject.account_id == Account.id).where(*named)
    account = await db.scalar(query)
    if account:
        connection = await db.get_one(AccountSubject, (issuer, subject))
        connection.seen_at = now()
    return account


async def connect(ctx: Ctx, issuer: str, subject: str) -> None:
    """In the place of whom it was connected with before."""
    await own(ctx.db, ctx.actor, lock=True)  # two of them wait for each other
    present = await ctx.db.get(AccountSubject, (issuer, subject))
    if present and present.account_id != ctx.actor.real_id:
        raise Refusal(Code.SSO_TAKEN)
    ctx.note(
        issuer=issuer, subject=subject, before=[[former.issuer, former.subject] for former in await list_subjects(ctx)]
    )
    await disconnect(ctx.db, ctx.actor.real_id)
    ctx.db.expunge_all()
    ctx.db.add(AccountSubject(issuer=issuer, subject=subject, account_id=ctx.actor.real_id, began_at=now()))


async def disconnect(db: AsyncSession, account_id: int) -> list[str]:
    """Whom it was connected with. Unscoped: of an account that the caller may change."""
    statement = delete(AccountSubject).where(AccountSubject.account_id == account_id)
    return list(await db.scalars(statement.returning(AccountSubject.subject)))


async def connected_since(db: AsyncSession, actor: Actor, ids: list[int]) -> dict[int, datetime]:
    """By account: since when it is connected."""
    rows = select(AccountSubject.account_id, AccountSubject.began_at).join(
        Account, Account.id == AccountSubject.account_id
    )
    result = await db.execute(rows.where(Account.id.in_(ids), within(actor, Account.path)))
    return {row[0]: row[1] for row in result}
