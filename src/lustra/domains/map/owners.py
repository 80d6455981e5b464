"""A robot goes to another owner: what becomes of the mirrors of its maps (ownership/handover).

Rules: kept, they stay with the former owner as they are; handed over, the new owner has them as they are now and the
former one only behind its reports; erased, nobody lists them any more. What was on its way to the robot does not come.
"""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.device.api import OwnerChanged
from lustra.domains.ownership.api import hand_over_mirrors

PLAIN = "building, floor, revision, at, width, height, resolution, origin_x, origin_y, origin_yaw, area, marks, grid"
COPY = text(
    f"""with copied as (
      insert into floor_map (device_id, owner_id, owner_path, name, {PLAIN})
      select m.device_id, a.id, a.path, m.name, {", ".join("m." + column for column in PLAIN.split(", "))}
      from floor_map m join account a on a.id = :new
      where m.device_id = :robot and m.owner_id = :old and m.deleted_at is null
      on conflict (device_id, owner_id, name) where device_id is not null do update set
        ({PLAIN}) = ({", ".join("excluded." + column for column in PLAIN.split(", "))}),
        updated_at = now(), deleted_at = null
      returning *
    )
    insert into map_version
      (map_id, revision, width, height, resolution, origin_x, origin_y, origin_yaw, marks, grid)
    select id, revision, width, height, resolution, origin_x, origin_y, origin_yaw, marks, grid from copied
    on conflict (map_id, revision) do update set (width, height, resolution, origin_x, origin_y, origin_yaw, marks,
      grid) = (excluded.width, excluded.height, excluded.resolution, excluded.origin_x, excluded.origin_y,
      excluded.origin_yaw, excluded.marks, excluded.grid)"""  # noqa: S608  columns are ours
)
FORGET = text(
    """update floor_map set deleted_at = now(), updated_at = now()
    where device_id = :robot and owner_id = :old and deleted_at is null"""
)


STOP = text(
    """update map_sync_target set state = 'cancelled', reason = 'sync_owner', leave = attempts > 0,
      next_at = case when attempts > 0 then now() end, updated_at = now()
    where device_id = :robot and state in ('waiting', 'sending', 'sent')"""
)


async def owner_changed(db: AsyncSession, event: OwnerChanged) -> None:
    """Unscoped: who may give a robot away is asked where that is done."""
    await hand_over_mirrors(db, event, COPY, FORGET)
    await db.execute(STOP, {"robot": event.device_id})
