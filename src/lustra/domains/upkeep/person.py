"""Who is erased stands by no replacement any more; who asks gets what they did."""

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.account.events import PersonAsked, PersonErased
from lustra.domains.upkeep.tables import UpkeepDone


async def asked(db: AsyncSession, what: PersonAsked) -> None:
    """Unscoped: the person's own deeds."""
    mine = select(UpkeepDone).where(UpkeepDone.by_id == what.account_id).order_by(UpkeepDone.id)
    what.rows["upkeep"] = [
        {"time": one.done_at, "deviceId": one.device_id, "kind": one.kind, "name": one.name}
        for one in await db.scalars(mine)
    ]


async def erased(db: AsyncSession, who: PersonErased) -> None:
    """Unscoped: wherever the person did something."""
    mine = update(UpkeepDone).where(UpkeepDone.by_id == who.account_id)
    await db.execute(mine.values(by_name=who.label))
