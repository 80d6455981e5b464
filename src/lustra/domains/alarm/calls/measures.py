"""/warn/measures: whether the alarms of a fleet are any good."""

from typing import Annotated, Literal

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Fast, Wire, call
from lustra.core.wire import Commas, Id, ScopeAccountId, doc
from lustra.domains.account.api import narrow_scope
from lustra.domains.alarm.calls.alarms import SUMS
from lustra.domains.alarm.measures import service


class MeasureFilter(Wire):
    user_id: ScopeAccountId = None
    device_ids: Annotated[Commas[Id] | None, doc("Only of these robots, at most 1000; null: all.")] = Field(
        None, max_length=1000
    )
    days: Annotated[int, doc("Of the last so many days, 1 to 90.")] = Field(30, ge=1, le=90)


class AlarmMeasure(Wire):
    name: Annotated[
        Literal["perHour", "peak", "flood", "standing", "chattering", "take", "resolve"],
        doc(
            "`perHour`: alarms an hour; `peak`: the most in ten minutes; `flood`: share of the time with more than ten"
            " in ten minutes; `standing`: open for more than 24 h now; `chattering`: raised five times or more;"
            " `take`, `resolve`: mean time until somebody took one, until one was over, in seconds."
        ),
    ]
    value: Annotated[float | None, doc("What it is, as the name says; null: there was none.")]
    most: Annotated[float, doc("What it should be at most.")]
    met: Annotated[bool, doc("Whether it is.")]


class AlarmMeasures(Wire):
    list: Annotated[list[AlarmMeasure], doc("The measures.")]


@call("/warn/measures", needs=SUMS, reads=("warn",))
async def measure_alarms(ctx: Ctx, payload: MeasureFilter) -> Fast[AlarmMeasures]:
    """Show how useful the alarms in scope are: how many, how bunched, how long they stand."""
    scope = await narrow_scope(ctx, payload.user_id)
    return Fast({"list": await service.load(ctx, scope, payload.device_ids, payload.days)})
