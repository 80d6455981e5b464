"""What relays must know of every robot's lock, in the bucket `control`.

Rules: a change is written after its commit; at start everything is compared with the database once, so that what was
lost between commit and bus is made good.
"""

from typing import Any

from lustra.core.context import Services
from lustra.core.db import Connection
from lustra.core.scope import system
from lustra.domains.control import queries


async def load_locks(db: Connection) -> dict[str, Any]:
    free = {"owner": "", "ownerId": 0, "until": 0, "reason": "", "asker": "", "askerId": 0, "askedAt": 0}
    rows = await db.fetch(system("relays must know every lock").sql(queries.LOCKS))
    return {row["sn"]: {"number": row["number"]} | (_holder_entry(row) if row["held"] else free) for row in rows}


def _holder_entry(row: Any) -> dict[str, Any]:
    return {
        "owner": row["holder"],
        "ownerId": row["holder_id"],
        "until": row["until"],
        "reason": row["reason"],
        "asker": row["asker"],
        "askerId": row["asker_id"],
        "askedAt": row["asked_at"],
    }


async def sync(app: Services) -> None:
    """Writes all control locks into the bus, at the start of a server."""
    async with app.pool.acquire() as db:
        entries = await load_locks(db)
    await app.bus.sync("control", entries)
