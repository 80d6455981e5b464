"""What became of a robot: whose it was, and when its work was set back.

Rule: who sees the robot sees of its past what was done by or for accounts in its own scope; other accounts stay
unnamed, and what was counted for them untold.
"""

from typing import Any

from lustra.core.db import Connection
from lustra.core.scope import Scope
from lustra.domains.device.api import Where
from lustra.domains.ownership import queries

MOST = 100


async def load_history(db: Connection, scope: Scope, device_id: int) -> dict[str, list[dict[str, Any]]]:
    where = Where.of_robots(scope)
    where.add("d.id = {}", device_id)
    owners = await db.fetch(where.sql(queries.FORMER_OWNERS, most=MOST), *where.values)
    resets = await db.fetch(where.sql(queries.RESETS, most=MOST), *where.values)
    return {"owners": [dict(row) for row in owners], "resets": [dict(row) for row in resets]}
