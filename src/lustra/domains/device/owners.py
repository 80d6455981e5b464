"""Who may own robots, and of which types these are."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.db import Connection
from lustra.domains.account.keys import STAFF
from lustra.domains.device.tables import DeviceType


async def tree(db: Connection, path: str) -> list[dict[str, Any]]:
    """As on the wire, plain and at once: there may be tens of thousands. Staff and shadows own nothing, so they are
    left out. An account whose parent is out of scope is a root."""
    found = await db.fetch(
        """select id, name, level, parent_id from account
        where path <@ $1::text::ltree and deleted_at is null and shadow_of is null and not roles && $2::bigint[]
        order by lower(name) collate "C", id""",
        path, STAFF,
    )  # fmt: skip
    nodes = {
        account: {"userId": account, "name": name, "levelDepth": level, "childs": []}
        for account, name, level, _ in found
    }
    roots: list[dict[str, Any]] = []
    for id_, _, _, parent in found:
        above = nodes.get(parent)
        (above["childs"] if above else roots).append(nodes[id_])
    return roots


async def types(db: AsyncSession) -> Sequence[DeviceType]:
    return (await db.scalars(select(DeviceType).order_by(DeviceType.name))).all()
