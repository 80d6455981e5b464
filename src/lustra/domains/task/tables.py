"""Tasks that robots own, mirrored here."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Integer
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Ltree, Owned, Table


class RobotTask(Table):
    """`content` is the task as the robot keeps it (protocol/payloads/tasks.Task); `at` the robot's clock."""

    __tablename__ = "robot_task"
    root = Owned("account")

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
