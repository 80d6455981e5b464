"""Who is erased says nothing on tablets any more; who asks gets what they have said there."""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.scope import system
from lustra.domains.account.api import PersonalDataRequested, PersonErased
from lustra.domains.tablet import delivery
from lustra.domains.tablet.tables import TabletBranding

every = system("the person's own")


async def on_personal_data_requested(db: AsyncSession, request: PersonalDataRequested) -> None:
    own = every.select(TabletBranding).where(TabletBranding.account_id == request.account_id)
    request.rows["tabletBranding"] = [
        {"time": row.updated_at, "about": row.about_us, "colour": row.theme_color} for row in await db.scalars(own)
    ]


async def on_person_erased(db: AsyncSession, event: PersonErased) -> None:
    """The pictures go in the night (`tablet.purge`), from robots as they are online."""
    await db.execute(every.delete(TabletBranding).where(TabletBranding.account_id == event.account_id))
    await delivery.plan_for_dealer(db, event.account_id)
