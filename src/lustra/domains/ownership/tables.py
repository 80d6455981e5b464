"""Whose robots were."""

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Owned, Table


class FormerOwner(Table):
    """Whose a robot was. What the robot tells of before `until` (its own clock, ms) is that owner's; None: until it has
    erased what it kept. `things`: what became of maps, tasks, recordings and password (device/handover)."""

    __tablename__ = "former_owner"
    root = Owned()

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    to_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    things: Mapped[str]
    by_id: Mapped[int]
    until: Mapped[int | None] = mapped_column(default=None)
