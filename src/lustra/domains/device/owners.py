"""Who may own robots."""

from collections import OrderedDict

from lustra.core.db import Connection
from lustra.domains.account.keys import STAFF

LARGE = 64 * 1024  # bytes; a smaller tree is written as quickly as it is looked up
KEPT = 16

# By the stamp of what all trees are made of (migration 0014), and the path that one is of. A stamp is never used twice.
_kept: OrderedDict[tuple[str, str], bytes] = OrderedDict()


async def tree(db: Connection, path: str) -> bytes:
    """The JSON of a list of roots with their `childs`, as the wire has it. With tens of thousands of accounts it takes
    long and changes rarely, so the largest that were asked for are kept."""
    stamp = str(await db.fetchval("select stamp from account_stamp"))  # before the tree: it is never older than told
    told = _kept.get((stamp, path))
    if told is None:
        told = await written(db, path)
        if len(told) >= LARGE:
            _kept[stamp, path] = told
            while len(_kept) > KEPT:
                _kept.popitem(last=False)
    return told


async def written(db: Connection, path: str) -> bytes:
    """Written from the leaves up, since tens of thousands of objects would cost more than all else. Staff and shadows
    own nothing, so they are left out. An account whose parent is out of scope is a root."""
    found = await db.fetch(
        """select id, parent_id,
          '{"userId":' || id || ',"name":' || to_json(name) || ',"levelDepth":' || level || ',"childs":['
        from account
        where path <@ $1::text::ltree and deleted_at is null and shadow_of is null and not roles && $2::bigint[]
        order by level, lower(name) collate "C", id""",
        path, STAFF,
    )  # fmt: skip
    below: dict[int | None, list[str]] = {}
    for account, parent, begun in reversed(found):
        childs = below.pop(account, None)
        node = begun + (f"{','.join(reversed(childs))}]}}" if childs else "]}")
        beside = below.get(parent)
        if beside is None:
            below[parent] = [node]
        else:
            beside.append(node)
    roots = [node for nodes in below.values() for node in nodes]  # of parents that were not met
    return f"[{','.join(reversed(roots))}]".encode()
