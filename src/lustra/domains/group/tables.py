"""Groups of robots."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Integer
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Base, Owned, Table, now
from lustra.domains.account.api import of_an_account
from lustra.domains.device.api import of_a_robot


class DeviceGroup(Table):
    """`type`: see group/membership."""

    __tablename__ = "device_group"
    root = Owned(of_an_account)
    topics = ("deviceGroup",)

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    name: Mapped[str]
    type: Mapped[int] = mapped_column(Integer, default=0)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])  # see core/database/edits


class GroupMember(Base, kw_only=True):
    __tablename__ = "device_group_member"
    root = Owned(of_a_robot)

    group_id: Mapped[int] = mapped_column(ForeignKey("device_group.id", ondelete="CASCADE"), primary_key=True)
    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"), primary_key=True)
