"""Transfer nodes and file servers: one list for the whole installation, read and written by key."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from sqlalchemy import Select, func
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import events, query
from lustra.core.context import Ctx, Services
from lustra.core.database import edits
from lustra.core.errors import Code, Refusal
from lustra.core.http.addresses import canonical, relay_key
from lustra.core.scope import shared
from lustra.core.wire import PageOf
from lustra.domains.node.events import NodesInUse
from lustra.domains.node.tables import FileServer, Node

SILENT_MS = 15_000  # a relay that has said nothing for so long is down
State = Literal["up", "down", "unknown"]


@dataclass(frozen=True, slots=True)
class RelayStatus:
    """What a relay last said of itself; times in ms, 0 before it said anything."""

    state: State
    since: int
    at: int
    tunnels: int


UNKNOWN = RelayStatus("unknown", 0, 0, 0)


def select_nodes(words: str, support_type: int | None) -> Select[Node]:
    rows = shared.select(Node)
    if words := words.strip():
        folded = func.lower(func.normalize(words))
        rows = rows.where(func.strpos(func.lower(func.normalize(Node.name + " " + Node.url)), folded) > 0)
    if support_type:
        rows = rows.where(Node.support_type.in_((0, support_type)))
    return rows.order_by(func.lower(Node.name).collate("C"), Node.id)


async def list_nodes(ctx: Ctx, support_type: int | None) -> Sequence[Node]:
    return (await ctx.db.scalars(select_nodes("", support_type))).all()


async def load_page(ctx: Ctx, words: str, paging: PageOf) -> tuple[Sequence[Node], int]:
    rows = select_nodes(words, None)
    return await query.paginate(ctx.db, rows, paging)


async def find_node(ctx: Ctx, node_id: int, *, lock: bool = False) -> Node:
    rows = shared.select(Node).where(Node.id == node_id)
    return await query.fetch_one(ctx.db, rows.with_for_update() if lock else rows)


async def find_node_at(db: AsyncSession, url: str) -> Node | None:
    """The node whose address a robot has entered as its frp host; None: there is none."""
    try:
        return await db.scalar(shared.select(Node).where(Node.url == canonical(url)))
    except ValueError:
        return None


async def load_status(app: Services, url: str) -> RelayStatus:
    """By what the relay itself tells the bus. No address that somebody entered is ever fetched."""
    entry = await app.bus.get("relays", relay_key(url))
    if entry is None:
        return UNKNOWN
    up = bool(entry["up"]) and entry["at"] > time.time() * 1000 - SILENT_MS
    return (
        RelayStatus("up", entry["since"], entry["at"], entry["tunnels"])
        if up
        else RelayStatus("down", entry["at"], entry["at"], 0)
    )


async def load_statuses(app: Services, urls: Sequence[str]) -> list[RelayStatus]:
    return await asyncio.gather(*(load_status(app, url) for url in urls))


async def find_usage(ctx: Ctx, urls: Sequence[str]) -> NodesInUse:
    usage = NodesInUse(ctx.actor, list(urls))
    await events.emit(ctx.db, usage)
    return usage


def is_own_relay(app: Services, url: str) -> bool:
    """Whether the address is one of the relays that this installation runs."""
    return url in map(canonical, app.settings.relays)


async def create_node(ctx: Ctx, fields: dict[str, Any]) -> Node:
    await _refuse_taken_url(ctx, fields["url"], None)
    node = Node(**fields)
    _refuse_port_order(node)
    ctx.db.add(node)
    await ctx.db.flush()
    return node


async def change_node(ctx: Ctx, node_id: int, fields: dict[str, Any], since: Any) -> Node:
    """Its address stays while robots come in there: they have it."""
    row = await find_node(ctx, node_id, lock=True)
    if fields.get("url", row.url) != row.url:
        await _refuse_taken_url(ctx, fields["url"], row.id)
        await _refuse_used(ctx, row, "url")
    ctx.note(before=edits.apply(row, fields, since))
    _refuse_port_order(row)
    await ctx.db.flush()
    return row


def _refuse_port_order(row: Node) -> None:
    if row.frp_port_end < row.frp_port:
        raise Refusal(Code.BAD_INPUT, "frpPortEnd", reason="port_order")


async def delete_node(ctx: Ctx, node_id: int) -> None:
    row = await find_node(ctx, node_id, lock=True)
    await _refuse_used(ctx, row, "id")
    ctx.note(name=row.name, url=row.url)
    await ctx.db.delete(row)


async def _refuse_taken_url(ctx: Ctx, url: str, excluded: int | None) -> None:
    if await ctx.db.scalar(shared.select(Node.name).where(Node.url == url, Node.id.is_distinct_from(excluded))):
        raise Refusal(Code.BAD_INPUT, "url", reason="url_taken")


async def _refuse_used(ctx: Ctx, row: Node, field: str) -> None:
    if is_own_relay(ctx.app, row.url):
        raise Refusal(Code.BAD_INPUT, field, reason="node_ours")
    usage = await find_usage(ctx, [row.url])
    if count := usage.counts.get(row.url, 0):
        raise Refusal(Code.BAD_INPUT, field, reason="used_by_robots", count=count, names=" · ".join(usage.names))


async def list_servers(ctx: Ctx) -> Sequence[FileServer]:
    return (await ctx.db.scalars(shared.select(FileServer).order_by(func.lower(FileServer.name).collate("C")))).all()


async def lock_server(ctx: Ctx, server_id: int) -> FileServer:
    return await query.fetch_one(ctx.db, shared.select(FileServer).where(FileServer.id == server_id).with_for_update())


async def register_relays(app: Services) -> None:
    """At the start of a server: the relays that it is set to use are nodes."""
    rows = [{"name": urlsplit(url).netloc, "url": canonical(url)} for url in app.settings.relays]
    if rows:
        async with app.sessions.begin() as db:
            await db.execute(shared.insert(Node).values(rows).on_conflict_do_nothing())
