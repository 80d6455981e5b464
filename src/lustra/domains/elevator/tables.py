"""Elevators that robots ride, and their rides."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Integer
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Owned, Table, now
from lustra.domains.account.api import of_an_account


class Elevator(Table):
    """`floor`: the floors that it serves, by comma, from the lowest up. `group_id`: those of one number stand side by
    side and any of them may come. `module_id`, `robot_id` and `server` are what the provider knows it by,
    `secret` (sealed) what it asks its clients for.
    `out_of_service` and `releases` (how often somebody has ended what held it) are people's words to `lustra
    elevators`; `live` is what that one tells of it."""

    __tablename__ = "elevator"
    root = Owned(of_an_account)
    topics = ("elevator",)

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    elevator_name: Mapped[str]
    building_name: Mapped[str]
    floor: Mapped[str]
    code: Mapped[str] = mapped_column(default="")
    building_address: Mapped[str] = mapped_column(default="")
    contact_name: Mapped[str] = mapped_column(default="")
    contact_phone: Mapped[str] = mapped_column(default="")
    group_id: Mapped[int | None] = mapped_column(default=None)
    size: Mapped[str] = mapped_column(default="")
    position: Mapped[str] = mapped_column(default="")
    provider: Mapped[int] = mapped_column(Integer, default=0)
    module_id: Mapped[str] = mapped_column(default="")
    robot_id: Mapped[str] = mapped_column(default="")
    server: Mapped[str] = mapped_column(default="")
    secret: Mapped[bytes | None] = mapped_column(default=None)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])
    out_of_service: Mapped[bool] = mapped_column(default=False)
    out_reason: Mapped[str] = mapped_column(default="")
    releases: Mapped[int] = mapped_column(default=0)
    live: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])


class ElevatorRide(Table):
    """One ride of a robot, stamped with whose the elevator was. `phase` and `reason` as the bus tells them
    (protocol.bus.ElevatorOffer); written by `lustra elevators` alone."""

    __tablename__ = "lift_ride"
    root = Owned(of_an_account)  # whose the elevator was then
    topics = ("elevator",)

    elevator_id: Mapped[int] = mapped_column(ForeignKey("elevator.id", ondelete="CASCADE"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    sn: Mapped[str]
    name: Mapped[str]
    ride: Mapped[str]
    from_floor: Mapped[str]
    to_floor: Mapped[str]
    phase: Mapped[str]
    device_id: Mapped[int | None] = mapped_column(ForeignKey("device.id", ondelete="SET NULL"), default=None)
    reason: Mapped[str] = mapped_column(default="")
    boarded_at: Mapped[datetime | None] = mapped_column(default=None)
    ended_at: Mapped[datetime | None] = mapped_column(default=None)
