"""Who is erased is in no history of notifications any more; who asks gets what was sent."""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.account.api import PersonalDataRequested, PersonErased
from lustra.domains.alarm.duty.tables import AlarmShift
from lustra.domains.alarm.push.tables import PushDevice
from lustra.domains.alarm.service import every
from lustra.domains.alarm.tables import AlarmNotification, NotificationHours


async def on_personal_data_requested(db: AsyncSession, request: PersonalDataRequested) -> None:
    rows = every.select(AlarmNotification).where(AlarmNotification.account_id == request.account_id)
    request.rows["alarmNotifications"] = [
        {"time": row.created_at, "channel": row.channel, "target": row.target, "state": row.state, "sent": row.sent_at}
        for row in await db.scalars(rows.order_by(AlarmNotification.id))
    ]
    hours = every.select(NotificationHours).where(NotificationHours.account_id == request.account_id)
    request.rows["notificationHours"] = [
        {"zone": row.zone, "from": row.quiet_from, "until": row.quiet_until, "digest": row.digest}
        for row in await db.scalars(hours)
    ]
    browsers = every.select(PushDevice).where(PushDevice.account_id == request.account_id)
    request.rows["pushDevices"] = [
        {"label": row.label, "endpoint": row.endpoint, "since": row.created_at}
        for row in await db.scalars(browsers.order_by(PushDevice.id))
    ]
    shifts = every.select(AlarmShift).where(AlarmShift.person_id == request.account_id)
    request.rows["alarmShifts"] = [
        {"day": row.day, "from": row.starts, "until": row.ends}
        for row in await db.scalars(shifts.order_by(AlarmShift.day, AlarmShift.starts))
    ]


async def on_person_erased(db: AsyncSession, event: PersonErased) -> None:
    await db.execute(every.delete(PushDevice).where(PushDevice.account_id == event.account_id))
    await db.execute(every.delete(AlarmShift).where(AlarmShift.person_id == event.account_id))
    await db.execute(every.delete(NotificationHours).where(NotificationHours.account_id == event.account_id))
    await db.execute(every.delete(AlarmNotification).where(AlarmNotification.account_id == event.account_id))
