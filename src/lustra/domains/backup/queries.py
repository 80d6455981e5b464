"""SQL of what robots say of backups, by ingest's plain links, and of jobs."""

from lustra.core.scope import Statement, system

EVERY = system("what robots and the server do of themselves about backups, whosever they are")
ROBOT = "from device d where d.id = b.device_id and d.serial_number = $1 and d.deleted_at is null and b.id = $2"
STORE_PACKED = Statement(f"""
with packed as (
  update data_backup b set status = 'uploading', at = $3, size = $5, sha256 = $6, format = $7, counts = $8, sent = 0,
    reason = '', updated_at = now()
  {ROBOT} and b.attempt = $4 and b.at < $3 and b.status = any($11) returning b.id)
insert into data_backup_content (backup_id, items, versions) select id, $9, $10 from packed
on conflict (backup_id) do update set items = excluded.items, versions = excluded.versions""")
STORE_SENT = Statement(f"""
update data_backup b set at = $3, sent = $5, updated_at = now()
{ROBOT} and b.attempt = $4 and b.at < $3 and b.status = 'uploading'""")
STORE_FAILURE = Statement(f"""
update data_backup b set status = 'failed', at = $3, reason = $5, updated_at = now()
{ROBOT} and b.attempt = $4 and b.at < $3 and b.status = any($6)""")
# That it is restored is final, whatever the server thought meanwhile.
STORE_RESTORE = Statement(f"""
update data_restore b set at = $3, state = $4, reason = $5, have = $6, updated_at = now()
{ROBOT} and b.at < $3 and b.state <> 'restored' and (b.state in ('sending', 'waiting') or $4 = 'restored')""")
END_SILENT = Statement("""
update data_backup set status = 'failed', reason = 'robot_silent', updated_at = now()
where status = any($1) and updated_at < now() - $2::interval""")
END_LATE = Statement("""
update data_restore set state = 'failed', reason = 'restore_late', updated_at = now()
where state in ('sending', 'waiting') and until < now() - $1::interval""")
DUE_PLANS = Statement("""
select p.device_id from backup_plan p join presence s on s.robot = p.device_id and s.online
  join device d on d.id = p.device_id and d.deleted_at is null
where p.every_days is not null
  and not exists (select from data_backup b where b.device_id = p.device_id and b.owner_id = d.owner_id and b.planned
    and b.created_at > now() - make_interval(days => p.every_days) + interval '1 hour'
    and (b.status <> 'failed' or b.created_at > now() - interval '6 hours'))
  and not exists (select from data_backup b where b.device_id = p.device_id and b.status = any($1))
  and not exists (select from former_owner f where f.device_id = d.id and f.until is null)
limit 500""")
# Whether a backup is owed before an update: of a robot `d` whose update was planned at `b.created_at`.
UNSAVED = """(exists (select from backup_plan k where k.device_id = d.id and k.before_updates)
  and not exists (select from data_backup s where s.device_id = d.id and s.owner_id = d.owner_id
    and s.status = 'finished' and s.created_at >= b.created_at and s.created_at > now() - interval '1 day'))"""
# Those that can be backed up now: online, with nothing of a former owner left.
TO_BEGIN = Statement(f"""
select d.id from unnest(cast(:robots as bigint[]), cast(:planned as timestamptz[])) b (robot, created_at)
  join device d on d.id = b.robot and d.deleted_at is null join presence p on p.robot = d.id and p.online
where {UNSAVED}
  and not exists (select from former_owner f where f.device_id = d.id and f.until is null)
  and not exists (select from data_backup s where s.device_id = d.id and (s.status = any(:open)
    or s.status <> 'finished' and s.created_at > now() - interval '30 minutes'))""")
ONLINE = Statement("select online from presence where robot = :robot")
ERASING = Statement("select true from former_owner where device_id = :robot and until is null")
PLACES_IN_USE = Statement("select place from data_backup where place = any($1)")
HAND_OVER = Statement("""
update data_backup b set owner_id = a.id, owner_path = a.path from account a
where a.id = :to and b.device_id = :robot and b.owner_id = :old""")
HAND_OVER_HOLDINGS = Statement("""
update holding h set account_id = :to from data_backup b
where b.device_id = :robot and b.owner_id = :old and h.place = b.place""")
RELEASE_HOLDINGS = Statement("""
delete from holding h using data_backup b
where b.device_id = :robot and b.owner_id = :old and h.place = b.place""")
# Robots that have backups which the scope ($1: its path) sees, or a plan.
ROBOTS = Statement(
    """
with seen as (
  select b.device_id, count(*) as backups, max(b.finished_at) as last from data_backup b where {where}
  group by b.device_id)
select d.id as "deviceId", d.serial_number as "deviceSerialNumber", d.name as "deviceCode",
  d.deleted_at is null and coalesce(r.online, false) as online, coalesce(s.backups, 0)::int as backups,
  s.last as "lastTime", p.every_days as "everyDays", coalesce(p.before_updates, false) as "beforeUpdates",
  p.most as keep
from device d left join seen s on s.device_id = d.id left join presence r on r.robot = d.id
  left join backup_plan p on p.device_id = d.id and d.deleted_at is null and d.owner_path <@ $1::text::ltree
where s.device_id is not null or p.id is not null order by d.name, d.id""",
    where="true and $1::text is not null",
)
