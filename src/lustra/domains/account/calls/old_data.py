"""/user/cleanCache: "clear old data" of the user menu."""

from datetime import datetime

from lustra.core import texts
from lustra.core.rpc import Ctx, Wire, call
from lustra.core.wire import Id
from lustra.domains.account import old_data


class OldDataCleaning(Wire):
    """Without `confirm` the answer counts and nothing is changed."""

    user_id: Id | None = None
    confirm: bool = False


class OldDataCount(Wire):
    kind: str
    kind_name: str
    count: int


class OldDataCounts(Wire):
    """What is older than `before`; `removed`: and is gone now."""

    before: datetime
    removed: bool
    list: list[OldDataCount]


@call("/user/cleanCache", needs="index/clear_data", changes=("taskReport", "message"), audit="user.clean_data")
async def clean_old_data(ctx: Ctx, payload: OldDataCleaning) -> OldDataCounts:
    """Count, or delete, reports and messages of more than a year ago in one's own scope."""
    before, counts = await old_data.clean_old_data(ctx, confirmed=payload.confirm)
    rows = [
        OldDataCount(kind=kind, kind_name=texts.say(ctx.language, f"data.{kind}"), count=count)
        for kind, count in counts.items()
    ]
    return OldDataCounts(before=before, removed=payload.confirm, list=rows)
