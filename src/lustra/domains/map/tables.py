"""Floors: what robots own (mirrored here) and what accounts keep in their library."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Integer
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Base, Ltree, Owned, Table, now


class FloorMap(Table):
    """`device_id` None: a map of the account's library. `grid`: where the picture lies. `at`: the robot's clock."""

    __tablename__ = "floor_map"
    root = Owned("account")

    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    name: Mapped[str]
    width: Mapped[int] = mapped_column(Integer)
    height: Mapped[int] = mapped_column(Integer)
    resolution: Mapped[float]
    origin_x: Mapped[float]
    origin_y: Mapped[float]
    origin_yaw: Mapped[float]
    area: Mapped[float]
    marks: Mapped[dict[str, Any]]
    grid: Mapped[str]
    device_id: Mapped[int | None] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"), default=None)
    building: Mapped[str] = mapped_column(default="")
    floor: Mapped[str] = mapped_column(default="")
    revision: Mapped[int] = mapped_column(Integer, default=1)
    at: Mapped[int] = mapped_column(BigInteger, default=0)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    deleted_at: Mapped[datetime | None] = mapped_column(default=None)


class MapVersion(Base, kw_only=True):
    """Every revision of a map stays: reports show the floor as it was."""

    __tablename__ = "map_version"
    root = Owned("account")

    map_id: Mapped[int] = mapped_column(ForeignKey("floor_map.id", ondelete="CASCADE"), primary_key=True)
    revision: Mapped[int] = mapped_column(Integer, primary_key=True)
    width: Mapped[int] = mapped_column(Integer)
    height: Mapped[int] = mapped_column(Integer)
    resolution: Mapped[float]
    origin_x: Mapped[float]
    origin_y: Mapped[float]
    origin_yaw: Mapped[float]
    marks: Mapped[dict[str, Any]]
    grid: Mapped[str]
    at: Mapped[datetime] = mapped_column(default_factory=now)
