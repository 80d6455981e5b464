"""Who asks gets what they watched. Who is erased stays in the log of views as the account's new name: it is the log of
those who were seen."""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.account.api import PersonalDataRequested
from lustra.domains.device_log.api import EVERY
from lustra.domains.video.tables import VideoView


async def on_personal_data_requested(db: AsyncSession, request: PersonalDataRequested) -> None:
    views = EVERY.select(VideoView).where(VideoView.account_id == request.account_id).order_by(VideoView.id)
    request.rows["videoViews"] = [
        {"time": view.created_at, "deviceId": view.device_id, "kind": view.kind, "subject": view.subject}
        for view in await db.scalars(views)
    ]
