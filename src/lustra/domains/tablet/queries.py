"""SQL of what robots' tablets shall show, by jobs and by ingest's plain links."""

from lustra.core.scope import Statement, system

EVERY = system("what dealers say of tablets, and what becomes of it, whoever owns the robots")
OF_A_ROBOT = "d.id = :id"
OF_A_DEALER = "d.owner_path <@ (select path from account where id = :id)"
OF_ALL = "true"
# The nearest account above the robot's owner that has said what tablets look like; nobody there: revision 0.
PLAN_LOOKS = Statement(
    """
insert into tablet_delivery (device_id, part, revision)
select d.id, 'look', wanted.revision from device d
cross join lateral (select coalesce((
  select b.revision from tablet_branding b join account a on a.id = b.account_id
  where a.path @> d.owner_path order by nlevel(a.path) desc limit 1), 0) as revision) wanted
where d.deleted_at is null and {of}
  and (wanted.revision > 0 or exists (select from tablet_delivery t where t.device_id = d.id and t.part = 'look'))
on conflict (device_id, part) do update
  set revision = excluded.revision, state = 'waiting', reason = '', tried_at = null, updated_at = now()
  where tablet_delivery.revision <> excluded.revision""",
    of=OF_ALL,
)
# What two jobs claim at the same time goes out once.
CLAIM = Statement("""
with due as (
  select t.device_id, t.part, d.serial_number from tablet_delivery t
  join device d on d.id = t.device_id and d.deleted_at is null join presence p on p.robot = d.id and p.online
  where t.state = 'waiting' and (t.tried_at is null or t.tried_at < now() - $1::interval)
    or t.state = 'sent' and t.tried_at < now() - $2::interval
  order by t.tried_at nulls first limit $3 for update of t skip locked
)
update tablet_delivery t set tried_at = now() from due
where t.device_id = due.device_id and t.part = due.part returning t.device_id, due.serial_number, t.part, t.revision""")
# The robot may have said that it shows it before its answer to the order is here.
STORE_STATE = Statement("""
update tablet_delivery t set state = $4, reason = $5, updated_at = now(),
  shown_at = case when $4 = 'shown' then now() else t.shown_at end
where t.device_id = $1 and t.part = $2 and t.revision = $3 and t.state = any($6) and (t.state, t.reason) <> ($4, $5)""")
STORE_PROGRESS = Statement("""
update tablet_delivery t set state = $4, reason = $5, updated_at = now(),
  shown_at = case when $4 = 'shown' then now() else t.shown_at end
from device d where d.id = t.device_id and d.serial_number = $1 and d.deleted_at is null
  and t.part = $2 and t.revision = $3 and t.state in ('waiting', 'sent')""")
