"""/user/updateDeviceList and /user/selectUserDeviceList: which robots an account sees without owning them."""

from pydantic import Field

from lustra.core.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import Commas, Id
from lustra.domains.device import binding


class BindingFilter(Wire):
    user_id: Id | None = None
    target_user_id: Id


class BindingChange(BindingFilter):
    device_ids: Commas[Id] = Field(max_length=10_000)


class BoundDevice(Wire):
    device_id: int
    device_serial_number: str
    device_code: str
    owner_user_id: int


class BoundDevices(Wire):
    list: list[BoundDevice]


@call("/user/updateDeviceList", needs="device/index/bind_user", changes=("user", "device"), audit="user.devices")
async def update_device_list(ctx: Ctx, payload: BindingChange) -> Nothing:
    """From now on the account sees just these of one's robots."""
    await binding.bind(ctx, payload.target_user_id, payload.device_ids)
    return Nothing()


@call("/user/selectUserDeviceList", needs="user/index")
async def select_user_device_list(ctx: Ctx, payload: BindingFilter) -> BoundDevices:
    """The robots that an account is bound to, of those that the asker sees."""
    return BoundDevices(
        list=[
            BoundDevice(
                device_id=d.id, device_serial_number=d.serial_number, device_code=d.name, owner_user_id=d.owner_id
            )
            for d in await binding.list_bound_devices(ctx, payload.target_user_id)
        ]
    )
