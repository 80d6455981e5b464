"""/user/updateDeviceList and /user/selectUserDeviceList: which robots an account sees without owning them."""

from typing import Annotated

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import Commas, DeviceId, DeviceName, Id, OwnerId, SerialNumber, doc
from lustra.domains.ownership import binding


class BindingFilter(Wire):
    user_id: Annotated[Id | None, doc("Ignored: the session says who acts. Sent by the specification's console.")] = (
        None
    )
    target_user_id: Annotated[Id, doc("Account that sees robots without owning them.")]


class BindingChange(BindingFilter):
    device_ids: Annotated[Commas[Id], doc("All robots of one's own that it sees from now on, at most 10000.")] = Field(
        max_length=10_000
    )


class BoundDevice(Wire):
    device_id: DeviceId
    device_serial_number: SerialNumber
    device_code: DeviceName
    owner_user_id: OwnerId


class BoundDevices(Wire):
    list: Annotated[list[BoundDevice], doc("The robots that the account is bound to.")]


@call("/user/updateDeviceList", needs="device/index/bind_user", changes=("user", "device"), audit="user.devices")
async def update_device_list(ctx: Ctx, payload: BindingChange) -> Nothing:
    """Set which of one's robots an account sees without owning them."""
    await binding.bind(ctx, payload.target_user_id, payload.device_ids)
    return Nothing()


@call("/user/selectUserDeviceList", needs="user/index", reads=("user", "device"))
async def select_user_device_list(ctx: Ctx, payload: BindingFilter) -> BoundDevices:
    """List the robots that an account is bound to, of those that the asker sees."""
    return BoundDevices(
        list=[
            BoundDevice(
                device_id=d.id, device_serial_number=d.serial_number, device_code=d.name, owner_user_id=d.owner_id
            )
            for d in await binding.list_bound_devices(ctx, payload.target_user_id)
        ]
    )
