"""Tasks, groups and schedules that robots own, mirrored here, and what became of their occurrences."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Integer
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Ltree, Owned, Table


class RobotTask(Table):
    """`content` is the task as the robot keeps it (protocol/payloads/tasks.Task); `at` the robot's clock."""

    __tablename__ = "robot_task"
    root = Owned()
    topics = ("task",)

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    name: Mapped[str]
    map_name: Mapped[str]
    revision: Mapped[int] = mapped_column(Integer)
    at: Mapped[int] = mapped_column(BigInteger)
    content: Mapped[dict[str, Any]]
    updated_at: Mapped[datetime]
    deleted_at: Mapped[datetime | None] = mapped_column(default=None)


class RobotPlan(Table):
    """A task group or a schedule; `content` as the robot keeps it (protocol/payloads/groups, schedules), with its
    clock's `zone`."""

    __tablename__ = "robot_plan"
    root = Owned()
    topics = ("task",)

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    kind: Mapped[str]
    name: Mapped[str]
    revision: Mapped[int] = mapped_column(Integer)
    at: Mapped[int] = mapped_column(BigInteger)
    content: Mapped[dict[str, Any]]
    updated_at: Mapped[datetime]
    deleted_at: Mapped[datetime | None] = mapped_column(default=None)


class RobotOccurrence(Table):
    """What became of one occurrence of a schedule; `day` is its local date at the robot."""

    __tablename__ = "robot_occurrence"
    root = Owned()
    topics = ("task",)

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    kind: Mapped[str]
    schedule: Mapped[str]
    start: Mapped[datetime]
    ends: Mapped[datetime | None]
    day: Mapped[date]
    state: Mapped[str]
    reason: Mapped[str]
    units: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    at: Mapped[int] = mapped_column(BigInteger)
    updated_at: Mapped[datetime]
