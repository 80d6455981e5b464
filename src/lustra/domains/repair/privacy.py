"""Who is erased is named in no repair any more. Who reported and who processed are names that people write, so an
erased person's name goes wherever it stands as such."""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.scope import system
from lustra.domains.account.api import PersonErased
from lustra.domains.repair.tables import Repair


async def on_person_erased(db: AsyncSession, event: PersonErased) -> None:
    repairs = system("wherever the person is named").update(Repair)
    for column in (Repair.operator, Repair.processor):
        await db.execute(repairs.where(column.in_(event.values)).values({column: event.label}))
