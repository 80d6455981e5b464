"""What the product tells an account in the message centre."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, and_
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Owned, Table


class Message(Table):
    """`kind` names the text; `values` fill it, in whatever language it is read. Deleted softly."""

    __tablename__ = "message"
    root = Owned(lambda row, scope: and_(row.account_id == scope.account_id, row.deleted_at.is_(None)))
    topics = ("message",)

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    kind: Mapped[str]
    values: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])
    read_at: Mapped[datetime | None] = mapped_column(default=None)
    deleted_at: Mapped[datetime | None] = mapped_column(default=None)
