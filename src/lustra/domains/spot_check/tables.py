"""Zones of floors that a person looked at and graded. Stamped with who owned the map then."""

from datetime import date, datetime

from sqlalchemy import Date, ForeignKey, Integer
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Ltree, Owned, Table
from lustra.core.scope import system
from lustra.domains.device.api import stamped

EVERY = system("what a person did, wherever it was; photos that are used")


class SpotCheck(Table):
    """`room`: of the map's drawn rooms; empty: the whole floor. `items`: grade by item; `score`: their mean, in
    hundredths. `photo`: name of its picture; empty: none. `ref`: of the form that was sent, so that it counts once.
    `report_id`, `ran_at`, `coverage` (thousandths): what the last run before it swept of the zone; None: no run did.
    `day`: at the site."""

    __tablename__ = "spot_check"
    root = Owned(seen=stamped, changed=lambda row, scope: scope.below(row.owner_path))
    topics = ("spotCheck",)

    owner_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    owner_path: Mapped[str] = mapped_column(Ltree)
    device_id: Mapped[int | None] = mapped_column(ForeignKey("device.id", ondelete="SET NULL"))
    map_id: Mapped[int | None] = mapped_column(ForeignKey("floor_map.id", ondelete="SET NULL"))
    building: Mapped[str]
    floor: Mapped[str]
    map_name: Mapped[str]
    room: Mapped[str]
    room_name: Mapped[str]
    items: Mapped[dict[str, int]] = mapped_column(JSONB)
    score: Mapped[int] = mapped_column(Integer)
    note: Mapped[str]
    photo: Mapped[str]
    inspector_id: Mapped[int | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    ref: Mapped[str]
    checked_at: Mapped[datetime]
    day: Mapped[date] = mapped_column(Date)
    report_id: Mapped[int | None] = mapped_column(ForeignKey("task_report.id", ondelete="SET NULL"))
    ran_at: Mapped[datetime | None]
    coverage: Mapped[int | None] = mapped_column(Integer)
