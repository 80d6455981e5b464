"""/device/sendHome: all robots of a building drive to their chargers now."""

from collections import Counter
from typing import Annotated

from pydantic import StringConstraints

from lustra.core.rpc import Ctx, Wire, call
from lustra.domains.device.calls.devices import DRIVE
from lustra.domains.device.send_home import Outcome, send_building_home


class BuildingRef(Wire):
    """`building` as the robots' address names it, in whatever case."""

    building: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]


class SentHomeDevice(Wire):
    """`reason`: why it refuses, a key of the robots' catalogue."""

    device_id: int
    device_code: str
    floor: str
    outcome: Outcome
    reason: str


class SentHomeResult(Wire):
    """`obeyed`: how many are on their way, or at their charger already."""

    obeyed: int
    list: list[SentHomeDevice]


@call("/device/sendHome", needs=DRIVE, changes=("device",), audit="device.send_home")
async def send_home(ctx: Ctx, payload: BuildingRef) -> SentHomeResult:
    """Ends what the robots of a building do and sends them to their chargers; tells what came of each."""
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
