"""By what the server itself raises alarms of robots: a row where an account has decided otherwise than the default."""

from datetime import datetime

from sqlalchemy import Float, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Owned, Table, now
from lustra.domains.account.api import of_an_account


class AlarmRule(Table):
    """For robots of the account and of those below it, where none of them has a row of its own. `threshold`: in the
    unit of its kind."""

    __tablename__ = "alarm_rule"
    root = Owned(of_an_account)
    topics = ("wmWarnSet",)

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    kind: Mapped[str]
    enabled: Mapped[bool]
    threshold: Mapped[float] = mapped_column(Float)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
