"""What one account uploaded: given out whole to the person, and deleted with it."""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.db import now
from lustra.core.scope import system
from lustra.domains.storage.tables import StoredFile

every = system("the person's own")


async def export_files(db: AsyncSession, account_id: int) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    """Rows about the account's files, and for each file its name and its path in the store."""
    query = every.select(StoredFile).where(StoredFile.owner_id == account_id, StoredFile.deleted_at.is_(None))
    stored_files = list(await db.scalars(query.order_by(StoredFile.id)))
    rows = [
        {"path": file.path, "kind": file.kind, "size": file.size, "sha256": file.sha256, "time": file.updated_at}
        for file in stored_files
    ]
    return rows, [(f"files/{file.path}", file.place) for file in stored_files]


async def delete_files_of(db: AsyncSession, account_id: int) -> None:
    """Marks all files of an account deleted; their bytes go with the nightly purge."""
    statement = every.update(StoredFile).where(StoredFile.owner_id == account_id, StoredFile.deleted_at.is_(None))
    await db.execute(statement.values(deleted_at=now()))
