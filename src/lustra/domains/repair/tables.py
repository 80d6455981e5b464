"""Repairs of robots. Stamped with who owned the robot when the repair was reported, and seen by that owner's scope."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import ForeignKey, Integer
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Ltree, Owned, Table, now
from lustra.domains.device.api import stamped


class Repair(Table):
    """`state`: rules.PENDING and so on. Who reported and who processes it are names, as people write them."""

    __tablename__ = "repair"
    root = Owned(seen=stamped, changed=lambda row, scope: scope.below(row.owner_path))
    topics = ("repair",)

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    type: Mapped[str]
    detail: Mapped[str]
    date: Mapped[date]
    operator: Mapped[str] = mapped_column(default="")
    processor: Mapped[str] = mapped_column(default="")
    process_time: Mapped[datetime | None] = mapped_column(default=None)
    process_plan: Mapped[str] = mapped_column(default="")
    state: Mapped[int] = mapped_column(Integer, default=0)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])  # see core/database/edits
