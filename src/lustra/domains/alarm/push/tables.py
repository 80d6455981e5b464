"""Browsers that people have alarms pushed to."""

from datetime import datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Owned, Table


class PushDevice(Table):
    """`label`: what its owner knows it by, once an account. `endpoint`, `public`, `auth`: what the browser gave.
    `sent_at`, `reason`: what came of the newest message; empty: it was taken over."""

    __tablename__ = "push_device"
    root = Owned(lambda row, scope: row.account_id == scope.account_id)
    topics = ("webPush",)

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    label: Mapped[str]
    endpoint: Mapped[str]
    public: Mapped[str]
    auth: Mapped[str]
    sent_at: Mapped[datetime | None] = mapped_column(default=None)
    reason: Mapped[str] = mapped_column(default="")
