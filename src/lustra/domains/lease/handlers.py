"""What a running lease keeps others from, and who hears that it is overdue."""

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.context import NOBODY, Services
from lustra.core.errors import Code, Refusal
from lustra.domains.account.api import PersonErased
from lustra.domains.device.api import DeviceDeleted, OwnerChanged
from lustra.domains.lease.tables import Lease
from lustra.domains.message import api as messages

OVERDUE = text(
    """update lease l set told = true from device d
    where d.id = l.device_id and l.stopped_at is null and not l.told and l.end_date < (now() at time zone d.zone)::date
    returning l.owner_id, l.lessee_id, l.customer_name, l.end_date, d.name"""
)
ERASE_NAMES = text(
    """update lease set customer_name = case when customer_name = any(:names) then :label else customer_name end,
      stopped_by = case when stopped_by = any(:names) then :label else stopped_by end
    where customer_name = any(:names) or stopped_by = any(:names)"""
)


async def refuse_leased(db: AsyncSession, event: OwnerChanged | DeviceDeleted) -> None:
    """A leased robot keeps its owner and is not deleted. Unscoped: whoever leased it."""
    rows = select(Lease).where(Lease.device_id == event.device_id, Lease.stopped_at.is_(None))
    if lease := await db.scalar(rows):
        raise Refusal(Code.LEASED, "deviceId", lessee=lease.customer_name)


async def remind_overdue(app: Services) -> None:
    """Lessor and lessee, once. Unscoped: of all accounts."""
    async with app.sessions.begin() as db:
        for row in await db.execute(OVERDUE):
            messages.notify(
                db,
                [row.owner_id, row.lessee_id],
                "lease_overdue",
                NOBODY,
                robot=row.name,
                lessee=row.customer_name,
                end=str(row.end_date),
            )


async def on_person_erased(db: AsyncSession, event: PersonErased) -> None:
    """Unscoped: wherever the person is named."""
    await db.execute(ERASE_NAMES, {"names": list(event.values), "label": event.label})
