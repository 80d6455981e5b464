"""/hire: leases of robots."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from lustra.core import jobs
from lustra.core.query import pages
from lustra.core.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import ById, Day, Id, Page, PageOf
from lustra.domains.device.events import Things
from lustra.domains.device.rules import Blank
from lustra.domains.lease import handlers, service
from lustra.domains.lease.tables import Lease

VIEW = "device/hire"
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=100)]


class LeaseFilter(PageOf):
    """`text` is part of the lessee, the remark, or the robot's name or number; `overdue`: only those."""

    user_id: Id | None = None
    device_id: Id | None = None
    state: Literal[0, 1] | None = None
    overdue: bool = False
    text: str = Field("", max_length=100)


class NewLease(Wire):
    """`lesseeUserId`: an account that has the robot meanwhile; without it the lease is a record alone. `customerName`:
    without it the account's name. `things`: what becomes of maps, tasks, recordings and password of before."""

    device_id: Id
    lessee_user_id: Annotated[Id | None, Blank] = None
    customer_name: Text = ""
    start_date: Day
    end_date: Annotated[Day | None, Blank] = None
    remark: Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)] = ""
    things: Things = "keep"


class EndLease(Wire):
    """`things`: what becomes of the lessee's maps, tasks, recordings and password."""

    id: Id
    things: Things = "keep"


class LeaseRow(Wire):
    """`state` 0: running, 1: ended. `overdue`: running past its end. `ours`: the asker may end it."""

    id: int
    device_id: int
    device_code: str
    device_serial_number: str
    lessee_user_id: int | None
    customer_name: str
    start_date: date
    end_date: date | None
    stopped_at: datetime | None
    stopped_by: str
    things: Things | None
    state: Literal[0, 1]
    overdue: bool
    ours: bool
    remark: str


async def _rows(ctx: Ctx, leases: Sequence[Lease]) -> list[LeaseRow]:
    devices = await service.load_devices(ctx, leases)
    return [
        LeaseRow.model_construct(
            id=lease.id,
            device_id=lease.device_id,
            device_code=devices[lease.device_id].name,
            device_serial_number=devices[lease.device_id].serial_number,
            lessee_user_id=lease.lessee_id,
            customer_name=lease.customer_name,
            start_date=lease.start_date,
            end_date=lease.end_date,
            stopped_at=lease.stopped_at,
            stopped_by=lease.stopped_by,
            things=lease.things,
            state=service.RUNNING if lease.stopped_at is None else service.ENDED,
            overdue=service.is_overdue(lease, devices[lease.device_id]),
            ours=service.may_end(ctx.actor, lease),
            remark=lease.remark,
        )
        for lease in leases
    ]


@call("/hire/list", needs=VIEW)
async def list_leases(ctx: Ctx, payload: LeaseFilter) -> Page[LeaseRow]:
    """List the leases in scope, running ones first."""
    filters = service.LeaseQuery(payload.user_id, payload.device_id, payload.state, payload.overdue, payload.text)
    leases, total = await service.load_page(ctx, filters, payload)
    return Page(list=await _rows(ctx, leases), page_num=pages(total, payload), total=total)


@call("/hire/insertHire", needs=VIEW, changes=("hire", "device", "map", "task"), audit="lease.insert")
async def begin_lease(ctx: Ctx, payload: NewLease) -> ById:
    """Begin a lease: the robot is leased from that day on."""
    terms = service.Terms(
        payload.lessee_user_id,
        payload.customer_name,
        payload.start_date,
        payload.end_date,
        payload.remark,
        payload.things,
    )
    lease = await service.begin_lease(ctx, payload.device_id, terms)
    ctx.note(id=lease.id)
    return ById(id=lease.id)


@call("/hire/stopHire", needs="device/hire/stop", changes=("hire", "device", "map", "task"), audit="lease.stop")
async def end_lease(ctx: Ctx, payload: EndLease) -> Nothing:
    """End a lease; the robot goes back to the lessor."""
    await service.end_lease(ctx, payload.id, payload.things)
    return Nothing()


jobs.job("lease.overdue", cron="23 * * * *")(handlers.remind_overdue)
