"""Versions that robots and people may get: a catalogue of the whole installation. Whose robots stand in a range or a
list is a matter of scope."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Base, Owned, Shared, Table, now
from lustra.domains.device.api import Device, of_a_robot


class VersionFile(Table):
    """The installation's own copy. `path` is what its uploader called it, `place` where its bytes lie. `sha1` and
    `md5` are read from it once a client compares them; empty before."""

    __tablename__ = "version_file"
    root = Shared

    path: Mapped[str]
    place: Mapped[str]
    kind: Mapped[str]
    size: Mapped[int]
    sha256: Mapped[str]
    sha1: Mapped[str] = mapped_column(default="")
    md5: Mapped[str] = mapped_column(default="")


class SoftVersion(Table):
    """A line of software for robots of one type; on the wire `typeName` is its name."""

    __tablename__ = "soft_version"
    root = Shared

    name: Mapped[str]
    type_id: Mapped[int] = mapped_column(ForeignKey("device_type.id"))
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])  # see core/database/edits


class SoftBuild(Table):
    """A build of a line, of which one at most is published. `published_at`: when it last was; None: never."""

    __tablename__ = "soft_build"
    root = Shared

    version_id: Mapped[int] = mapped_column(ForeignKey("soft_version.id", ondelete="CASCADE"))
    name: Mapped[str]
    version: Mapped[str]
    log: Mapped[str]
    file_id: Mapped[int] = mapped_column(ForeignKey("version_file.id"))
    published: Mapped[bool] = mapped_column(default=False)
    published_at: Mapped[datetime | None] = mapped_column(default=None)


class FirmwareVersion(Table):
    """For robots of these types, once it is enabled."""

    __tablename__ = "firmware_version"
    root = Shared

    name: Mapped[str]
    version: Mapped[str]
    description: Mapped[str]
    file_id: Mapped[int] = mapped_column(ForeignKey("version_file.id"))
    type_ids: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    enabled: Mapped[bool] = mapped_column(default=False)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])


class AppVersion(Table):
    """An app of the pad. `published_at`: since when it is published; None: it is not."""

    __tablename__ = "app_version"
    root = Shared

    name: Mapped[str]
    log: Mapped[str]
    release_id: Mapped[int] = mapped_column(ForeignKey("version_file.id"))
    debug_id: Mapped[int | None] = mapped_column(ForeignKey("version_file.id"), default=None)
    published_at: Mapped[datetime | None] = mapped_column(default=None)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])


class WholeVersion(Table):
    """App, firmware and software that belong together, by their names."""

    __tablename__ = "whole_version"
    root = Shared

    name: Mapped[str]
    version_number: Mapped[str]
    app_version: Mapped[str]
    firmware_version: Mapped[str]
    soft_version: Mapped[str]
    published_at: Mapped[datetime | None] = mapped_column(default=None)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])


class VersionDevice(Table):
    """A robot in a list of a version: `range` of a line (robots that get its published build) or of a build that was
    published before, `black` or `white` of an app or a whole version."""

    __tablename__ = "version_device"
    root = Owned(seen=of_a_robot, changed=lambda row, scope: row.device_id.in_(scope.changeable.select(Device.id)))

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    list: Mapped[str]
    soft_id: Mapped[int | None] = mapped_column(ForeignKey("soft_version.id", ondelete="CASCADE"), default=None)
    build_id: Mapped[int | None] = mapped_column(ForeignKey("soft_build.id", ondelete="CASCADE"), default=None)
    app_id: Mapped[int | None] = mapped_column(ForeignKey("app_version.id", ondelete="CASCADE"), default=None)
    whole_id: Mapped[int | None] = mapped_column(ForeignKey("whole_version.id", ondelete="CASCADE"), default=None)


class CloudVersion(Table):
    """A version of this software, and what is new in it."""

    __tablename__ = "cloud_version"
    root = Shared

    version: Mapped[str]
    log: Mapped[str]
    publish_time: Mapped[datetime]
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])


class ConfigurationParameter(Table):
    __tablename__ = "configuration_parameter"
    root = Shared

    key: Mapped[str]
    value: Mapped[str]
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])


class ParameterDelivery(Base, kw_only=True):
    """Which configuration parameters a robot shall have. `refused_key`: the one whose value it refused them all for;
    `unknown_keys`: those that it does not know; `tried_at`: when they were sent last."""

    __tablename__ = "parameter_delivery"
    root = Owned(seen=of_a_robot, changed=lambda row, scope: row.device_id.in_(scope.changeable.select(Device.id)))
    topics = ("parameterDelivery",)

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"), primary_key=True)
    revision: Mapped[int] = mapped_column(BigInteger)
    state: Mapped[str] = mapped_column(default="waiting")
    reason: Mapped[str] = mapped_column(default="")
    refused_key: Mapped[str] = mapped_column(default="")
    unknown_keys: Mapped[list[str]] = mapped_column(ARRAY(Text), default_factory=list[str])
    tried_at: Mapped[datetime | None] = mapped_column(default=None)
    shown_at: Mapped[datetime | None] = mapped_column(default=None)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
