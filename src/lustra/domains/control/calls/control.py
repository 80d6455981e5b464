"""/device: the control of a robot, and the ticket to its relay."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import doc
from lustra.domains.control import lock
from lustra.domains.control.relay_grant import issue_grant, send_to_virtual
from lustra.domains.control.stop_cause import find_stop_cause
from lustra.domains.device.api import DeviceRef
from lustra.protocol import bus

VIEW = "device_control/index"
DRIVE = "device_control/index/drive"


class GrantView(Wire):
    url: Annotated[str, doc("WebSocket or HTTP address of the relay that holds the robot's tunnel.")]
    port: Annotated[int, doc("Port of the robot's tunnel, for `p` of relay calls.")]
    protocol: Annotated[int, doc("Version of the robot's local interface, 2 or 3.")]
    grant: Annotated[str, doc("Signed ticket for the relay.")]
    expires_at: Annotated[int, doc("When the ticket ends, in ms since 1970.")]
    number: Annotated[int, doc("Number of the newest control lock; the ticket carries it only for its holder.")]


class ControlView(Wire):
    owner: Annotated[str, doc("Name of who holds the control; empty: nobody.")]
    owner_id: Annotated[int, doc("Account that holds the control; 0: nobody.")]
    own: Annotated[bool, doc("Whether the asker holds it.")] = Field(alias="mine")
    number: Annotated[int, doc("Number of the lock; each taking has a greater one.")]
    until: Annotated[
        int, doc("When it ends, in ms since 1970; 0: nobody holds it; in the year 9999: when it is released.")
    ]
    reason: Annotated[str, doc("Why it was taken over; empty: it was free.")]
    asker: Annotated[str, doc("Name of who asks for it; empty: nobody.")]
    asker_id: Annotated[int, doc("Account that asks for it; 0: nobody.")]
    asked_at: Annotated[int, doc("When it was asked for, in ms since 1970; 0: never.")]


class StopCauseView(Wire):
    name: Annotated[str, doc("Account that paused the robot or pressed its emergency stop; empty: nobody from here.")]
    at: Annotated[int, doc("When, in ms since 1970; 0: nobody from here.")]


class ControlTaking(DeviceRef):
    minutes: Annotated[Literal[0, 10, 30, 60, 120], doc("For how many minutes; 0: until it is released.")] = 30


class ControlTakeOver(ControlTaking):
    reason: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
        doc("Why, for the holder to read, 1 to 200 characters."),
    ]


class SimulationFactor(DeviceRef):
    factor: Annotated[Literal[1, 5, 20], doc("Speed of the virtual robot's world, in times of real time.")]


class FaultSwitch(DeviceRef):
    name: Annotated[bus.FaultName, doc("What goes wrong, as the virtual robot calls it.")]
    on: Annotated[bool, doc("True: it breaks; false: it is mended.")] = True


@call("/device/relayGrant", needs=VIEW, audit="device.grant")
async def relay_grant(ctx: Ctx, payload: DeviceRef) -> GrantView:
    """Create a ticket of 60 s for the relay that holds the robot's tunnel."""
    return GrantView.model_validate(await issue_grant(ctx, payload.device_id))


@call("/device/control", needs=VIEW)
async def read_control(ctx: Ctx, payload: DeviceRef) -> ControlView:
    """Show who holds the control of a robot."""
    return ControlView.model_validate(await lock.read_state(ctx, payload.device_id))


@call("/device/stopCause", needs=VIEW, reads=("state", "stop"))
async def read_stop_cause(ctx: Ctx, payload: DeviceRef) -> StopCauseView:
    """Show who paused a robot that is paused, or pressed the emergency stop of one that is stopped."""
    return StopCauseView.model_validate(await find_stop_cause(ctx, payload.device_id))


@call("/device/takeControl", needs=VIEW, changes=("device",), audit="device.take_control")
async def take_control(ctx: Ctx, payload: ControlTaking) -> ControlView:
    """Take or prolong the control of a robot that nobody else holds."""
    return ControlView.model_validate(await lock.take(ctx, payload.device_id, payload.minutes))


@call("/device/takeOverControl", needs=DRIVE, changes=("device",), audit="device.take_over_control")
async def take_over_control(ctx: Ctx, payload: ControlTakeOver) -> ControlView:
    """Take the control from whoever holds it; that person reads the reason."""
    return ControlView.model_validate(await lock.take_over(ctx, payload.device_id, payload.minutes, payload.reason))


@call("/device/askControl", needs=VIEW, audit="device.ask_control")
async def ask_control(ctx: Ctx, payload: DeviceRef) -> ControlView:
    """Ask the holder of the control to give it up."""
    return ControlView.model_validate(await lock.ask(ctx, payload.device_id))


@call("/device/handOverControl", needs=VIEW, changes=("device",), audit="device.hand_over_control")
async def hand_over_control(ctx: Ctx, payload: DeviceRef) -> ControlView:
    """Give the control of a robot to who has asked for it last."""
    return ControlView.model_validate(await lock.hand_over(ctx, payload.device_id))


@call("/device/releaseControl", needs=VIEW, changes=("device",), audit="device.release_control")
async def release_control(ctx: Ctx, payload: DeviceRef) -> ControlView:
    """Give the control of a robot back."""
    return ControlView.model_validate(await lock.release(ctx, payload.device_id))


@call("/device/simulate", needs=VIEW, audit="device.simulate")
async def simulate(ctx: Ctx, payload: SimulationFactor) -> Nothing:
    """Set how fast a virtual robot's world goes."""
    await send_to_virtual(ctx, payload.device_id, "simulate", bus.Simulate(factor=payload.factor))
    return Nothing()


@call("/device/fault", needs=VIEW, audit="device.fault")
async def fault(ctx: Ctx, payload: FaultSwitch) -> Nothing:
    """Break a part of a virtual robot, or mend it."""
    await send_to_virtual(ctx, payload.device_id, "fault", bus.Fault(name=payload.name, on=payload.on))
    return Nothing()
