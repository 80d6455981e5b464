"""/wmWarnSet/listRules, editRule, tryRule: by what the server itself raises alarms."""

from typing import Annotated, Literal

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import Id, ScopeAccountId, doc
from lustra.domains.alarm.api import name_alarm
from lustra.domains.alarm_rule import service
from lustra.domains.alarm_rule.kinds import Name, Unit

SETTINGS = "warn/index/warn_set"
RuleKind = Annotated[Name, doc("What the rule looks at: the code of the alarms that it raises.")]
RuleAccount = Annotated[
    Id | None, doc("Account for whose robots, and those of accounts below, it holds; null: one's own.")
]
Threshold = Annotated[int, Field(ge=1, le=1440)]


class RuleFilter(Wire):
    user_id: ScopeAccountId = None


class RuleRow(Wire):
    kind: RuleKind
    content: Annotated[str, doc("What its alarms say, in the session's language.")]
    unit: Annotated[Unit, doc("Unit of its threshold.")]
    least: Annotated[int, doc("Least threshold that is taken.")]
    most: Annotated[int, doc("Largest threshold that is taken.")]
    enabled: Annotated[bool, doc("Whether it raises alarms.")]
    threshold: Annotated[int, doc("From when on it does, in its unit.")]
    decided: Annotated[Literal["own", "above", "default"], doc("Who decided it: the account, one above it, or nobody.")]
    decided_by: Annotated[str, doc("Name of who decided it; empty: nobody, or an account that one does not see.")]
    standing: Annotated[bool, doc("Whether a trial counts what it would raise now, as nothing of its past is stored.")]


class Rules(Wire):
    list: Annotated[list[RuleRow], doc("The rules.")]


class RuleChange(Wire):
    user_id: RuleAccount = None
    kind: RuleKind
    enabled: Annotated[bool | None, doc("Whether it raises alarms; null: as decided above, or as delivered.")]
    threshold: Annotated[
        Threshold | None, doc("From when on it does, in its unit, within its bounds; null: only with `enabled` null.")
    ]


class RuleTrial(Wire):
    user_id: RuleAccount = None
    kind: RuleKind
    threshold: Annotated[Threshold, doc("From when on it would raise alarms, in its unit, within its bounds.")]


class RuleTrialCount(Wire):
    count: Annotated[int, doc("How many alarms it would have raised in the last 30 days; of `standing` ones, now.")]
    days: Annotated[Literal[30], doc("Of how many days.")]


@call("/wmWarnSet/listRules", needs=SETTINGS, reads=("wmWarnSet",))
async def list_alarm_rules(ctx: Ctx, payload: RuleFilter) -> Rules:
    """List by what the server raises alarms of an account's robots, and who decided it."""
    rows = await service.load(ctx, payload.user_id)
    named = [RuleRow(**row, content=name_alarm(row["kind"], ctx.language)) for row in rows]
    return Rules(list=named)


@call("/wmWarnSet/editRule", needs=SETTINGS, changes=("wmWarnSet",), audit="warn.rule")
async def edit_alarm_rule(ctx: Ctx, payload: RuleChange) -> Nothing:
    """Set one of them, or leave it to who is above."""
    await service.edit(ctx, payload.user_id, payload.kind, enabled=payload.enabled, threshold=payload.threshold)
    return Nothing()


@call("/wmWarnSet/tryRule", needs=SETTINGS, reads=())
async def try_alarm_rule(ctx: Ctx, payload: RuleTrial) -> RuleTrialCount:
    """Count how many alarms a threshold would have raised in the last 30 days."""
    count = await service.count_past(ctx, payload.user_id, payload.kind, payload.threshold)
    return RuleTrialCount(count=count, days=30)
