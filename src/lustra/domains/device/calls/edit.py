"""/device: adding, changing and deleting robots, whose they are, and where they stand."""

from typing import Annotated, Any

from pydantic import Field

from lustra.core import jobs
from lustra.core.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import Id, Moment
from lustra.domains.account import granting
from lustra.domains.account.rules import Name
from lustra.domains.device import binding, edit, errands, handover, messenger, ports
from lustra.domains.device.events import Things
from lustra.domains.device.fields import Fields, NewDevice
from lustra.domains.device.rules import Blank, Host, Serial, Text

EDIT = "device/index/edit"


class OneDevice(Wire):
    device_id: Id
    user_id: Id | None = None


class DeviceChange(Fields, OneDevice):
    """`updateTime` as the row had it: then somebody else's change meanwhile is told, and not overwritten."""

    serial_number: Serial | None = Field(None, alias="deviceSerialNumber")
    name: Name | None = Field(None, alias="deviceCode")
    type_id: Id | None = Field(None, alias="deviceType")
    update_time: Annotated[Moment | None, Blank] = None


class OwnerChange(OneDevice):
    """`things`: what becomes of the former owner's maps, tasks, recordings and password."""

    owner_user_id: Id | None = None
    things: Things = "keep"
    elevator_id: Annotated[Id | None, Blank] = None
    customer_name: Text | None = None
    customer_address: Text | None = None
    update_time: Annotated[Moment | None, Blank] = None

    def told(self) -> dict[str, Any]:
        named = {name: getattr(self, name) for name in ("customer_name", "customer_address")}
        told = {name: value for name, value in named.items() if value is not None}
        return told | ({"elevator_id": self.elevator_id} if "elevator_id" in self.model_fields_set else {})


class Seeing(OneDevice):
    """`status` 1: the account `userId` sees the robot from now on; 0: no longer."""

    status: Annotated[int, Field(ge=0, le=1)] = 1


class OfNode(Wire):
    frp_host: Host = ""


class Made(Wire):
    device_id: int


class Reserved(Wire):
    port: int


@call("/device/insertDevice", needs="device/index/add", changes=("device",), audit="device.insert")
async def insert_device(ctx: Ctx, told: NewDevice) -> Made:
    """A robot that has not logged in yet: for that it needs an auth code."""
    return Made(device_id=(await edit.insert(ctx, told.told(), told.owner_user_id)).id)


@call("/device/updateDeviceInfo", needs=EDIT, changes=("device",), audit="device.update")
async def update_device_info(ctx: Ctx, told: DeviceChange) -> Nothing:
    """Data of a robot."""
    await edit.change(ctx, told.device_id, told.told(), told.update_time)
    return Nothing()


@call(
    "/device/updateDeviceUserInfo", needs="device/index/edit_owner", changes=("device", "map", "task"),
    audit="device.owner",
)  # fmt: skip
async def update_device_user_info(ctx: Ctx, told: OwnerChange) -> Nothing:
    """Whose it is, and whom it works for."""
    robot = await edit.owned(ctx, told.device_id)
    edit.unchanged(robot, told.update_time)
    if told.owner_user_id is not None:
        await handover.change_owner(ctx, robot, await edit.owner(ctx, told.owner_user_id), told.things)
    await edit.write(ctx, robot, told.told())
    return Nothing()


@call("/device/deleteDevice", needs="device/index/delete", changes=("device", "map", "task"), audit="device.delete")
async def delete_device(ctx: Ctx, told: OneDevice) -> Nothing:
    """Gone at once, for good 30 days later."""
    await edit.remove(ctx, told.device_id)
    return Nothing()


@call("/device/updateUserDeviceStatus", needs=EDIT, changes=("user", "device"), audit="device.user_status")
async def update_user_device_status(ctx: Ctx, told: Seeing) -> Nothing:
    """Whether an account sees a robot without owning it."""
    robot = await edit.owned(ctx, told.device_id)
    granting.demand(ctx, "device/index/bind_user")
    await binding.bind_one(ctx, told.user_id or ctx.actor.acting_id, robot, on=bool(told.status))
    return Nothing()


@call("/device/generateFrpPort", needs=EDIT, audit="device.port")
async def generate_frp_port(ctx: Ctx, told: OfNode) -> Reserved:
    """A free port of that node, the caller's for an hour."""
    return Reserved(port=await ports.reserve(ctx, told.frp_host))


jobs.job(errands.JOB)(messenger.run)
jobs.job("device.errands", cron="* * * * *")(messenger.again)
jobs.job("device.purge", cron="41 3 * * *")(edit.purge)
