"""What robots say of themselves, by the second and by the minute, and what is summed of it."""

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Owned, Table


class WorkReset(Table):
    """Work is counted from here on. `area`, `seconds`, `count`: what was counted until then; `in_hour`: m² of the hour
    before the reset."""

    __tablename__ = "work_reset"
    root = Owned("device")

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    by_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    reason: Mapped[str]
    hash: Mapped[str]
    area: Mapped[float]
    seconds: Mapped[float]
    count: Mapped[int]
    in_hour: Mapped[float]
