"""A robot goes to another owner: what becomes of its backups (ownership/handover).

Rules: kept, they stay with the former owner; handed over, they are the new owner's; erased, they go with their
archives. What is open ends, and so does the plan.
"""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.db import now
from lustra.domains.backup import queries, rules
from lustra.domains.backup.queries import EVERY
from lustra.domains.backup.service import OPEN_RESTORES
from lustra.domains.backup.tables import BackupPlan, DataBackup, DataRestore
from lustra.domains.device.api import OwnerChanged


async def owner_changed(db: AsyncSession, event: OwnerChanged) -> None:
    await db.execute(EVERY.delete(BackupPlan).where(BackupPlan.device_id == event.device_id))
    restores = EVERY.update(DataRestore).where(DataRestore.device_id == event.device_id)
    open_restores = restores.where(DataRestore.state.in_(OPEN_RESTORES))
    await db.execute(open_restores.values(state="cancelled", reason="backup_other_owner", updated_at=now()))
    backups = EVERY.update(DataBackup).where(DataBackup.device_id == event.device_id)
    open_backups = backups.where(DataBackup.status.in_(rules.OPEN))
    await db.execute(open_backups.values(status="cancelled", reason="backup_other_owner", updated_at=now()))
    values = {"robot": event.device_id, "old": event.before, "to": event.to}
    if event.things == "hand_over":
        await db.execute(EVERY.text(queries.HAND_OVER_HOLDINGS), values)
        await db.execute(EVERY.text(queries.HAND_OVER), values)
    if event.things == "erase":
        await db.execute(EVERY.text(queries.RELEASE_HOLDINGS), values)
        former = EVERY.delete(DataBackup).where(DataBackup.device_id == event.device_id)
        await db.execute(former.where(DataBackup.owner_id == event.before))
