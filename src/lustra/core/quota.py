"""How many bytes of each kind an account holds, and how many it may.

Rules: what is stored is entered here in the transaction that makes it somebody's, under a lock of that account, so that
two uploads at the same time cannot pass the limit together; what is deleted is taken out when its bytes go. The limits
are the installation's (LUSTRA_QUOTA_GB); a kind that it does not name, or with 0, has none.
"""

from collections.abc import Collection
from functools import cache
from typing import Literal, get_args

from sqlalchemy import ForeignKey, func, text
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.context import Ctx
from lustra.core.db import Base, Owned
from lustra.core.errors import Code, Refusal
from lustra.core.scope import system

Kind = Literal["files", "adverts", "maps", "pictures", "recordings"]
KINDS: tuple[Kind, ...] = get_args(Kind)
GB = 1 << 30
HELD = -1  # what the database answers when there was room; else what is used


class Holding(Base, kw_only=True):
    """`place`: of an object, or a name for rows that take as much. Entered by the function hold_object."""

    __tablename__ = "holding"
    root = Owned()

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    place: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    size: Mapped[int]


@cache
def read_limits(setting: str) -> dict[str, int]:
    """Bytes by kind. What cannot be read is a fault at the start."""
    limits: dict[str, int] = dict.fromkeys(KINDS, 0)
    for part in filter(None, map(str.strip, setting.split(","))):
        kind, _, size = part.partition("=")
        if kind not in limits:
            raise ValueError(f"LUSTRA_QUOTA_GB: {part}")
        limits[kind] = int(float(size) * GB)
    return limits


def size_text(size: int) -> str:
    for unit, bytes_ in (("GB", GB), ("MB", 1 << 20)):
        if size >= bytes_:
            return f"{size / bytes_:.1f} {unit}"
    return f"{size >> 10} kB"


async def hold(ctx: Ctx, account_id: int, kind: Kind, place: str, size: int, *, field: str = "file") -> None:
    """Refused when the account would hold more than it may. The same place again changes nothing."""
    limit = read_limits(ctx.app.settings.quota_gb)[kind]
    values = {"account": account_id, "kind": kind, "place": place, "size": size, "most": limit}
    used: int = await ctx.db.scalar(text("select hold_object(:account, :kind, :place, :size, :most)"), values) or 0
    if used != HELD:
        raise Refusal(Code.QUOTA, field, used=size_text(used), limit=size_text(limit))


async def used_by(db: AsyncSession, account_id: int) -> dict[str, int]:
    """Bytes that the account holds, by kind of file."""
    held = system("whoever calls says whose").select(Holding.kind, func.sum(Holding.size))
    sums = held.where(Holding.account_id == account_id).group_by(Holding.kind)
    return dict.fromkeys(KINDS, 0) | {kind: int(size) for kind, size in await db.execute(sums)}


async def release(db: AsyncSession, places: Collection[str]) -> None:
    """Counts files as gone that were counted as held."""
    await db.execute(system("of whatever account").delete(Holding).where(Holding.place.in_(places)))
