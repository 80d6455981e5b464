"""Which person of a provider's an account is connected with: at most one, and one person with one account."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.context import Actor, Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of, system
from lustra.domains.account.service import own
from lustra.domains.account.tables import Account, AccountSubject


async def list_subjects(ctx: Ctx) -> Sequence[AccountSubject]:
    return (await ctx.db.scalars(ctx.scope.select(AccountSubject).order_by(AccountSubject.began_at))).all()


async def find_account(db: AsyncSession, issuer: str, subject: str) -> Account | None:
    pairs = system("nobody acts yet").select(Account, AccountSubject)
    named = (AccountSubject.issuer == issuer, AccountSubject.subject == subject, Account.deleted_at.is_(None))
    joined = pairs.join(AccountSubject, AccountSubject.account_id == Account.id)
    pair = (await db.execute(joined.where(*named))).first()
    if pair is None:
        return None
    account, connection = pair
    connection.seen_at = now()
    return account


async def connect(ctx: Ctx, issuer: str, subject: str) -> None:
    """Connects the account with a person of the provider, in the place of a former one."""
    account = await own(ctx.db, ctx.actor, lock=True)  # two of them wait for each other
    subjects = system("a person is connected once, with whatever account").select(AccountSubject)
    present = await ctx.db.scalar(subjects.where(AccountSubject.issuer == issuer, AccountSubject.subject == subject))
    if present and present.account_id != ctx.actor.real_id:
        raise Refusal(Code.SSO_TAKEN)
    ctx.note(
        issuer=issuer, subject=subject, before=[[former.issuer, former.subject] for former in await list_subjects(ctx)]
    )
    await disconnect(ctx.db, account)
    ctx.db.expunge_all()
    ctx.db.add(AccountSubject(issuer=issuer, subject=subject, account_id=ctx.actor.real_id, began_at=now()))


async def disconnect(db: AsyncSession, account: Account) -> list[str]:
    """Ends it; the provider's names of the persons that it was connected with."""
    return list(await db.scalars(rows_of(account).delete(AccountSubject).returning(AccountSubject.subject)))


async def connected_since(db: AsyncSession, actor: Actor, ids: list[int]) -> dict[int, datetime]:
    """Since when each of these accounts is connected with single sign-on."""
    accounts = actor.scope.select(Account.id).where(Account.id.in_(ids))
    rows = accounts.join(AccountSubject, AccountSubject.account_id == Account.id).add_columns(AccountSubject.began_at)
    return {row[0]: row[1] for row in await db.execute(rows)}
