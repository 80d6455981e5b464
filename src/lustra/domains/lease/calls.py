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
from lustra.domains.lease import keep, service
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


async def _rows(ctx: Ctx, found: Sequence[Lease]) -> list[LeaseRow]:
    robots = await service.robots(ctx, found)
    return [
        LeaseRow.model_construct(
            id=one.id, device_id=one.device_id, device_code=robots[one.device_id].name,
            device_serial_number=robots[one.device_id].serial_number, lessee_user_id=one.lessee_id,
            customer_name=one.customer_name, start_date=one.start_date, end_date=one.end_date,
            stopped_at=one.stopped_at, stopped_by=one.stopped_by, things=one.things,
            state=service.RUNNING if one.stopped_at is None else service.ENDED,
            overdue=service.overdue(one, robots[one.device_id]), ours=service.ours(ctx.actor, one), remark=one.remark,
        )
        for one in found
    ]  # fmt: skip


@call("/hire/list", needs=VIEW)
async def leases(ctx: Ctx, wanted: LeaseFilter) -> Page[LeaseRow]:
    """The leases in scope: running ones first."""
    asked = service.Wanted(wanted.user_id, wanted.device_id, wanted.state, wanted.overdue, wanted.text)
    found, total = await service.page(ctx, asked, wanted)
    return Page(list=await _rows(ctx, found), page_num=pages(total, wanted), total=total)


@call("/hire/insertHire", needs=VIEW, changes=("hire", "device", "map", "task"), audit="lease.insert")
async def insert_hire(ctx: Ctx, told: NewLease) -> ById:
    """A robot is leased from that day on."""
    terms = service.Terms(
        told.lessee_user_id, told.customer_name, told.start_date, told.end_date, told.remark, told.things
    )
    made = await service.begin(ctx, told.device_id, terms)
    ctx.note(id=made.id)
    return ById(id=made.id)


@call("/hire/stopHire", needs="device/hire/stop", changes=("hire", "device", "map", "task"), audit="lease.stop")
async def stop_hire(ctx: Ctx, told: EndLease) -> Nothing:
    """Ends a lease; the robot goes back to the lessor."""
    await service.stop(ctx, told.id, told.things)
    return Nothing()


jobs.job("lease.overdue", cron="23 * * * *")(keep.remind)
