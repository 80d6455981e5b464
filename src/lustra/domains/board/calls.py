"""/board: the status page."""

from lustra.core.rpc import Ctx, Fast, Wire, call
from lustra.domains.board import service


class DemoHistory(Wire):
    """How far the demo's past has been made."""

    progress: float
    done: bool


class BoardSite(Wire):
    """`week`: coverage (0 to 1) of the last seven days at the site, today last; null where nothing ran."""

    site: str
    zone: str
    area: str
    device_ids: list[int]
    cleaned_today: float
    planned_today: float
    week: list[float | None]


class BoardFloor(Wire):
    """`map_ids`: what each of the robots calls this floor; one that has loaded another since is no longer on it."""

    map_id: int
    building: str
    floor: str
    device_ids: list[int]
    map_ids: list[int]
    cleaned: float
    planned: float


class BoardOverview(Wire):
    """Areas in m²; `hours` by the hour of the day at each site."""

    cleaned_today: float
    planned_today: float
    hours: list[float]
    history: DemoHistory
    sites: list[BoardSite]
    floors: list[BoardFloor]


@call("/board/overview", needs="index")
async def overview(ctx: Ctx) -> Fast[BoardOverview]:
    """Show the area cleaned today, by hour, site and floor."""
    async with ctx.app.pool.acquire() as db:
        return Fast(await service.load_overview(db, ctx.actor.path))
