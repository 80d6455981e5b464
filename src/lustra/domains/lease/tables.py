"""Leases of robots: the lessor's, seen by the lessee too."""

from datetime import date, datetime

from sqlalchemy import ForeignKey, or_
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Ltree, Owned, Table


class Lease(Table):
    """From `start_date` to `end_date` (None: until it is ended). It was ended at `stopped_at`, there on `stop_date`.
    `owner` is the lessor; `lessee`, if it has an account, has the robot meanwhile. `overdue_notified`: both have
    been sent the message that it is overdue."""

    __tablename__ = "lease"
    root = Owned(
        seen=lambda row, scope: or_(scope.below(row.owner_path), scope.below(row.lessee_path)),
        changed=lambda row, scope: scope.below(row.owner_path),
    )
    topics = ("hire",)

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    lessee_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    lessee_path: Mapped[str | None] = mapped_column(Ltree)
    customer_name: Mapped[str]
    start_date: Mapped[date]
    end_date: Mapped[date | None]
    remark: Mapped[str] = mapped_column(default="")
    stop_date: Mapped[date | None] = mapped_column(default=None)
    stopped_at: Mapped[datetime | None] = mapped_column(default=None)
    stopped_by: Mapped[str] = mapped_column(default="")
    things: Mapped[str | None] = mapped_column(default=None)
    overdue_notified: Mapped[bool] = mapped_column("told", default=False)
