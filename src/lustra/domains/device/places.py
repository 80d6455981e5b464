"""Which robots use a node or an elevator: asked before these are deleted. Counts are of all robots, since it is in use
by those too that the actor does not see; names are of those that it sees."""

from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.context import Actor
from lustra.domains.device.scope import visible
from lustra.domains.device.tables import Device
from lustra.domains.elevator.events import ElevatorsInUse
from lustra.domains.node.events import NodesInUse

NAMED = 5


async def nodes_in_use(db: AsyncSession, asked: NodesInUse) -> None:
    asked.counts |= await _counts(db, Device.frp_host, asked.urls)
    asked.names += await _names(db, asked.actor, Device.frp_host, asked.urls)


async def elevators_in_use(db: AsyncSession, asked: ElevatorsInUse) -> None:
    asked.counts |= await _counts(db, Device.elevator_id, asked.ids)
    asked.names += await _names(db, asked.actor, Device.elevator_id, asked.ids)


async def _counts(db: AsyncSession, column: Any, values: list[Any]) -> dict[Any, int]:
    """Unscoped: a number alone."""
    used = select(column, func.count()).where(column.in_(values), Device.deleted_at.is_(None)).group_by(column)
    return {row[0]: row[1] for row in await db.execute(used)}


async def _names(db: AsyncSession, actor: Actor, column: Any, values: list[Any]) -> list[str]:
    mine = select(Device.name).where(column.in_(values), Device.id.in_(visible(actor)))
    return list(await db.scalars(mine.order_by(Device.name).limit(NAMED)))
