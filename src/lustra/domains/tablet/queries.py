"""SQL of what robots' tablets shall show, by jobs and by ingest's plain links."""

from lustra.core.scope import Statement

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
