"""/device: whose robots are, who sees them beside, and their end."""

from typing import Annotated, Any

from pydantic import Field

from lustra.core import jobs
from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import Commas, Id, SeenUpdateTime, doc
from lustra.domains.account.api import demand_key
from lustra.domains.device.api import (
    Blank,
    DeviceRef,
    Text,
    Things,
    load_owned,
    load_owner,
    refuse_if_changed,
    write_assignment,
)
from lustra.domains.ownership import binding, handover, removal

EDIT = "device/index/edit"
MOST_AT_ONCE = 500


class OwnerChange(DeviceRef):
    owner_user_id: Annotated[Id | None, doc("New owner; null: stays.")] = None
    things: Annotated[Things, doc("What becomes of the former owner's maps, tasks, recordings and password.")] = "keep"
    elevator_id: Annotated[Id | None, Blank, doc("Elevator that it rides; null takes it away.")] = None
    customer_name: Annotated[Text | None, doc("Customer that it works for, at most 200 characters; null: stays.")] = (
        None
    )
    customer_address: Annotated[Text | None, doc("Address of the customer, at most 200 characters; null: stays.")] = (
        None
    )
    update_time: SeenUpdateTime = None

    def column_values(self) -> dict[str, Any]:
        texts = {name: getattr(self, name) for name in ("customer_name", "customer_address")}
        values = {name: value for name, value in texts.items() if value is not None}
        return values | ({"elevator_id": self.elevator_id} if "elevator_id" in self.model_fields_set else {})


class BindingStatus(DeviceRef):
    status: Annotated[
        int, Field(ge=0, le=1), doc("1: the account `userId` sees the robot from now on; 0: no longer.")
    ] = 1


@call(
    "/device/updateDeviceUserInfo",
    needs="device/index/edit_owner",
    changes=("device", "map", "task"),
    audit="device.owner",
)
async def update_device_user_info(ctx: Ctx, payload: OwnerChange) -> Nothing:
    """Change a robot's owner, customer or elevator."""
    robot = await load_owned(ctx, payload.device_id)
    refuse_if_changed(robot, payload.update_time)
    if payload.owner_user_id is not None:
        await handover.change_owner(ctx, robot, await load_owner(ctx, payload.owner_user_id), payload.things)
    await write_assignment(ctx, robot, payload.column_values())
    return Nothing()


@call("/device/deleteDevice", needs="device/index/delete", changes=("device", "map", "task"), audit="device.delete")
async def delete_device(ctx: Ctx, payload: DeviceRef) -> Nothing:
    """Delete a robot: it is gone at once, and for good 30 days later."""
    await removal.remove(ctx, payload.device_id)
    return Nothing()


@call("/device/updateUserDeviceStatus", needs=EDIT, changes=("user", "device"), audit="device.user_status")
async def update_user_device_status(ctx: Ctx, payload: BindingStatus) -> Nothing:
    """Set whether an account sees a robot without owning it."""
    robot = await load_owned(ctx, payload.device_id)
    demand_key(ctx, "device/index/bind_user")
    await binding.set_binding(ctx, payload.user_id or ctx.actor.acting_id, robot, on=bool(payload.status))
    return Nothing()


class OwnersChange(Wire):
    device_ids: Annotated[Commas[Id], doc("The robots, 1 to 500.")] = Field(min_length=1, max_length=MOST_AT_ONCE)
    owner_user_id: Annotated[Id, doc("Their new owner.")]
    things: Annotated[
        Things, doc("What becomes of the former owners' maps, tasks, recordings and passwords, alike for all.")
    ] = "keep"


@call(
    "/device/updateDevicesOwner",
    needs="device/index/edit_owner",
    changes=("device", "map", "task"),
    audit="device.owners",
)
async def update_devices_owner(ctx: Ctx, payload: OwnersChange) -> Nothing:
    """Give several robots to another owner, all or none."""
    to = await load_owner(ctx, payload.owner_user_id)
    before: dict[int, int] = {}
    for device_id in sorted(set(payload.device_ids)):
        robot = await load_owned(ctx, device_id)
        before[device_id] = robot.owner_id
        await handover.change_owner(ctx, robot, to, payload.things)
    ctx.note(before={"ownerUserId": before}, things=payload.things)
    return Nothing()


jobs.job("device.purge", cron="41 3 * * *")(removal.purge)
