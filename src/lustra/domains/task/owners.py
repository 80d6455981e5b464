"""A robot goes to another owner: what becomes of the mirrors of its tasks, groups and schedules, as of its maps
(map/owners); and old occurrences, which go with the reports."""

from sqlalchemy import delete, text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.account.api import OldData
from lustra.domains.device.api import OwnerChanged
from lustra.domains.ownership.api import hand_over_mirrors
from lustra.domains.task.tables import RobotOccurrence

COPY = text(
    """insert into robot_task (device_id, owner_id, owner_path, name, map_name, revision, at, content)
    select t.device_id, a.id, a.path, t.name, t.map_name, t.revision, t.at, t.content
    from robot_task t join account a on a.id = :new
    where t.device_id = :robot and t.owner_id = :old and t.deleted_at is null
    on conflict (device_id, owner_id, name) do update set (map_name, revision, at, content) =
      (excluded.map_name, excluded.revision, excluded.at, excluded.content), updated_at = now(), deleted_at = null"""
)
FORGET = text(
    """update robot_task set deleted_at = now(), updated_at = now()
    where device_id = :robot and owner_id = :old and deleted_at is null"""
)
COPY_PLANS = text(
    """insert into robot_plan (device_id, owner_id, owner_path, kind, name, revision, at, content)
    select p.device_id, a.id, a.path, p.kind, p.name, p.revision, p.at, p.content
    from robot_plan p join account a on a.id = :new
    where p.device_id = :robot and p.owner_id = :old and p.deleted_at is null
    on conflict (device_id, owner_id, kind, name) do update set (revision, at, content) =
      (excluded.revision, excluded.at, excluded.content), updated_at = now(), deleted_at = null"""
)
FORGET_PLANS = text(
    """update robot_plan set deleted_at = now(), updated_at = now()
    where device_id = :robot and owner_id = :old and deleted_at is null"""
)


async def owner_changed(db: AsyncSession, event: OwnerChanged) -> None:
    """Unscoped: who may give a robot away is asked where that is done."""
    await hand_over_mirrors(db, event, COPY, FORGET)
    await hand_over_mirrors(db, event, COPY_PLANS, FORGET_PLANS)


async def purge(db: AsyncSession, request: OldData) -> None:
    """Unscoped: the event says whose."""
    before = request.before.get("report")
    if before and request.remove:
        conditions = (request.within(RobotOccurrence.owner_path), RobotOccurrence.start < before)
        await db.execute(delete(RobotOccurrence).where(*conditions))
