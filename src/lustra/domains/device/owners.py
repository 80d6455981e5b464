"""Who may own robots, and of which types these are."""

from collections.abc import Sequence

from msgspec.json import encode
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.db import Connection
from lustra.domains.account.keys import STAFF
from lustra.domains.device.tables import DeviceType


async def tree(db: Connection, path: str) -> bytes:
    """The JSON of a list of roots with their `childs`, as the wire has it: written from the leaves up, since tens of
    thousands of objects would cost more than all else. Staff and shadows own nothing, so they are left out. An account
    whose parent is out of scope is a root."""
    found = await db.fetch(
        """select id, name, level, parent_id from account
        where path <@ $1::text::ltree and deleted_at is null and shadow_of is null and not roles && $2::bigint[]
        order by level, lower(name) collate "C", id""",
        path, STAFF,
    )  # fmt: skip
    known = {account for account, _, _, _ in found}
    below: dict[int | None, list[bytes]] = {}
    for account, name, level, parent in reversed(found):
        childs = b",".join(reversed(below.pop(account, ())))
        node = b'{"userId":%d,"name":%b,"levelDepth":%d,"childs":[%b]}' % (account, encode(name), level, childs)
        below.setdefault(parent if parent in known else None, []).append(node)
    return b"[" + b",".join(reversed(below.get(None, ()))) + b"]"


async def types(db: AsyncSession) -> Sequence[DeviceType]:
    return (await db.scalars(select(DeviceType).order_by(DeviceType.name))).all()
