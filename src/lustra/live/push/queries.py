"""SQL of what the live socket shows."""

from lustra.core.scope import Statement
from lustra.domains.map.api import CURRENT_MAP
from lustra.domains.telemetry.api import LIVE

SNAPSHOT = Statement(
    f"""
select d.id, d.serial_number as sn, d.name, d.owner_id, support_customer(d.owner_path) as customer, p.heard,
  coalesce(s.at, 0) as at, coalesce(s.stream, '') as stream, coalesce(s.seq, 0) as seq, {LIVE}
from device d left join robot_state s on s.robot = d.id left join presence p on p.robot = d.id {CURRENT_MAP}
where {{where}}""",
    where="true",
)
MAPS = Statement("""
select m.name, m.id from floor_map m join device d on d.id = m.device_id and d.owner_id = m.owner_id
where d.serial_number = $1 and d.deleted_at is null and m.deleted_at is null""")
