"""/warn/listNotifications: who was notified of an alarm, by which channel, and what came of it."""

from datetime import datetime
from typing import Annotated, Literal

from lustra.core.calls.rpc import Ctx, Wire, call
from lustra.core.wire import Id, doc
from lustra.domains.alarm import notifications
from lustra.domains.alarm.service import LISTS


class NotificationFilter(Wire):
    warn_id: Annotated[Id, doc("Number of the alarm.")]


class NotificationRow(Wire):
    id: Annotated[int, doc("Number of the notification.")]
    channel: Annotated[
        Literal["app", "cloud", "email", "officialAccount", "sms", "terminal", "offSitePush"],
        doc("By which channel."),
    ]
    user_id: Annotated[int | None, doc("Account that is notified; null: the robot's own screen.")]
    name: Annotated[str, doc("Name of the account; empty: the robot's own screen.")]
    target: Annotated[str, doc("Mailbox, phone number or serial number; empty: the account, or not to be seen.")]
    state: Annotated[
        Literal["waiting", "held", "sent", "failed"],
        doc("`failed`: given up; `waiting`: tried again; `held`: held back for the person's quiet hours."),
    ]
    step: Annotated[int, doc("How far above the owner the account is, of an alarm that nobody took; 0: not above.")]
    attempts: Annotated[int, doc("How often it was tried, 0 or more.")]
    time: Annotated[datetime, doc("When it was decided to send it.")]
    sent_time: Annotated[datetime | None, doc("When it was sent; null: it is not.")]
    next_time: Annotated[datetime | None, doc("When it is tried next; null: not any more.")]
    reason: Annotated[str, doc("Why the last attempt failed, a word of the catalogue; empty: it did not.")]
    reason_text: Annotated[str, doc("The same in the session's language.")]


class AlarmNotifications(Wire):
    list: Annotated[list[NotificationRow], doc("Notifications of the alarm, the first of them first.")]


@call("/warn/listNotifications", needs=LISTS, reads=("warnNotification",))
async def list_notifications(ctx: Ctx, payload: NotificationFilter) -> AlarmNotifications:
    """List who was notified of an alarm, by which channel, and what came of it."""
    rows = await notifications.load(ctx, payload.warn_id)
    return AlarmNotifications(list=[NotificationRow.model_validate(row) for row in rows])
