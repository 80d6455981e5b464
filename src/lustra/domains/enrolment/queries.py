"""SQL on the commands that wait for robots."""

from lustra.core.scope import Statement

DUE_COMMANDS = Statement("""
select e.id from robot_errand e join presence p on p.robot = e.device_id
where e.done_at is null and p.online and (e.tried_at is null or e.tried_at < :before) order by e.id limit 200""")
