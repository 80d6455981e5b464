"""The list of robots, in plain SQL: it is asked for most, and by those who have a hundred thousand of them.

OFFSET counts over thin rows in a sub-select, from whichever end is nearer; only the page's robots are read whole, and
leave the database as the JSON of the answer. Names are the wire's. `robot_need` holds the order and `need_count` the
numbers by mode; both are kept by triggers (migration "lists at scale").
"""

from dataclasses import dataclass
from typing import Any

from msgspec import Raw, json

from lustra.core.context import Services
from lustra.core.db import Connection
from lustra.core.errors import Code, Refusal
from lustra.core.query import SortOrder
from lustra.core.scope import Scope
from lustra.core.wire import PageOf
from lustra.domains.device.api import Where
from lustra.domains.telemetry import queries
from lustra.domains.telemetry.queries import NO_MAP, ORDER

WORLD_MAP = "device/deviceAmap"  # key of the page that shows all robots of a scope
FEW = 2000  # robots in scope; above it the index's order is faster than sorting them


@dataclass(slots=True)
class _Given:
    """What app/wiring hands in of higher domains: the map `m` that a robot drives on, joined to its row."""

    current_map: str = NO_MAP


_given = _Given()


def join_current_map(join: str) -> None:
    _given.current_map = join


@dataclass(slots=True)
class DevicePage:
    """A page of robots; `list` is JSON already."""

    list: Raw
    total: int
    counts: dict[str, int]


def sort_order(column: str | None, *, descending: bool) -> SortOrder | None:
    return SortOrder(queries.SORTS[column], descending) if column else None


def _by_mode(rows: Any) -> dict[str, int]:
    counts = {row["need"]: row["n"] for row in rows}
    return {mode: counts[need] for need, mode in enumerate(ORDER) if counts.get(need)}


async def count_by_mode(db: Connection, where: Where) -> dict[str, int]:
    if where.plain:
        return _by_mode(await db.fetch(where.scope.sql(queries.COUNTS), *where.values))
    return _by_mode(await db.fetch(where.sql(queries.COUNT_SEARCHED), *where.values))


async def find_by_mode(db: Connection, where: Where) -> dict[str, frozenset[int]]:
    """Ids of robots by what they do now; a mode without one is left out."""
    rows = await db.fetch(where.sql(queries.IN_MODE), *where.values)
    return {ORDER[row["need"]]: frozenset(row["robots"]) for row in rows}


async def load_sorted_page(
    db: Connection, where: Where, order: SortOrder, mode: str | None, paging: PageOf
) -> DevicePage:
    """Goes through all that match: it is asked for by who presses a heading."""
    size, page = paging.page_size, paging.current_page
    by_mode = await count_by_mode(db, where)
    statement = where.sql(
        queries.SORT_PAGE,
        mode=f"n.need = {where.value(ORDER.index(mode))}" if mode else "true",
        **where.page(size, page),
        current_map=_given.current_map,
        order=order.sql,
    )
    page_json: Any = await db.fetchval(statement, *where.values)
    return DevicePage(Raw(page_json.encode()), by_mode.get(mode, 0) if mode else sum(by_mode.values()), by_mode)


async def load_page(db: Connection, where: Where, mode: str | None, size: int, page: int) -> DevicePage:
    """Of a search the hits are found once, for the counts and the page; a whole scope is never gone through."""
    if not where.plain:
        return await _search_page(db, where, mode, size, page)
    by_mode = await count_by_mode(db, where)
    total = by_mode.get(mode, 0) if mode else sum(by_mode.values())
    skipped = (page - 1) * size
    shown = max(0, min(size, total - skipped))
    backwards = skipped > total // 2
    if backwards:
        skipped = max(0, total - skipped - shown)
    statement = where.scope.sql(
        queries.PAGE_BY_INDEX if sum(by_mode.values()) > FEW else queries.PAGE_SORTED,
        mode=f"d.need = {where.value(ORDER.index(mode))}" if mode else "true",
        way="desc" if backwards else "asc",
        limit=where.value(shown),
        offset=where.value(skipped),
        current_map=_given.current_map,
    )
    page_json: Any = await db.fetchval(statement, *where.values)
    return DevicePage(Raw(page_json.encode()), total, by_mode)


async def _search_page(db: Connection, where: Where, mode: str | None, size: int, page: int) -> DevicePage:
    statement = where.sql(
        queries.SEARCH_PAGE,
        mode=f"h.need = {where.value(ORDER.index(mode))}" if mode else "true",
        **where.page(size, page),
        current_map=_given.current_map,
    )
    row = await db.fetchrow(statement, *where.values)
    assert row is not None  # one row, always
    counts = [{"need": int(need), "n": n} for need, n in json.decode(row["counts"] or "{}").items()]
    by_mode = _by_mode(counts)
    total = by_mode.get(mode, 0) if mode else sum(by_mode.values())
    return DevicePage(Raw(row["list"].encode()), total, by_mode)


async def load_device(db: Connection, scope: Scope, device_id: int) -> Raw:
    where = Where.of_robots(scope)
    where.add("d.id = {}", device_id)
    row = await db.fetchval(where.sql(queries.ROBOT, current_map=_given.current_map), *where.values)
    if row is None:
        raise Refusal(Code.NOT_FOUND, "deviceId")
    return Raw(row.encode())


async def load_briefs(db: Connection, where: Where) -> list[dict[str, Any]]:
    return [dict(row) for row in await db.fetch(where.sql(queries.BRIEFS), *where.values)]


async def load_places(db: Connection, where: Where) -> list[dict[str, Any]]:
    return [dict(row) for row in await db.fetch(where.sql(queries.PLACES), *where.values)]


async def sum_counts(app: Services) -> None:
    """Each minute: what came and went becomes one number by owner and mode."""
    async with app.pool.acquire() as db:
        await db.execute("select need_summed()")
