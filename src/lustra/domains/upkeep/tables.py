"""What wears and what is due on a robot, and what was done about it."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import ForeignKey, Integer
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Ltree, Owned, Table, now

NEVER = datetime.fromtimestamp(0).astimezone()


class Upkeep(Table):
    """A consumable (`name`: one of rules.ITEMS) or a maintenance of a robot. It goes with the robot.

    It has worked `used_before` seconds, and what reports tell since `since`. `hours`: life, or period; `due_on`: of a
    maintenance, the day by which it is due anyhow. `warned_level`: the percentage that people were warned of last."""

    __tablename__ = "upkeep"
    root = Owned()

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    kind: Mapped[str]
    name: Mapped[str]
    since: Mapped[datetime] = mapped_column(default=NEVER)
    used_before: Mapped[float] = mapped_column(default=0.0)
    hours: Mapped[float | None] = mapped_column(default=None)
    due_on: Mapped[date | None] = mapped_column(default=None)
    warned_level: Mapped[int] = mapped_column("told", Integer, default=0)
    checked_at: Mapped[datetime] = mapped_column(default=NEVER)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])  # see core/database/edits


class UpkeepDone(Table):
    """A replacement or a maintenance that was done: after `used` hours of work, of the `hours` that were meant. Stamped
    with whose the robot was then."""

    __tablename__ = "upkeep_done"
    root = Owned()

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    kind: Mapped[str]
    name: Mapped[str]
    done_at: Mapped[datetime]
    used: Mapped[float]
    hours: Mapped[float | None]
    by_id: Mapped[int]
    by_name: Mapped[str]
