"""What roll-outs have to do with versions that are taken back, and with robots that change hands."""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.db import now
from lustra.domains.device.api import DeviceDeleted, OwnerChanged
from lustra.domains.rollout import rules
from lustra.domains.rollout.queries import EVERY
from lustra.domains.rollout.tables import Rollout, RolloutRobot, UpdateToken
from lustra.domains.version.api import VersionsInUse

UNDER_WAY = ("running", "paused")


async def on_versions_in_use(db: AsyncSession, event: VersionsInUse) -> None:
    targets = Rollout.targets.overlap(list(event.targets))
    rollouts = EVERY.select(Rollout.name).where(targets, Rollout.state.in_(UNDER_WAY))
    event.rollouts += await db.scalars(rollouts)


async def on_robot_gone(db: AsyncSession, event: OwnerChanged | DeviceDeleted) -> None:
    """Whoever has it now has ordered nothing, and who had it knows its token."""
    robots = EVERY.update(RolloutRobot).where(RolloutRobot.device_id == event.device_id)
    values = {"state": "cancelled", "reason": "rollout_robot_gone", "updated_at": now()}
    await db.execute(robots.where(RolloutRobot.state.in_(rules.OPEN)).values(values))
    await db.execute(EVERY.delete(UpdateToken).where(UpdateToken.device_id == event.device_id))
