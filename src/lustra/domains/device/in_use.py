"""Which robots use a node or an elevator: asked before these are deleted. Counts are of all robots, since it is in use
by those too that the actor does not see; names are of those that it sees."""

from typing import Any

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.context import Actor
from lustra.core.scope import system
from lustra.domains.device.tables import Device
from lustra.domains.elevator.api import ElevatorsInUse
from lustra.domains.node.api import NodesInUse

NAMES_SHOWN = 5


async def count_node_users(db: AsyncSession, event: NodesInUse) -> None:
    event.counts |= await _counts(db, Device.frp_host, event.urls)
    event.names += await _names(db, event.actor, Device.frp_host, event.urls)


async def count_elevator_users(db: AsyncSession, event: ElevatorsInUse) -> None:
    event.counts |= await _counts(db, Device.elevator_id, event.ids)
    event.names += await _names(db, event.actor, Device.elevator_id, event.ids)


async def _counts(db: AsyncSession, column: Any, values: list[Any]) -> dict[Any, int]:
    numbers = system("numbers alone").select(column, func.count())
    rows = numbers.where(column.in_(values), Device.deleted_at.is_(None)).group_by(column)
    return {row[0]: row[1] for row in await db.execute(rows)}


async def _names(db: AsyncSession, actor: Actor, column: Any, values: list[Any]) -> list[str]:
    rows = actor.scope.select(Device.name).where(column.in_(values))
    return list(await db.scalars(rows.order_by(Device.name).limit(NAMES_SHOWN)))
