"""What robots trust, and roll-outs of published versions to them."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Integer, Text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Base, Ltree, Owned, Shared, Table, now
from lustra.domains.device.api import Device, of_a_robot


class TrustMetadata(Base, kw_only=True):
    """Signed metadata of TUF, to the byte as it was signed. Nothing of it is ever changed."""

    __tablename__ = "trust_metadata"
    root = Shared

    role: Mapped[str] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(Integer, primary_key=True)
    content: Mapped[str]


class Rollout(Table):
    """A version on its way to robots, step by step. `steps`: % of the robots that each step brings it to; test devices
    come before these, as step 0. `step_groups`: names of the groups of robots that are its steps; empty: steps are
    shares. `per_minute`: how many robots at most are asked in a minute, 0: as many as there are.
    `forgiven`: failures that somebody has gone on after. `step_at`: since when the step
    is under way. A roll-back (`back`) starts the other slot of each robot. `health_runs`: how many runs of each robot
    on the version a step waits for, 0: none, and `health_days`: how long. `health_limits`: by how many % a measure may
    be worse. `health`: how robots did when that was last looked at. `health_step`: the last step whose robots did well,
    or after which somebody has gone on. `targets`: it and its parts, as signed metadata names them; `packages`: what
    robots install, by the number of their type."""

    __tablename__ = "rollout"
    root = Owned(seen=lambda row, scope: scope.below(row.owner_path))
    topics = ("rollout",)

    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    name: Mapped[str]
    version: Mapped[str]
    size: Mapped[int]
    steps: Mapped[list[Any]]
    failure_share: Mapped[int] = mapped_column(Integer)
    kind: Mapped[str] = mapped_column(default="update")
    build_id: Mapped[int | None] = mapped_column(ForeignKey("soft_build.id", ondelete="SET NULL"), default=None)
    version_kind: Mapped[str] = mapped_column(default="soft")
    targets: Mapped[list[str]] = mapped_column(ARRAY(Text), default_factory=list[str])
    packages: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])
    state: Mapped[str] = mapped_column(default="running")
    reason: Mapped[str] = mapped_column(default="")
    step: Mapped[int] = mapped_column(Integer, default=0)
    forgiven: Mapped[int] = mapped_column(Integer, default=0)
    step_groups: Mapped[list[Any]] = mapped_column(default_factory=list[Any])
    per_minute: Mapped[int] = mapped_column(Integer, default=0)
    pause_minutes: Mapped[int] = mapped_column(Integer, default=0)
    charging: Mapped[bool] = mapped_column(default=False)
    from_minute: Mapped[int | None] = mapped_column(Integer, default=None)
    to_minute: Mapped[int | None] = mapped_column(Integer, default=None)
    health_runs: Mapped[int] = mapped_column(Integer, default=0)
    health_days: Mapped[int] = mapped_column(Integer, default=7)
    health_limits: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])
    health: Mapped[list[Any]] = mapped_column(default_factory=list[Any])
    health_step: Mapped[int] = mapped_column(Integer, default=-1)
    step_at: Mapped[datetime] = mapped_column(default_factory=now)
    ended_at: Mapped[datetime | None] = mapped_column(default=None)


class RolloutRobot(Table):
    """A robot of a roll-out. `target`: what it shall run; `former`: what it ran before.
    `sent_at`: when it took the order, of its present `attempt`. `at`: its clock when it last said something of it.
    `runs`: known runs of it on the version; None: they are not waited for. `versions`: of each part what it goes back
    to; of a roll-back that is what it shall run."""

    __tablename__ = "rollout_robot"
    root = Owned(seen=lambda row, scope: row.rollout_id.in_(scope.select(Rollout.id)))
    topics = ("rollout",)

    rollout_id: Mapped[int] = mapped_column(ForeignKey("rollout.id", ondelete="CASCADE"))
    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    step: Mapped[int] = mapped_column(Integer)
    target: Mapped[str]
    former: Mapped[str] = mapped_column(default="")
    state: Mapped[str] = mapped_column(default="waiting")
    reason: Mapped[str] = mapped_column(default="")
    attempt: Mapped[int] = mapped_column(Integer, default=1)
    at: Mapped[int] = mapped_column(default=0)
    have: Mapped[int] = mapped_column(default=0)
    runs: Mapped[int | None] = mapped_column(Integer, default=None)
    versions: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])
    sent_at: Mapped[datetime | None] = mapped_column(default=None)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)


class UpdateToken(Base, kw_only=True):
    """By which a robot asks for updates itself (ddi.py). `digest`: SHA-256 of the token. `seen_at`: when it last asked.
    `attributes`: what it says of itself; `message`: what its updater said at the end of the last update."""

    __tablename__ = "update_token"
    root = Owned(seen=of_a_robot, changed=lambda row, scope: row.device_id.in_(scope.changeable.select(Device.id)))
    topics = ("updateToken",)

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"), primary_key=True)
    digest: Mapped[str] = mapped_column(repr=False)
    created_at: Mapped[datetime] = mapped_column(default_factory=now)
    seen_at: Mapped[datetime | None] = mapped_column(default=None)
    attributes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])
    message: Mapped[str] = mapped_column(default="")
