"""The catalogue of hardware parts, what is fitted in each robot, and production batches."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Owned, Shared, Table, now
from lustra.domains.device.api import of_a_robot


class HardCategory(Table):
    __tablename__ = "hard_category"
    root = Shared

    name: Mapped[str]
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])  # see core/database/edits


class HardPart(Table):
    __tablename__ = "hard_part"
    root = Shared

    category_id: Mapped[int] = mapped_column(ForeignKey("hard_category.id"))
    name: Mapped[str]
    version: Mapped[str] = mapped_column(default="")
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])


class DeviceBatch(Table):
    """Robots made together: frame numbers from `low` to `high` (hardware/racks), of these types, with these parts."""

    __tablename__ = "device_batch"
    root = Shared

    name: Mapped[str]
    low: Mapped[str]
    high: Mapped[str]
    type_ids: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    part_ids: Mapped[list[int]] = mapped_column(ARRAY(BigInteger), default_factory=list[int])
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])


class DeviceHard(Table):
    """A part in a robot, from `created_at` until it is removed. `category` and `name` are given when the catalogue has
    the part no longer; `before`: what it took the place of. Each end bears whose robot it was then."""

    __tablename__ = "device_hard"
    root = Owned(of_a_robot)

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    part_id: Mapped[int | None] = mapped_column(ForeignKey("hard_part.id", ondelete="SET NULL"))
    category: Mapped[str]
    name: Mapped[str]
    version: Mapped[str]
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    by_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    before: Mapped[str] = mapped_column(default="")
    batch_id: Mapped[int | None] = mapped_column(ForeignKey("device_batch.id", ondelete="SET NULL"), default=None)
    batch_name: Mapped[str] = mapped_column(default="")
    removed_at: Mapped[datetime | None] = mapped_column(default=None)
    removed_owner_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"), default=None)
    removed_by_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"), default=None)
