"""SQL on groups of robots."""

from lustra.core.scope import Statement

MEMBERS = "unnest(cast(:groups as bigint[]), cast(:devices as bigint[])) m(grp, device)"
COMMON_VALUES = Statement(f"""
select m.grp,
  case when count(distinct d.customer_name) = 1 then min(d.customer_name) else '' end as project,
  case when count(distinct d.address) = 1 then min(d.address) else '' end as building
from {MEMBERS} join device d on d.id = m.device group by m.grp""")
REMOVE_MEMBER = Statement("""
delete from device_group_member m using device_group g, account a, account n
where m.device_id = :robot and g.id = m.group_id and a.id = g.account_id and n.id = :to
  and not n.path <@ a.path""")
