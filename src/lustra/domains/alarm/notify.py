"""From an alarm to those who are notified of it: each at least once, and a repetition is known as such.

Rules: the database enqueues `alarm.notify` in the transaction of the alarm; that job enters each notification together
with the job that sends it. A worker that is killed anywhere in between does it again. A failed one is tried again
after ever longer waits, with some chance in them, for TRIED. Messages of the message centre need no sending: they
are there with the notification. What a robot shall show is over with its alarm.
"""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import uuid4
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import jobs, texts
from lustra.core.context import NOBODY, Services
from lustra.core.db import now
from lustra.core.jobs import job
from lustra.core.scope import rows_of
from lustra.core.settings import Settings
from lustra.domains.account.api import Account
from lustra.domains.alarm import channels, recipients
from lustra.domains.alarm.channels import MESSAGE_CENTRE, Draft, Failed
from lustra.domains.alarm.service import RESOLVED, every, name_code
from lustra.domains.alarm.tables import Alarm, AlarmNotification, AlarmSetting
from lustra.domains.device.api import Device
from lustra.domains.message.api import notify

QUEUE = "alarms"  # of its own, so that no other job holds alarms up
SEND = "alarm.send"
WAITS_S = (5, 20, 60, 300, 900, 1800, 3600)  # after the first failure, the second …; then the last of them
CHANCE = 0.2  # of a wait, added to it
TRIED = timedelta(days=1)
KINDS = {1: "reminder", 2: "alarm"}  # of messages, by type of the alarm


@job("alarm.notify", queue=QUEUE)
async def notify_people(app: Services, *, alarm: int) -> None:
    """Enter who is notified. Done again, it enters what is not there yet."""
    async with app.sessions.begin() as db:
        row = await db.scalar(every.select(Alarm).where(Alarm.id == alarm).with_for_update())
        if row is None:
            return
        setting = (await db.scalars(every.select(AlarmSetting).where(AlarmSetting.code == row.code))).one()
        device = (await db.scalars(rows_of(row).select(Device))).one()
        read: list[int | None] = []
        for account in await recipients.load_accounts(db, row):
            entered = [
                await _enter(db, row, channel, target, account.id)
                for channel, target in recipients.list_personal(setting, account)
            ]
            if any(channel in MESSAGE_CENTRE for channel in filter(None, entered)):
                read.append(account.id)
        if setting.terminal and row.code != "offline":
            await _enter(db, row, "terminal", device.serial_number, None)
        robot = " · ".join(filter(None, (device.name, device.address, device.address1)))
        notify(db, read, KINDS[row.type], NOBODY, alarm=row.code, robot=robot)


async def _enter(db: AsyncSession, alarm: Alarm, channel: str, target: str, account_id: int | None) -> str | None:
    """The channel; None: it was entered before."""
    values = {"alarm_id": alarm.id, "account_id": account_id, "channel": channel, "target": target, "key": uuid4()}
    if channel in MESSAGE_CENTRE:
        values |= {"state": "sent", "attempts": 1, "sent_at": now()}
    rows = every.insert(AlarmNotification).values(values).on_conflict_do_nothing().returning(AlarmNotification.id)
    entered = await db.scalar(rows)
    if entered is None:
        return None
    if channel not in MESSAGE_CENTRE:
        await jobs.later(db, SEND, notification=entered)
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
    async with app.sessions.begin() as db:
        row = await _lock(db, notification)
        if row is not None:
            await _record(db, row, failure)


async def _lock(db: AsyncSession, notification: int) -> AlarmNotification | None:
    """None: it is done, or its alarm is gone."""
    rows = every.select(AlarmNotification).where(
        AlarmNotification.id == notification, AlarmNotification.state == "waiting"
    )
    return await db.scalar(rows.with_for_update())


async def _record(db: AsyncSession, row: AlarmNotification, failure: Failed | None) -> None:
    row.attempts, row.next_at = row.attempts + 1, None
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
    if row.channel == "terminal" and alarm.state == RESOLVED:
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
    wording = Wording(alarm, device, language)
    return Draft(
        key=str(row.key),
        channel=row.channel,
        target=row.target,
        language=language,
        title=wording.title,
        text=wording.text,
        url=f"{settings.public_url}/warn/index/warn?deviceId={device.id}",
        code=alarm.code,
        level=alarm.level,
        facts=facts,
    )


@dataclass(frozen=True, slots=True)
class Wording:
    """What is said of an alarm in a language; times are those of the robot's place."""

    alarm: Alarm
    device: Device
    language: str

    @property
    def title(self) -> str:
        """One line, whatever a robot calls its codes: it is the head of a mail."""
        return " ".join(f"{name_code(self.alarm.code, self.language)} · {self.device.name}".split())

    @property
    def text(self) -> str:
        alarm, device = self.alarm, self.device
        lines = [self._say("raised", time=self._local(alarm.raised_at), code=alarm.code)]
        if place := " · ".join(filter(None, (device.address, device.address1, alarm.map_name))):
            lines.append(place)
        if alarm.detail:
            lines.append(alarm.detail)
        if alarm.resolved_at:
            lines.append(self._say("resolved", time=self._local(alarm.resolved_at)))
        return "\n".join(lines)

    def _say(self, key: str, **values: str) -> str:
        return texts.say(self.language, f"notification.{key}", **values)

    def _local(self, at: datetime) -> str:
        return f"{at.astimezone(ZoneInfo(self.device.zone)):%Y-%m-%d %H:%M:%S} {self.device.zone}"
