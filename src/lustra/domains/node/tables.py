"""Servers beside this one: transfer nodes, through which robots are reached, and file servers."""

from datetime import datetime
from typing import Any

from sqlalchemy import Integer
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.db import Shared, Table, now

FRP = 1


class Node(Table):
    """A transfer node. `country`: ISO code; `support_type`: 0, or the only protocol of robots that it takes;
    `flag` FRP marks a node of frp, which opens a real port for each robot. Robots get ports `frp_port` to
    `frp_port_end`."""

    __tablename__ = "node"
    root = Shared

    name: Mapped[str]
    url: Mapped[str]
    country: Mapped[str] = mapped_column(default="")
    region: Mapped[str] = mapped_column(default="")
    support_type: Mapped[int] = mapped_column(Integer, default=0)
    flag: Mapped[int] = mapped_column(Integer, default=0)
    ssh_port: Mapped[int | None] = mapped_column(Integer, default=None)
    web_port: Mapped[int | None] = mapped_column(Integer, default=None)
    frp_port: Mapped[int] = mapped_column(Integer, default=20_000)
    frp_port_end: Mapped[int] = mapped_column(Integer, default=30_000)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])


class FileServer(Table):
    """`flag` 1: files are to come from it; 0: it only stands in the list."""

    __tablename__ = "file_server"
    root = Shared

    name: Mapped[str]
    url: Mapped[str]
    flag: Mapped[int] = mapped_column(Integer, default=0)
    updated_at: Mapped[datetime] = mapped_column(default_factory=now)
    changes: Mapped[dict[str, Any]] = mapped_column(default_factory=dict[str, Any])
