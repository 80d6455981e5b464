"""Who is on duty for an account's robots: a week of shifts by the clocks of one zone."""

from datetime import datetime, time

from sqlalchemy import ForeignKey, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Owned, Table, now
from lustra.domains.account.api import of_an_account


class AlarmRota(Table):
    """`notified_until`: whoever came on duty before has been notified of it."""

    __tablename__ = "alarm_rota"
    root = Owned(of_an_account)
    topics = ("warnRota",)

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    zone: Mapped[str]
    notified_until: Mapped[datetime] = mapped_column(default_factory=now)


class AlarmShift(Table):
    """One person's, each week. `day`: 1 Monday to 7; one that ends at or before its beginning ends on the next day."""

    __tablename__ = "alarm_shift"
    root = Owned(of_an_account)
    topics = ("warnRota",)

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    person_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    day: Mapped[int] = mapped_column(SmallInteger)
    starts: Mapped[time]
    ends: Mapped[time]
