"""Webhooks of an account, and what was sent to them."""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, ForeignKey, Integer, Text, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Owned, Table, now
from lustra.core.scope import Scope


def _own(row: Any, scope: Scope) -> ColumnElement[bool]:
    return row.account_id == scope.account_id


def _of_own_hook(row: Any, scope: Scope) -> ColumnElement[bool]:
    return row.webhook_id.in_(select(Webhook.id).where(Webhook.account_id == scope.account_id))


class Webhook(Table):
    """`kinds`: of changes; none: all. `api_key_id`: the API key that made it, which bounds it and takes it along when
    it is deleted; none: a person did. `secret` is sealed; `former_secret` signs too until `former_until`.

    `failures`: in a row; `failing_since`: the first of them; until `retry_at` nothing is tried. `off_reason`: why the
    server switched it off, empty where its owner did.
    """

    __tablename__ = "webhook"
    root = Owned(_own)
    topics = ("webhook",)

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    url: Mapped[str]
    description: Mapped[str]
    kinds: Mapped[list[str]] = mapped_column(ARRAY(Text))
    secret: Mapped[bytes] = mapped_column(repr=False)
    api_key_id: Mapped[str | None] = mapped_column(ForeignKey("api_key.id", ondelete="CASCADE"), default=None)
    active: Mapped[bool] = mapped_column(default=True)
    former_secret: Mapped[bytes | None] = mapped_column(default=None, repr=False)
    former_until: Mapped[datetime | None] = mapped_column(default=None)
    failures: Mapped[int] = mapped_column(Integer, default=0)
    failing_since: Mapped[datetime | None] = mapped_column(default=None)
    retry_at: Mapped[datetime | None] = mapped_column(default=None)
    off_reason: Mapped[str] = mapped_column(default="")
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)


class WebhookDelivery(Table):
    """One message to one webhook: the same bytes and `message_id` at each attempt. `status`, `ms`, `answer` and
    `reason` are those of the last attempt; `state`: waiting, delivered, failed."""

    __tablename__ = "webhook_delivery"
    root = Owned(_of_own_hook)
    topics = ("webhookDelivery",)

    webhook_id: Mapped[int] = mapped_column(ForeignKey("webhook.id", ondelete="CASCADE"))
    message_id: Mapped[str]
    kind: Mapped[str]
    body: Mapped[str] = mapped_column(repr=False)
    by_hand: Mapped[bool] = mapped_column(default=False)
    state: Mapped[str] = mapped_column(default="waiting")
    attempts: Mapped[int] = mapped_column(Integer, default=0)
    next_at: Mapped[datetime | None] = mapped_column(default=None)
    sent_at: Mapped[datetime | None] = mapped_column(default=None)
    status: Mapped[int | None] = mapped_column(Integer, default=None)
    ms: Mapped[int | None] = mapped_column(Integer, default=None)
    answer: Mapped[str] = mapped_column(default="")
    reason: Mapped[str] = mapped_column(default="")
