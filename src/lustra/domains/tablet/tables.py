"""What a dealer gives the tablets of its robots: pictures by their addresses at this server, a text (`aboutUs`), a
`themeColor`."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Base, Owned, now
from lustra.domains.account.api import of_an_account


class TabletBranding(Base, kw_only=True):
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
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])
