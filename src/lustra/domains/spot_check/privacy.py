"""Who asks gets what they graded and wrote; who is erased stands by no check any more (the account's key goes)."""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.account.api import PersonalDataRequested, PersonErased
from lustra.domains.spot_check.tables import EVERY, SpotCheck


async def on_personal_data_requested(db: AsyncSession, request: PersonalDataRequested) -> None:
    query = EVERY.select(SpotCheck).where(SpotCheck.inspector_id == request.account_id).order_by(SpotCheck.id)
    request.rows["spotChecks"] = [
        {
            "time": check.checked_at,
            "building": check.building,
            "floor": check.floor,
            "zone": check.room_name,
            "items": check.items,
            "note": check.note,
        }
        for check in await db.scalars(query)
    ]


async def on_person_erased(db: AsyncSession, event: PersonErased) -> None:
    checks = EVERY.update(SpotCheck).where(SpotCheck.inspector_id == event.account_id)
    await db.execute(checks.values(inspector_id=None))
