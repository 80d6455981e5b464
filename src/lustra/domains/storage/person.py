"""What one account uploaded: given out whole to the person, and deleted with it."""

from typing import Any

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.db import now
from lustra.domains.storage.tables import StoredFile


async def files(db: AsyncSession, account_id: int) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    """Rows, and names with places. Unscoped: the caller may see the account."""
    mine = select(StoredFile).where(StoredFile.owner_id == account_id, StoredFile.deleted_at.is_(None))
    found = list(await db.scalars(mine.order_by(StoredFile.id)))
    rows = [
        {"path": one.path, "kind": one.kind, "size": one.size, "sha256": one.sha256, "time": one.updated_at}
        for one in found
    ]
    return rows, [(f"files/{one.path}", one.place) for one in found]


async def forget(db: AsyncSession, account_id: int) -> None:
    """Their bytes go with the nightly purge. Unscoped: the caller erases the account."""
    mine = update(StoredFile).where(StoredFile.owner_id == account_id, StoredFile.deleted_at.is_(None))
    await db.execute(mine.values(deleted_at=now()))
