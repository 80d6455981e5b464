"""What the store of files, which knows no accounts' events, does when a person is given out or erased."""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.account.events import PersonAsked, PersonErased
from lustra.domains.storage import person


async def export_files(db: AsyncSession, event: PersonAsked) -> None:
    event.rows["files"], files = await person.files(db, event.account_id)
    event.files.extend(files)


async def forget_files(db: AsyncSession, event: PersonErased) -> None:
    await person.forget(db, event.account_id)
