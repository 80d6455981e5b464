"""What the store of files, which knows no accounts' events, does when a person is given out or erased."""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.account.api import PersonalDataRequested, PersonErased
from lustra.domains.storage.api import privacy


async def export_files(db: AsyncSession, event: PersonalDataRequested) -> None:
    event.rows["files"], files = await privacy.export_files(db, event.account_id)
    event.files.extend(files)


async def forget_files(db: AsyncSession, event: PersonErased) -> None:
    await privacy.delete_files_of(db, event.account_id)
