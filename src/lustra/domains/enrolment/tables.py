"""Passwords of robots and who read them, and the commands that wait for them."""

from datetime import datetime

from sqlalchemy import ForeignKey, Integer, LargeBinary, select
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Base, Owned, Table, now
from lustra.domains.account.api import Account


class PendingCommand(Table):
    """What a robot has to do, kept until it did it, however long it is away (device/pending_commands)."""

    __tablename__ = "robot_errand"
    root = Owned()

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    kind: Mapped[str]
    tries: Mapped[int] = mapped_column(Integer, default=0)
    tried_at: Mapped[datetime | None] = mapped_column(default=None)
    done_at: Mapped[datetime | None] = mapped_column(default=None)


class DevicePassword(Base, kw_only=True):
    """Sealed by device/vault. `sealed`: what the robot has; `coming`: what it has once it has been sent."""

    __tablename__ = "device_password"
    root = Owned()

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"), primary_key=True)
    sealed: Mapped[bytes | None] = mapped_column(LargeBinary, default=None, repr=False)
    coming: Mapped[bytes | None] = mapped_column(LargeBinary, default=None, repr=False)
    set_at: Mapped[datetime] = mapped_column(default_factory=now)


class PasswordAccess(Table):
    """Who read a robot's password; stamped with who owned it then, and seen by that owner's scope."""

    __tablename__ = "password_access"
    root = Owned(lambda row, scope: row.owner_id.in_(select(Account.id).where(scope.below(Account.path))))

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    address: Mapped[str]
