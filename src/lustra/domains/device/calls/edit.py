"""/device: adding, changing and deleting robots, whose they are, and where they stand."""

from typing import Annotated, Any

from pydantic import Field

from lustra.core import jobs
from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import DeviceId, Id, SeenUpdateTime, doc
from lustra.domains.account import granting
from lustra.domains.account.rules import Name
from lustra.domains.device import binding, command_delivery, edit, handover, pending_commands, ports
from lustra.domains.device.calls.devices import DeviceRef
from lustra.domains.device.events import Things
from lustra.domains.device.fields import Fields, NewDevice
from lustra.domains.device.rules import Blank, Host, Serial, Text

EDIT = "device/index/edit"


class DeviceChange(Fields, DeviceRef):
    serial_number: Annotated[Serial | None, doc("New serial number, 1 to 32 letters and digits; null: stays.")] = Field(
        None, alias="deviceSerialNumber"
    )
    name: Annotated[Name | None, doc("New name, 1 to 100 characters; null: stays.")] = Field(None, alias="deviceCode")
    type_id: Annotated[Id | None, doc("New device type; null: stays.")] = Field(None, alias="deviceType")
    update_time: SeenUpdateTime = None


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


class NodeRef(Wire):
    frp_host: Annotated[Host, doc("Address of the transfer node, as its list has it.")] = ""


class DeviceCreated(Wire):
    device_id: DeviceId


class ReservedPort(Wire):
    port: Annotated[int, doc("The port, 20000 to 30000.")]


@call("/device/insertDevice", needs="device/index/add", changes=("device",), audit="device.insert")
async def insert_device(ctx: Ctx, payload: NewDevice) -> DeviceCreated:
    """A robot that has not logged in yet: for that it needs an auth code."""
    return DeviceCreated(device_id=(await edit.insert(ctx, payload.column_values(), payload.owner_user_id)).id)


@call("/device/updateDeviceInfo", needs=EDIT, changes=("device",), audit="device.update")
async def update_device_info(ctx: Ctx, payload: DeviceChange) -> Nothing:
    """Data of a robot."""
    await edit.change(ctx, payload.device_id, payload.column_values(), payload.update_time)
    return Nothing()


@call(
    "/device/updateDeviceUserInfo",
    needs="device/index/edit_owner",
    changes=("device", "map", "task"),
    audit="device.owner",
)
async def update_device_user_info(ctx: Ctx, payload: OwnerChange) -> Nothing:
    """Whose it is, and whom it works for."""
    robot = await edit.load_owned(ctx, payload.device_id)
    edit.refuse_if_changed(robot, payload.update_time)
    if payload.owner_user_id is not None:
        await handover.change_owner(ctx, robot, await edit.load_owner(ctx, payload.owner_user_id), payload.things)
    await edit.write_assignment(ctx, robot, payload.column_values())
    return Nothing()


@call("/device/deleteDevice", needs="device/index/delete", changes=("device", "map", "task"), audit="device.delete")
async def delete_device(ctx: Ctx, payload: DeviceRef) -> Nothing:
    """Gone at once, for good 30 days later."""
    await edit.remove(ctx, payload.device_id)
    return Nothing()


@call("/device/updateUserDeviceStatus", needs=EDIT, changes=("user", "device"), audit="device.user_status")
async def update_user_device_status(ctx: Ctx, payload: BindingStatus) -> Nothing:
    """Whether an account sees a robot without owning it."""
    robot = await edit.load_owned(ctx, payload.device_id)
    granting.demand_key(ctx, "device/index/bind_user")
    await binding.set_binding(ctx, payload.user_id or ctx.actor.acting_id, robot, on=bool(payload.status))
    return Nothing()


@call("/device/generateFrpPort", needs=EDIT, audit="device.port")
async def generate_frp_port(ctx: Ctx, payload: NodeRef) -> ReservedPort:
    """A free port of that node, the caller's for an hour."""
    return ReservedPort(port=await ports.reserve(ctx, payload.frp_host))


jobs.job(pending_commands.JOB)(command_delivery.deliver)
jobs.job("device.errands", cron="* * * * *")(command_delivery.deliver_due)
jobs.job("device.purge", cron="41 3 * * *")(edit.purge)
