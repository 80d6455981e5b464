"""/support: who may look at a customer's maps, video and device passwords, and who looked."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from lustra.core.calls.rpc import SESSION, Ctx, Nothing, Wire, call
from lustra.core.query import pages
from lustra.core.wire import Id, Page, PageOf, doc
from lustra.domains.account.access import support
from lustra.domains.account.log import look_title
from lustra.domains.account.tables import Account

CHANGES = ("support", "map", "taskReport", "task", "device")


class SupportHours(Wire):
    hours: Annotated[int, doc("Hours from now, 1 to 72.")] = Field(ge=1, le=72)


class SupportDefault(Wire):
    default: Annotated[
        Literal["off", "always"], doc("What support may see while no hours run: `off` nothing, `always` all.")
    ]


class SupportCustomer(Wire):
    customer_id: Annotated[Id, doc("The customer, or an account below it.")]


class SupportStateView(Wire):
    customer_id: Annotated[int, doc("Account of the customer.")]
    customer_name: Annotated[str, doc("Name of the customer.")]
    open: Annotated[bool, doc("Whether support may see the customer's data now.")]
    default: Annotated[
        Literal["off", "always"], doc("What support may see while no hours run: `off` nothing, `always` all.")
    ]
    until: Annotated[datetime | None, doc("When the access ends; null: it is closed, or open without an end.")]


class OwnSupportState(Wire):
    customer: Annotated[
        SupportStateView | None,
        doc("The customer that the account is or stands below; null: it stands above customers."),
    ]
    may_open: Annotated[bool, doc("Whether the asker may open and close the access.")] = Field(alias="mine")


class CustomerFilter(PageOf):
    keyword: Annotated[
        str, doc("Part of name, login name, telephone number or mailbox, at most 100 characters; empty: all.")
    ] = Field("", max_length=100)


class LookRow(Wire):
    time: Annotated[datetime, doc("When it was looked at.")]
    user_id: Annotated[int, doc("Account that looked.")]
    account: Annotated[str, doc("Login name of the account that looked.")]
    name: Annotated[str, doc("Name of the account that looked.")]
    kind: Annotated[str, doc("Kind of thing that was looked at.")] = Field(alias="what")
    kind_name: Annotated[str, doc("Name of that kind in the caller's language.")] = Field(alias="whatName")
    id: Annotated[int, doc("Number of the map, robot, report or customer that was looked at.")]
    name_looked_at: Annotated[str, doc("Name of the map, robot, report or customer that was looked at.")] = Field(
        alias="of"
    )
    device_id: Annotated[int | None, doc("Robot that it belongs to; null: none.")]


def _view(account: Account) -> SupportStateView:
    until = support.open_until(account)
    return SupportStateView(
        customer_id=account.id,
        customer_name=account.name,
        open=until is not None,
        default="always" if account.support_default == "always" else "off",
        until=None if until == support.ALWAYS else until,
    )


@call("/support/state", needs=SESSION)
async def show_state(ctx: Ctx) -> OwnSupportState:
    """Show the support access of the customer that the account is or stands below."""
    customer = await support.find_customer(ctx)
    return OwnSupportState(customer=_view(customer) if customer else None, mine=support.may_open(ctx.actor))


@call("/support/list", needs="user/index")
async def list_customers(ctx: Ctx, payload: CustomerFilter) -> Page[SupportStateView]:
    """List the customers in scope with their support access."""
    customers, total = await support.list_customers(ctx, payload.keyword, payload)
    return Page(list=[_view(customer) for customer in customers], page_num=pages(total, payload), total=total)


@call("/support/looks", needs=SESSION)
async def list_looks(ctx: Ctx, payload: PageOf) -> Page[LookRow]:
    """List what dealers and staff looked at of one's own data, the newest first; repeats within an hour once."""
    looks, total = await support.list_looks(ctx, payload)
    rows = [
        LookRow(
            time=row.created_at,
            user_id=row.account_id,
            account=row.name,
            name=name,
            what=row.detail["what"],
            whatName=look_title(row.detail["what"], ctx.language),
            id=row.detail["id"],
            of=row.detail["name"],
            device_id=row.device_id,
        )
        for row, name in looks
    ]
    return Page(list=rows, page_num=pages(total, payload), total=total)


@call("/support/open", needs=SESSION, person=True, changes=CHANGES, audit="support.open")
async def open_access(ctx: Ctx, payload: SupportHours) -> SupportStateView:
    """Open one's own data to support for some hours from now."""
    return _view(await support.change_access(ctx, hours=payload.hours))


@call("/support/close", needs=SESSION, person=True, changes=CHANGES, audit="support.close")
async def close_access(ctx: Ctx) -> SupportStateView:
    """Close one's own data to support, at once and until it is opened again."""
    return _view(await support.change_access(ctx, default="off", hours=0))


@call("/support/default", needs=SESSION, person=True, changes=CHANGES, audit="support.default")
async def set_default(ctx: Ctx, payload: SupportDefault) -> SupportStateView:
    """Set what support may see while no hours run; hours that run go on."""
    return _view(await support.change_access(ctx, default=payload.default))


@call("/support/ask", needs=SESSION, person=True, audit="support.ask")
async def request_access(ctx: Ctx, payload: SupportCustomer) -> Nothing:
    """Ask a customer by a message to open its support access: it alone can."""
    await support.request_access(ctx, payload.customer_id)
    return Nothing()
