"""Robots, whose they are, and who holds their control. What they tell by the second is plain SQL (live/ingest)."""

from datetime import datetime

from sqlalchemy import ForeignKey, Integer, Text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Base, Ltree, Owned, Shared, Table


class DeviceType(Table):
    __tablename__ = "device_type"
    root = Shared

    name: Mapped[str] = mapped_column(unique=True)
    url: Mapped[str] = mapped_column(default="")
    description: Mapped[str] = mapped_column(default="")


class Device(Table):
    """`owner_path` is the owner's path in the tree of accounts, kept up by a trigger: scope is one index condition.
    `address` is the building, `address1` the floor, `area` the country's code, `zone` the IANA zone of the place."""

    __tablename__ = "device"
    root = Owned("account")

    serial_number: Mapped[str] = mapped_column(unique=True)
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
    frp_host: Mapped[str] = mapped_column(default="")
    frp_port: Mapped[int | None] = mapped_column(Integer, default=None)
    elevator_id: Mapped[int | None] = mapped_column(ForeignKey("elevator.id", ondelete="SET NULL"), default=None)
    deleted_at: Mapped[datetime | None] = mapped_column(default=None)


class DeviceAccount(Base, kw_only=True):
    """An account that sees a robot without owning it."""

    __tablename__ = "device_account"
    root = Owned("device")

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    account_path: Mapped[str] = mapped_column(Ltree)


class DeviceCredential(Base, kw_only=True):
    """`password`: SHA-256 in hex of the random one that the robot logs in to the bus with. `ssh_key`: OpenSSH line."""

    __tablename__ = "device_credential"
    root = Owned("device")

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"), primary_key=True)
    password: Mapped[str] = mapped_column(repr=False)
    ssh_key: Mapped[str] = mapped_column(default="")


class ControlLock(Base, kw_only=True):
    """Who steers a robot. `number` grows with every change of hands: what carries a lower one is refused."""

    __tablename__ = "control_lock"
    root = Owned("device")

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(default=0)
    holder_id: Mapped[int | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"), default=None)
    holder: Mapped[str] = mapped_column(default="")
    until: Mapped[datetime | None] = mapped_column(default=None)
