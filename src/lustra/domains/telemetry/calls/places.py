"""/device: where the robots stand in the world."""

from typing import Annotated, Any

from lustra.core.calls.rpc import Ctx, Fast, Wire, call
from lustra.core.wire import DeviceId, DeviceName, SerialNumber, doc
from lustra.domains.account.api import narrow_scope
from lustra.domains.device.api import AccountFilter, Where
from lustra.domains.telemetry import rows
from lustra.domains.telemetry.calls.devices import Mode


class PlacedDevice(Wire):
    device_id: DeviceId
    device_code: DeviceName
    device_serial_number: SerialNumber
    protocol_version: Annotated[int, doc("Version of the robot's local interface, 2 or 3.")]
    address: Annotated[str, doc("Building; empty: not known.")]
    area: Annotated[str, doc("Country by ISO 3166-1, two letters; empty: not known.")]
    latitude: Annotated[float | None, doc("Latitude in degrees, WGS 84; null: not known.")]
    longitude: Annotated[float | None, doc("Longitude in degrees, WGS 84; null: not known.")]
    mode: Annotated[Mode, doc("What it does now.")]


class DevicePlaces(Wire):
    list: Annotated[list[PlacedDevice], doc("The robots with their places.")]


@call("/device/selectDevicePlaces", needs=rows.WORLD_MAP, reads=("device", "state"))
async def select_device_places(ctx: Ctx, payload: AccountFilter) -> Fast[DevicePlaces]:
    """List all robots in scope with place and state, as little of each as a map of thousands needs."""
    where = Where.of_robots(await narrow_scope(ctx, payload.user_id))
    async with ctx.app.pool.acquire() as db:
        places: list[dict[str, Any]] = await rows.load_places(db, where)
    return Fast({"list": places})
