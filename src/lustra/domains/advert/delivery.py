"""Plans of adverts on their way to robots, and what robots say of them.

Rules: the transaction of a change plans it for the robots below; each five minutes all is compared, so that robots that
are new or have moved in the tree get what is theirs. Who is away gets it once it is online. What a robot took and says
nothing more of is sent again, with fresh links; what failed waits for a person.
"""

import asyncio
import hashlib
from collections import defaultdict
from datetime import date, timedelta
from typing import Any

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import jobs
from lustra.core.context import Services
from lustra.core.db import Connection
from lustra.domains.advert import queries
from lustra.domains.delivery.api import EVERY, Kind, claim, keep_progress, link_to, send
from lustra.domains.device.api import OwnerChanged
from lustra.protocol.bus import Event
from lustra.protocol.tablet import AdvertCounts, AdvertPlan, AdvertProgress, PlannedAdvert

DELIVER = "advert.deliver"
PLANS = Kind(
    "adverts",
    "advert_delivery",
    AdvertProgress,
    silent_after=timedelta(minutes=15),  # a video of 50 MB over a slow line
)


async def plan_below(db: AsyncSession, *account_ids: int) -> None:
    await db.execute(EVERY.text(queries.PLAN, of=queries.BELOW), {"ids": list(account_ids)})
    await jobs.later(db, DELIVER)


async def on_owner_changed(db: AsyncSession, event: OwnerChanged) -> None:
    """It shows what its new owner and those above have made."""
    await db.execute(EVERY.text(queries.PLAN, of=queries.OF_A_ROBOT), {"id": event.device_id})
    await jobs.later(db, DELIVER)


async def deliver_all(app: Services) -> None:
    await app.pool.execute(EVERY.sql(queries.PLAN, of=queries.OF_ALL))
    await deliver(app)


async def deliver(app: Services) -> None:
    """To robots that are online."""
    while rows := await claim(app, PLANS):
        plans = await _build_plans(app, [row["device_id"] for row in rows])
        async with asyncio.TaskGroup() as group:
            for row in rows:
                plan = AdvertPlan(revision=row["revision"], adverts=plans[row["device_id"]] if row["revision"] else [])
                group.create_task(send(app, PLANS, row, plan))


async def _build_plans(app: Services, device_ids: list[int]) -> dict[int, list[PlannedAdvert]]:
    plans: dict[int, list[PlannedAdvert]] = defaultdict(list)
    built: dict[int, PlannedAdvert] = {}
    for row in await app.pool.fetch(EVERY.sql(queries.PLANNED), device_ids):
        if row["id"] not in built:
            built[row["id"]] = await _build(app, row)
        plans[row["device_id"]].append(built[row["id"]])
    return plans


async def _build(app: Services, row: Any) -> PlannedAdvert:
    sha256 = row["sha256"]
    if not sha256:  # an advert of before
        sha256 = hashlib.sha256(await app.objects.get(row["place"])).hexdigest()
        await app.pool.execute(EVERY.sql(queries.STORE_SHA256), row["id"], sha256, row["place"])
    own = {name: row[name] for name in ("id", "name", "kind", "size", "seconds", "start_time", "end_time")}
    days = {name: row[name].isoformat() if row[name] else "" for name in ("start_date", "end_date")}
    return msgspec.convert(own | days | {"sha256": sha256, "url": link_to(app, row["place"])}, PlannedAdvert)


async def keep_advert(db: Connection, sn: str, event: Event) -> None:
    """How a plan ended on a robot, or how often it showed what."""
    if event.name == "shown":
        counts = msgspec.convert(event.content, AdvertCounts)
        times = {int(advert): number for advert, number in counts.times.items() if advert.isdecimal()}
        day = date.fromisoformat(counts.day)
        await db.execute(EVERY.sql(queries.STORE_SHOWINGS), sn, day, list(times), list(times.values()))
        return
    await keep_progress(db, PLANS, sn, event.content)
