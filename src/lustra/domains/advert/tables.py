"""Pictures and videos that robots show, how far each robot is with them, and how often it showed each."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import BigInteger, Date, ForeignKey, Integer
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Base, Owned, Table, now
from lustra.domains.account.api import of_an_account
from lustra.domains.device.api import Device, of_a_robot


class Advert(Table):
    """`place`: where the content lies. Shown on the days and between the hours (HH:MM, both empty: all day) of the
    robot's own place. Without `device_ids` and `type_ids` every robot of the owner and of those below shows it."""

    __tablename__ = "advert"
    root = Owned(of_an_account)
    topics = ("advert",)

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    name: Mapped[str]
    place: Mapped[str]
    kind: Mapped[str]
    size: Mapped[int]
    sha256: Mapped[str] = mapped_column(default="")  # of adverts of before: none until a robot needs it
    rank: Mapped[int] = mapped_column(Integer, default=0)
    seconds: Mapped[int] = mapped_column(Integer, default=10)
    start_date: Mapped[date | None] = mapped_column(Date, default=None)
    end_date: Mapped[date | None] = mapped_column(Date, default=None)
    start_time: Mapped[str] = mapped_column(default="")
    end_time: Mapped[str] = mapped_column(default="")
    device_ids: Mapped[list[int]] = mapped_column(ARRAY(BigInteger), default_factory=list[int])
    type_ids: Mapped[list[int]] = mapped_column(ARRAY(BigInteger), default_factory=list[int])
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])


class AdvertDelivery(Base, kw_only=True):
    """Which plan of adverts a robot shall show. `sent`: it fetches their files; `tried_at`: when it was sent last;
    `adverts`: all that it was ever given, of which it may say how often it showed them."""

    __tablename__ = "advert_delivery"
    root = Owned(seen=of_a_robot, changed=lambda row, scope: row.device_id.in_(scope.changeable.select(Device.id)))
    topics = ("advertDelivery",)

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"), primary_key=True)
    revision: Mapped[int] = mapped_column(BigInteger)
    adverts: Mapped[list[int]] = mapped_column(ARRAY(BigInteger), default_factory=list[int])
    state: Mapped[str] = mapped_column(default="waiting")
    reason: Mapped[str] = mapped_column(default="")
    tried_at: Mapped[datetime | None] = mapped_column(default=None)
    shown_at: Mapped[datetime | None] = mapped_column(default=None)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)


class AdvertShowing(Base, kw_only=True):
    """How often a robot showed an advert to its end on a day of its place. It is the advert's owner's to know,
    wherever the robot is now."""

    __tablename__ = "advert_showing"
    root = Owned(of_an_account)
    topics = ("advertShowing",)

    advert_id: Mapped[int] = mapped_column(ForeignKey("advert.id", ondelete="CASCADE"), primary_key=True)
    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"), primary_key=True)
    day: Mapped[date] = mapped_column(Date, primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    times: Mapped[int] = mapped_column(Integer)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
