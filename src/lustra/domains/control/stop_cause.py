"""Who paused a robot or pressed its emergency stop from afar, by what the relay recorded.

Rules: only the newest press counts, and only while the newest of its kind took nothing back: a stop that was released
from here and stands again was pressed at the robot. A pause is of this run, or it is an older one's.
"""

from dataclasses import dataclass

from lustra.core.context import Ctx
from lustra.core.scope import rows_of
from lustra.domains.control import queries
from lustra.domains.device.api import load_device


@dataclass(frozen=True, slots=True)
class StopCause:
    """`at`: ms since 1970; 0 with an empty `name`: nobody did it from here."""

    name: str = ""
    at: int = 0


async def find_stop_cause(ctx: Ctx, device_id: int) -> StopCause:
    robot = await load_device(ctx, device_id)
    newest = await ctx.db.execute(rows_of(robot).text(queries.STOP_CAUSE), {"robot": robot.id})
    row = newest.mappings().one_or_none()
    return StopCause(row["name"], row["at"]) if row and row["held"] else StopCause()
