"""/support: who may look at a customer's maps, video and device passwords, and who looked."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from lustra.core.query import bounded, pages
from lustra.core.rpc import SESSION, Ctx, Nothing, Wire, call
from lustra.core.wire import Id, Page, PageOf
from lustra.domains.account import support
from lustra.domains.account.tables import Account

CHANGES = ("support", "map", "taskReport", "task", "device")


class Hours(Wire):
    hours: int = Field(ge=1, le=72)


class Standard(Wire):
    """How it stands while no hours run."""

    default: Literal["off", "always"]


class OfCustomer(Wire):
    """`customerId`: the customer, or an account below it."""

    customer_id: Id


class StandingView(Wire):
    """`until` null: for ever, or closed."""

    customer_id: int
    customer_name: str
    open: bool
    default: Literal["off", "always"]
    until: datetime | None


class OwnStanding(Wire):
    """`customer` null: the account stands above customers. `mine`: it may open and close."""

    customer: StandingView | None
    mine: bool


class CustomerFilter(PageOf):
    keyword: str = Field("", max_length=100)


class LookRow(Wire):
    """`id` and `name`: of the map, robot, report or customer that was looked at."""

    time: datetime
    user_id: int
    account: str
    name: str
    what: str
    id: int
    of: str
    device_id: int | None


def _view(one: Account) -> StandingView:
    until = support.standing(one)
    return StandingView(
        customer_id=one.id, customer_name=one.name, open=until is not None,
        default="always" if one.support_default == "always" else "off",
        until=None if until == support.ALWAYS else until,
    )  # fmt: skip


@call("/support/state", needs=SESSION)
async def state(ctx: Ctx) -> OwnStanding:
    """How the support access stands of the customer that the account is or stands below."""
    found = await support.above(ctx)
    return OwnStanding(customer=_view(found) if found else None, mine=support.opens(ctx.actor))


@call("/support/list", needs="user/index")
async def list_customers(ctx: Ctx, wanted: CustomerFilter) -> Page[StandingView]:
    """The customers in scope."""
    found, total = await support.customers(ctx, wanted.keyword, wanted)
    bounded(total, wanted)
    return Page(list=[_view(one) for one in found], page_num=pages(total, wanted), total=total)


@call("/support/looks", needs=SESSION)
async def looks(ctx: Ctx, wanted: PageOf) -> Page[LookRow]:
    """What dealers and staff looked at of one's own, the newest first: once an hour for each of them and thing."""
    found, total = await support.looks(ctx, wanted)
    bounded(total, wanted)
    rows = [
        LookRow(
            time=row.created_at, user_id=row.account_id, account=row.name, name=name, what=row.detail["what"],
            id=row.detail["id"], of=row.detail["name"], device_id=row.device_id,
        )
        for row, name in found
    ]  # fmt: skip
    return Page(list=rows, page_num=pages(total, wanted), total=total)


@call("/support/open", needs=SESSION, person=True, changes=CHANGES, audit="support.open")
async def open_for(ctx: Ctx, told: Hours) -> StandingView:
    """For that long from now."""
    return _view(await support.change(ctx, hours=told.hours))


@call("/support/close", needs=SESSION, person=True, changes=CHANGES, audit="support.close")
async def close(ctx: Ctx) -> StandingView:
    """At once, and until it is opened again."""
    return _view(await support.change(ctx, default="off", hours=0))


@call("/support/default", needs=SESSION, person=True, changes=CHANGES, audit="support.default")
async def set_default(ctx: Ctx, told: Standard) -> StandingView:
    """Hours that run go on."""
    return _view(await support.change(ctx, default=told.default))


@call("/support/ask", needs=SESSION, person=True, audit="support.ask")
async def ask(ctx: Ctx, told: OfCustomer) -> Nothing:
    """A message to the customer, who alone can open it."""
    await support.ask(ctx, told.customer_id)
    return Nothing()
