"""Runs of cleaning tasks. Stamped with who owned the robot then, and seen by that owner's scope."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import REAL, ColumnElement, Date, Double, ForeignKey, Integer, Numeric, Text, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Base, Ltree, Owned, Table, now
from lustra.core.scope import Scope
from lustra.domains.account.api import Account, of_an_account
from lustra.domains.device.api import bound_to_its_robot, stamped


class TaskReport(Table):
    """`provisional`: known from the robot's states alone, its report has not come. Areas in m², `coverage` 0 to 1.
    `by_hand`: "edited" or "inserted", by whom and when; `original`: what the robot said, before the first edit.
    `missed`: cells that it could reach and did not clean; `unreachable`: those of its area that its tool cannot reach;
    None: the robot does not say."""

    __tablename__ = "task_report"
    root = Owned(stamped, changed=lambda row, scope: scope.below(row.owner_path))
    topics = ("taskReport",)

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"))
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    run: Mapped[str]
    gid: Mapped[str]
    provisional: Mapped[bool]
    map_id: Mapped[int | None] = mapped_column(ForeignKey("floor_map.id", ondelete="SET NULL"))
    map_revision: Mapped[int] = mapped_column(Integer)
    building: Mapped[str]
    floor: Mapped[str]
    map_name: Mapped[str]
    task_name: Mapped[str]
    started: Mapped[datetime]
    ended: Mapped[datetime]
    end: Mapped[str]
    planned: Mapped[float] = mapped_column(REAL)
    reachable: Mapped[float | None] = mapped_column(REAL)
    cleaned: Mapped[float] = mapped_column(REAL)
    coverage: Mapped[float | None] = mapped_column(REAL)
    battery_from: Mapped[float | None] = mapped_column(REAL)
    battery_to: Mapped[float | None] = mapped_column(REAL)
    liquid_ml: Mapped[float | None] = mapped_column(REAL)
    distance: Mapped[float | None] = mapped_column(REAL)
    pauses: Mapped[int | None] = mapped_column(Integer)
    paused_s: Mapped[float | None] = mapped_column(REAL)
    clean_mode: Mapped[str]
    route: Mapped[str]
    speed: Mapped[str]
    faults: Mapped[list[str]] = mapped_column(ARRAY(Text))
    factor: Mapped[float] = mapped_column(REAL)
    cells: Mapped[dict[str, Any] | None]
    driven: Mapped[list[float]] = mapped_column(ARRAY(REAL))
    updated_at: Mapped[datetime]
    missed: Mapped[dict[str, Any] | None] = mapped_column(default=None)
    unreachable: Mapped[dict[str, Any] | None] = mapped_column(default=None)
    by_hand: Mapped[str] = mapped_column(default="")
    editor_id: Mapped[int | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"), default=None)
    edited_at: Mapped[datetime | None] = mapped_column(default=None)
    original: Mapped[dict[str, Any] | None] = mapped_column(default=None)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])  # see core/database/edits


class Sums(Base, kw_only=True):
    """What is added up of reports."""

    __abstract__ = True

    seconds: Mapped[Decimal] = mapped_column(Numeric)
    work_area: Mapped[Decimal] = mapped_column(Numeric)
    planned: Mapped[Decimal] = mapped_column(Numeric)
    cleaned: Mapped[Decimal] = mapped_column(Numeric)
    liquid_ml: Mapped[Decimal] = mapped_column(Numeric)
    distance: Mapped[Decimal] = mapped_column(Numeric)


class ReportSum(Sums, kw_only=True):
    """Reports that began in a day or month at their robot's site, summed by triggers as they are written. `cleared`:
    how many of the runs are listed no more."""

    __tablename__ = "report_sum"
    root = Owned(stamped)

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"), primary_key=True)
    grain: Mapped[str] = mapped_column(primary_key=True)
    day: Mapped[date] = mapped_column(Date, primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    owner_path: Mapped[str] = mapped_column(Ltree)
    building: Mapped[str] = mapped_column(primary_key=True)
    floor: Mapped[str] = mapped_column(primary_key=True)
    map_name: Mapped[str] = mapped_column(primary_key=True)
    runs: Mapped[int] = mapped_column(Integer)
    cleared: Mapped[int] = mapped_column(Integer)
    faults: Mapped[int] = mapped_column(Integer)


class OwnerSum(Sums, kw_only=True):
    """The same of all robots of an owner together, kept by triggers as `report_sum` changes."""

    __tablename__ = "owner_sum"
    root = Owned(lambda row, scope: scope.below(row.owner_path))

    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    grain: Mapped[str] = mapped_column(primary_key=True)
    day: Mapped[date] = mapped_column(Date, primary_key=True)
    owner_path: Mapped[str] = mapped_column(Ltree)
    runs: Mapped[int]
    cleared: Mapped[int]
    faults: Mapped[int]


def _of_owner(row: Any, scope: Scope) -> ColumnElement[bool]:
    """As `stamped`, by the owner's number alone."""
    return row.owner_id.in_(select(Account.id).where(scope.below(Account.path))) | bound_to_its_robot(row, scope)


class RobotSum(Sums, kw_only=True):
    """The same of a robot whatever its maps, by day, ten days, month and quarter, kept by triggers as the days of
    `report_sum` change."""

    __tablename__ = "robot_sum"
    root = Owned(_of_owner)

    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    grain: Mapped[str] = mapped_column(primary_key=True)
    day: Mapped[date] = mapped_column(Date, primary_key=True)
    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"), primary_key=True)
    runs: Mapped[int] = mapped_column(Integer)
    cleared: Mapped[int] = mapped_column(Integer)
    faults: Mapped[int] = mapped_column(Integer)


class CleaningTarget(Base, kw_only=True):
    """Of an account and those below without their own: m² that a robot is to clean a day; what a person cleans by
    hand, m² an hour, with how many litres of water a m²; minutes that a person spends on each run. None: not set."""

    __tablename__ = "cleaning_target"
    root = Owned(of_an_account)
    topics = ("cleaningTarget",)

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    target_area: Mapped[float | None] = mapped_column(Double, default=None)
    manual_rate: Mapped[float | None] = mapped_column(Double, default=None)
    manual_water: Mapped[float | None] = mapped_column(Double, default=None)
    care_minutes: Mapped[float | None] = mapped_column(Double, default=None)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])  # see core/database/edits
