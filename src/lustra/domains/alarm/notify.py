"""From an alarm to those who are notified of it: each at least once, and a repetition is known as such.

Rules: the database enqueues `alarm.notify` in the transaction of the alarm, for when its code's wait is over; what
has healed by then notifies nobody. That job enters each notification together with the job that sends it. A worker
that is killed anywhere in between does it again. A failed one, also by a fault of ours, is tried again after ever
longer waits, with some chance in them, for TRIED. Messages of the message centre need no sending: they are there with
the notification. A group notifies once; what is put off notifies when that ends. What a robot shall show is over with
its alarm. An alarm that nobody takes goes on to who is above (escalation); what falls in somebody's quiet hours is held
back (hours).
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import uuid4
from zoneinfo import ZoneInfo

import structlog
from sqlalchemy import and_, or_
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import jobs, texts
from lustra.core.context import NOBODY, Services
from lustra.core.db import now
from lustra.core.jobs import job
from lustra.core.scope import rows_of
from lustra.core.settings import Settings
from lustra.domains.account.api import Account
from lustra.domains.alarm import channels, escalation, groups, hours, recipients
from lustra.domains.alarm.channels import MESSAGE_CENTRE, Draft, Failed
from lustra.domains.alarm.hours import SEND
from lustra.domains.alarm.push import devices
from lustra.domains.alarm.service import RESOLVED, every, snoozed
from lustra.domains.alarm.tables import Alarm, AlarmGroup, AlarmNotification, AlarmSetting, NotificationHours
from lustra.domains.device.api import Device
from lustra.domains.message.api import join_names, notify

QUEUE = "alarms"  # of its own, so that no other job holds alarms up
NOTIFY = "alarm.notify"
WAITS_S = (5, 20, 60, 300, 900, 1800, 3600)  # after the first failure, the second …; then the last of them
CHANCE = 0.2  # of a wait, added to it
TRIED = timedelta(days=1)
NAMED = 20  # robots of a group, in what is sent
KINDS = {1: "reminder", 2: "alarm"}  # of messages, by type of the alarm
ESCALATED = "escalated"  # that of who is above

log = structlog.get_logger(__name__)


@job(NOTIFY, queue=QUEUE)
async def notify_people(app: Services, *, alarms: list[int]) -> None:
    """Enter who is notified of alarms of one owner and code. Done again, it enters what is not there yet."""
    async with app.sessions.begin() as db:
        leads = await _choose(db, alarms)
    for alarm in leads:
        async with app.sessions.begin() as db:
            await _notify_of(db, alarm)


async def _choose(db: AsyncSession, numbers: Sequence[int]) -> list[int]:
    """Those that speak for themselves or for their group. What robots show of the others is entered."""
    await groups.lock_code(db, numbers[0])
    open_ones = every.select(Alarm).where(Alarm.id.in_(numbers), ~snoozed()).order_by(Alarm.id)
    rows = (await db.scalars(open_ones.with_for_update(of=Alarm))).all()
    if not rows:
        return []
    setting = (await db.scalars(every.select(AlarmSetting).where(AlarmSetting.code == rows[0].code))).one()
    rows = [row for row in rows if row.state != RESOLVED or not (setting.notify_after_s or row.round)]
    if not rows:
        return []
    devices = {device.id: device for device in await db.scalars(rows_of(*rows).select(Device))}
    if setting.terminal and setting.code != groups.OFFLINE:
        for row in rows:
            await _enter(db, row, "terminal", devices[row.device_id].serial_number)
    groups_by_alarm = await groups.join(db, [row for row in rows if not row.round], devices)
    led = {row.id: groups_by_alarm.get(row.id) for row in rows}
    return [number for number, group in led.items() if group is None or group.lead_id == number]


async def _notify_of(db: AsyncSession, number: int) -> None:
    row = await db.scalar(every.select(Alarm).where(Alarm.id == number).with_for_update())
    if row is None:
        return
    setting = (await db.scalars(every.select(AlarmSetting).where(AlarmSetting.code == row.code))).one()
    device = (await db.scalars(rows_of(row).select(Device))).one()
    await _enter_people(db, row, setting, device, await recipients.load_accounts(db, row))
    await escalation.schedule(db, row)


@job(escalation.ESCALATE, queue=QUEUE)
async def escalate(app: Services, *, alarm: int, round: int, step: int) -> None:  # noqa: A002  the column's name
    """One that was put off meanwhile is escalated by the jobs of its new round."""
    async with app.sessions.begin() as db:
        row = await db.scalar(every.select(Alarm).where(Alarm.id == alarm, Alarm.round == round).with_for_update())
        if row is None or not await escalation.is_due(db, row):
            return
        setting = (await db.scalars(every.select(AlarmSetting).where(AlarmSetting.code == row.code))).one()
        device = (await db.scalars(rows_of(row).select(Device))).one()
        above = await recipients.load_above(db, row.owner_path, step)
        await _enter_people(db, row, setting, device, above, step=step)
        await escalation.schedule(db, row, step + 1)


async def _enter_people(
    db: AsyncSession, alarm: Alarm, setting: AlarmSetting, device: Device, accounts: Sequence[Account], *, step: int = 0
) -> None:
    read: list[int | None] = []
    browsers = await devices.load_labels(db, [account.id for account in accounts])
    for account in accounts:
        entered = [
            await _enter(db, alarm, channel, target, account_id=account.id, step=step)
            for channel, target in recipients.list_personal(setting, account, browsers.get(account.id, []))
        ]
        if any(channel in MESSAGE_CENTRE for channel in filter(None, entered)):
            read.append(account.id)
    kind = ESCALATED if step else KINDS[alarm.type]
    notify(db, read, kind, NOBODY, alarm=alarm.code, robot=await _name_robots(db, alarm, device))


async def _name_robots(db: AsyncSession, alarm: Alarm, device: Device) -> str:
    """Where to go: the place of a robot, or of a group with its first robots."""
    led = await groups.find_led(db, alarm) if alarm.round == 0 else None
    if led is None:
        return " · ".join(filter(None, (device.name, device.address, device.address1)))
    group, robots = led
    return " · ".join(filter(None, (group.name, join_names([robot.name for robot in robots]))))


async def _enter(
    db: AsyncSession, alarm: Alarm, channel: str, target: str, *, account_id: int | None = None, step: int = 0
) -> str | None:
    """The channel; None: it was entered before."""
    values = {"alarm_id": alarm.id, "round": alarm.round, "account_id": account_id, "channel": channel, "step": step}
    values |= {"target": target, "key": uuid4()}
    if channel in MESSAGE_CENTRE:
        values |= {"state": "sent", "attempts": 1, "sent_at": now()}
    rows = every.insert(AlarmNotification).values(values).on_conflict_do_nothing().returning(AlarmNotification)
    entered = await db.scalar(rows)
    if entered is None:
        return None
    if channel not in MESSAGE_CENTRE:
        whose = every.select(NotificationHours).where(NotificationHours.account_id == account_id)
        quiet = await db.scalar(whose)
        await hours.enqueue(db, entered, quiet, hours.hold_until(quiet, alarm.type, now()))
    return channel


def wait_after(attempts: int) -> timedelta:
    seconds = WAITS_S[min(attempts, len(WAITS_S)) - 1]
    return timedelta(seconds=seconds * (1 + random.uniform(0, CHANCE)))  # noqa: S311  keeps retries apart, no secret


@job(SEND, queue=QUEUE)
async def send(app: Services, *, notification: int) -> None:
    async with app.sessions.begin() as db:
        row = await _lock(db, notification)
        draft = await _write(db, app.settings, row) if row else None
    if draft is None:
        return
    failure: Failed | None = None
    try:
        await channels.send(app, draft)
    except Failed as why:
        failure = why
    except Exception:
        log.exception("alarm.send", notification=notification, channel=draft.channel)
        failure = Failed("channel_fault")
    async with app.sessions.begin() as db:
        row = await _lock(db, notification)
        if row is not None:
            await _record(db, row, failure)


async def _lock(db: AsyncSession, notification: int) -> AlarmNotification | None:
    """None: it is done, held back for longer, or its alarm is gone."""
    held = and_(AlarmNotification.state == "held", AlarmNotification.next_at <= now())
    rows = every.select(AlarmNotification).where(
        AlarmNotification.id == notification, or_(AlarmNotification.state == "waiting", held)
    )
    return await db.scalar(rows.with_for_update())


async def _record(db: AsyncSession, row: AlarmNotification, failure: Failed | None) -> None:
    row.attempts, row.next_at, row.state = row.attempts + 1, None, "waiting"
    row.reason = failure.reason if failure else ""
    if failure is None:
        row.state, row.sent_at = "sent", now()
        return
    next_at = now() + wait_after(row.attempts)
    if failure.final or next_at - row.created_at > TRIED:
        row.state = "failed"
        return
    row.next_at = next_at
    await jobs.later(db, SEND, at=next_at, notification=row.id)


async def _write(db: AsyncSession, settings: Settings, row: AlarmNotification) -> Draft | None:
    """What is said, in the language of who reads it. None: it is over, which the row says."""
    alarm = (await db.scalars(rows_of(row).select(Alarm))).one()
    fleeting = row.channel == "terminal" or row.state == "held" or row.step > 0
    if fleeting and hours.is_over(row, alarm):
        row.state, row.reason, row.next_at = "failed", "alarm_over", None
        return None
    device = (await db.scalars(rows_of(alarm).select(Device))).one()
    reader = row.account_id or alarm.owner_id
    account = (await db.scalars(every.select(Account).where(Account.id == reader))).one()
    language = account.language or texts.DEFAULT
    facts = {
        "userId": account.id,
        "account": account.account,
        "warnId": alarm.id,
        "code": alarm.code,
        "type": alarm.type,
        "level": alarm.level,
        "deviceSerialNumber": device.serial_number,
        "time": alarm.raised_at.isoformat(),
    }
    led = await groups.find_led(db, alarm) if row.round == 0 and row.account_id else None
    wording = Wording(alarm, device, language, *(led or (None, ())), row.created_at if row.step else None)
    return Draft(
        key=str(row.key),
        channel=row.channel,
        target=row.target,
        language=language,
        title=wording.title,
        text=wording.text,
        url=f"{settings.public_url}{wording.path}",
        code=alarm.code,
        level=alarm.level,
        facts=facts,
    )


@dataclass(frozen=True, slots=True)
class Wording:
    """What is said of an alarm, or of the group that it speaks for, in a language; times are those of the robot's
    place."""

    alarm: Alarm
    device: Device
    language: str
    group: AlarmGroup | None
    robots: Sequence[Device]
    escalated_at: datetime | None

    @property
    def title(self) -> str:
        """One line, whatever a robot calls its codes: it is the head of a mail."""
        who = self._say("robots", count=len(self.robots)) if self.group else self.device.name
        return " ".join(f"{texts.name_alarm(self.alarm.code, self.language)} · {who}".split())

    @property
    def text(self) -> str:
        alarm, device = self.alarm, self.device
        lines = [self._say("raised", time=self._local(alarm.raised_at), code=alarm.code)]
        if self.group:
            lines.append(self._say(self.group.cause, name=self.group.name) if self.group.name else "")
            lines.append(join_names([robot.name for robot in self.robots], NAMED))
        else:
            lines += [" · ".join(filter(None, (device.address, device.address1, alarm.map_name))), alarm.detail]
        if self.escalated_at:
            lines.append(self._say("escalated", time=self._local(self.escalated_at)))
        if alarm.resolved_at:
            lines.append(self._say("resolved", time=self._local(alarm.resolved_at)))
        return "\n".join(filter(None, lines))

    @property
    def path(self) -> str:
        """Where it leads: to the alarm with what the robot did around it, or to the alarms of the group."""
        return f"/warn/index/warn?group={self.group.id}" if self.group else f"/index/realWarn/{self.alarm.id}"

    def _say(self, key: str, **values: object) -> str:
        return texts.say(self.language, f"notification.{key}", **values)

    def _local(self, at: datetime) -> str:
        return f"{at.astimezone(ZoneInfo(self.device.zone)):%Y-%m-%d %H:%M:%S} {self.device.zone}"
