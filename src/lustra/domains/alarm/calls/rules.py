"""/warn/notificationHours, /warn/escalation: when a person is notified, and who is next where nobody takes an alarm."""

from datetime import time
from typing import Annotated, Any

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import Clock, doc
from lustra.domains.account.api import Zone
from lustra.domains.alarm import escalation, hours
from lustra.domains.alarm.calls.snoozes import RELEASE
from lustra.domains.alarm.service import LISTS
from lustra.domains.alarm.tables import Steps


class NotificationHoursChange(Wire):
    zone: Annotated[Zone, doc("IANA time zone of these times, at most 64 characters.")]
    quiet_from: Annotated[Clock | None, doc("When quiet hours begin, HH:MM; null: there are none.")]
    quiet_until: Annotated[Clock | None, doc("When they end, HH:MM, before the beginning on the next day; null: none.")]
    alarms_pass: Annotated[bool, doc("Whether alarms notify in quiet hours too, and reminders alone wait.")]
    digest: Annotated[Clock | None, doc("When a mail says what was held back and what is open, HH:MM; null: never.")]


class NotificationHoursView(Wire):
    zone: Annotated[str, doc("IANA time zone of these times; empty: nothing is set.")]
    quiet_from: Annotated[str | None, doc("When quiet hours begin, HH:MM; null: there are none.")]
    quiet_until: Annotated[str | None, doc("When they end, HH:MM; null: there are none.")]
    alarms_pass: Annotated[bool, doc("Whether alarms notify in quiet hours too.")]
    digest: Annotated[str | None, doc("When a mail says what was held back and what is open, HH:MM; null: never.")]


class EscalationChange(Wire):
    minutes: Annotated[
        int | None, doc("Minutes after which an alarm that nobody takes is escalated, 1 to 1440; null: never.")
    ] = Field(ge=1, le=1440)
    steps: Annotated[Steps, doc("How many accounts upward are notified, each after these minutes.")]


class EscalationView(Wire):
    minutes: Annotated[int | None, doc("Minutes after which an alarm is escalated; null: never.")]
    steps: Annotated[Steps, doc("How many accounts upward are notified.")]


def _clock(value: time | None) -> str | None:
    return value and f"{value:%H:%M}"


@call("/warn/notificationHours", needs=LISTS, reads=())
async def select_notification_hours(ctx: Ctx) -> NotificationHoursView:
    """Show one's own quiet hours and digest."""
    row = await hours.load_own(ctx)
    if row is None:
        return NotificationHoursView(zone="", quiet_from=None, quiet_until=None, alarms_pass=True, digest=None)
    return NotificationHoursView(
        zone=row.zone,
        quiet_from=_clock(row.quiet_from),
        quiet_until=_clock(row.quiet_until),
        alarms_pass=row.alarms_pass,
        digest=_clock(row.digest),
    )


@call("/warn/editNotificationHours", needs=LISTS, audit="warn.hours")
async def edit_notification_hours(ctx: Ctx, payload: NotificationHoursChange) -> Nothing:
    """Set one's own quiet hours and digest."""
    clocks = {name: getattr(payload, name) for name in ("quiet_from", "quiet_until", "digest")}
    values: dict[str, Any] = {name: text and time.fromisoformat(text) for name, text in clocks.items()}
    await hours.edit(ctx, values | {"zone": payload.zone, "alarms_pass": payload.alarms_pass})
    return Nothing()


@call("/warn/escalation", needs=LISTS, reads=())
async def select_escalation(ctx: Ctx) -> EscalationView:
    """Show who is notified of alarms of one's own robots that nobody takes."""
    row = await escalation.load_own(ctx)
    return EscalationView(minutes=row.minutes if row else None, steps=row.steps if row else 1)


@call("/warn/editEscalation", needs=RELEASE, audit="warn.escalation")
async def edit_escalation(ctx: Ctx, payload: EscalationChange) -> Nothing:
    """Set who is notified of alarms of one's own robots that nobody takes."""
    await escalation.edit(ctx, payload.minutes, payload.steps)
    return Nothing()
