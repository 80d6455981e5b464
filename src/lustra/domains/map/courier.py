"""Maps on their way: tells robots to take them, and hears how far they are.

Rules: a robot fetches the file itself, by a URL that lives for a while; whoever was silent, broke off or found the file
broken is asked again, ever more rarely, and as soon as it is back, until its time is over; one that said why it will
not take the map is left alone. What a robot told last, by its own clock, counts; that it has the map is final.
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
CLAIM_TARGET = """
update map_sync_target g set tried_at = now(), attempts = g.attempts + (g.state = 'waiting')::int,
  next_at = now() + $2::interval, updated_at = now()
from map_sync s, device d
where g.id = $1 and s.id = g.sync_id and d.id = g.device_id and d.deleted_at is null and g.next_at is not null
  and (g.next_at <= now() or exists (select from presence p where p.robot = g.device_id and p.since > g.tried_at))
returning g.id, g.base, g.replace, g.leave, s.name, s.place, s.size, s.sha256, d.serial_number as sn"""
STORE_SILENCE = "update map_sync_target set reason = 'robot_silent' where id = $1 and state = 'waiting' and not leave"
STORE_PROGRESS = """
update map_sync_target g set
  state = case when $4 = 'cancelled' and g.leave then g.state else $4 end,
  reason = case when $4 = 'cancelled' and g.leave then g.reason else $5 end,
  have = $6, revision = $7, at = $2, leave = false, updated_at = now(), next_at = case
    when $4 = 'waiting' then now() + make_interval(secs => least(1800, 15 * 2 ^ least(g.attempts, 10)))
    when $8::float8 is not null then now() + make_interval(secs => $8) end
from device d
where g.id = $3 and d.id = g.device_id and d.serial_number = $1 and d.deleted_at is null and g.at < $2
  and g.state <> 'received' and (not g.leave or $4 in ('received', 'cancelled'))"""
DUE = """
select g.id from map_sync_target g join presence p on p.robot = g.device_id
where p.online and g.next_at is not null and (g.next_at <= now() or p.since > g.tried_at)
order by g.next_at limit 400"""
LATE = """
update map_sync_target set state = case when state = 'sent' then 'receive_failed' else 'send_failed' end,
  reason = 'sync_late', leave = attempts > 0, next_at = case when attempts > 0 then now() end, updated_at = now()
where state in ('waiting', 'sending', 'sent') and until < now()"""
OLD = timedelta(days=8)  # longer than any robot may take
UNUSED = """
select s.place from map_sync s join map_sync_target g on g.sync_id = s.id
where s.place = any($1) and g.next_at is not null"""

log = structlog.get_logger(__name__)


async def deliver(app: Services, target: int) -> None:
    """One try. Unscoped: the server's own. Whoever takes it up first puts the next one off."""
    row = await app.pool.fetchrow(CLAIM_TARGET, target, RETRY_AFTER)
    if row is None:
        return
    try:
        answer = await app.bus.ask(row["sn"], "takemap", build_command(app, row), ANSWERS_IN_S)
    except Silent:
        await app.pool.execute(STORE_SILENCE, target)
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
    link = app.objects.signed(row["place"], life_s=LINK_S)
    return TakeMap(
        number=row["id"],
        name=row["name"],
        url=f"{app.settings.public_url.rstrip('/')}/api/oss/object{link}",
        size=row["size"],
        sha256=row["sha256"],
        revision=row["base"],
        replace=row["replace"],
    )


async def store_progress(db: Connection, sn: str, at: int, taken: Taken) -> None:
    """Unscoped: the robot tells of its own."""
    state = "waiting" if taken.state == "failed" and taken.reason in PASSING_REASONS else STATES[taken.state]
    await db.execute(
        STORE_PROGRESS,
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
    """A robot's own news of it."""
    await store_progress(db, sn, event.at, msgspec.convert(event.content, Taken))


async def deliver_due(app: Services) -> None:
    """Each minute. Unscoped: of all robots."""
    await app.pool.execute(LATE)
    slots = asyncio.Semaphore(AT_ONCE)

    async def deliver_one(target: int) -> None:
        async with slots:
            await deliver(app, target)

    due = [row["id"] for row in await app.pool.fetch(DUE)]
    await asyncio.gather(*(deliver_one(target) for target in due))


async def purge(app: Services) -> None:
    """Files that no robot will fetch any more. Unscoped: of all accounts. A nightly job."""
    async for places in app.objects.older("syncs/", now() - OLD):
        used = {row["place"] for row in await app.pool.fetch(UNUSED, places)}
        unused = set(places) - used
        for place in unused:
            await app.objects.delete(place)
        async with app.sessions.begin() as db:
            await quota.release(db, unused)
