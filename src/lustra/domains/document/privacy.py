"""Who is erased hands out nothing any more; who asks gets what they have handed out."""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.scope import system
from lustra.domains.account.api import PersonalDataRequested, PersonErased
from lustra.domains.document.tables import Document

every = system("the person's own")


async def on_personal_data_requested(db: AsyncSession, request: PersonalDataRequested) -> None:
    documents = every.select(Document).where(Document.owner_id == request.account_id).order_by(Document.id)
    request.rows["documents"] = [
        {
            "time": document.updated_at,
            "kind": document.kind,
            "name": document.name,
            "category": document.category,
            "detail": document.detail,
            "codes": document.codes,
        }
        for document in await db.scalars(documents)
    ]


async def on_person_erased(db: AsyncSession, event: PersonErased) -> None:
    await db.execute(every.delete(Document).where(Document.owner_id == event.account_id))
