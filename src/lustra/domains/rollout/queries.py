"""SQL of what robots say of updates, by ingest's plain links, and of jobs."""

from lustra.core.scope import Statement, system

EVERY = system("what robots and the server do of themselves about roll-outs, whosever they are")
# Before it restarts a robot says what it goes back to. That it runs the new one is final.
STORE_STATE = Statement("""
update rollout_robot b set at = $3, state = $5, reason = $6, have = $7, updated_at = now(),
  former = case when $5 = any($9) then $10 else former end
from device d where d.id = b.device_id and d.serial_number = $1 and d.deleted_at is null and b.id = $2 and b.at < $3
  and b.state <> 'confirmed' and ((b.attempt = $4 and b.state = any($8)) or $5 = 'confirmed')""")
STORE_AGAIN = Statement("""
update rollout_robot b set at = $3, state = 'waiting', reason = $5, sent_at = null, attempt = attempt + 1,
  updated_at = now()
from device d where d.id = b.device_id and d.serial_number = $1 and d.deleted_at is null and b.id = $2 and b.at < $3
  and b.attempt = $4 and b.state = any($6)""")
END_SILENT = Statement("""
update rollout_robot set state = 'failed', reason = 'robot_silent', updated_at = now()
where state = any($1) and updated_at < now() - $2::interval""")
RUNNING = Statement("select id from rollout where state = 'running' order by id")
ONLINE = Statement("select robot from presence where online and robot = any(:robots)")
STATES = Statement("""
select d.id, coalesce(nullif(s.software, ''), d.soft_version) as version, coalesce(p.online, false) as online
from device d left join robot_state s on s.robot = d.id left join presence p on p.robot = d.id
where d.id = any(:robots)""")
