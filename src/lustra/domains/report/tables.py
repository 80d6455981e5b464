"""Runs of cleaning tasks. Stamped with who owned the robot then, and seen by that owner's scope."""

from datetime import datetime
from typing import Any

from sqlalchemy import REAL, ForeignKey, Integer, Text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Ltree, Owned, Table
from lustra.domains.device.api import stamped


class TaskReport(Table):
    """`provisional`: known from the robot's states alone, its report has not come. Areas in m², `coverage` 0 to 1."""

    __tablename__ = "task_report"
    root = Owned(stamped)
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
