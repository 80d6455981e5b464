"""A floor that was just cleaned is wet: whoever starts a run on it is warned of a poor result.

Rules: a floor dries within half an hour of a run's end; of a run that a schedule starts, the owner is notified once.
"""

from datetime import timedelta

import msgspec

from lustra.core.context import Ctx
from lustra.core.db import Connection
from lustra.domains.device.api import Where
from lustra.domains.report import queries
from lustra.protocol.bus import Event, Occurrence

DRIES = timedelta(minutes=30)


async def list_wet_maps(ctx: Ctx, device_id: int) -> list[str]:
    """Names of the maps on which the robot has cleaned within the time that a floor takes to dry."""
    where = Where.of_stamped(ctx.scope, "r")
    where.add("r.device_id = {}", device_id)
    where.add("r.ended > now() - {}::interval", DRIES)
    return [row["name"] for row in await ctx.app.pool.fetch(where.sql(queries.MAPS_CLEANED), *where.values)]


async def warn_of_wet_floor(db: Connection, sn: str, event: Event) -> None:
    """After the event was kept, so it can be read."""
    occurrence = msgspec.convert(event.content, Occurrence)
    if occurrence.state == "running":
        maps = [unit.map for unit in occurrence.units]
        await db.execute(queries.WARN_OF_WET_FLOOR, sn, occurrence.schedule, occurrence.start, maps, DRIES)
