"""Logs and recordings of robots: what lies on a robot's disk, and the copies that were sent up."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Ltree, Owned, Table, now
from lustra.domains.device.api import stamped


class DeviceLog(Table):
    """A file of a robot, and its owner at that time. `size`: on the robot, of what it has no more that of the copy.
    `place`: where the copy lies, of `stored_size` bytes; empty: there is none. `upload_state` empty: it was not sent
    up as it is now. `have` of `upload_size` bytes have gone. `recording`: what is in the copy at `recording_place`, the
    MCAP that a recording of sensors was made into. `trigger`: why the robot made it (protocol/files). `at`: the robot's
    clock in ms of the newest word on it. `active_at`: when an upload was asked for or gave a sign last."""

    __tablename__ = "device_log"
    root = Owned(seen=stamped, changed=lambda row, scope: scope.below(row.owner_path))
    topics = ("deviceLog",)

    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    kind: Mapped[str]
    name: Mapped[str]
    size: Mapped[int]
    time: Mapped[datetime]
    on_robot: Mapped[bool] = mapped_column(default=True)
    upload_state: Mapped[str] = mapped_column(default="")
    reason: Mapped[str] = mapped_column(default="")
    have: Mapped[int] = mapped_column(default=0)
    upload_size: Mapped[int] = mapped_column(default=0)
    place: Mapped[str] = mapped_column(default="")
    stored_size: Mapped[int] = mapped_column(default=0)
    sha256: Mapped[str] = mapped_column(default="")
    stored_at: Mapped[datetime | None] = mapped_column(default=None)
    recording_state: Mapped[str] = mapped_column(default="")
    recording_reason: Mapped[str] = mapped_column(default="")
    recording_place: Mapped[str] = mapped_column(default="")
    recording: Mapped[dict[str, Any] | None] = mapped_column(default=None)
    trigger: Mapped[dict[str, Any] | None] = mapped_column(default=None)
    at: Mapped[int] = mapped_column(default=0)
    active_at: Mapped[datetime] = mapped_column("heard_at", default_factory=now)
