"""Who is erased stands by no replacement any more; who asks gets what they did."""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.scope import system
from lustra.domains.account.api import PersonalDataRequested, PersonErased
from lustra.domains.upkeep.tables import UpkeepDone

every = system("what the person did, wherever it was")


async def on_personal_data_requested(db: AsyncSession, request: PersonalDataRequested) -> None:
    query = every.select(UpkeepDone).where(UpkeepDone.by_id == request.account_id).order_by(UpkeepDone.id)
    request.rows["upkeep"] = [
        {"time": done.done_at, "deviceId": done.device_id, "kind": done.kind, "name": done.name}
        for done in await db.scalars(query)
    ]


async def on_person_erased(db: AsyncSession, event: PersonErased) -> None:
    statement = every.update(UpkeepDone).where(UpkeepDone.by_id == event.account_id)
    await db.execute(statement.values(by_name=event.label))
