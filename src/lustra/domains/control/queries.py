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
# The newest command of the kind that the robot's mode is about; `held`: it stops, it lets nothing go on.
STOP_CAUSE = Statement("""
select a.name, (extract(epoch from a.created_at) * 1000)::bigint as at,
  case when s.mode = 'emergency' then a.detail #>> '{sent,robot_safe}' is not distinct from '1'
    else a.action in ('relay.task_pause', 'device.pause') and a.created_at >= to_timestamp(s.run_since / 1000.0)
    end as held
from robot_state s join audit a on a.device_id = s.robot and a.code = 0
  and case s.mode when 'emergency' then a.action in ('relay.robot_safe', 'relay.emergency_off')
    when 'paused' then a.action in ('relay.task_pause', 'device.pause', 'relay.task_resume', 'relay.task_start')
    else false end
where s.robot = :robot order by a.id desc limit 1""")
