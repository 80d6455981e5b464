"""A robot goes to another owner: what becomes of the mirrors of its tasks, as of its maps (map/owners)."""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.device import handover
from lustra.domains.device.events import OwnerChanged

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


async def owner_changed(db: AsyncSession, what: OwnerChanged) -> None:
    """Unscoped: who may give a robot away is asked where that is done."""
    await handover.mirrors(db, what, COPY, FORGET)
