"""Sends robots their pending commands at once, and again each minute while they are online, until they are done.

The job's parameter is `errand`, as it stands in jobs that are stored already.
"""

from datetime import timedelta

import msgspec
import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import events
from lustra.core.bus import Silent
from lustra.core.context import Services
from lustra.core.db import now
from lustra.core.scope import rows_of, system
from lustra.domains.device.api import Device
from lustra.domains.enrolment import queries, vault
from lustra.domains.enrolment.events import CommandDone
from lustra.domains.enrolment.tables import PendingCommand
from lustra.protocol import bus

RETRY_AFTER = timedelta(seconds=50)
WAIT_S = 10.0

log = structlog.get_logger(__name__)


async def deliver(app: Services, errand: int) -> None:
    """Try once. The row is locked meanwhile, so that nobody else sends it too."""
    async with app.sessions.begin() as db:
        rows = (
            system("whatever robot it is for")
            .select(PendingCommand)
            .where(PendingCommand.id == errand, PendingCommand.done_at.is_(None))
        )
        row = await db.scalar(rows.with_for_update(skip_locked=True))
        robot = await db.scalar(rows_of(row).select(Device)) if row else None
        if row is None or robot is None or robot.deleted_at:
            return
        row.tries, row.tried_at = row.tries + 1, now()
        try:
            answer = await app.bus.ask(robot.serial_number, row.kind, await _build_command(app, db, robot, row), WAIT_S)
        except Silent:
            return
        if answer.get("code"):
            log.warning("errand.refused", sn=robot.serial_number, kind=row.kind, reason=answer.get("reason"))
            return
        row.done_at = now()
        if row.kind == "password":
            await vault.confirm_password(db, robot)
        await events.emit(db, CommandDone(robot.id, row.kind, answer))


async def _build_command(app: Services, db: AsyncSession, robot: Device, row: PendingCommand) -> msgspec.Struct:
    if row.kind == "erase":
        return bus.Erase(number=row.id)
    return bus.Password(number=row.id, password=await vault.load_coming_password(app.settings, db, robot))


async def deliver_due(app: Services) -> None:
    """Sends the commands whose time has come; run each minute."""
    async with app.sessions() as db:
        waiting = list(
            await db.scalars(system("of all robots").text(queries.DUE_COMMANDS), {"before": now() - RETRY_AFTER})
        )
    for command_id in waiting:
        await deliver(app, command_id)
