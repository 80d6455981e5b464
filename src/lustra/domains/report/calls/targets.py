"""/taskReport: what robots are to clean, what cleaning by hand takes, and what a range of days is beside both."""

from datetime import date
from typing import Annotated

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Fast, Nothing, Wire, call
from lustra.core.wire import Change, ScopeAccountId, SeenUpdateTime, UpdateTime, doc, optional_from
from lustra.domains.report.calls.charts import CHARTS, READS, ChartFilter, Span, read_question
from lustra.domains.report.sums import service
from lustra.domains.report.targets import service as targets

CHANGE = "reportChart/target"
TargetArea = Annotated[float, Field(gt=0, le=1_000_000)]
ManualRate = Annotated[float, Field(gt=0, le=100_000)]
ManualWater = Annotated[float, Field(gt=0, le=100)]
CareMinutes = Annotated[float, Field(gt=0, le=1440)]


class TargetFields(Wire):
    target_area: Annotated[TargetArea | None, doc("m² that a robot is to clean on each day; null: not set.")] = None
    manual_rate: Annotated[ManualRate | None, doc("m² that a person cleans by hand in an hour; null: not set.")] = None
    manual_water: Annotated[
        ManualWater | None, doc("Litres of water that a person uses for each m² by hand; null: not set.")
    ] = None
    care_minutes: Annotated[
        CareMinutes | None, doc("Minutes that a person spends on the robot for each run; null: not set.")
    ] = None


class TargetRef(Wire):
    user_id: Annotated[ScopeAccountId, doc("Account whose figures are meant; null: one's own.")] = None


@optional_from(TargetFields)
class TargetChange(TargetFields, Change):
    user_id: Annotated[ScopeAccountId, doc("Account whose figures are meant; null: one's own.")] = None
    update_time: SeenUpdateTime = None


class TargetRow(TargetFields):
    update_time: UpdateTime


class TargetView(Wire):
    account: Annotated[str, doc("Name of the account.")]
    own: Annotated[TargetRow | None, doc("What it has set itself; null: nothing.")]
    counts: Annotated[TargetFields, doc("What counts for it: its own figure, else that of the nearest above.")]


class Savings(Wire):
    robot_days: Annotated[int, doc("Robots on each day that has begun, added up.")]
    target_area: Annotated[float | None, doc("What they were to clean, in m²; null: no target is set.")]
    target_share: Annotated[
        int | None, doc("Cleaned area as a share of it, in thousandths, also above 1000; null: no target is set.")
    ]
    saved_time: Annotated[
        float | None,
        doc("Time of a person for that area by hand less what runs took of it, in seconds; null: no rate is set."),
    ]
    saved_water_ml: Annotated[
        float | None, doc("Water for that area by hand less what robots say they used, in ml; null: none is set.")
    ]


class SavingsPoint(Savings):
    date: Annotated[date, doc("The day, or the first of the days of the month.")]


class TargetChart(Span):
    target: Annotated[TargetFields, doc("The figures that count for the account the chart is about.")]
    total: Annotated[Savings, doc("Of the whole range.")]
    before: Annotated[Savings, doc("Of as many days before.")]
    list: Annotated[list[SavingsPoint], doc("Each day or month of the range.")]


@call("/taskReport/target", needs=CHARTS, reads=("cleaningTarget",))
async def select_target(ctx: Ctx, payload: TargetRef) -> TargetView:
    """Read what robots of an account are to clean, and what cleaning by hand takes there."""
    account = await targets.load_account(ctx, payload.user_id)
    row = await targets.load_own(ctx, account.id)
    own = row and TargetRow(update_time=row.updated_at, **{name: getattr(row, name) for name in targets.FIGURES})
    counts = await targets.find_target(ctx, account.id)
    return TargetView(
        account=account.name, own=own, counts=TargetFields(**{name: getattr(counts, name) for name in targets.FIGURES})
    )


@call("/taskReport/updateTarget", needs=CHANGE, changes=("cleaningTarget",), audit="report.target")
async def update_target(ctx: Ctx, payload: TargetChange) -> Nothing:
    """Set what robots of an account, and of those below without their own, are to clean, and what it takes by hand."""
    account = await targets.load_account(ctx, payload.user_id)
    await targets.change(ctx, account.id, payload.sent(), payload.update_time)
    return Nothing()


@call("/taskReport/chartTarget", needs=CHARTS, reads=(*READS, "cleaningTarget"))
async def chart_target(ctx: Ctx, payload: ChartFilter) -> Fast[TargetChart]:
    """Show what was cleaned in a range beside its target, and the hours and water that it saved."""
    question = await read_question(ctx, payload)
    target = await targets.find_target(ctx, payload.user_id or ctx.actor.acting_id)
    pool, robots, days = ctx.app.pool, question.robots, question.days
    series = await service.load_series(pool, robots, days)
    *counts, robot_days, robot_days_before = await targets.count_robot_days(
        pool, robots, [*days.parts(days.unit), days, days.before]
    )
    total = await service.load_total(pool, robots, days)
    before = await service.load_total(pool, robots, days.before)
    return Fast(
        {
            **question.span,
            "target": targets.describe(target),
            "total": targets.compare(target, total, robot_days),
            "before": targets.compare(target, before, robot_days_before),
            "list": [
                {"date": row["date"], **targets.compare(target, row, count)}
                for row, count in zip(series, counts, strict=True)
            ],
        }
    )
