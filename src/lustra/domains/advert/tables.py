"""Pictures and videos that robots show."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import BigInteger, Date, ForeignKey, Integer
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Owned, Table, now
from lustra.domains.account.api import of_an_account


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
