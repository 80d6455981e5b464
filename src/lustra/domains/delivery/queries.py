"""SQL of orders on their way to robots, and of how far these are, by the table of each kind."""

from lustra.core.scope import Statement, system

EVERY = system("what is meant for robots, and what becomes of it, whoever owns the robots")
SAMPLE = "tablet_delivery"
# What two jobs claim at the same time goes out once.
CLAIM = Statement(
    """
with due as (
  select t.device_id, d.serial_number from {table} t
  join device d on d.id = t.device_id and d.deleted_at is null join presence p on p.robot = d.id and p.online
  where t.state = 'waiting' and (t.tried_at is null or t.tried_at < now() - $1::interval)
    or t.state = 'sent' and t.tried_at < now() - $2::interval
  order by t.tried_at nulls first limit $3 for update of t skip locked
)
update {table} t set tried_at = now() from due where t.device_id = due.device_id
returning t.device_id, due.serial_number, t.revision""",
    table=SAMPLE,
)
# The robot may have said that it shows it before its answer to the order is here.
STORE_STATE = Statement(
    """
update {table} t set state = $3, reason = $4, updated_at = now(),
  shown_at = case when $3 = 'shown' then now() else t.shown_at end
where t.device_id = $1 and t.revision = $2 and t.state = any($5) and (t.state, t.reason) <> ($3, $4)""",
    table=SAMPLE,
)
STORE_PROGRESS = Statement(
    """
update {table} t set state = $3, reason = $4, updated_at = now(),
  shown_at = case when $3 = 'shown' then now() else t.shown_at end
from device d where d.id = t.device_id and d.serial_number = $1 and d.deleted_at is null
  and t.revision = $2 and t.state in ('waiting', 'sent')""",
    table=SAMPLE,
)
