"""Map sync: a map of a robot's mirror or of the library goes to other robots.

Rules: who sees a map and a robot may send the one to the other, but never a customer's floor to another customer's
robot; a robot that has the very map already gets nothing; one whose own map of that name was changed since, and not by
a sync, keeps it unless that is to be replaced; a newer sync of the same name takes the place of an older one. Robots
that are away get it when they are back, within LASTS.
"""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import select, text

from lustra.core import jobs, query
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.domains.device.scope import Where, visible
from lustra.domains.map import courier, service
from lustra.domains.map.tables import MapSync, MapSyncTarget

LASTS = timedelta(days=7)
MOST_ROWS = 500
OPEN = ("waiting", "sending", "sent")
ROBOTS = """
select d.id as "deviceId", d.name as "deviceCode", d.serial_number as "deviceSerialNumber", d.address as building,
  d.address1 as floor, coalesce(p.online, false) as online, coalesce(t.revision, 0) as revision,
  d.id is not distinct from m.device_id as source,
  d.owner_path <@ m.owner_path or m.owner_path <@ d.owner_path as kin,
  case when t.id is null then 'none'
    when (l.map_id, l.sent, l.revision) = (m.id, m.revision, t.revision)
      or (t.grid, t.marks, t.resolution, t.origin_x, t.origin_y, t.origin_yaw)
        = (m.grid, m.marks, m.resolution, m.origin_x, m.origin_y, m.origin_yaw) then 'same'
    when t.revision is not distinct from l.revision
      or t.at <= case when m.device_id is null then extract(epoch from m.updated_at) * 1000 else m.at end then 'older'
    else 'newer' end as there
from floor_map m cross join device d left join presence p on p.robot = d.id
left join floor_map t on t.device_id = d.id and t.owner_id = d.owner_id and t.name = m.name and t.deleted_at is null
left join lateral (
  select s.map_id, s.revision as sent, g.revision from map_sync_target g join map_sync s on s.id = g.sync_id
  where g.device_id = d.id and s.name = m.name and g.state = 'received' order by g.updated_at desc limit 1
) l on true"""
ROWS = """
select g.sync_id as "syncId", s.map_id as "mapId", s.name, s.revision, s.created_at as "createTime",
  d.id as "deviceId", d.name as "deviceCode", d.address as building, d.address1 as floor,
  coalesce(p.online, false) as online, g.state, g.reason, g.have, s.size, g.attempts, g.until,
  g.updated_at as "updateTime"
from map_sync_target g join map_sync s on s.id = g.sync_id join device d on d.id = g.device_id
left join presence p on p.robot = d.id"""
OUTDONE = text(
    """update map_sync_target g set state = 'cancelled', reason = 'sync_newer', leave = g.attempts > 0,
      next_at = case when g.attempts > 0 then now() end, updated_at = now()
    from map_sync s where s.id = g.sync_id and s.name = :name and g.device_id = any(:robots)
      and g.state in ('waiting', 'sending', 'sent')"""
)


async def robots(ctx: Ctx, map_id: int, wanted: Sequence[int] | None = None) -> list[dict[str, Any]]:
    """Robots in scope, and what each has of a map's name."""
    await service.version(ctx, map_id, None)  # it is seen, and not closed
    where = Where()
    where.seen(ctx.actor.path)
    where.add("m.id = {} and m.deleted_at is null", map_id)
    where.add("not exists (select from former_owner f where f.device_id = d.id and f.until is null)")
    if wanted is not None:
        where.add("d.id = any({}::bigint[])", list(wanted))
    found = await ctx.app.pool.fetch(
        f"{ROBOTS} where {where} order by d.address, d.address1, d.name, d.id", *where.values
    )
    return [dict(row) for row in found]


async def targets(ctx: Ctx, map_id: int) -> list[dict[str, Any]]:
    """Robots that a map may be sent to."""
    return [row for row in await robots(ctx, map_id) if row["kin"] and not row["source"]]


async def packed(ctx: Ctx, map_id: int, revision: int) -> tuple[str, int, str]:
    """Where the file lies that robots fetch, its size and checksum. The same revision is always the same bytes."""
    made = await service.bundle(ctx, await service.version(ctx, map_id, revision))
    sha256 = hashlib.sha256(made).hexdigest()
    place = f"syncs/{sha256}.zip"
    if not await ctx.app.objects.exists(place):
        await service.hold(ctx, ctx.actor.acting_id, place, len(made), "mapId")
        await ctx.app.objects.put_bytes(place, made)
    return place, len(made), sha256


async def start(ctx: Ctx, map_id: int, wanted: Sequence[int], *, replace: bool) -> int:
    """Unscoped: map and robots are found in scope by `robots`."""
    found = await robots(ctx, map_id, wanted)
    if {row["deviceId"] for row in found} != set(wanted):
        raise Refusal(Code.NOT_FOUND, "deviceIds")
    _allowed(found)
    told = await service.version(ctx, map_id, None)
    place, size, sha256 = await packed(ctx, map_id, told["revision"])
    made = MapSync(
        owner_id=told["owner_id"], owner_path=told["owner_path"], map_id=map_id, by_id=ctx.actor.real_id,
        name=told["name"], revision=told["revision"], place=place, size=size, sha256=sha256,
    )  # fmt: skip
    await ctx.db.execute(OUTDONE, {"name": made.name, "robots": list(wanted)})
    ctx.db.add(made)
    await ctx.db.flush()
    rows = [_target(made.id, row, replace=replace) for row in found]
    ctx.db.add_all(rows)
    await ctx.db.flush()
    ctx.note(name=made.name, revision=made.revision)
    there = {row["deviceId"] for row in found if row["online"]}
    await _at_once(ctx, (row for row in rows if row.device_id in there))
    return made.id


def _allowed(found: Iterable[dict[str, Any]]) -> None:
    for row in found:
        if row["source"]:
            raise Refusal(Code.MAP_REFUSED, reason="sync_to_itself")
        if not row["kin"]:
            raise Refusal(Code.MAP_REFUSED, reason="sync_other_customer", name=row["deviceCode"])


def _target(sync: int, row: dict[str, Any], *, replace: bool) -> MapSyncTarget:
    made = MapSyncTarget(
        sync_id=sync, device_id=row["deviceId"], base=row["revision"], replace=replace, until=now() + LASTS
    )
    if row["there"] == "same":
        made.state, made.revision, made.next_at = "received", row["revision"], None
    elif row["there"] == "newer" and not replace:
        made.state, made.reason, made.next_at = "receive_failed", "sync_conflict", None
    return made


async def _at_once(ctx: Ctx, rows: Iterable[MapSyncTarget]) -> None:
    for row in rows:
        if row.next_at is not None:
            await jobs.later(ctx.db, courier.JOB, target=row.id)


async def listed(ctx: Ctx, map_id: int | None, device_id: int | None) -> list[dict[str, Any]]:
    """How far robots in scope are with maps that were sent to them, the newest first."""
    where = Where()
    where.seen(ctx.actor.path)
    if map_id is not None:
        await service.version(ctx, map_id, None)  # it is seen, and not closed
        where.add("s.map_id = {}", map_id)
    if device_id is not None:
        where.add("g.device_id = {}", device_id)
    found = await ctx.app.pool.fetch(f"{ROWS} where {where} order by g.id desc limit {MOST_ROWS}", *where.values)
    return [dict(row) for row in found]


async def _found(ctx: Ctx, sync_id: int, device_id: int) -> MapSyncTarget:
    seen = select(MapSyncTarget).where(
        MapSyncTarget.sync_id == sync_id,
        MapSyncTarget.device_id == device_id,
        MapSyncTarget.device_id.in_(visible(ctx.actor)),
    )
    return await query.fetch_one(ctx.db, seen.with_for_update())


async def retry(ctx: Ctx, sync_id: int, device_id: int, *, replace: bool) -> None:
    """Once more to one robot, that did not take it."""
    row = await _found(ctx, sync_id, device_id)
    if row.state in OPEN or row.state == "received":
        raise Refusal(Code.MAP_REFUSED, reason="sync_not_over")
    of = await query.fetch_one(
        ctx.db, select(MapSync).where(MapSync.id == sync_id)
    )  # unscoped: its target was found above
    found = await robots(ctx, of.map_id, [device_id])
    if not found:
        raise Refusal(Code.NOT_FOUND, "deviceId")
    _allowed(found)
    if found[0]["there"] == "newer" and not replace:
        raise Refusal(Code.MAP_REFUSED, reason="sync_conflict")
    if not await ctx.app.objects.exists(of.place):
        await packed(ctx, of.map_id, of.revision)
    await ctx.db.execute(OUTDONE, {"name": of.name, "robots": [device_id]})
    row.state, row.reason, row.leave, row.attempts, row.tried_at = "waiting", "", False, 0, None
    row.base, row.replace, row.next_at = found[0]["revision"], replace, now()
    row.until, row.updated_at = now() + LASTS, now()
    await _at_once(ctx, [row])


async def cancel(ctx: Ctx, sync_id: int, device_id: int) -> None:
    """The robot may have it already, or be away: it is told, and what it says in the end counts."""
    row = await _found(ctx, sync_id, device_id)
    if row.state not in OPEN:
        raise Refusal(Code.MAP_REFUSED, reason="sync_over")
    row.state, row.reason, row.updated_at = "cancelled", "", now()
    row.leave = row.attempts > 0
    row.next_at, row.tried_at = (now() if row.leave else None), None
    await _at_once(ctx, [row])
