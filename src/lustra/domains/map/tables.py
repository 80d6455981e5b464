"""Floors: what robots own (mirrored here) and what accounts keep in their library."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Integer, and_
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Base, Ltree, Owned, Table, now
from lustra.domains.device.api import of_a_robot, stamped


class FloorMap(Table):
    """`device_id` None: a map of the account's library. `grid`: where the picture lies. `at`: the robot's clock.
    `lane_graph`: lanes of the building, a LaneGraph; None: none."""

    __tablename__ = "floor_map"
    root = Owned(seen=stamped, changed=lambda row, scope: and_(scope.below(row.owner_path), row.deleted_at.is_(None)))
    topics = ("map",)

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
    lane_graph: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True), default=None)
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
    root = Owned()

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
    lane_graph: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True), default=None)
    at: Mapped[datetime] = mapped_column(default_factory=now)


class MapSync(Table):
    """A map on its way to robots: which revision of it, as which file."""

    __tablename__ = "map_sync"
    root = Owned()

    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    map_id: Mapped[int] = mapped_column(ForeignKey("floor_map.id", ondelete="CASCADE"))
    by_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    name: Mapped[str]
    revision: Mapped[int] = mapped_column(Integer)
    place: Mapped[str]
    size: Mapped[int]
    sha256: Mapped[str]


class MapSyncTarget(Table):
    """How far one robot is with it. `until`: has it not taken it by then, it shall not. `base`: revision of the robot's
    own map of that name when it began (0: none), `revision`: of that which it has now. `at`: the robot's clock when it
    reported that. `next_at`: when it is asked again; None: never. `leave`: it is still to be sent that it shall not
    take it."""

    __tablename__ = "map_sync_target"
    root = Owned(of_a_robot)
    topics = ("mapSync",)

    sync_id: Mapped[int] = mapped_column(ForeignKey("map_sync.id", ondelete="CASCADE"))
    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    base: Mapped[int] = mapped_column(Integer)
    replace: Mapped[bool]
    until: Mapped[datetime]
    state: Mapped[str] = mapped_column(default="waiting")
    reason: Mapped[str] = mapped_column(default="")
    have: Mapped[int] = mapped_column(default=0)
    revision: Mapped[int] = mapped_column(Integer, default=0)
    attempts: Mapped[int] = mapped_column(Integer, default=0)
    at: Mapped[int] = mapped_column(default=0)
    leave: Mapped[bool] = mapped_column(default=False)
    tried_at: Mapped[datetime | None] = mapped_column(default=None)
    next_at: Mapped[datetime | None] = mapped_column(default_factory=now)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
