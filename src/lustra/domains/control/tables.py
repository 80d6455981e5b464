"""Who holds the control of a robot."""

from datetime import datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Base, Owned


class ControlLock(Base, kw_only=True):
    """Who steers a robot. `number` grows with every change of hands: what carries a lower one is refused.

    `reason`: why the holder took it from another. `asker`: who asked the holder for it last."""

    __tablename__ = "control_lock"
    root = Owned()

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(default=0)
    holder_id: Mapped[int | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"), default=None)
    holder: Mapped[str] = mapped_column(default="")
    until: Mapped[datetime | None] = mapped_column(default=None)
    reason: Mapped[str] = mapped_column(default="")
    asker_id: Mapped[int | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"), default=None)
    asker: Mapped[str] = mapped_column(default="")
    asked_at: Mapped[datetime | None] = mapped_column(default=None)
