"""/retention: how long a customer's data are kept."""

from typing import Literal

from pydantic import Field

from lustra.core import jobs, texts
from lustra.core.rpc import SESSION, Ctx, Wire, call
from lustra.core.wire import Id
from lustra.domains.account import retention

LONGEST = 3650  # days


class CustomerRef(Wire):
    """Without `customerId`: one's own."""

    customer_id: Id | None = None


class RetentionChange(CustomerRef):
    """`days` 0: for ever; null: as above."""

    kind: Literal["report", "message", "track"]
    days: int | None = Field(ge=0, le=LONGEST)


class RetentionPolicyView(Wire):
    """`days` in effect, 0 for ever; `given` from above; `own`: what the customer chose."""

    kind: str
    kind_name: str
    days: int
    given: int
    own: int | None


class RetentionPolicies(Wire):
    list: list[RetentionPolicyView]


def _view(ctx: Ctx, policies: list[retention.RetentionPolicy]) -> RetentionPolicies:
    return RetentionPolicies(
        list=[
            RetentionPolicyView(
                kind=policy.kind,
                kind_name=texts.say(ctx.language, f"data.{policy.kind}"),
                days=policy.days,
                given=policy.given,
                own=policy.own,
            )
            for policy in policies
        ]
    )


@call("/retention/list", needs=SESSION)
async def list_retention_policies(ctx: Ctx, payload: CustomerRef) -> RetentionPolicies:
    """List how long each kind of a customer's data is kept."""
    return _view(ctx, await retention.load_policies(ctx, await retention.find_customer(ctx, payload.customer_id)))


@call("/retention/update", needs=SESSION, person=True, changes=("retention",), audit="retention.update")
async def set_retention_days(ctx: Ctx, payload: RetentionChange) -> RetentionPolicies:
    """Set how long a kind of data is kept: the customer may shorten, who administers it may do both."""
    return _view(ctx, await retention.set_days(ctx, payload.customer_id, payload.kind, payload.days))


jobs.job("account.retention", cron="47 2 * * *")(retention.purge)
