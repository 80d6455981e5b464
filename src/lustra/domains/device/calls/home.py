"""/device/sendHome: all robots of a building drive to their chargers now."""

from collections import Counter
from typing import Annotated

from pydantic import StringConstraints

from lustra.core.rpc import Ctx, Wire, call
from lustra.domains.device import home
from lustra.domains.device.calls.devices import DRIVE


class OfBuilding(Wire):
    """`building` as the robots' address names it, in whatever case."""

    building: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]


class SentRow(Wire):
    """`reason`: why it refuses, a key of the robots' catalogue."""

    device_id: int
    device_code: str
    floor: str
    outcome: home.Outcome
    reason: str


class SentHome(Wire):
    """`obeyed`: how many are on their way, or at their charger already."""

    obeyed: int
    list: list[SentRow]


@call("/device/sendHome", needs=DRIVE, changes=("device",), audit="device.send_home")
async def send_home(ctx: Ctx, wanted: OfBuilding) -> SentHome:
    """Ends what the robots of a building do and sends them to their chargers; tells what came of each."""
    sent = await home.send(ctx, wanted.building)
    counts = Counter(one.outcome for one in sent)
    ctx.note(building=wanted.building, after={**counts})
    rows = [
        SentRow(device_id=one.robot.id, device_code=one.robot.name, floor=one.robot.address1, outcome=one.outcome,
                reason=one.reason)
        for one in sent
    ]  # fmt: skip
    return SentHome(obeyed=counts["obeys"], list=rows)
