"""/support: who may look at a customer's maps, video and device passwords, and who looked."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from lustra.core.query import pages
from lustra.core.rpc import SESSION, Ctx, Nothing, Wire, call
from lustra.core.wire import Id, Page, PageOf
from lustra.domains.account import support
from lustra.domains.account.tables import Account

CHANGES = ("support", "map", "taskReport", "task", "device")


class SupportHours(Wire):
    hours: int = Field(ge=1, le=72)


class SupportDefault(Wire):
    """How it stands while no hours run."""

    default: Literal["off", "always"]


class SupportCustomer(Wire):
    """`customerId`: the customer, or an account below it."""

    customer_id: Id


class SupportStateView(Wire):
    """`until` null: for ever, or closed."""

    customer_id: int
    customer_name: str
    open: bool
    default: Literal["off", "always"]
    until: datetime | None


class OwnSupportState(Wire):
    """`customer` null: the account stands above customers. `mine`: it may open and close."""

    customer: SupportStateView | None
    may_open: bool = Field(alias="mine")


class CustomerFilter(PageOf):
    keyword: str = Field("", max_length=100)


class LookRow(Wire):
    """`id` and `name`: of the map, robot, report or customer that was looked at."""

    time: datetime
    user_id: int
    account: str
    name: str
    kind: str = Field(alias="what")
    id: int
    name_looked_at: str = Field(alias="of")
    device_id: int | None


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
