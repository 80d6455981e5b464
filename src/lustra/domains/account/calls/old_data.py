"""/user/cleanCache: "clear old data" of the user menu."""

from datetime import datetime
from typing import Annotated

from lustra.core import texts
from lustra.core.calls.rpc import Ctx, Wire, call
from lustra.core.wire import Id, doc
from lustra.domains.account.data_protection import old_data


class OldDataCleaning(Wire):
    """Without `confirm` the answer counts and nothing is changed."""

    user_id: Annotated[Id | None, doc("Ignored: it is about one's own scope.")] = None
    confirm: Annotated[bool, doc("False: only count; true: delete.")] = False


class OldDataCount(Wire):
    kind: Annotated[str, doc("Kind of data.")]
    kind_name: Annotated[str, doc("Its name in the session's language.")]
    count: Annotated[int, doc("Number of rows older than `before`.")]


class OldDataCounts(Wire):
    """What is older than `before`; `removed`: and is gone now."""

    before: Annotated[datetime, doc("Rows from before this moment are counted or deleted.")]
    removed: Annotated[bool, doc("Whether they have been deleted.")]
    list: Annotated[list[OldDataCount], doc("One row for each kind of data.")]


@call("/user/cleanCache", needs="index/clear_data", changes=("taskReport", "message"), audit="user.clean_data")
async def clean_old_data(ctx: Ctx, payload: OldDataCleaning) -> OldDataCounts:
    """Count, or delete, reports and messages of more than a year ago in one's own scope."""
    before, counts = await old_data.clean_old_data(ctx, confirmed=payload.confirm)
    rows = [
        OldDataCount(kind=kind, kind_name=texts.say(ctx.language, f"data.{kind}"), count=count)
        for kind, count in counts.items()
    ]
    return OldDataCounts(before=before, removed=payload.confirm, list=rows)
