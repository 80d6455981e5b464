"""What a dealer gives the tablets of its robots, and how far each robot is with it."""

from datetime import datetime
from typing import Any

from sqlalchemy import FetchedValue, ForeignKey, Text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Base, Owned, now
from lustra.domains.account.api import of_an_account
from lustra.domains.device.api import Device, of_a_robot


class TabletBranding(Base, kw_only=True):
    """Pictures by their addresses at this server, a text (`aboutUs`), a `themeColor`. `revision`: another one
    with each change; no two dealers have the same."""

    __tablename__ = "tablet_branding"
    root = Owned(of_an_account)
    topics = ("tablet",)

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    login_background: Mapped[str] = mapped_column(default="")
    boot_animation: Mapped[str] = mapped_column(default="")
    idle_animation: Mapped[str] = mapped_column(default="")
    login_logo: Mapped[str] = mapped_column(default="")
    main_logo: Mapped[str] = mapped_column(default="")
    home_tiles: Mapped[list[str]] = mapped_column(ARRAY(Text), default_factory=list[str])
    about_us: Mapped[str] = mapped_column(default="")
    theme_color: Mapped[str] = mapped_column(default="")
    revision: Mapped[int] = mapped_column(init=False, server_default=FetchedValue())
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])


class TabletDelivery(Base, kw_only=True):
    """What a robot's tablet shall show. `sent`: the robot fetches its pictures; `tried_at`: when it was sent last."""

    __tablename__ = "tablet_delivery"
    root = Owned(seen=of_a_robot, changed=lambda row, scope: row.device_id.in_(scope.changeable.select(Device.id)))
    topics = ("tabletDelivery",)

    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"), primary_key=True)
    part: Mapped[str] = mapped_column(primary_key=True)
    revision: Mapped[int]
    state: Mapped[str] = mapped_column(default="waiting")
    reason: Mapped[str] = mapped_column(default="")
    tried_at: Mapped[datetime | None] = mapped_column(default=None)
    shown_at: Mapped[datetime | None] = mapped_column(default=None)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
