"""/device/sendHome: all robots of a building drive to their chargers now."""

from collections import Counter
from typing import Annotated

from pydantic import StringConstraints

from lustra.core.calls.rpc import Ctx, Wire, call
from lustra.core.wire import DeviceId, DeviceName, FloorName, doc
from lustra.domains.control.calls.control import DRIVE
from lustra.domains.control.send_home import Outcome, send_building_home


class BuildingRef(Wire):
    building: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=300),
        doc("Building as the robots' address names it, in capitals or small letters, 1 to 300 characters."),
    ]


class SentHomeDevice(Wire):
    device_id: DeviceId
    device_code: DeviceName
    floor: FloorName
    outcome: Annotated[
        Outcome,
        doc("`obeys`: it drives; `refuses`: for `reason`; `offline`: not connected; `silent`: no answer in 8 s."),
    ]
    reason: Annotated[str, doc("Why it refuses, a key of the robots' catalogue of reasons; empty: it does not.")]


class SentHomeResult(Wire):
    obeyed: Annotated[int, doc("Number of robots that drive to their docks, or stand there already.")]
    list: Annotated[list[SentHomeDevice], doc("Each robot of the building.")]


@call("/device/sendHome", needs=DRIVE, changes=("device",), audit="device.send_home")
async def send_home(ctx: Ctx, payload: BuildingRef) -> SentHomeResult:
    """Send all robots of a building to their docks, whatever they do, and show each one's outcome."""
    results = await send_building_home(ctx, payload.building)
    counts = Counter(result.outcome for result in results)
    ctx.note(building=payload.building, after={**counts})
    rows = [
        SentHomeDevice(
            device_id=result.robot.id,
            device_code=result.robot.name,
            floor=result.robot.address1,
            outcome=result.outcome,
            reason=result.reason,
        )
        for result in results
    ]
    return SentHomeResult(obeyed=counts["obeys"], list=rows)
