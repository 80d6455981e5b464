"""Recordings that a robot made for an alarm, or on an order: asked for by the server itself.

Rules: at once, and where the robot was away or silent each minute again, for a day. Of one robot's same alarms one
recording an hour comes of itself; the others, and what a person has cancelled, stay on the robot until somebody asks.
What there is no room for is not asked for.
"""

import asyncio

from lustra.core.context import Services
from lustra.core.errors import Refusal
from lustra.domains.device_log import queries
from lustra.domains.device_log.rules import LARGEST
from lustra.domains.device_log.upload import EVERY, order

FETCH = "deviceLog.fetch"
MOST = 50  # that are asked for in one go


async def fetch(app: Services, log_id: int) -> None:
    await _fetch_where(app, "l.id = $1", log_id)


async def fetch_all(app: Services) -> None:
    """Each minute."""
    await _fetch_where(app, "true")


async def _fetch_where(app: Services, where: str, *values: int) -> None:
    rows = await app.pool.fetch(EVERY.sql(queries.TO_FETCH, where=where, limit=MOST), *values)
    await asyncio.gather(*[_begin(app, row["id"], row["sn"], row["name"], row["size"]) for row in rows])


async def _begin(app: Services, log_id: int, sn: str, name: str, size: int) -> None:
    if size > LARGEST or not _has_space(app, size):
        return
    if await app.pool.fetchval(EVERY.sql(queries.BEGIN), log_id) is not None:
        await order(app, sn, "rosbag", log_id, name)


def _has_space(app: Services, size: int) -> bool:
    try:
        app.objects.demand_space(size)
    except Refusal:
        return False
    return True
