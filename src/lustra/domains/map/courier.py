"""Maps on their way: tells robots to take them, and hears how far they are.

Rules: a robot fetches the file itself, by a URL that lives for a while; whoever was silent, broke off or found the file
broken is asked again, ever more rarely, and as soon as it is back, until its time is over; one that said why it will
not take the map is left alone. What a robot sent last, by its own clock, counts; that it has the map is final.
"""

import asyncio
from datetime import timedelta
from typing import Any

import msgspec
import structlog

from lustra.core import quota
from lustra.core.bus import Silent
from lustra.core.context import Services
from lustra.core.db import Connection, now
from lustra.core.files.addresses import fetch_url
from lustra.core.scope import robots_own, system
from lustra.domains.map import queries
from lustra.protocol.bus import Event, TakeMap, Taken

JOB = "map.sync"
LINK_S = 15 * 60.0  # that a URL opens the file: a slow line goes on with it, a lost one gets another
ANSWERS_IN_S = 10.0
RETRY_AFTER = timedelta(seconds=45)
NEWS_WITHIN_S: dict[str, float | None] = {"sending": 90.0, "sent": 300.0}  # without news for so long it is asked
STATES = {
    "loading": "sending",
    "whole": "sent",
    "received": "received",
    "failed": "receive_failed",
    "dropped": "cancelled",
}
PASSING_REASONS = {"sync_link", "sync_checksum", "robot_failed"}  # reasons that another try may mend
AT_ONCE = 8
OLD = timedelta(days=8)  # longer than any robot may take

log = structlog.get_logger(__name__)


async def deliver(app: Services, target: int) -> None:
    """One try to send a map to a robot. Several workers may call it: the first puts the next try off."""
    row = await app.pool.fetchrow(system("each waiting target").sql(queries.CLAIM_TARGET), target, RETRY_AFTER)
    if row is None:
        return
    try:
        answer = await app.bus.ask(row["sn"], "takemap", build_command(app, row), ANSWERS_IN_S)
    except Silent:
        await app.pool.execute(system("a target that was claimed").sql(queries.STORE_SILENCE), target)
        return
    if answer.get("code") or "taken" not in answer:
        why = str(answer.get("reason") or "robot_failed")
        log.warning("map_sync.refused", sn=row["sn"], reason=why)
        taken = Taken(number=target, state="failed", reason=why)
    else:
        taken = msgspec.convert(answer["taken"], Taken)
    at = answer.get("at")
    async with app.pool.acquire() as db:
        await store_progress(db, row["sn"], at if isinstance(at, int) else round(now().timestamp() * 1000), taken)


def build_command(app: Services, row: Any) -> TakeMap:
    if row["leave"]:
        return TakeMap(number=row["id"], name=row["name"], drop=True)
    return TakeMap(
        number=row["id"],
        name=row["name"],
        url=fetch_url(app.settings, app.objects, row["place"], LINK_S),
        size=row["size"],
        sha256=row["sha256"],
        revision=row["base"],
        replace=row["replace"],
    )


async def store_progress(db: Connection, sn: str, at: int, taken: Taken) -> None:
    state = "waiting" if taken.state == "failed" and taken.reason in PASSING_REASONS else STATES[taken.state]
    await db.execute(
        robots_own.sql(queries.STORE_PROGRESS),
        sn,
        at,
        taken.number,
        state,
        taken.reason[:64],
        taken.have,
        taken.revision,
        NEWS_WITHIN_S.get(state),
    )


async def keep(db: Connection, sn: str, event: Event) -> None:
    """Stores what a robot reports of a transfer."""
    await store_progress(db, sn, event.at, msgspec.convert(event.content, Taken))


async def deliver_due(app: Services) -> None:
    """Sends the maps whose time has come; run each minute."""
    every = system("of all robots")
    await app.pool.execute(every.sql(queries.END_LATE_TARGETS))
    slots = asyncio.Semaphore(AT_ONCE)

    async def deliver_one(target: int) -> None:
        async with slots:
            await deliver(app, target)

    due = [row["id"] for row in await app.pool.fetch(every.sql(queries.DUE_TARGETS))]
    await asyncio.gather(*(deliver_one(target) for target in due))


async def purge(app: Services) -> None:
    """Files that no robot will fetch any more. A nightly job."""
    async for places in app.objects.older("syncs/", now() - OLD):
        used = {
            row["place"] for row in await app.pool.fetch(system("of all accounts").sql(queries.PLACES_IN_USE), places)
        }
        unused = set(places) - used
        for place in unused:
            await app.objects.delete(place)
        async with app.sessions.begin() as db:
            await quota.release(db, unused)
