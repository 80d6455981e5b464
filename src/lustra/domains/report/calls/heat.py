"""/taskReport/heat: how often the places of a floor were cleaned, and how long ago."""

from datetime import date
from typing import Annotated

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Fast, Wire, call
from lustra.core.wire import Day, Id, SpanFilter, doc
from lustra.domains.account.api import keys
from lustra.domains.report import heat
from lustra.domains.report.calls.runs import ReportCells
from lustra.domains.report.sums.ranges import RangeName, choose_days
from lustra.domains.report.sums.service import load_today


class HeatFilter(SpanFilter):
    map_id: Annotated[Id, doc("Map of the floor; all robots whose maps lie on its grid count.")]
    range: Annotated[
        RangeName | None,
        doc("7 or 30 days, 3 or 12 months up to `endDate`; null: from `startDate` on, 30 days where that is null too."),
    ] = None
    start_date: Annotated[Day | None, doc("First day, included; at most 366 days are counted.")] = None
    end_date: Annotated[Day | None, doc("Last day, included; null: today at the latest of the robots' sites.")] = None
    target: Annotated[
        float | None,
        Field(ge=0.1, le=1000),
        doc("Liquid that a place is to get each time, in ml/m², 0.1 to 1000; null: no dose is counted."),
    ] = None


class HeatStep(Wire):
    """Free floor that was cleaned so often, so long ago, or with so much of the target."""

    least: Annotated[int | None, doc("From how many times, days or percent on; null: what was not cleaned.")]
    most: Annotated[int | None, doc("Up to how many; null: there is no end, or it was not cleaned.")]
    area: Annotated[float, doc("How much of the floor it is, in m².")]
    cells: Annotated[ReportCells, doc("Its cells on the map's grid.")]


class HeatMap(Wire):
    revision: Annotated[int, doc("Version of the map to whose grid the cells belong.")]
    start_date: Annotated[date, doc("First day that counts.")]
    end_date: Annotated[date, doc("Last day that counts.")]
    runs: Annotated[int, doc("Runs that were counted.")]
    left_out: Annotated[int, doc("Runs of robots whose maps lie in another frame, which were not.")]
    is_cut: Annotated[bool, doc(f"Whether there were more than {heat.MOST:,} runs, of which the newest were counted.")]
    area: Annotated[float, doc("Free floor of the map, in m²: what all steps together have.")]
    times: Annotated[list[HeatStep], doc("How often, from not at all on.")]
    days_ago: Annotated[list[HeatStep], doc("How many days before `endDate` the last run began, at last never.")]
    dosed: Annotated[int, doc("Runs of these that reported how much liquid they used.")]
    dose: Annotated[
        list[HeatStep],
        doc(
            "Mean dose of the runs that said how much they used, in percent of `target`, from none on; empty without a "
            "target. A run's liquid is taken as spread evenly over what it swept."
        ),
    ]


@call("/taskReport/heat", needs=keys.MAPS, reads=("taskReport", "map", "support"))
async def select_heat(ctx: Ctx, payload: HeatFilter) -> Fast[HeatMap]:
    """Show how often each place of a floor was cleaned in a range of days, and how long ago."""
    today = await load_today(ctx.app.pool, ctx.scope)
    days = choose_days(payload.range, payload.start_date, payload.end_date, today)
    return Fast(await heat.load_heat(ctx, payload.map_id, days, payload.target))
