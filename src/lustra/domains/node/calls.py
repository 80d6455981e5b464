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

NODES, SERVERS = "device/index/hostManage", "file/host"
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


class Nodes(Wire):
    list: list[NodeRow]


class NodeFilter(PageOf):
    name: str = Field("", max_length=100)


class Supporting(Wire):
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
    def _in_order(cls, last: int, found: ValidationInfo) -> int:
        if last < found.data.get("frp_port", last):
            raise PydanticCustomError("port_order", "The last port stands before the first")
        return last


class NodeChange(NewNode):
    """With `updateTime` it is refused if somebody has changed the node since."""

    id: Id
    update_time: Moment | None = None


class NewId(Wire):
    id: int


class Places(Wire):
    """ISO codes of countries, those in which nodes stand first; and the regions."""

    countries: list[str]
    nodes: list[str]
    regions: list[str]


class ServerRow(Wire):
    id: int
    name: str
    url: str
    flag: int
    update_time: datetime


class Servers(Wire):
    list: list[ServerRow]


class NewServer(Wire):
    name: Title
    url: Address
    flag: Flag = 0


class ServerChange(NewServer):
    id: Id
    update_time: Moment | None = None


async def _rows(ctx: Ctx, found: Sequence[Node]) -> list[NodeRow]:
    urls = [one.url for one in found]
    used = (await service.in_use(ctx, urls)).counts
    return [
        NodeRow(
            id=one.id, name=one.name, url=one.url, country=one.country, region=one.region,
            support_type=one.support_type, flag=one.flag, ssh_port=one.ssh_port, web_port=one.web_port,
            frp_port=one.frp_port, frp_port_end=one.frp_port_end, ours=service.ours(ctx.app, one.url),
            robots=used.get(one.url, 0), state=told.state, since=told.since, tunnels=told.tunnels,
            update_time=one.updated_at,
        )
        for one, told in zip(found, await service.all_heard(ctx.app, urls), strict=True)
    ]  # fmt: skip


@call("/wmDeviceHostInfo/queryByPage", needs=NODES)
async def query_by_page(ctx: Ctx, wanted: NodeFilter) -> Page[NodeRow]:
    """The transfer nodes, by words in name or address."""
    found, total = await service.page(ctx, wanted.name, wanted)
    return Page(list=await _rows(ctx, found), page_num=pages(total, wanted), total=total)


@call("/wmDeviceHostInfo/queryList", needs=(NODES, ROBOTS))
async def query_list(ctx: Ctx, wanted: Supporting) -> Nodes:
    """All transfer nodes, to choose from."""
    return Nodes(list=await _rows(ctx, await service.nodes(ctx, wanted.support_type)))


@call("/wmDeviceHostInfo/queryById", needs=NODES)
async def query_by_id(ctx: Ctx, wanted: ById) -> NodeRow:
    """One transfer node."""
    [row] = await _rows(ctx, [await service.node(ctx, wanted.id)])
    return row


@call("/wmDeviceHostInfo/add", needs=NODES, changes=("wmDeviceHostInfo",), audit="node.insert")
async def add(ctx: Ctx, told: NewNode) -> NewId:
    """A transfer node."""
    made = await service.add(ctx, told.model_dump())
    ctx.note(id=made.id)
    return NewId(id=made.id)


@call("/wmDeviceHostInfo/edit", needs=NODES, changes=("wmDeviceHostInfo", "device"), audit="node.update")
async def change(ctx: Ctx, told: NodeChange) -> Nothing:
    """Its address stays while robots come in there."""
    await service.change(ctx, told.id, told.model_dump(exclude={"id", "update_time"}), told.update_time)
    return Nothing()


@call("/wmDeviceHostInfo/deleteById", needs=NODES, changes=("wmDeviceHostInfo",), audit="node.delete")
async def delete(ctx: Ctx, told: ById) -> Nothing:
    """Refused while robots come in there."""
    await service.remove(ctx, told.id)
    return Nothing()


@call("/wmDeviceHostInfo/places", needs=("device/index/hostManage", "device/index"))
async def places(_: Ctx) -> Places:
    """The countries and regions in which nodes and robots stand."""
    return Places.model_validate(rules.PLACES)


def _server(one: FileServer) -> ServerRow:
    return ServerRow(id=one.id, name=one.name, url=one.url, flag=one.flag, update_time=one.updated_at)


@call("/host/list", needs=SERVERS)
async def list_servers(ctx: Ctx) -> Servers:
    """The file servers."""
    return Servers(list=[_server(one) for one in await service.servers(ctx)])


@call("/host/add", needs=SERVERS, changes=("host",), audit="file_server.insert")
async def add_server(ctx: Ctx, told: NewServer) -> NewId:
    """A file server."""
    made = FileServer(name=told.name, url=told.url, flag=told.flag)
    ctx.db.add(made)
    await ctx.db.flush()
    ctx.note(id=made.id)
    return NewId(id=made.id)


@call("/host/edit", needs=SERVERS, changes=("host",), audit="file_server.update")
async def change_server(ctx: Ctx, told: ServerChange) -> Nothing:
    """What it is called, where it is, and whether it is used."""
    row = await service.server(ctx, told.id)
    ctx.note(before=edits.apply(row, told.model_dump(exclude={"id", "update_time"}), told.update_time))
    return Nothing()


@call("/host/del", needs=SERVERS, changes=("host",), audit="file_server.delete")
async def delete_server(ctx: Ctx, told: ById) -> Nothing:
    """Takes it off the list."""
    row = await service.server(ctx, told.id)
    ctx.note(name=row.name, url=row.url)
    await ctx.db.delete(row)
    return Nothing()
