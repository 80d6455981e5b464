"""Elevators that robots ride."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Integer
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Owned, Table, now


class Elevator(Table):
    """`floor`: the floors that it serves, by comma, from the lowest up. `group_id`: those of one number stand side by
    side and any of them may come. `module_id`, `robot_id` and `server` are what the provider knows it by."""

    __tablename__ = "elevator"
    root = Owned("account")

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    elevator_name: Mapped[str]
    building_name: Mapped[str]
    floor: Mapped[str]
    code: Mapped[str] = mapped_column(default="")
    building_address: Mapped[str] = mapped_column(default="")
    contact_name: Mapped[str] = mapped_column(default="")
    contact_phone: Mapped[str] = mapped_column(default="")
    group_id: Mapped[int | None] = mapped_column(default=None)
    size: Mapped[str] = mapped_column(default="")
    position: Mapped[str] = mapped_column(default="")
    provider: Mapped[int] = mapped_column(Integer, default=0)
    module_id: Mapped[str] = mapped_column(default="")
    robot_id: Mapped[str] = mapped_column(default="")
    server: Mapped[str] = mapped_column(default="")
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])
