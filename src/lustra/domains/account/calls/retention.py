"""/retention: how long a customer's data are kept."""

from typing import Annotated

from pydantic import Field

from lustra.core import jobs, texts
from lustra.core.calls.rpc import SESSION, Ctx, Wire, call
from lustra.core.wire import Id, doc
from lustra.domains.account.data_protection import retention

LONGEST = 3650  # days


class CustomerRef(Wire):
    """Whose rules: those of `customerId`, by default one's own."""

    customer_id: Annotated[Id | None, doc("The customer; null: one's own account.")] = None


class RetentionChange(CustomerRef):
    """`days` 0: for ever; null: as above."""

    kind: Annotated[retention.DataKind, doc("Kind of data.")]
    days: Annotated[
        int | None,
        doc("Days that it is kept, 0 to 3650; 0: for ever; null: as the installation or whoever stands above has it."),
    ] = Field(ge=0, le=LONGEST)


class RetentionPolicyView(Wire):
    """`days` in effect, 0 for ever; `given` from above; `own`: what the customer chose."""

    kind: Annotated[retention.DataKind, doc("Kind of data.")]
    kind_name: Annotated[str, doc("Its name in the session's language.")]
    days: Annotated[int, doc("Days in effect; 0: for ever.")]
    given: Annotated[int, doc("Days set from above or by the installation; 0: for ever.")]
    own: Annotated[int | None, doc("Days that the customer chose; null: none.")]


class RetentionPolicies(Wire):
    list: Annotated[list[RetentionPolicyView], doc("One row for each kind of data.")]


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
    """Set how long a kind of data is kept: the customer may shorten it, whoever administers it may do both."""
    return _view(ctx, await retention.set_days(ctx, payload.customer_id, payload.kind, payload.days))


jobs.job("account.retention", cron="47 2 * * *")(retention.purge)
