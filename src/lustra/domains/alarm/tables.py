"""Alarms of robots, and what is done with each code. Written by functions of the database (migration 0040)."""

from datetime import datetime, time
from typing import Any, Literal
from uuid import UUID, uuid4

from sqlalchemy import REAL, ColumnElement, ForeignKey, Integer, SmallInteger, and_, or_, select
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Base, Ltree, Owned, Shared, Table
from lustra.core.scope import Scope
from lustra.domains.account.api import Account, of_an_account
from lustra.domains.device.api import of_a_robot, stamped

DEVICE = "device.id"
Steps = Literal[1, 2, 3]  # accounts upward that are notified when nobody takes an alarm


class Alarm(Table):
    """One thing that is wrong with a robot, for who owned it then. `type`: 1 reminder, 2 alarm. `state`: 0 unknown,
    1 unresolved, 2 resolved. `count`: how often it was raised. `cleared_at`: when its cause was gone;
    `resolved_by` None: resolved by that. `taken_by`: who is on it. `round`: how often it was put off."""

    __tablename__ = "alarm"
    root = Owned(stamped)
    topics = ("warn",)

    device_id: Mapped[int] = mapped_column(ForeignKey(DEVICE, ondelete="CASCADE"))
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    code: Mapped[str]
    type: Mapped[int] = mapped_column(SmallInteger)
    level: Mapped[int] = mapped_column(SmallInteger)
    state: Mapped[int] = mapped_column(SmallInteger)
    source: Mapped[str]
    count: Mapped[int] = mapped_column(Integer)
    raised_at: Mapped[datetime]
    last_at: Mapped[datetime]
    cleared_at: Mapped[datetime | None]
    resolved_at: Mapped[datetime | None]
    resolved_by: Mapped[int | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    taken_by: Mapped[int | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    taken_at: Mapped[datetime | None]
    detail: Mapped[str]
    map_name: Mapped[str]
    run: Mapped[str]
    x: Mapped[float | None] = mapped_column(REAL)
    y: Mapped[float | None] = mapped_column(REAL)
    yaw: Mapped[float | None] = mapped_column(REAL)
    group_id: Mapped[int | None] = mapped_column(ForeignKey("alarm_group.id", ondelete="SET NULL"))
    round: Mapped[int] = mapped_column(Integer)


class AlarmGroup(Table):
    """Alarms of one code and owner that have one cause: a transfer node or a site's network that is gone, an elevator
    that does not come, or whatever is wrong in a building. `lead_id`: the alarm whose notifications are the group's."""

    __tablename__ = "alarm_group"
    root = Owned(lambda row, scope: row.id.in_(scope.select(Alarm.group_id)))

    lead_id: Mapped[int] = mapped_column(ForeignKey("alarm.id", ondelete="CASCADE"))
    cause: Mapped[str]
    name: Mapped[str]


class AlarmSnooze(Table):
    """From when until when alarms of a robot are put off: of one code, or where it is empty of all."""

    __tablename__ = "alarm_snooze"
    root = Owned(of_a_robot)
    topics = ("warn",)

    device_id: Mapped[int] = mapped_column(ForeignKey(DEVICE, ondelete="CASCADE"))
    code: Mapped[str]
    since: Mapped[datetime]
    until: Mapped[datetime]
    by_id: Mapped[int | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    note: Mapped[str] = mapped_column(default="")


class AlarmCause(Base, kw_only=True):
    """Why an alarm is there, by the key of who says so. `raised_at` None: its end came before its beginning."""

    __tablename__ = "alarm_cause"
    root = Owned()

    device_id: Mapped[int] = mapped_column(ForeignKey(DEVICE, ondelete="CASCADE"), primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    alarm_id: Mapped[int | None] = mapped_column(ForeignKey("alarm.id", ondelete="CASCADE"))
    code: Mapped[str]
    source: Mapped[str]
    raised_at: Mapped[datetime | None]
    cleared_at: Mapped[datetime | None]


class AlarmResync(Base, kw_only=True):
    """A robot that says its alarms itself, and when it last said all that are open."""

    __tablename__ = "alarm_resync"
    root = Owned()

    device_id: Mapped[int] = mapped_column(ForeignKey(DEVICE, ondelete="CASCADE"), primary_key=True)
    at: Mapped[datetime]


class AlarmSetting(Table):
    """What is done when a code is raised. `known` False: a robot has said it, and nobody has decided on it yet.
    `off_delay_s`: how long its cause must be gone before it is resolved."""

    __tablename__ = "alarm_setting"
    root = Shared
    topics = ("wmWarnSet",)

    code: Mapped[str]
    known: Mapped[bool]
    type: Mapped[int] = mapped_column(SmallInteger)
    level: Mapped[int] = mapped_column(SmallInteger)
    reopen_s: Mapped[int] = mapped_column(Integer)
    notify_after_s: Mapped[int] = mapped_column(Integer)
    off_delay_s: Mapped[int] = mapped_column(Integer)
    app: Mapped[bool]
    cloud: Mapped[bool]
    email: Mapped[bool]
    official_account: Mapped[bool]
    sms: Mapped[bool]
    terminal: Mapped[bool]
    off_site_push: Mapped[bool]
    updated_at: Mapped[datetime]


def _of_an_alarm(row: Any, scope: Scope) -> ColumnElement[bool]:
    """All of one's own alarms; of those of a robot that one is bound to, what went to one's own people."""
    own = row.alarm_id.in_(select(Alarm.id).where(scope.below(Alarm.owner_path)))
    seen = row.alarm_id.in_(scope.select(Alarm.id))
    people = row.account_id.in_(select(Account.id).where(scope.below(Account.path)))
    return or_(own, and_(seen, people))


class NotificationHours(Table):
    """When a person is not notified, and when of all that was held back; `digest_at`: when the next digest is due."""

    __tablename__ = "notification_hours"
    root = Owned(lambda row, scope: row.account_id == scope.account_id)

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    zone: Mapped[str]
    quiet_from: Mapped[time | None] = mapped_column(default=None)
    quiet_until: Mapped[time | None] = mapped_column(default=None)
    alarms_pass: Mapped[bool] = mapped_column(default=True)
    digest: Mapped[time | None] = mapped_column(default=None)
    digest_at: Mapped[datetime | None] = mapped_column(default=None)


class AlarmEscalation(Table):
    """Of robots of an account: after how many minutes, and how many times, who is next above is notified."""

    __tablename__ = "alarm_escalation"
    root = Owned(of_an_account)

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    minutes: Mapped[int] = mapped_column(Integer)
    steps: Mapped[Steps] = mapped_column(Integer)


class AlarmNotification(Table):
    """That somebody is notified of an alarm by a channel; `account_id` None: the robot's own screen. `target`: a
    mailbox, a phone number, a serial number. `key` is the same at each attempt. `state`: waiting, held, sent, failed.
    `step`: how far above the owner, 0: the owner's own people."""

    __tablename__ = "alarm_notification"
    root = Owned(_of_an_alarm)
    topics = ("warnNotification",)

    alarm_id: Mapped[int] = mapped_column(ForeignKey("alarm.id", ondelete="CASCADE"))
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    channel: Mapped[str]
    target: Mapped[str] = mapped_column(default="")
    key: Mapped[UUID] = mapped_column(default_factory=uuid4)
    round: Mapped[int] = mapped_column(Integer, default=0)
    step: Mapped[int] = mapped_column(Integer, default=0)
    state: Mapped[str] = mapped_column(default="waiting")
    attempts: Mapped[int] = mapped_column(Integer, default=0)
    next_at: Mapped[datetime | None] = mapped_column(default=None)
    sent_at: Mapped[datetime | None] = mapped_column(default=None)
    reason: Mapped[str] = mapped_column(default="")
