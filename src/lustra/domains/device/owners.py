"""Who may own robots, and of which types these are."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.account.keys import STAFF
from lustra.domains.account.tables import Account
from lustra.domains.device.tables import DeviceType


async def tree(db: AsyncSession, path: str) -> list[dict[str, Any]]:
    """Staff and shadows own nothing, so they are left out. An account whose parent is out of scope is a root."""
    found = await db.scalars(
        select(Account)
        .where(
            Account.path.op("<@")(func.text2ltree(path)), Account.deleted_at.is_(None), Account.shadow_of.is_(None),
            ~Account.roles.overlap(STAFF),
        )
        .order_by(Account.level, Account.name)
    )  # fmt: skip
    nodes: dict[int, dict[str, Any]] = {}
    roots: list[dict[str, Any]] = []
    for one in found:
        nodes[one.id] = {"user_id": one.id, "name": one.name, "level_depth": one.level, "childs": []}
        above = nodes.get(one.parent_id or 0)
        (above["childs"] if above else roots).append(nodes[one.id])
    return roots


async def types(db: AsyncSession) -> Sequence[DeviceType]:
    return (await db.scalars(select(DeviceType).order_by(DeviceType.name))).all()
