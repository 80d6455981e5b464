"""/device: orders to several robots at once: to drive to their chargers, or to pause."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field, StringConstraints

from lustra.core.audit_trail import audit
from lustra.core.calls.rpc import Ctx, Wire, call
from lustra.core.wire import Commas, DeviceId, DeviceName, FloorName, Id, doc
from lustra.domains.control import orders
from lustra.domains.control.calls.control import DRIVE, VIEW
from lustra.protocol import bus


class OrderedDevices(Wire):
    device_ids: Annotated[Commas[Id], doc("The robots, 1 to 1000.")] = Field(
        min_length=1, max_length=orders.MOST_DEVICES
    )


class HomeOrder(Wire):
    building: Annotated[
        str,
        StringConstraints(strip_whitespace=True, max_length=300),
        doc("Building as the robots' address names it, in capitals or small letters, at most 300 characters."),
    ] = ""
    device_ids: Annotated[Commas[Id], doc("Robots, at most 1000; empty: those of the building.")] = Field(
        [], max_length=orders.MOST_DEVICES
    )


class OrderedDevice(Wire):
    device_id: DeviceId
    device_code: DeviceName
    floor: FloorName
    outcome: Annotated[
        orders.Outcome,
        doc("`obeys`: it does; `refuses`: for `reason`; `offline`: not connected; `silent`: no answer in 8 s."),
    ]
    reason: Annotated[str, doc("Why it refuses, a key of the robots' catalogue of reasons; empty: it does not.")]


class OrderResults(Wire):
    obeyed: Annotated[int, doc("Number of robots that obey.")]
    list: Annotated[list[OrderedDevice], doc("Each robot that was asked.")]


@call("/device/sendHome", needs=DRIVE, changes=("device",), audit="device.send_home")
async def send_home(ctx: Ctx, payload: HomeOrder) -> OrderResults:
    """Send robots to their docks, or all of a building, whatever they do, and show each one's outcome."""
    if payload.device_ids:
        robots = await orders.load_chosen_robots(ctx, payload.device_ids)
    else:
        robots = await orders.load_robots_of_building(ctx, payload.building)
    return _write(ctx, "device.send_home", await orders.order_robots(ctx, robots, bus.Home()))


@call("/device/pauseDevices", needs=VIEW, changes=("device",), audit="device.pause")
async def pause_devices(ctx: Ctx, payload: OrderedDevices) -> OrderResults:
    """Pause several robots, also while somebody else controls them, and show each one's outcome."""
    robots = await orders.load_chosen_robots(ctx, payload.device_ids)
    return _write(ctx, "device.pause", await orders.order_robots(ctx, robots, bus.Pause()))


def _write(ctx: Ctx, action: str, results: Sequence[orders.OrderResult]) -> OrderResults:
    counts = Counter(result.outcome for result in results)
    ctx.note(after={**counts})
    for result in results:
        if result.outcome == "obeys":
            audit.write(ctx.db, ctx.actor, action, address=ctx.address, device_id=result.robot.id)
    rows = [
        OrderedDevice(
            device_id=result.robot.id,
            device_code=result.robot.name,
            floor=result.robot.address1,
            outcome=result.outcome,
            reason=result.reason,
        )
        for result in results
    ]
    return OrderResults(obeyed=counts["obeys"], list=rows)
