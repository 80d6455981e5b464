"""Who may own robots."""

from collections import OrderedDict, defaultdict
from itertools import chain, repeat
from json.encoder import encode_basestring as quote

from asyncpg import Record

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
    stamp = str(await db.fetchval("select stamp from account_stamp"))  # before the tree, which is thus never older
    data = _cache.get((stamp, scope.path))
    if data is None:
        data = await write_tree(db, scope)
        if len(data) >= CACHED_FROM:
            _cache[stamp, scope.path] = data
            while len(_cache) > CACHED_TREES:
                _cache.popitem(last=False)
    return data


async def write_tree(db: Connection, scope: Scope) -> bytes:
    """Written as text, since tens of thousands of objects would cost more than all else. Staff and shadows own nothing,
    so they are left out. An account whose parent is out of scope is a root."""
    rows = await db.fetch(scope.sql(queries.OWNER_TREE), scope.path, STAFF)
    by_parent: defaultdict[int | None, list[Record]] = defaultdict(list)
    for row in rows:
        by_parent[row["parent_id"]].append(row)

    roots = set(by_parent).difference(*[accounts for _, _, accounts, _ in rows])
    return f"[{write_nodes([row for parent in roots for row in by_parent[parent]], by_parent)}]".encode()


def write_nodes(siblings: list[Record], by_parent: dict[int | None, list[Record]]) -> str:
    """A function of its own: within `write_tree` it would refer to itself, and keep all rows until the next full
    collection of garbage."""
    nodes = [zip(repeat(level), map(str.lower, names), accounts, names) for _, level, accounts, names in siblings]
    return ",".join(
        [
            f'{{"userId":{account},"name":{quote(name)},"levelDepth":{level},"childs":['
            f"{write_nodes(by_parent[account], by_parent) if account in by_parent else ''}]}}"
            for level, _, account, name in sorted(chain.from_iterable(nodes))
        ]
    )
