"""What a running lease keeps others from, and who hears that it is overdue."""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.context import NOBODY, Services
from lustra.core.errors import Code, Refusal
from lustra.core.scope import system
from lustra.domains.account.api import PersonErased
from lustra.domains.device.api import DeviceDeleted, OwnerChanged
from lustra.domains.lease import queries
from lustra.domains.lease.tables import Lease
from lustra.domains.message import api as messages


async def refuse_leased(db: AsyncSession, event: OwnerChanged | DeviceDeleted) -> None:
    """A leased robot keeps its owner and is not deleted."""
    rows = (
        system("whoever leased it").select(Lease).where(Lease.device_id == event.device_id, Lease.stopped_at.is_(None))
    )
    if lease := await db.scalar(rows):
        raise Refusal(Code.LEASED, "deviceId", lessee=lease.customer_name)


async def remind_overdue(app: Services) -> None:
    """Writes to lessor and lessee that a lease is over its time; once for each lease."""
    async with app.sessions.begin() as db:
        for row in await db.execute(system("overdue leases of all accounts").text(queries.NOTIFY_OVERDUE)):
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
    erase_names = system("wherever the person is named").text(queries.ERASE_NAMES)
    await db.execute(erase_names, {"names": list(event.values), "label": event.label})
