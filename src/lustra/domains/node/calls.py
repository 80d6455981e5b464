"""/wmDeviceHostInfo: transfer nodes. /host: file servers."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.database import edits
from lustra.core.http.addresses import Address
from lustra.core.query import pages
from lustra.core.wire import (
    ById,
    Change,
    Id,
    Page,
    PageOf,
    SeenUpdateTime,
    Title,
    UpdateTime,
    doc,
    optional_from,
)
from lustra.domains.node import rules, service
from lustra.domains.node.tables import FileServer, Node

NODES = "device/index/hostManage"
SERVERS = "file/host"
ROBOTS = "device/index"  # who adds or edits robots chooses among the nodes
Flag = Literal[0, 1]


class NodeRow(Wire):
    """A transfer node: a relay that robots' tunnels end at."""

    id: Annotated[int, doc("Number of the node.")]
    name: Annotated[str, doc("Name of the node.")]
    url: Annotated[str, doc("Address of the node, as robots name it in `frpHost`.")]
    country: Annotated[str, doc("Country by ISO 3166-1, two letters; empty: not entered.")]
    region: Annotated[str, doc("Region, one of /wmDeviceHostInfo/places; empty: not entered.")]
    support_type: Annotated[
        int, doc("Robots that it takes: 0 all, 2 those with a local interface below version 3, 3 those of version 3.")
    ]
    flag: Annotated[int, doc("1: a node of frp, which opens a port for each robot; 0: the product's own relay.")]
    ssh_port: Annotated[int | None, doc("Port for SSH, 20000 to 30000; null: none.")]
    web_port: Annotated[int | None, doc("Port for web pages, 20000 to 30000; null: none.")]
    frp_port: Annotated[int, doc("First port for tunnels, 20000 to 30000.")]
    frp_port_end: Annotated[int, doc("Last port for tunnels, 20000 to 30000.")]
    ours: Annotated[bool, doc("Whether the installation is set to use it.")]
    robots: Annotated[int, doc("Number of robots whose transfer node it is.")]
    state: Annotated[
        service.State, doc("As the relay itself reports: `up`, `down`, or `unknown` where it reports nothing.")
    ]
    since: Annotated[
        int, doc("Since when it is up, in ms since 1970; for `down` when it last sent anything; 0: unknown.")
    ]
    tunnels: Annotated[int, doc("Number of tunnels that are open there.")]
    update_time: UpdateTime


class NodeList(Wire):
    list: Annotated[list[NodeRow], doc("The nodes.")]


class NodeFilter(PageOf):
    name: Annotated[str, doc("Part of name or address, at most 100 characters; empty: all.")] = Field(
        "", max_length=100
    )


class NodeProtocolFilter(Wire):
    support_type: Annotated[
        Literal[0, 2, 3] | None, doc("Only nodes that take robots of this version, 2 or 3; 0 or null: all.")
    ] = None


class NewNode(Wire):
    name: Annotated[Title, doc("Name of the node, 1 to 100 characters.")]
    url: Annotated[Address, doc("Address of the node, at most 200 characters; once in the list.")]
    country: Annotated[rules.Country, doc("Country, one of /wmDeviceHostInfo/places; empty: not entered.")] = ""
    region: Annotated[rules.Region, doc("Region, one of /wmDeviceHostInfo/places; empty: not entered.")] = ""
    support_type: Annotated[
        rules.SupportType,
        doc("Robots that it takes: 0 all, 2 those with a local interface below version 3, 3 those of version 3."),
    ] = 0
    flag: Annotated[Flag, doc("1: a node of frp, which opens a port for each robot; 0: the product's own relay.")] = 0
    ssh_port: Annotated[rules.Port | None, doc("Port for SSH, 20000 to 30000; null: none.")] = None
    web_port: Annotated[rules.Port | None, doc("Port for web pages, 20000 to 30000; null: none.")] = None
    frp_port: Annotated[rules.Port, doc("First port for tunnels, 20000 to 30000.")] = rules.FIRST_PORT
    frp_port_end: Annotated[rules.Port, doc("Last port for tunnels, from `frpPort` to 30000.")] = rules.LAST_PORT


@optional_from(NewNode)
class NodeChange(NewNode, Change):
    id: Annotated[Id, doc("Number of the node.")]
    update_time: SeenUpdateTime = None


class NewNodeId(Wire):
    id: Annotated[int, doc("Number of the new row.")]


class NodePlaces(Wire):
    countries: Annotated[list[str], doc("Countries by ISO 3166-1, two letters, those in which nodes stand first.")]
    nodes: Annotated[list[str], doc("The countries in which nodes stand.")]
    regions: Annotated[list[str], doc("Regions of nodes.")]


class FileServerRow(Wire):
    id: Annotated[int, doc("Number of the file server.")]
    name: Annotated[str, doc("Name of the file server.")]
    url: Annotated[str, doc("Address of the file server.")]
    flag: Annotated[int, doc("1: it is used; 0: it is not.")]
    update_time: UpdateTime


class FileServerList(Wire):
    list: Annotated[list[FileServerRow], doc("The file servers.")]


class NewFileServer(Wire):
    name: Annotated[Title, doc("Name of the file server, 1 to 100 characters.")]
    url: Annotated[Address, doc("Address of the file server, at most 200 characters.")]
    flag: Annotated[Flag, doc("1: it is used; 0: it is not.")] = 0


@optional_from(NewFileServer)
class FileServerChange(NewFileServer, Change):
    id: Annotated[Id, doc("Number of the file server.")]
    update_time: SeenUpdateTime = None


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
    await service.change_node(ctx, payload.id, payload.sent(), payload.update_time)
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
    ctx.note(before=edits.apply(row, payload.sent(), payload.update_time))
    return Nothing()


@call("/host/del", needs=SERVERS, changes=("host",), audit="file_server.delete")
async def delete_server(ctx: Ctx, payload: ById) -> Nothing:
    """Delete a file server from the list."""
    row = await service.lock_server(ctx, payload.id)
    ctx.note(name=row.name, url=row.url)
    await ctx.db.delete(row)
    return Nothing()
