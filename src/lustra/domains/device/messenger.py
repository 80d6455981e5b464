"""Tells robots their errands at once, and again each minute while the robot is there, until it is done."""

from datetime import timedelta
from typing import Any

import msgspec
import structlog
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.bus import Silent
from lustra.core.context import Services
from lustra.core.db import now
from lustra.domains.device import handover, vault
from lustra.domains.device.tables import Device, RobotErrand
from lustra.protocol import bus

AGAIN = timedelta(seconds=50)
WAIT_S = 10.0
OPEN = text(
    """select e.id from robot_errand e join presence p on p.robot = e.device_id
    where e.done_at is null and p.online and (e.tried_at is null or e.tried_at < :before) order by e.id limit 200"""
)

log = structlog.get_logger(__name__)


async def run(app: Services, errand: int) -> None:
    """One try. Unscoped: the server's own. Its row is locked meanwhile, so that nobody else tells it too."""
    async with app.sessions.begin() as db:
        mine = select(RobotErrand).where(RobotErrand.id == errand, RobotErrand.done_at.is_(None))
        row = await db.scalar(mine.with_for_update(skip_locked=True))
        robot = await db.get(Device, row.device_id) if row else None
        if row is None or robot is None or robot.deleted_at:
            return
        row.tries, row.tried_at = row.tries + 1, now()
        try:
            told = await app.bus.ask(robot.serial_number, row.kind, await _says(app, db, robot, row), WAIT_S)
        except Silent:
            return
        if told.get("code"):
            log.warning("errand.refused", sn=robot.serial_number, kind=row.kind, reason=told.get("reason"))
            return
        row.done_at = now()
        await _done(db, robot, row.kind, told)


async def _says(app: Services, db: AsyncSession, robot: Device, row: RobotErrand) -> msgspec.Struct:
    if row.kind == "erase":
        return bus.Erase(number=row.id)
    return bus.Password(number=row.id, password=await vault.coming(app.settings, db, robot))


async def _done(db: AsyncSession, robot: Device, kind: str, told: dict[str, Any]) -> None:
    if kind == "erase":
        await handover.erased(db, robot, told.get("at"))
    else:
        await vault.taken(db, robot)


async def again(app: Services) -> None:
    """Each minute. Unscoped: of all robots."""
    async with app.sessions() as db:
        waiting = list(await db.scalars(OPEN, {"before": now() - AGAIN}))
    for errand in waiting:
        await run(app, errand)
