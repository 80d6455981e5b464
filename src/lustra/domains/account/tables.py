"""Accounts form a tree by `path` (ltree of ids); levels say how deep, roles say which keys."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ColumnElement, ForeignKey, Identity, Text, and_, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Base, Ltree, Owned, Shared, Table, now
from lustra.core.scope import Scope


def of_an_account(row: Any, scope: Scope) -> ColumnElement[bool]:
    """The condition of rows that belong to accounts of the scope, deleted accounts included."""
    return row.account_id.in_(select(Account.id).where(scope.below(Account.path)))


def _own(row: Any, scope: Scope) -> ColumnElement[bool]:
    """The condition of rows that belong to the person who is logged in."""
    return row.account_id == scope.account_id


class Account(Table):
    """`shadow_of`: the account whose robots a shadow manages. Deleted softly; a deleted one cannot log in.

    `support_default`, `support_until`: of a customer's support access; "always", or until then.
    `password_at`: since when it has its password, so that a first one (`must_change`) ends by itself.
    `keys`: exactly these permissions instead of those of roles and groups. SQL's `held_keys(account)` says what holds.
    """

    __tablename__ = "account"
    root = Owned(lambda row, scope: and_(scope.below(row.path), row.deleted_at.is_(None)))
    topics = ("user", "support")

    account: Mapped[str]
    name: Mapped[str]
    password: Mapped[str] = mapped_column(repr=False)
    level: Mapped[int]
    roles: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    parent_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"), default=None)
    path: Mapped[str] = mapped_column(Ltree, default="")
    shadow_of: Mapped[int | None] = mapped_column(ForeignKey("account.id"), default=None)
    must_change: Mapped[bool] = mapped_column(default=False)
    phone: Mapped[str] = mapped_column(default="")
    email: Mapped[str] = mapped_column(default="")
    email_at: Mapped[datetime | None] = mapped_column(default=None)  # when the account itself entered it
    email_to_task: Mapped[bool] = mapped_column(default=False)
    email_to_warn: Mapped[bool] = mapped_column(default=False)
    email_to_task_report: Mapped[bool] = mapped_column(default=False)
    keys: Mapped[list[str] | None] = mapped_column(ARRAY(Text), default=None)
    groups: Mapped[list[int]] = mapped_column(ARRAY(BigInteger), default_factory=list[int])
    url: Mapped[str] = mapped_column(default="")
    language: Mapped[str] = mapped_column(default="")
    support_default: Mapped[str] = mapped_column(default="off")
    support_until: Mapped[datetime | None] = mapped_column(default=None)
    preferences: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])
    password_at: Mapped[datetime] = mapped_column(default_factory=now)
    updated_at: Mapped[datetime | None] = mapped_column(default=None)
    deleted_at: Mapped[datetime | None] = mapped_column(default=None)


class Login(Base, kw_only=True):
    """A session. The token itself is nowhere: only its SHA-256. `id_token`: sealed, of the provider that began it."""

    __tablename__ = "login"
    root = Owned(_own)

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), index=True)
    token: Mapped[bytes] = mapped_column(unique=True, repr=False)
    language: Mapped[str]
    address: Mapped[str]
    seen_at: Mapped[datetime]
    began_at: Mapped[datetime]
    id_token: Mapped[bytes | None] = mapped_column(default=None, repr=False)


class ApiKey(Base, kw_only=True):
    """For programs. The secret itself is nowhere: only its SHA-256."""

    __tablename__ = "api_key"
    root = Owned(_own)

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), index=True)
    name: Mapped[str]
    token: Mapped[bytes] = mapped_column(unique=True, repr=False)
    keys: Mapped[list[str]] = mapped_column(ARRAY(Text))
    began_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    seen_at: Mapped[datetime | None] = mapped_column(default=None)


class AccountSubject(Base, kw_only=True):
    """Single sign-on: the account of one person of a provider's. `subject`: its name for the person, for ever."""

    __tablename__ = "account_subject"
    root = Owned(_own)

    issuer: Mapped[str] = mapped_column(Text, primary_key=True)
    subject: Mapped[str] = mapped_column(Text, primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    began_at: Mapped[datetime]
    seen_at: Mapped[datetime | None] = mapped_column(default=None)


class Role(Base, kw_only=True):
    """Presets have the specification's numbers (10, 11, 13 to 18) and no account."""

    __tablename__ = "role"
    root = Shared

    id: Mapped[int] = mapped_column(Identity(start=100), primary_key=True, init=False)
    name: Mapped[str]
    keys: Mapped[list[str]] = mapped_column(ARRAY(Text))
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), default=None)


class RoleGroup(Table):
    """Roles and keys under one name, made by an account for itself and the accounts below it."""

    __tablename__ = "role_group"
    root = Owned(lambda row, scope: row.account_id.in_(scope.select(Account.id)))

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    name: Mapped[str]
    role_ids: Mapped[list[int]] = mapped_column(ARRAY(BigInteger), default_factory=list[int])
    keys: Mapped[list[str]] = mapped_column(ARRAY(Text), default_factory=list[str])


class Retention(Base, kw_only=True):
    """How long a customer's data of a kind are kept: `days` from above, `own_days` the customer's; 0: for ever."""

    __tablename__ = "retention"
    root = Owned()

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(Text, primary_key=True)
    days: Mapped[int | None] = mapped_column(default=None)
    own_days: Mapped[int | None] = mapped_column(default=None)


class Attempt(Base, kw_only=True):
    """Failures in a row, by account and address (see attempts). `known_at`: the last right log-in of this pair."""

    __tablename__ = "login_attempt"
    root = Shared

    key: Mapped[str] = mapped_column(Text, primary_key=True)
    failures: Mapped[int]
    at: Mapped[datetime]
    known_at: Mapped[datetime | None] = mapped_column(default=None)


class AccountStamp(Base, kw_only=True):
    """One row, set anew by a trigger with every change that a tree of accounts shows."""

    __tablename__ = "account_stamp"
    root = Shared

    stamp: Mapped[UUID] = mapped_column(primary_key=True)
