"""What robots' tablets shall show, on its way to them.

Rules: the transaction of a change plans it for the robots that it concerns; each minute all is compared, so that robots
that are new or have moved in the tree get what is their dealer's too. Who is away gets it once it is online. What a
robot took and says nothing more of is sent again, with fresh links; what failed waits for a person.
"""

import asyncio
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import jobs
from lustra.core.context import Services
from lustra.core.db import Connection
from lustra.domains.delivery.api import EVERY, Kind, claim, keep_progress, link_to, send
from lustra.domains.device.api import OwnerChanged
from lustra.domains.tablet import pictures, queries
from lustra.domains.tablet.tables import TabletBranding
from lustra.protocol.bus import Event
from lustra.protocol.tablet import TabletLook, TabletProgress

DELIVER = "tablet.deliver"
LOOKS = Kind("tablet", "tablet_delivery", TabletProgress, silent_after=timedelta(minutes=5))


async def plan_for_dealer(db: AsyncSession, account_id: int) -> None:
    await db.execute(EVERY.text(queries.PLAN_LOOKS, of=queries.OF_A_DEALER), {"id": account_id})
    await jobs.later(db, DELIVER)


async def on_owner_changed(db: AsyncSession, event: OwnerChanged) -> None:
    """Its new owner may be another dealer's customer."""
    await db.execute(EVERY.text(queries.PLAN_LOOKS, of=queries.OF_A_ROBOT), {"id": event.device_id})
    await jobs.later(db, DELIVER)


async def deliver_all(app: Services) -> None:
    """Each minute."""
    await app.pool.execute(EVERY.sql(queries.PLAN_LOOKS, of=queries.OF_ALL))
    await deliver(app)


async def deliver(app: Services) -> None:
    """To robots that are online."""
    while rows := await claim(app, LOOKS):
        looks = await _build_looks(app, {row["revision"] for row in rows})
        async with asyncio.TaskGroup() as group:
            for row in rows:
                if look := looks.get(row["revision"]):
                    group.create_task(send(app, LOOKS, row, look))


async def _build_looks(app: Services, revisions: set[int]) -> dict[int, TabletLook]:
    """By revision; one that another has taken the place of meanwhile is not among them."""
    async with app.sessions() as db:
        rows = list(await db.scalars(EVERY.select(TabletBranding).where(TabletBranding.revision.in_(revisions))))
    return {0: TabletLook(revision=0)} | {row.revision: _build_look(app, row) for row in rows}


def _build_look(app: Services, row: TabletBranding) -> TabletLook:
    def link(url: str) -> str:
        return link_to(app, pictures.FOLDER + url.removeprefix(pictures.ADDRESS))

    return TabletLook(
        revision=row.revision,
        theme_color=row.theme_color,
        about_us=row.about_us,
        login_background=link(row.login_background),
        boot_animation=link(row.boot_animation),
        idle_animation=link(row.idle_animation),
        login_logo=link(row.login_logo),
        main_logo=link(row.main_logo),
        home_tiles=[link(url) for url in row.home_tiles],
    )


async def keep_tablet(db: Connection, sn: str, event: Event) -> None:
    """What a robot says of it once it has ended."""
    await keep_progress(db, LOOKS, sn, event.content)
