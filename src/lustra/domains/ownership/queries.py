"""SQL on whose robots were."""

from lustra.core.scope import Statement

PURGE_CREDENTIALS = Statement("delete from device_credential where device_id = any(:ids)")
PURGE_DEVICES = Statement("delete from device where id = any(:ids)")
FORMER_OWNERS = Statement(
    """
select f.created_at as at, f.things, case when a.path <@ $1::text::ltree then a.name end as from_name,
  case when b.path <@ $1::text::ltree then b.name end as to_name, f.until is null as erasing
from device d join former_owner f on f.device_id = d.id join account a on a.id = f.owner_id
  join account b on b.id = f.to_id
where {where} order by f.id desc limit {most}""",
    where="true",
    most="1",
)
RESETS = Statement(
    """
select w.created_at as at, w.reason, w.area, w.seconds, w.count,
  case when b.path <@ $1::text::ltree then b.name end as by
from device d join work_reset w on w.device_id = d.id join account a on a.id = w.owner_id
  join account b on b.id = w.by_id
where {where} and (a.path <@ $1::text::ltree or w.owner_id = d.owner_id) order by w.id desc limit {most}""",
    where="true",
    most="1",
)
CLEAR_STATE = Statement("""
update robot_state set x = 0, y = 0, yaw = 0, map = '', map_revision = 0, task = '', run = '', progress = 0,
cleaned = 0, planned = 0, remaining_s = 0 where robot = :robot""")
