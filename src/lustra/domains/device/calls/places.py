"""/device: where the robots stand in the world."""

from typing import Any

from lustra.core.rpc import Ctx, Fast, Wire, call
from lustra.domains.account.service import narrowed
from lustra.domains.device import rows
from lustra.domains.device.calls.devices import AccountFilter, Mode
from lustra.domains.device.scope import Where


class PlacedDevice(Wire):
    """Without `latitude` and `longitude` nobody has told where it is."""

    device_id: int
    device_code: str
    device_serial_number: str
    protocol_version: int
    address: str
    area: str
    latitude: float | None
    longitude: float | None
    mode: Mode


class DevicePlaces(Wire):
    list: list[PlacedDevice]


@call("/device/selectDevicePlaces", needs="device/deviceAmap")
async def select_device_places(ctx: Ctx, payload: AccountFilter) -> Fast[DevicePlaces]:
    """All robots in scope with their place and state: as little of each as a map of thousands needs."""
    where = Where()
    where.seen(await narrowed(ctx.db, ctx.actor, payload.user_id))
    async with ctx.app.pool.acquire() as db:
        places: list[dict[str, Any]] = await rows.load_places(db, where)
    return Fast({"list": places})
