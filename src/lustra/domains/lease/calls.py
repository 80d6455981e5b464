"""/hire: leases of robots."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from lustra.core import jobs
from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.query import pages
from lustra.core.wire import ById, Day, Id, Page, PageOf, doc
from lustra.domains.device.api import Blank, Things
from lustra.domains.lease import handlers, service
from lustra.domains.lease.tables import Lease

VIEW = "device/hire"
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=100)]


class LeaseFilter(PageOf):
    """`text` is part of the lessee, the remark, or the robot's name or number; `overdue`: only those."""

    user_id: Annotated[Id | None, doc("Only leases of this account and those below, as lessor or lessee.")] = None
    device_id: Annotated[Id | None, doc("Only leases of this robot.")] = None
    state: Annotated[Literal[0, 1] | None, doc("0 running, 1 ended.")] = None
    overdue: Annotated[bool, doc("Only those that run past their end.")] = False
    text: Annotated[str, doc("Part of the lessee, the remark, or the robot's name or serial number.")] = Field(
        "", max_length=100
    )


class NewLease(Wire):
    """`lesseeUserId`: an account that has the robot meanwhile; without it the lease is a record alone. `customerName`:
    without it the account's name. `things`: what becomes of maps, tasks, recordings and password of before."""

    device_id: Annotated[Id, doc("The robot.")]
    lessee_user_id: Annotated[
        Id | None, Blank, doc("Account that owns the robot meanwhile; null: the lease is a record alone.")
    ] = None
    customer_name: Annotated[Text, doc("Name of the lessee; empty: the account's name.")] = ""
    start_date: Annotated[Day, doc("First day at the robot's place, today at the latest.")]
    end_date: Annotated[Day | None, Blank, doc("Last day, today or later; null: until it is ended.")] = None
    remark: Annotated[str, StringConstraints(strip_whitespace=True, max_length=500), doc("At most 500 characters.")] = (
        ""
    )
    things: Annotated[Things, doc("What becomes of the owner's maps, tasks, recordings and password.")] = "keep"


class EndLease(Wire):
    """`things`: what becomes of the lessee's maps, tasks, recordings and password."""

    id: Annotated[Id, doc("The lease.")]
    things: Annotated[Things, doc("What becomes of the lessee's maps, tasks, recordings and password.")] = "keep"


class LeaseRow(Wire):
    """`state` 0: running, 1: ended. `overdue`: running past its end. `ours`: the asker may end it."""

    id: Annotated[int, doc("The lease.")]
    device_id: Annotated[int, doc("The robot.")]
    device_code: Annotated[str, doc("The robot's name.")]
    device_serial_number: Annotated[str, doc("The robot's serial number.")]
    lessee_user_id: Annotated[int | None, doc("Account that has the robot; null: none.")]
    customer_name: Annotated[str, doc("Name of the lessee.")]
    start_date: Annotated[date, doc("First day.")]
    end_date: Annotated[date | None, doc("Last day; null: until it is ended.")]
    stopped_at: Annotated[datetime | None, doc("When it was ended; null: it runs.")]
    stopped_by: Annotated[str, doc("Login name of who ended it.")]
    things: Annotated[Things | None, doc("What became of maps, tasks, recordings and password at the end.")]
    state: Annotated[Literal[0, 1], doc("0 running, 1 ended.")]
    overdue: Annotated[bool, doc("Whether it runs past its end.")]
    ours: Annotated[bool, doc("Whether the asker may end it.")]
    remark: Annotated[str, doc("Free text.")]


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
