"""SQL on locks of robots."""

from lustra.core.scope import Statement

LOCKS = Statement("""
select d.serial_number as sn, l.number, l.until > now() as held, l.holder, coalesce(l.holder_id, 0) as holder_id,
  (extract(epoch from l.until) * 1000)::bigint as until, l.reason, l.asker,
  coalesce(l.asker_id, 0) as asker_id,
  coalesce((extract(epoch from l.asked_at) * 1000)::bigint, 0) as asked_at
from control_lock l join device d on d.id = l.device_id where d.deleted_at is null""")
SIMULATED = Statement(
    "select s.simulated, p.online from robot_state s join presence p using (robot) where s.robot = :robot"
)
ONLINE = Statement("select robot from presence where robot = any(:ids) and online")
