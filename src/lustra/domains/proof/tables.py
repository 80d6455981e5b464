"""Sealed records of runs, the keys that seal them, and what their documents look like."""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, ForeignKey, Integer, LargeBinary, Text, select
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Base, Owned, Shared, Table, now
from lustra.core.scope import Scope
from lustra.domains.account.api import Account, of_an_account


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


class Letterhead(Base, kw_only=True):
    """Of an account and those below without their own: `logo`, address of a picture at this server; `colour`, #rrggbb;
    empty: the usual. `monthly`: the account gets its month by mail; `mailed_month`: the last that was sent."""

    __tablename__ = "letterhead"
    root = Owned(of_an_account)
    topics = ("letterhead",)

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    logo: Mapped[str] = mapped_column(default="")
    colour: Mapped[str] = mapped_column(default="")
    monthly: Mapped[bool] = mapped_column(default=False)
    mailed_month: Mapped[str] = mapped_column(default="")
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])
