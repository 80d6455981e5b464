"""/wmDeviceHostInfo: transfer nodes. /host: file servers."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from lustra.core import edits
from lustra.core.addresses import Address
from lustra.core.query import pages
from lustra.core.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import ById, Id, Moment, Page, PageOf, Title
from lustra.domains.node import rules, service
from lustra.domains.node.tables import FileServer, Node

NODES = "device/index/hostManage"
SERVERS = "file/host"
ROBOTS = "device/index"  # who adds or edits robots chooses among the nodes
Flag = Literal[0, 1]


class NodeRow(Wire):
    """`flag` 1: frp. `state`, `tunnels` and `since` (ms) as the relay says itself; `down`: since it was last heard.
    `ours`: the installation is set to use it. `robots`: how many come in there."""

    id: int
    name: str
    url: str
    country: str
    region: str
    support_type: int
    flag: int
    ssh_port: int | None
    web_port: int | None
    frp_port: int
    frp_port_end: int
    ours: bool
    robots: int
    state: service.State
    since: int
    tunnels: int
    update_time: datetime


class NodeList(Wire):
    list: list[NodeRow]


class NodeFilter(PageOf):
    name: str = Field("", max_length=100)


class NodeProtocolFilter(Wire):
    """Only nodes that take robots of this protocol."""

    support_type: Literal[0, 2, 3] | None = None


class NewNode(Wire):
    name: Title
    url: Address
    country: rules.Country = ""
    region: rules.Region = ""
    support_type: rules.SupportType = 0
    flag: Flag = 0
    ssh_port: rules.Port | None = None
    web_port: rules.Port | None = None
    frp_port: rules.Port = rules.FIRST_PORT
    frp_port_end: rules.Port = rules.LAST_PORT

    @field_validator("frp_port_end")
    @classmethod
    def _check_port_order(cls, last: int, info: ValidationInfo) -> int:
        if last < info.data.get("frp_port", last):
            raise PydanticCustomError("port_order", "The last port stands before the first")
        return last


class NodeChange(NewNode):
    """With `updateTime` it is refused if somebody has changed the node since."""

    id: Id
    update_time: Moment | None = None


class NewNodeId(Wire):
    id: int


class NodePlaces(Wire):
    """ISO codes of countries, those in which nodes stand first; and the regions."""

    countries: list[str]
    nodes: list[str]
    regions: list[str]


class FileServerRow(Wire):
    id: int
    name: str
    url: str
    flag: int
    update_time: datetime


class FileServerList(Wire):
    list: list[FileServerRow]


class NewFileServer(Wire):
    name: Title
    url: Address
    flag: Flag = 0


class FileServerChange(NewFileServer):
    id: Id
    update_time: Moment | None = None


async def _rows(ctx: Ctx, nodes: Sequence[Node]) -> list[NodeRow]:
    urls = [node.url for node in nodes]
    used = (await service.find_usage(ctx, urls)).counts
    return [
        NodeRow(
            id=node.id,
            name=node.name,
            url=node.url,
            country=node.country,
            region=node.region,
            support_type=node.support_type,
            flag=node.flag,
            ssh_port=node.ssh_port,
            web_port=node.web_port,
            frp_port=node.frp_port,
            frp_port_end=node.frp_port_end,
            ours=service.is_own_relay(ctx.app, node.url),
            robots=used.get(node.url, 0),
            state=status.state,
            since=status.since,
            tunnels=status.tunnels,
            update_time=node.updated_at,
        )
        for node, status in zip(nodes, await service.load_statuses(ctx.app, urls), strict=True)
    ]


@call("/wmDeviceHostInfo/queryByPage", needs=NODES)
async def list_nodes(ctx: Ctx, filters: NodeFilter) -> Page[NodeRow]:
    """List the transfer nodes, by a part of name or address."""
    nodes, total = await service.load_page(ctx, filters.name, filters)
    return Page(list=await _rows(ctx, nodes), page_num=pages(total, filters), total=total)


@call("/wmDeviceHostInfo/queryList", needs=(NODES, ROBOTS))
async def list_all_nodes(ctx: Ctx, filters: NodeProtocolFilter) -> NodeList:
    """List all transfer nodes, to choose from."""
    return NodeList(list=await _rows(ctx, await service.list_nodes(ctx, filters.support_type)))


@call("/wmDeviceHostInfo/queryById", needs=NODES)
async def show_node(ctx: Ctx, payload: ById) -> NodeRow:
    """Show a transfer node."""
    [row] = await _rows(ctx, [await service.find_node(ctx, payload.id)])
    return row


@call("/wmDeviceHostInfo/add", needs=NODES, changes=("wmDeviceHostInfo",), audit="node.insert")
async def create_node(ctx: Ctx, payload: NewNode) -> NewNodeId:
    """Create a transfer node."""
    node = await service.create_node(ctx, payload.model_dump())
    ctx.note(id=node.id)
    return NewNodeId(id=node.id)


@call("/wmDeviceHostInfo/edit", needs=NODES, changes=("wmDeviceHostInfo", "device"), audit="node.update")
async def change_node(ctx: Ctx, payload: NodeChange) -> Nothing:
    """Change a transfer node; its address stays while robots are connected there."""
    await service.change_node(ctx, payload.id, payload.model_dump(exclude={"id", "update_time"}), payload.update_time)
    return Nothing()


@call("/wmDeviceHostInfo/deleteById", needs=NODES, changes=("wmDeviceHostInfo",), audit="node.delete")
async def delete_node(ctx: Ctx, payload: ById) -> Nothing:
    """Delete a transfer node. Refused while robots are connected there."""
    await service.delete_node(ctx, payload.id)
    return Nothing()


@call("/wmDeviceHostInfo/places", needs=("device/index/hostManage", "device/index"))
async def list_places(_: Ctx) -> NodePlaces:
    """List the countries and regions in which nodes and robots stand."""
    return NodePlaces.model_validate(rules.PLACES)


def _server_row(server: FileServer) -> FileServerRow:
    return FileServerRow(
        id=server.id, name=server.name, url=server.url, flag=server.flag, update_time=server.updated_at
    )


@call("/host/list", needs=SERVERS)
async def list_servers(ctx: Ctx) -> FileServerList:
    """List the file servers."""
    return FileServerList(list=[_server_row(server) for server in await service.list_servers(ctx)])


@call("/host/add", needs=SERVERS, changes=("host",), audit="file_server.insert")
async def create_server(ctx: Ctx, payload: NewFileServer) -> NewNodeId:
    """Create a file server."""
    server = FileServer(name=payload.name, url=payload.url, flag=payload.flag)
    ctx.db.add(server)
    await ctx.db.flush()
    ctx.note(id=server.id)
    return NewNodeId(id=server.id)


@call("/host/edit", needs=SERVERS, changes=("host",), audit="file_server.update")
async def change_server(ctx: Ctx, payload: FileServerChange) -> Nothing:
    """Change a file server's name, address, or whether it is used."""
    row = await service.lock_server(ctx, payload.id)
    ctx.note(before=edits.apply(row, payload.model_dump(exclude={"id", "update_time"}), payload.update_time))
    return Nothing()


@call("/host/del", needs=SERVERS, changes=("host",), audit="file_server.delete")
async def delete_server(ctx: Ctx, payload: ById) -> Nothing:
    """Delete a file server from the list."""
    row = await service.lock_server(ctx, payload.id)
    ctx.note(name=row.name, url=row.url)
    await ctx.db.delete(row)
    return Nothing()
