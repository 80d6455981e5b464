"""Robots, whose they are, and who holds their control. What they tell by the second is plain SQL (live/ingest)."""

from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, ForeignKey, Integer, Text, and_, or_, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, aliased, mapped_column

from lustra.core.db import Base, Ltree, Owned, Shared, Table, now
from lustra.core.scope import Scope


class DeviceType(Table):
    __tablename__ = "device_type"
    root = Shared

    name: Mapped[str] = mapped_column(unique=True)
    url: Mapped[str] = mapped_column(default="")
    description: Mapped[str] = mapped_column(default="")
    abilities: Mapped[list[str]] = mapped_column(ARRAY(Text), default_factory=list[str])
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])  # see core/database/edits


def _bound(scope: Scope) -> Any:
    """Ids of robots that accounts of the scope may see although others own them."""
    return select(DeviceAccount.device_id).where(scope.below(DeviceAccount.account_path))


def stamped(row: Any, scope: Scope) -> ColumnElement[bool]:
    """What is stamped with an owner: it is seen by that owner's scope, and as `bound_to_its_robot`."""
    return or_(scope.below(row.owner_path), bound_to_its_robot(row, scope))


def bound_to_its_robot(row: Any, scope: Scope) -> ColumnElement[bool]:
    """An account that is bound to the robot sees what is stamped with an owner while the robot still belongs to that
    owner."""
    robot = _alias_of_robot()
    same_owner = select(robot.id).where(robot.id == row.device_id, robot.owner_id == row.owner_id).exists()
    return and_(row.device_id.in_(_bound(scope)), same_owner)


@cache
def _alias_of_robot() -> type["Device"]:
    """One for all statements: SQLAlchemy takes longer to make it than to run them."""
    return aliased(Device)


def of_a_robot(row: Any, scope: Scope) -> ColumnElement[bool]:
    """What is kept about a robot that the scope sees."""
    return row.device_id.in_(scope.select(Device.id))


class Device(Table):
    """`owner_path` is the owner's path in the tree of accounts, kept up by a trigger: scope is one index condition.
    `address` is the building, `address1` the floor, `area` the country's code, `zone` the IANA zone of the place."""

    __tablename__ = "device"
    root = Owned(
        seen=lambda row, scope: and_(
            row.deleted_at.is_(None), or_(scope.below(row.owner_path), row.id.in_(_bound(scope)))
        ),
        changed=lambda row, scope: and_(row.deleted_at.is_(None), scope.below(row.owner_path)),
    )
    topics = ("device",)

    serial_number: Mapped[str]
    name: Mapped[str]
    type_id: Mapped[int] = mapped_column(ForeignKey("device_type.id"))
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    protocol: Mapped[int] = mapped_column(Integer, default=3)
    address: Mapped[str] = mapped_column(default="")
    address1: Mapped[str] = mapped_column(default="")
    area: Mapped[str] = mapped_column(default="")
    zone: Mapped[str] = mapped_column(default="UTC")
    latitude: Mapped[float | None] = mapped_column(default=None)
    longitude: Mapped[float | None] = mapped_column(default=None)
    customer_name: Mapped[str] = mapped_column(default="")
    abilities: Mapped[list[str]] = mapped_column(ARRAY(Text), default_factory=list[str])
    commands: Mapped[list[str] | None] = mapped_column(ARRAY(Text), default=None)  # None: all of its protocol
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])  # see core/database/edits
    frp_host: Mapped[str] = mapped_column(default="")
    frp_port: Mapped[int | None] = mapped_column(Integer, default=None)
    elevator_id: Mapped[int | None] = mapped_column(ForeignKey("elevator.id", ondelete="SET NULL"), default=None)
    ssh_port: Mapped[int | None] = mapped_column(Integer, default=None)
    web_port: Mapped[int | None] = mapped_column(Integer, default=None)
    traffic: Mapped[int | None] = mapped_column(Integer, default=None)
    url: Mapped[str] = mapped_column(default="")
    rack_number: Mapped[str] = mapped_column(default="")
    sim_no: Mapped[str] = mapped_column(default="")
    sim_support: Mapped[int | None] = mapped_column(Integer, default=None)
    boot_time: Mapped[datetime | None] = mapped_column(default=None)
    customer_address: Mapped[str] = mapped_column(default="")
    province: Mapped[str] = mapped_column(default="")
    firmware_version: Mapped[str] = mapped_column(default="")
    soft_version: Mapped[str] = mapped_column(default="")
    pad_version: Mapped[str] = mapped_column(default="")
    test_device: Mapped[bool] = mapped_column(default=False)
    deleted_at: Mapped[datetime | None] = mapped_column(default=None)


class DeviceAccount(Base, kw_only=True):
    """An account that sees a robot without owning it."""

    __tablename__ = "device_account"
    root = Owned()
    topics = ("device",)

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    account_path: Mapped[str] = mapped_column(Ltree)


class DeviceCredential(Base, kw_only=True):
    """`password`: SHA-256 in hex of the random one that the robot logs in to the bus with. `ssh_key`: OpenSSH line."""

    __tablename__ = "device_credential"
    root = Owned()

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"), primary_key=True)
    password: Mapped[str] = mapped_column(repr=False)
    ssh_key: Mapped[str] = mapped_column(default="")


class NodePort(Base, kw_only=True):
    """A port of a node that a robot has or that is reserved for one until then. Robots' rows come by a trigger."""

    __tablename__ = "node_port"
    root = Owned()

    host: Mapped[str] = mapped_column(primary_key=True)
    port: Mapped[int] = mapped_column(Integer, primary_key=True)
    device_id: Mapped[int | None] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"), default=None)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), default=None)
    until: Mapped[datetime | None] = mapped_column(default=None)
