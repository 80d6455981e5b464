"""The server's copy of the tasks that robots own: moves forward only, by the robot's own clock."""

from typing import Any

import msgspec

from lustra.core.db import Connection
from lustra.core.scope import robots_own
from lustra.domains.task import queries
from lustra.protocol.bus import Event


async def keep(db: Connection, sn: str, event: Event) -> None:
    if event.deleted:
        await db.execute(robots_own.sql(queries.DROP_TASK), sn, event.name, event.at)
        return
    content: dict[str, Any] = event.content if isinstance(event.content, dict) else {}
    map_name = str(content.get("map_name", ""))
    await db.execute(
        robots_own.sql(queries.STORE_TASK),
        sn,
        event.name,
        map_name,
        event.revision,
        event.at,
        msgspec.json.encode(content).decode(),
    )
