"""What the store of files, which knows no accounts' events, does when a person is given out or erased."""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.account.events import PersonAsked, PersonErased
from lustra.domains.storage import person


async def asked(db: AsyncSession, what: PersonAsked) -> None:
    what.rows["files"], files = await person.files(db, what.account_id)
    what.files.extend(files)


async def erased(db: AsyncSession, what: PersonErased) -> None:
    await person.forget(db, what.account_id)
