"""/device: adding, changing and deleting robots, whose they are, and where they stand."""

from typing import Annotated

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import (
    Change,
    DeviceId,
    Id,
    SeenUpdateTime,
    doc,
)
from lustra.domains.account.api import Name
from lustra.domains.device import edit, ports
from lustra.domains.device.fields import EMPTY, Fields, NewDevice
from lustra.domains.device.requests import DeviceRef
from lustra.domains.device.rules import Host, Serial

EDIT = "device/index/edit"


class DeviceChange(Fields, DeviceRef, Change):
    nullable = EMPTY

    serial_number: Annotated[Serial | None, doc("New serial number, 32 letters, digits, - _ .; null: stays.")] = Field(
        None, alias="deviceSerialNumber"
    )
    name: Annotated[Name | None, doc("New name, 1 to 100 characters; null: stays.")] = Field(None, alias="deviceCode")
    type_id: Annotated[Id | None, doc("New device type; null: stays.")] = Field(None, alias="deviceType")
    update_time: SeenUpdateTime = None


class NodeRef(Wire):
    frp_host: Annotated[Host, doc("Address of the transfer node, as its list has it.")] = ""


class DeviceCreated(Wire):
    device_id: DeviceId


class ReservedPort(Wire):
    port: Annotated[int, doc("The port, 20000 to 30000.")]


@call("/device/insertDevice", needs="device/index/add", changes=("device",), audit="device.insert")
async def insert_device(ctx: Ctx, payload: NewDevice) -> DeviceCreated:
    """Create a robot. To log in for the first time it needs an auth code."""
    return DeviceCreated(device_id=(await edit.insert(ctx, payload.column_values(), payload.owner_user_id)).id)


@call("/device/updateDeviceInfo", needs=EDIT, changes=("device",), audit="device.update")
async def update_device_info(ctx: Ctx, payload: DeviceChange) -> Nothing:
    """Change what is entered of a robot."""
    await edit.change(ctx, payload.device_id, payload.column_values(), payload.update_time)
    return Nothing()


@call("/device/generateFrpPort", needs=EDIT, audit="device.port")
async def generate_frp_port(ctx: Ctx, payload: NodeRef) -> ReservedPort:
    """Reserve a free port of a transfer node for an hour."""
    return ReservedPort(port=await ports.reserve(ctx, payload.frp_host))
