"""/change: what changed, for programs that follow a fleet."""

from typing import Annotated

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Wire, call
from lustra.core.wire import Commas, doc
from lustra.domains.change import service
from lustra.domains.change.kinds import ChangeKind
from lustra.domains.change.wire import ChangeRow, build_row

LONGEST_CURSOR = 200  # letters
MOST = 1000  # changes of an answer


class ChangeFilter(Wire):
    since: Annotated[
        str, doc("The `cursor` of the last answer; empty: from the oldest change; `now`: only what comes.")
    ] = Field("", max_length=LONGEST_CURSOR)
    kinds: Annotated[Commas[ChangeKind], doc("Only these kinds, at most 100; empty: all.")] = Field([], max_length=100)
    limit: Annotated[int, doc("Changes of an answer, 1 to 1000.")] = Field(100, ge=1, le=MOST)


class ChangeList(Wire):
    list: Annotated[list[ChangeRow], doc("Changes in the order in which they became true, the oldest first.")]
    cursor: Annotated[str, doc("To be sent as `since` the next time, as it is.")]
    has_more: Annotated[bool, doc("Whether more are there already: ask again at once.")]


@call("/change/list", needs="index/changes")
async def list_changes(ctx: Ctx, payload: ChangeFilter) -> ChangeList:
    """List what changed in scope since a cursor.

    Begin with `since: "now"`, then read the lists, then follow: so nothing is missed. Changes are there for 30 days. An
    older cursor is refused with CURSOR_OVER: begin anew. A change is seen by who owned the robot when it happened.
    """
    feed = await service.read_feed(ctx, payload.since, payload.kinds, payload.limit)
    return ChangeList(list=[build_row(row) for row in feed.rows], cursor=feed.cursor, has_more=feed.has_more)
