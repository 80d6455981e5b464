"""Sealed records of runs, and the keys that seal them."""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, ForeignKey, Integer, LargeBinary, Text, select
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Owned, Shared, Table
from lustra.core.scope import Scope
from lustra.domains.account.api import Account


def _of_owners(row: Any, scope: Scope) -> ColumnElement[bool]:
    return row.owner_id.in_(select(Account.id).where(scope.below(Account.path)))


class ProofKey(Table):
    """`certificate`: its public half, a PEM that stays for good; `sealed`: its private half, sealed by the secret of
    the installation, None once `retired_at`."""

    __tablename__ = "proof_key"
    root = Shared

    certificate: Mapped[str] = mapped_column(Text)
    sealed: Mapped[bytes | None] = mapped_column(LargeBinary, repr=False)
    retired_at: Mapped[datetime | None] = mapped_column(default=None)


class ProofRecord(Table):
    """What a report said when it was sealed: `record`, the signed text as it is; `hash`, its SHA-256; `position` in
    the chain of its robot and owner; `report_updated`: which state of the report it is of."""

    __tablename__ = "proof_record"
    root = Owned(_of_owners)

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    report_id: Mapped[int | None] = mapped_column(ForeignKey("task_report.id", ondelete="SET NULL"))
    report_updated: Mapped[datetime]
    position: Mapped[int] = mapped_column(Integer)
    record: Mapped[str] = mapped_column(Text)
    hash: Mapped[str]
    signature: Mapped[bytes] = mapped_column(LargeBinary)
    key_id: Mapped[int] = mapped_column(ForeignKey("proof_key.id"))
