"""Who is erased is sent nothing any more; who asks gets their webhooks."""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.scope import system
from lustra.domains.account.api import PersonalDataRequested, PersonErased
from lustra.domains.webhook.tables import Webhook

every = system("the person's own")


async def on_personal_data_requested(db: AsyncSession, request: PersonalDataRequested) -> None:
    hooks = every.select(Webhook).where(Webhook.account_id == request.account_id).order_by(Webhook.id)
    request.rows["webhooks"] = [
        {"time": hook.created_at, "url": hook.url, "description": hook.description, "kinds": hook.kinds}
        for hook in await db.scalars(hooks)
    ]


async def on_person_erased(db: AsyncSession, event: PersonErased) -> None:
    await db.execute(every.delete(Webhook).where(Webhook.account_id == event.account_id))
