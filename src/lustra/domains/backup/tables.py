"""Backups of robots. Stamped with who owned the robot when the backup was begun, and seen by that owner's scope."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Integer
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Base, Ltree, Owned, Table, now
from lustra.domains.device.api import Device, of_a_robot, stamped


class DataBackup(Table):
    """`place`: where the archive lies once it is finished. `at`: the robot's clock when it last said something of it.
    `sent`: bytes that the robot has uploaded. `counts`: how many items of each kind it holds."""

    __tablename__ = "data_backup"
    root = Owned(seen=stamped, changed=lambda row, scope: scope.below(row.owner_path))
    topics = ("dataBackup",)

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    file_name: Mapped[str]
    place: Mapped[str] = mapped_column(default="")
    planned: Mapped[bool] = mapped_column(default=False)
    status: Mapped[str] = mapped_column(default="packing")
    reason: Mapped[str] = mapped_column(default="")
    attempt: Mapped[int] = mapped_column(Integer, default=1)
    at: Mapped[int] = mapped_column(default=0)
    sent: Mapped[int] = mapped_column(default=0)
    size: Mapped[int] = mapped_column(default=0)
    sha256: Mapped[str] = mapped_column(default="")
    format: Mapped[int] = mapped_column(Integer, default=0)
    counts: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    finished_at: Mapped[datetime | None] = mapped_column(default=None)


class DataBackupContent(Base, kw_only=True):
    """What a backup holds, as the robot said when it had packed it: protocol.backups.BackupItem, and versions."""

    __tablename__ = "data_backup_content"
    root = Owned()

    backup_id: Mapped[int] = mapped_column(ForeignKey("data_backup.id", ondelete="CASCADE"), primary_key=True)
    items: Mapped[list[Any]]
    versions: Mapped[dict[str, Any]]


class DataRestore(Table):
    """A backup that a robot is to hold. `until`: what is not in place by then, it shall not hold."""

    __tablename__ = "data_restore"
    root = Owned(seen=stamped, changed=lambda row, scope: scope.below(row.owner_path))
    topics = ("dataBackup",)

    backup_id: Mapped[int] = mapped_column(ForeignKey("data_backup.id", ondelete="CASCADE"))
    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    until: Mapped[datetime]
    state: Mapped[str] = mapped_column(default="sending")
    reason: Mapped[str] = mapped_column(default="")
    at: Mapped[int] = mapped_column(default=0)
    have: Mapped[int] = mapped_column(default=0)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)


class BackupPlan(Table):
    """A robot is backed up by itself: each so many days, or never (None), and before each update or not. `most`: of
    these backups the newest so many stay."""

    __tablename__ = "backup_plan"
    root = Owned(seen=of_a_robot, changed=lambda row, scope: row.device_id.in_(scope.changeable.select(Device.id)))
    topics = ("dataBackup",)

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    every_days: Mapped[int | None] = mapped_column(Integer)
    most: Mapped[int] = mapped_column(Integer)
    before_updates: Mapped[bool] = mapped_column(default=False)
