"""The server's copy of the tasks that robots own: moves forward only, by the robot's own clock."""

from typing import Any

import msgspec

from lustra.core.db import Connection
from lustra.protocol.bus import Event

KEEP = """
insert into robot_task (device_id, owner_id, owner_path, name, map_name, revision, at, content)
select d.id, o.owner_id, o.owner_path, $2, $3, $4, $5, $6::text::jsonb from device d, owner_at(d.id, $5) o
where d.serial_number = $1 and d.deleted_at is null
on conflict (device_id, owner_id, name) do update set
  (map_name, revision, at, content) = (excluded.map_name, excluded.revision, excluded.at, excluded.content),
  updated_at = now(), deleted_at = null
where robot_task.at < excluded.at"""
DROP = """
update robot_task t set deleted_at = now(), updated_at = now(), at = $3
from device d, owner_at(d.id, $3) o
where d.serial_number = $1 and d.deleted_at is null and t.device_id = d.id and t.owner_id = o.owner_id
  and t.name = $2 and t.at < $3"""


async def keep(db: Connection, sn: str, event: Event) -> None:
    """Unscoped: the robot tells of its own."""
    if event.deleted:
        await db.execute(DROP, sn, event.name, event.at)
        return
    content: dict[str, Any] = event.content if isinstance(event.content, dict) else {}
    map_name = str(content.get("map_name", ""))
    await db.execute(KEEP, sn, event.name, map_name, event.revision, event.at, msgspec.json.encode(content).decode())
