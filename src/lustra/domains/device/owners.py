"""Who may own robots."""

from collections import OrderedDict

from lustra.core.db import Connection
from lustra.core.scope import Scope
from lustra.domains.account.api import STAFF
from lustra.domains.device import queries

CACHED_FROM = 64 * 1024  # bytes; a smaller tree is written as quickly as it is looked up
CACHED_TREES = 16

# By the stamp of what all trees are made of (migration 0014), and the path that one is of. A stamp is never used twice.
_cache: OrderedDict[tuple[str, str], bytes] = OrderedDict()


async def load_tree(db: Connection, scope: Scope) -> bytes:
    """The JSON of a list of roots with their `childs`, as the wire has it. With tens of thousands of accounts it takes
    long and changes rarely, so the largest that were asked for are kept."""
    stamp = str(await db.fetchval("select stamp from account_stamp"))  # before the tree: it is never older than told
    data = _cache.get((stamp, scope.path))
    if data is None:
        data = await write_tree(db, scope)
        if len(data) >= CACHED_FROM:
            _cache[stamp, scope.path] = data
            while len(_cache) > CACHED_TREES:
                _cache.popitem(last=False)
    return data


async def write_tree(db: Connection, scope: Scope) -> bytes:
    """Written from the leaves up, since tens of thousands of objects would cost more than all else. Staff and shadows
    own nothing, so they are left out. An account whose parent is out of scope is a root."""
    rows = await db.fetch(scope.sql(queries.OWNER_TREE), scope.path, STAFF)
    nodes_by_parent: dict[int | None, list[str]] = {}
    for account, parent, opening in reversed(rows):
        childs = nodes_by_parent.pop(account, None)
        node = opening + (f"{','.join(reversed(childs))}]}}" if childs else "]}")
        siblings = nodes_by_parent.get(parent)
        if siblings is None:
            nodes_by_parent[parent] = [node]
        else:
            siblings.append(node)
    roots = [node for nodes in nodes_by_parent.values() for node in nodes]  # of parents that were not met
    return f"[{','.join(reversed(roots))}]".encode()
