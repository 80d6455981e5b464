"""/deviceGroup: groups of robots."""

from datetime import datetime

from pydantic import Field

from lustra.core.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import ById, Commas, Id, Moment, Title
from lustra.domains.group import service
from lustra.domains.group.alike import Kind, common

KEY = "device/group"
LARGEST = 1000  # robots; a list is narrowed to as many


class OfUser(Wire):
    user_id: Id | None = None


class GroupRow(Wire):
    """`common`: the customer, map or building that all its robots have, by its type; empty if there is none."""

    id: int
    name: str
    type: Kind
    user_id: int
    user_name: str
    device_ids: list[int]
    common: str
    update_time: datetime


class Groups(Wire):
    list: list[GroupRow]


class NewGroup(Wire):
    """`type`: 0 ordinary, 1 of one project, 2 of one map, 3 of one building. `userId`: whose it is."""

    name: Title
    type: Kind = Kind.ORDINARY
    device_ids: Commas[Id] = Field(default=[], max_length=LARGEST)
    user_id: Id | None = None


class GroupChange(Wire):
    """Without `deviceIds` its robots stay. With `updateTime` it is refused if somebody has changed the group since."""

    id: Id
    name: Title
    type: Kind = Kind.ORDINARY
    device_ids: Commas[Id] | None = Field(default=None, max_length=LARGEST)
    update_time: Moment | None = None


class Deleting(ById):
    """`confirm`: also if robots are in it; they stay."""

    confirm: bool = False


@call("/deviceGroup/selectAll", needs=(KEY, "device/index"))
async def select_all(ctx: Ctx, wanted: OfUser) -> Groups:
    """The groups in scope, by name."""
    found = await service.listed(ctx, wanted.user_id)
    owners, members = await service.owners(ctx, found), await service.members(ctx, [one.id for one in found])
    shared = await common(ctx.db, members)
    return Groups(list=[
        GroupRow(
            id=one.id, name=one.name, type=Kind(one.type), user_id=one.account_id,
            user_name=owners.get(one.account_id, ""), device_ids=members.get(one.id, []),
            common=shared.get(one.id, {}).get(Kind(one.type), ""), update_time=one.updated_at,
        )
        for one in found
    ])  # fmt: skip


@call("/deviceGroup/insert", needs=KEY, changes=("deviceGroup",), audit="device_group.insert")
async def insert(ctx: Ctx, told: NewGroup) -> ById:
    """A group of one's own, or of an account below."""
    made = await service.make(ctx, told.user_id, service.Told(told.name, told.type, told.device_ids))
    ctx.note(id=made.id)
    return ById(id=made.id)


@call("/deviceGroup/update", needs=KEY, changes=("deviceGroup",), audit="device_group.update")
async def update(ctx: Ctx, told: GroupChange) -> Nothing:
    """Name, type and robots; its owner stays."""
    await service.change(ctx, told.id, service.Told(told.name, told.type, told.device_ids), told.update_time)
    return Nothing()


@call("/deviceGroup/delete", needs=KEY, changes=("deviceGroup",), audit="device_group.delete")
async def delete(ctx: Ctx, told: Deleting) -> Nothing:
    """The group alone: its robots stay."""
    await service.remove(ctx, told.id, confirmed=told.confirm)
    return Nothing()
