"""What changed, in one order for all: the feed that programs follow, and what webhooks are sent."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Identity, Text, and_, or_, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Base, Owned
from lustra.core.scope import Scope
from lustra.domains.account.api import Account
from lustra.domains.device.api import bound_to_its_robot


def _seen(row: Any, scope: Scope) -> ColumnElement[bool]:
    """What is of an account alone is seen by that account; else by the scope of who owned it at that time, wherever
    that account stands now."""
    owners = select(Account.id).where(scope.below(Account.path))
    shared = and_(row.account_id.is_(None), or_(row.owner_id.in_(owners), bound_to_its_robot(row, scope)))
    return or_(row.account_id == scope.account_id, shared)


class ChangeEntry(Base, kw_only=True):
    """Written by triggers alone (migration 0034). `number` null: not in the order yet, and shown to nobody."""

    __tablename__ = "change_entry"
    root = Owned(_seen)

    entry: Mapped[int] = mapped_column(Identity(always=True), primary_key=True, init=False)
    id: Mapped[UUID] = mapped_column(init=False)
    number: Mapped[int | None] = mapped_column(unique=True, default=None)
    created_at: Mapped[datetime] = mapped_column(init=False)
    kind: Mapped[str]
    owner_id: Mapped[int]
    account_id: Mapped[int | None] = mapped_column(default=None)
    device_id: Mapped[int | None] = mapped_column(default=None)
    serial: Mapped[str] = mapped_column(Text, default="")
    data: Mapped[dict[str, Any]] = mapped_column(JSONB, default_factory=dict[str, Any])
