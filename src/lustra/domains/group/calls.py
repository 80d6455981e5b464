"""/deviceGroup: groups of robots."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import (
    ById,
    Change,
    Commas,
    DeviceId,
    DeviceName,
    Id,
    Moment,
    Title,
    doc,
)
from lustra.domains.group import service
from lustra.domains.group.membership import Kind, common_values
from lustra.domains.group.service import LARGEST

KEY = "device/group"


class GroupFilter(Wire):
    user_id: Annotated[Id | None, doc("Only groups of this account and those below; null: all in scope.")] = None


class DeviceGroupRow(Wire):
    """`common`: the customer, map or building that all its robots have, by its type; empty if there is none."""

    id: Annotated[int, doc("The group.")]
    name: Annotated[str, doc("Its name.")]
    type: Annotated[Kind, doc("0 ordinary, 1 of one project, 2 of one map, 3 of one building.")]
    user_id: Annotated[int, doc("The account that owns it.")]
    user_name: Annotated[str, doc("The owner's name.")]
    device_ids: Annotated[list[int], doc("Its robots, as far as the asker sees them, by name.")]
    common: Annotated[str, doc("Customer, map or building that all its robots share, by its type; empty: none.")]
    update_time: Annotated[datetime, doc("When it was last changed.")]


class DeviceGroupList(Wire):
    list: Annotated[list[DeviceGroupRow], doc("The groups, by name.")]


class NewDeviceGroup(Wire):
    """`type`: 0 ordinary, 1 of one project, 2 of one map, 3 of one building. `userId`: whose it is."""

    name: Annotated[Title, doc("Its name, once for an owner.")]
    type: Annotated[Kind, doc("0 ordinary, 1 of one project, 2 of one map, 3 of one building.")] = Kind.ORDINARY
    device_ids: Annotated[Commas[Id], doc("Its robots, at most 1000.")] = Field(default=[], max_length=LARGEST)
    user_id: Annotated[Id | None, doc("The account that will own it; null: the acting account.")] = None


class DeviceGroupChange(Change):
    """With `updateTime` it is refused if somebody has changed the group since."""

    id: Annotated[Id, doc("The group.")]
    name: Annotated[Title | None, doc("Its name, once for an owner; null: it stays.")] = None
    type: Annotated[
        Kind | None, doc("0 ordinary, 1 of one project, 2 of one map, 3 of one building; null: it stays.")
    ] = None
    device_ids: Annotated[Commas[Id] | None, doc("Its robots, at most 1000; null: they stay.")] = Field(
        default=None, max_length=LARGEST
    )
    update_time: Annotated[
        Moment | None,
        doc("The record's `updateTime` as it was shown: the change is refused if somebody has changed it since."),
    ] = None


class DeviceGroupAddition(ById):
    device_ids: Annotated[Commas[Id], doc("Robots that join it, 1 to 1000.")] = Field(min_length=1, max_length=LARGEST)


class RefusedDevice(Wire):
    device_id: DeviceId
    device_code: DeviceName
    reason: Annotated[
        Literal["not_seen", "unlike", "in_group"],
        doc("`not_seen`: by the group's owner; `unlike`: by the group's type; `in_group`: it is in it already."),
    ]


class DeviceGroupAdded(Wire):
    added: Annotated[int, doc("Number of robots that joined the group.")]
    list: Annotated[list[RefusedDevice], doc("Robots that did not, by name.")]


class DeviceGroupDeletion(ById):
    """`confirm`: also if robots are in it; they stay."""

    confirm: Annotated[bool, doc("Delete it also if robots are in it; they stay.")] = False


@call("/deviceGroup/selectAll", needs=(KEY, "device/index"))
async def list_groups(ctx: Ctx, filters: GroupFilter) -> DeviceGroupList:
    """List the groups of robots in scope, by name."""
    groups = await service.list_groups(ctx, filters.user_id)
    owners, members = (
        await service.owner_names(ctx, groups),
        await service.load_members(ctx, [group.id for group in groups]),
    )
    shared = await common_values(ctx.db, members)
    return DeviceGroupList(
        list=[
            DeviceGroupRow(
                id=group.id,
                name=group.name,
                type=Kind(group.type),
                user_id=group.account_id,
                user_name=owners.get(group.account_id, ""),
                device_ids=members.get(group.id, []),
                common=shared.get(group.id, {}).get(Kind(group.type), ""),
                update_time=group.updated_at,
            )
            for group in groups
        ]
    )


@call("/deviceGroup/insert", needs=KEY, changes=("deviceGroup",), audit="device_group.insert")
async def create_group(ctx: Ctx, payload: NewDeviceGroup) -> ById:
    """Create a group of robots, of one's own or of an account below."""
    group = await service.create_group(
        ctx, payload.user_id, service.GroupFields(payload.name, payload.type, payload.device_ids)
    )
    ctx.note(id=group.id)
    return ById(id=group.id)


@call("/deviceGroup/update", needs=KEY, changes=("deviceGroup",), audit="device_group.update")
async def change_group(ctx: Ctx, payload: DeviceGroupChange) -> Nothing:
    """Change a group's name, type and robots; its owner stays."""
    fields = service.GroupChange(payload.name, payload.type, payload.device_ids)
    await service.change_group(ctx, payload.id, fields, payload.update_time)
    return Nothing()


@call("/deviceGroup/addDevices", needs=KEY, changes=("deviceGroup",), audit="device_group.add")
async def add_devices(ctx: Ctx, payload: DeviceGroupAddition) -> DeviceGroupAdded:
    """Add robots to a group, those that it takes, and show which it does not."""
    added, refused = await service.add_devices(ctx, payload.id, payload.device_ids)
    rows = [
        RefusedDevice.model_validate({"device_id": robot.id, "device_code": robot.name, "reason": reason})
        for robot, reason in refused
    ]
    return DeviceGroupAdded(added=added, list=rows)


@call("/deviceGroup/delete", needs=KEY, changes=("deviceGroup",), audit="device_group.delete")
async def delete_group(ctx: Ctx, payload: DeviceGroupDeletion) -> Nothing:
    """Delete a group of robots; its robots stay."""
    await service.delete_group(ctx, payload.id, confirmed=payload.confirm)
    return Nothing()
