"""/board: the status page."""

from typing import Annotated

from lustra.core.calls.rpc import Ctx, Fast, Wire, call
from lustra.core.wire import BuildingName, FloorName, doc
from lustra.domains.account.api import keys
from lustra.domains.board import service


class DemoHistory(Wire):
    """How far the demo's past has been generated."""

    progress: Annotated[float, doc("Share of its days that are generated, 0 to 1.")]
    done: Annotated[bool, doc("Whether all of them are.")]


class BoardSite(Wire):
    site: Annotated[str, doc("Building of the robots; empty: not known.")]
    zone: Annotated[str, doc("IANA time zone of the site.")]
    area: Annotated[str, doc("Country of the site by ISO 3166-1, two letters; empty: not known.")]
    device_ids: Annotated[list[int], doc("Robots at the site.")]
    cleaned_today: Annotated[
        float, doc("Area cleaned by the site's runs that began today, in m²; today is the site's own day.")
    ]
    planned_today: Annotated[
        float,
        doc("Area of the day's plan at the site, in m²: of its runs and of what its schedules have still to start."),
    ]
    week: Annotated[
        list[float | None], doc("Coverage of the last seven days, 0 to 1, today last; null where nothing ran.")
    ]

    week_coverage: Annotated[float | None, doc("Coverage of the last seven days together, 0 to 1; null: nothing ran.")]


class BoardFloor(Wire):
    map_id: Annotated[int, doc("Map to show for the floor: that of its first robot.")]
    building: BuildingName
    floor: FloorName
    device_ids: Annotated[list[int], doc("Robots that have loaded this floor.")]
    device_names: Annotated[list[str], doc("Names of these robots, in the sequence of `deviceIds`.")]
    map_ids: Annotated[list[int], doc("Map of the floor of each robot, in the sequence of `deviceIds`.")]
    cleaned: Annotated[float, doc("Area cleaned by the runs that began today on the floor, in m².")]
    planned: Annotated[float, doc("Area of the day's plan on the floor, in m².")]


class BoardOverview(Wire):
    cleaned_today: Annotated[float, doc("Area cleaned by the runs that began today, at all sites, in m².")]
    planned_today: Annotated[float, doc("Area of the day's plan at all sites, in m².")]
    hours: Annotated[
        list[float], doc("Area cleaned in each hour of today, in m²: 24 numbers, by the clock of each site.")
    ]
    history: Annotated[DemoHistory, doc("How far the demo's past has been generated.")]
    sites: Annotated[list[BoardSite], doc("The sites of the robots in scope.")]
    floors: Annotated[list[BoardFloor], doc("The floors that robots in scope have loaded.")]


@call(
    "/board/overview",
    needs=("index", keys.BIG_SCREEN),
    reads=("device", "floor", "history", "map", "state", "taskReport"),
)
async def overview(ctx: Ctx) -> Fast[BoardOverview]:
    """Show the area cleaned today, by hour, site and floor."""
    async with ctx.app.pool.acquire() as db:
        return Fast(await service.load_overview(db, ctx.scope))
