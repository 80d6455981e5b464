"""/retention: how long a customer's data are kept."""

from typing import Literal

from pydantic import Field

from lustra.core import jobs, texts
from lustra.core.rpc import SESSION, Ctx, Wire, call
from lustra.core.wire import Id
from lustra.domains.account import retention

LONGEST = 3650  # days


class OfCustomer(Wire):
    """Without `customerId`: one's own."""

    customer_id: Id | None = None


class Days(OfCustomer):
    """`days` 0: for ever; null: as above."""

    kind: Literal["report", "message", "track"]
    days: int | None = Field(ge=0, le=LONGEST)


class KeptView(Wire):
    """`days` in effect, 0 for ever; `given` from above; `own`: what the customer chose."""

    kind: str
    kind_name: str
    days: int
    given: int
    own: int | None


class Kept(Wire):
    list: list[KeptView]


def _view(ctx: Ctx, found: list[retention.Kept]) -> Kept:
    return Kept(list=[
        KeptView(
            kind=one.kind, kind_name=texts.say(ctx.language, f"data.{one.kind}"), days=one.days, given=one.given,
            own=one.own,
        )
        for one in found
    ])  # fmt: skip


@call("/retention/list", needs=SESSION)
async def list_retention(ctx: Ctx, wanted: OfCustomer) -> Kept:
    """How long what is kept."""
    return _view(ctx, await retention.of(ctx, await retention.customer(ctx, wanted.customer_id)))


@call("/retention/update", needs=SESSION, person=True, changes=("retention",), audit="retention.update")
async def update_retention(ctx: Ctx, told: Days) -> Kept:
    """By the customer, who may shorten, or by whoever administers it."""
    return _view(ctx, await retention.change(ctx, told.customer_id, told.kind, told.days))


jobs.job("account.retention", cron="47 2 * * *")(retention.clean)
