"""Live pictures that run, recordings, and who watched what."""

from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ForeignKey, Integer, SmallInteger, Text
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Ltree, Owned, Table
from lustra.domains.device.api import stamped

ViewKind = Literal["live", "recording", "download", "clip"]
RecordReason = Literal["person", "plan", "alarm"]
OF_OWNER = Owned(seen=stamped, changed=lambda row, scope: scope.below(row.owner_path))


class LiveVideo(Table):
    """A camera that sends pictures until `until_at`; there is no row of one that does not. `recording`: what it sees is
    to be stored, for `reason`. `private`: nothing is shown or stored now, for the robot stands in a marked room."""

    __tablename__ = "live_video"
    root = OF_OWNER
    topics = ("qiniuQvs",)

    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    camera: Mapped[str]
    until_at: Mapped[datetime]
    recording: Mapped[bool] = mapped_column(default=False)
    reason: Mapped[RecordReason] = mapped_column(Text, default="person")
    private: Mapped[bool] = mapped_column(default=False)


class VideoRecord(Table):
    """A recording. `ended_at` null and no `place`: it is being made. Its bytes go 30 days after `deleted_at`. `reason`:
    why it began."""

    __tablename__ = "video_record"
    root = OF_OWNER
    topics = ("qiniuQvs",)

    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    camera: Mapped[str]
    name: Mapped[str]
    began_at: Mapped[datetime]
    reason: Mapped[RecordReason] = mapped_column(Text, default="person")
    ended_at: Mapped[datetime | None] = mapped_column(default=None)
    size: Mapped[int] = mapped_column(default=0)
    place: Mapped[str] = mapped_column(default="")
    deleted_at: Mapped[datetime | None] = mapped_column(default=None)


class VideoRule(Table):
    """When cameras of a robot are recorded by themselves. `days`: ISO weekdays at its site, from `starts` to `ends`
    (HH:MM, both empty: the whole day; the end at or before the start: on the next day). `alarm_level`: from this level
    on an alarm records for `alarm_s`; 0: none does."""

    __tablename__ = "video_rule"
    root = OF_OWNER
    topics = ("qiniuQvs",)

    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    cameras: Mapped[list[Any]]
    days: Mapped[list[Any]]
    starts: Mapped[str]
    ends: Mapped[str]
    alarm_level: Mapped[int] = mapped_column(SmallInteger)
    alarm_s: Mapped[int] = mapped_column(Integer)


class VideoClip(Table):
    """A part of a recording, for whoever has its link. `place` empty: nobody has opened it yet."""

    __tablename__ = "video_clip"
    root = Owned(
        seen=lambda row, scope: row.record_id.in_(scope.select(VideoRecord.id)),
        changed=lambda row, scope: row.record_id.in_(scope.changeable.select(VideoRecord.id)),
    )
    topics = ("qiniuQvs",)

    record_id: Mapped[int] = mapped_column(ForeignKey("video_record.id", ondelete="CASCADE"))
    by_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    name: Mapped[str]
    began_at: Mapped[datetime]
    ended_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None] = mapped_column(default=None)
    place: Mapped[str] = mapped_column(default="")


class VideoView(Table):
    """Somebody watched a camera, or opened a recording or a clip. `subject`: the camera's, the recording's or the
    clip's name. `account_id` null: whoever had the link of a clip."""

    __tablename__ = "video_view"
    root = OF_OWNER
    topics = ("qiniuQvs",)

    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    kind: Mapped[ViewKind] = mapped_column(Text)
    subject: Mapped[str]
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    ended_at: Mapped[datetime | None] = mapped_column(default=None)
