"""A backup before each update, of robots whose plan says so.

Rules: such a robot is ordered no update before a backup of it lies here that was begun after the update was planned and
within the last day. A backup that failed is begun anew in a while, and the update waits for it.
"""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.backup import courier, queries, rules
from lustra.domains.backup.queries import EVERY
from lustra.domains.device.api import Device


async def begin_backups(db: AsyncSession, robots: Mapping[int, datetime]) -> None:
    """Of those of these robots, each with when its update was planned, that have none under way, and whose last one did
    not just fail."""
    values = {"robots": list(robots), "planned": list(robots.values()), "open": list(rules.OPEN)}
    ready = list(await db.scalars(EVERY.text(queries.TO_BEGIN), values))
    for robot in await db.scalars(EVERY.select(Device).where(Device.id.in_(ready))):
        db.add(courier.new_backup(robot, planned=True))
