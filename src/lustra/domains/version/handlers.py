"""Which versions are for a type of robots: asked before it is deleted."""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.scope import shared
from lustra.domains.device.api import TypesInUse
from lustra.domains.version.tables import FirmwareVersion, SoftVersion


async def on_types_in_use(db: AsyncSession, event: TypesInUse) -> None:
    lines = shared.select(SoftVersion.name).where(SoftVersion.type_id == event.type_id)
    firmware = shared.select(FirmwareVersion.name).where(FirmwareVersion.type_ids.contains([event.type_id]))
    event.versions += [*await db.scalars(lines), *await db.scalars(firmware)]
