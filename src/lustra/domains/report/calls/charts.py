"""/taskReport and /summary: what was cleaned in a week, a month, three months, a year or other days, in sums."""

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Fast, Wire, call
from lustra.core.wire import Commas, Day, Id, ScopeAccountId, SpanFilter, doc
from lustra.domains.account.api import narrow_scope
from lustra.domains.report import track
from lustra.domains.report.calls.runs import VIEW, ReportRef
from lustra.domains.report.sums import online, service
from lustra.domains.report.sums.ranges import Days, RangeName, Unit, choose_days
from lustra.domains.report.sums.service import Part, Robots

CHARTS = "reportChart"
SUMMARY = "device/deviceSummary"
ONLINE = "device/deviceOnLineSummary"
READS = ("taskReport", "device", "deviceGroup")


class ChartFilter(SpanFilter):
    """Which runs are summed. Days are those of the robots' sites."""

    user_id: ScopeAccountId = None
    device_ids: Annotated[Commas[Id] | None, doc("Only these robots, at most 1000; null: all.")] = Field(
        None, max_length=1000
    )
    type_id: Annotated[Id | None, doc("Only robots of this type; null: of all.")] = None
    range: Annotated[
        RangeName | None,
        doc("7 or 30 days, 3 or 12 months up to `endDate`; null: from `startDate` on, 30 days where that is null too."),
    ] = None
    start_date: Annotated[Day | None, doc("First day, included; at most 366 days are shown.")] = None
    end_date: Annotated[Day | None, doc("Last day, included; null: today at the latest of the robots' sites.")] = None


class ChartPartFilter(ChartFilter):
    by: Annotated[Part, doc("By what the sums are taken apart; a robot counts in each of its groups.")] = "robot"


class ChartSums(Wire):
    """Sums of runs that began in these days, also of those that go on."""

    runs: Annotated[int, doc("Number of runs.")]
    cleared_runs: Annotated[int, doc("How many of them are listed no more, since old data was cleared.")]
    time: Annotated[float, doc("Time from start to end of all runs together, in seconds.")]
    work_area: Annotated[float, doc("Area of their tasks as they were drawn, in m².")]
    planned_area: Annotated[float, doc("What they were to clean, in m²: the reachable part where it is known.")]
    cleaned_area: Annotated[float, doc("What they cleaned, in m².")]
    coverage: Annotated[
        int | None, doc("Cleaned share of what was to be cleaned, in thousandths, 0 to 1000; null: nothing was.")
    ]
    efficiency: Annotated[int | None, doc("Cleaned area by time, in hundredths of m²/h; null: no time went by.")]
    liquid_ml: Annotated[float, doc("Disinfectant or water used, in ml.")]
    distance: Annotated[float, doc("Distance driven, in m.")]
    warn_count: Annotated[int, doc("Number of kinds of faults, run by run.")]


class ChartPoint(ChartSums):
    date: Annotated[date, doc("The day, or the first of the days of the month.")]


class PartSums(ChartSums):
    key: Annotated[str, doc("Number of the robot, type or group, name of the customer, code of the country.")]
    name: Annotated[str, doc("Its name; empty: not known.")]


class Span(Wire):
    start_date: Annotated[date, doc("First day of the range.")]
    end_date: Annotated[date, doc("Last day of the range.")]
    unit: Annotated[Unit, doc("What a row is about: a day, or of more than 93 days a month.")]


class Chart(Span):
    list: Annotated[list[ChartPoint], doc("Each day or month of the range, also those without a run.")]


class ChartSummary(ChartSums):
    before: Annotated[ChartSums, doc("The same sums of as many days before.")]


class ChartParts(Span):
    list: Annotated[list[PartSums], doc("The parts in which something ran, the largest area first; up to 1,000.")]


class SummaryPoint(ChartPoint):
    area: Annotated[float, doc("What was cleaned, in m²: `cleanedArea`.")]
    online_rate: Annotated[float | None, doc("Share of the time that robots were connected, 0 to 1; null: no robot.")]


class Summary(Span):
    list: Annotated[list[SummaryPoint], doc("Each day or month of the range, also those without a run.")]


class SummaryTotal(ChartSummary):
    area: Annotated[float, doc("What was cleaned, in m²: `cleanedArea`.")]
    online_rate: Annotated[float | None, doc("Share of the time that robots were connected, 0 to 1; null: no robot.")]


class OnlineShare(Wire):
    online: Annotated[float, doc("How many robots were connected, on average over the time.")]
    total: Annotated[float, doc("How many robots there were, on average over the time.")]
    rate: Annotated[float | None, doc("`online` as a share of `total`, 0 to 1; null: no robot.")]


class OnlinePoint(OnlineShare):
    date: Annotated[date, doc("The day, or the first of the days of the month.")]


class OnlineChart(Span):
    list: Annotated[list[OnlinePoint], doc("Each day or month of the range up to today.")]
    whole: Annotated[OnlineShare, doc("Of the whole range up to now.")]
    rate: Annotated[float | None, doc("Share of the whole time that robots were connected, 0 to 1; null: no robot.")]
    rate_before: Annotated[float | None, doc("The same of as many days before; null: no robot.")]


class ReportPicture(Wire):
    map_url: Annotated[str, doc("Picture of the floor, a PNG as a data address, one pixel a cell.")]
    track_url: Annotated[str, doc("The way driven, an SVG of the same size as a data address.")]


@dataclass(frozen=True, slots=True)
class Question:
    robots: Robots
    days: Days

    @property
    def span(self) -> dict[str, date | Literal["day", "month"]]:
        return {"startDate": self.days.start, "endDate": self.days.end, "unit": self.days.unit}


async def read_question(ctx: Ctx, payload: ChartFilter) -> Question:
    scope = await narrow_scope(ctx, payload.user_id)
    today = await service.load_today(ctx.app.pool, scope)
    days = choose_days(payload.range, payload.start_date, payload.end_date, today)
    return Question(Robots(scope, payload.device_ids, payload.type_id), days)


@call("/taskReport/chart", needs=CHARTS, reads=READS)
async def chart_reports(ctx: Ctx, payload: ChartFilter) -> Fast[Chart]:
    """Show what was cleaned on each day or in each month of a range."""
    question = await read_question(ctx, payload)
    return Fast({**question.span, "list": await service.load_series(ctx.app.pool, question.robots, question.days)})


@call("/taskReport/chartSummary", needs=(VIEW, CHARTS), reads=READS)
async def summarize_reports(ctx: Ctx, payload: ChartFilter) -> Fast[ChartSummary]:
    """Show what was cleaned in a range, and in as many days before."""
    question = await read_question(ctx, payload)
    before = await service.load_total(ctx.app.pool, question.robots, question.days.before)
    return Fast({**await service.load_total(ctx.app.pool, question.robots, question.days), "before": before})


@call("/taskReport/chartParts", needs=(CHARTS, SUMMARY), reads=READS)
async def take_reports_apart(ctx: Ctx, payload: ChartPartFilter) -> Fast[ChartParts]:
    """Show what was cleaned in a range by each robot, type, group, customer or country."""
    question = await read_question(ctx, payload)
    parts = await service.load_parts(ctx.app.pool, question.robots, question.days, payload.by, ctx.language)
    return Fast({**question.span, "list": parts})


@call("/taskReport/chartMap", needs=(CHARTS, VIEW), reads=("taskReport", "support"))
async def draw_report(ctx: Ctx, payload: ReportRef) -> Fast[ReportPicture]:
    """Show the floor of a run and the way that was driven on it, as pictures."""
    return Fast(await track.draw(ctx, payload.task_report_id))


@call("/summary/chart", needs=SUMMARY, reads=(*READS, "state"))
async def chart_summary(ctx: Ctx, payload: ChartFilter) -> Fast[Summary]:
    """Show area, time, coverage, efficiency and online rate of each day or month of a range."""
    question = await read_question(ctx, payload)
    series = await service.load_series(ctx.app.pool, question.robots, question.days)
    shares = await online.load_shares(ctx.app.pool, question.robots, question.days.parts(question.days.unit))
    rows = [
        {**row, "area": row["cleanedArea"], "onlineRate": share.rate} for row, share in zip(series, shares, strict=True)
    ]
    return Fast({**question.span, "list": rows})


@call("/summary/chartAll", needs=SUMMARY, reads=(*READS, "state"))
async def summarize_all(ctx: Ctx, payload: ChartFilter) -> Fast[SummaryTotal]:
    """Show area, time, coverage, efficiency and online rate of a whole range, and its sums before."""
    question = await read_question(ctx, payload)
    total = await service.load_total(ctx.app.pool, question.robots, question.days)
    before = await service.load_total(ctx.app.pool, question.robots, question.days.before)
    rate = await online.load_rate(ctx.app.pool, question.robots, question.days)
    return Fast({**total, "area": total["cleanedArea"], "before": before, "onlineRate": rate})


@call("/summary/chartOnLineNum", needs=ONLINE, reads=("device", "state"))
async def chart_online(ctx: Ctx, payload: ChartFilter) -> OnlineChart:
    """Show how many robots were connected on each day or in each month of a range."""
    question = await read_question(ctx, payload)
    shares = await online.load_shares(ctx.app.pool, question.robots, question.days.parts(question.days.unit))
    [whole] = await online.load_shares(ctx.app.pool, question.robots, [question.days])
    return OnlineChart(
        start_date=question.days.start,
        end_date=question.days.end,
        unit=question.days.unit,
        list=[OnlinePoint(date=row.start, online=row.online, total=row.total, rate=row.rate) for row in shares],
        whole=OnlineShare(online=whole.online, total=whole.total, rate=whole.rate),
        rate=whole.rate,
        rate_before=await online.load_rate(ctx.app.pool, question.robots, question.days.before),
    )
