"""What lower domains ask about maps."""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.scope import system
from lustra.domains.device.api import CommonMaps
from lustra.domains.map import queries


async def on_common_maps(db: AsyncSession, event: CommonMaps) -> None:
    pairs = [(group, device) for group, devices in event.devices.items() for device in devices]
    values: dict[str, Any] = {"groups": [group for group, _ in pairs], "devices": [device for _, device in pairs]}
    rows = await db.execute(system("of robots that were found in scope").text(queries.COMMON_MAPS), values)
    event.names |= {row.grp: row.map for row in rows}
