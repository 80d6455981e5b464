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
from lustra.domains.device.api import Where, visible_devices
from lustra.domains.map import courier, service
from lustra.domains.map.tables import MapSync, MapSyncTarget

LIFETIME = timedelta(days=7)
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
CANCEL_OLDER = text(
    """update map_sync_target g set state = 'cancelled', reason = 'sync_newer', leave = g.attempts > 0,
      next_at = case when g.attempts > 0 then now() end, updated_at = now()
    from map_sync s where s.id = g.sync_id and s.name = :name and g.device_id = any(:robots)
      and g.state in ('waiting', 'sending', 'sent')"""
)


async def list_devices(ctx: Ctx, map_id: int, device_ids: Sequence[int] | None = None) -> list[dict[str, Any]]:
    """Robots in scope, and what each has of a map's name."""
    await service.load_version(ctx, map_id, None)  # it is seen, and not closed
    where = Where()
    where.seen(ctx.actor.path)
    where.add("m.id = {} and m.deleted_at is null", map_id)
    where.add("not exists (select from former_owner f where f.device_id = d.id and f.until is null)")
    if device_ids is not None:
        where.add("d.id = any({}::bigint[])", list(device_ids))
    rows = await ctx.app.pool.fetch(
        f"{ROBOTS} where {where} order by d.address, d.address1, d.name, d.id", *where.values
    )
    return [dict(row) for row in rows]


async def list_targets(ctx: Ctx, map_id: int) -> list[dict[str, Any]]:
    """Robots that a map may be sent to."""
    rows = [row for row in await list_devices(ctx, map_id) if row["kin"] and not row["source"]]
    return [{name: value for name, value in row.items() if name not in ("kin", "source")} for row in rows]


async def pack_file(ctx: Ctx, map_id: int, revision: int) -> tuple[str, int, str]:
    """Where the file lies that robots fetch, its size and checksum. The same revision is always the same bytes."""
    data = await service.build_bundle(ctx, await service.load_version(ctx, map_id, revision))
    sha256 = hashlib.sha256(data).hexdigest()
    place = f"syncs/{sha256}.zip"
    if not await ctx.app.objects.exists(place):
        await service.hold_quota(ctx, ctx.actor.acting_id, place, len(data), "mapId")
        await ctx.app.objects.put_bytes(place, data)
    return place, len(data), sha256


async def start_sync(ctx: Ctx, map_id: int, device_ids: Sequence[int], *, replace: bool) -> int:
    """Unscoped: map and robots are found in scope by `robots`."""
    devices = await list_devices(ctx, map_id, device_ids)
    if {row["deviceId"] for row in devices} != set(device_ids):
        raise Refusal(Code.NOT_FOUND, "deviceIds")
    _refuse_forbidden(devices)
    version = await service.load_version(ctx, map_id, None)
    place, size, sha256 = await pack_file(ctx, map_id, version["revision"])
    sync = MapSync(
        owner_id=version["owner_id"],
        owner_path=version["owner_path"],
        map_id=map_id,
        by_id=ctx.actor.real_id,
        name=version["name"],
        revision=version["revision"],
        place=place,
        size=size,
        sha256=sha256,
    )
    await ctx.db.execute(CANCEL_OLDER, {"name": sync.name, "robots": list(device_ids)})
    ctx.db.add(sync)
    await ctx.db.flush()
    rows = [_build_target(sync.id, row, replace=replace) for row in devices]
    ctx.db.add_all(rows)
    await ctx.db.flush()
    ctx.note(name=sync.name, revision=sync.revision)
    online = {row["deviceId"] for row in devices if row["online"]}
    await _queue_delivery(ctx, (row for row in rows if row.device_id in online))
    return sync.id


def _refuse_forbidden(devices: Iterable[dict[str, Any]]) -> None:
    for row in devices:
        if row["source"]:
            raise Refusal(Code.MAP_REFUSED, reason="sync_to_itself")
        if not row["kin"]:
            raise Refusal(Code.MAP_REFUSED, reason="sync_other_customer", name=row["deviceCode"])


def _build_target(sync: int, row: dict[str, Any], *, replace: bool) -> MapSyncTarget:
    target = MapSyncTarget(
        sync_id=sync, device_id=row["deviceId"], base=row["revision"], replace=replace, until=now() + LIFETIME
    )
    if row["there"] == "same":
        target.state, target.revision, target.next_at = "received", row["revision"], None
    elif row["there"] == "newer" and not replace:
        target.state, target.reason, target.next_at = "receive_failed", "sync_conflict", None
    return target


async def _queue_delivery(ctx: Ctx, rows: Iterable[MapSyncTarget]) -> None:
    for row in rows:
        if row.next_at is not None:
            await jobs.later(ctx.db, courier.JOB, target=row.id)


async def list_syncs(ctx: Ctx, map_id: int | None, device_id: int | None) -> list[dict[str, Any]]:
    """How far robots in scope are with maps that were sent to them, the newest first."""
    where = Where()
    where.seen(ctx.actor.path)
    if map_id is not None:
        await service.load_version(ctx, map_id, None)  # it is seen, and not closed
        where.add("s.map_id = {}", map_id)
    if device_id is not None:
        where.add("g.device_id = {}", device_id)
    rows = await ctx.app.pool.fetch(f"{ROWS} where {where} order by g.id desc limit {MOST_ROWS}", *where.values)
    return [dict(row) for row in rows]


async def _load_target(ctx: Ctx, sync_id: int, device_id: int) -> MapSyncTarget:
    rows = select(MapSyncTarget).where(
        MapSyncTarget.sync_id == sync_id,
        MapSyncTarget.device_id == device_id,
        MapSyncTarget.device_id.in_(visible_devices(ctx.actor)),
    )
    return await query.fetch_one(ctx.db, rows.with_for_update())


async def retry_sync(ctx: Ctx, sync_id: int, device_id: int, *, replace: bool) -> None:
    """Once more to one robot, that did not take it."""
    row = await _load_target(ctx, sync_id, device_id)
    if row.state in OPEN or row.state == "received":
        raise Refusal(Code.MAP_REFUSED, reason="sync_not_over")
    sync = await query.fetch_one(
        ctx.db, select(MapSync).where(MapSync.id == sync_id)
    )  # unscoped: its target was found above
    devices = await list_devices(ctx, sync.map_id, [device_id])
    if not devices:
        raise Refusal(Code.NOT_FOUND, "deviceId")
    _refuse_forbidden(devices)
    if devices[0]["there"] == "newer" and not replace:
        raise Refusal(Code.MAP_REFUSED, reason="sync_conflict")
    if not await ctx.app.objects.exists(sync.place):
        await pack_file(ctx, sync.map_id, sync.revision)
    await ctx.db.execute(CANCEL_OLDER, {"name": sync.name, "robots": [device_id]})
    row.state, row.reason, row.leave, row.attempts, row.tried_at = "waiting", "", False, 0, None
    row.base, row.replace, row.next_at = devices[0]["revision"], replace, now()
    row.until, row.updated_at = now() + LIFETIME, now()
    await _queue_delivery(ctx, [row])


async def cancel_sync(ctx: Ctx, sync_id: int, device_id: int) -> None:
    """The robot may have it already, or be away: it is told, and what it says in the end counts."""
    row = await _load_target(ctx, sync_id, device_id)
    if row.state not in OPEN:
        raise Refusal(Code.MAP_REFUSED, reason="sync_over")
    row.state, row.reason, row.updated_at = "cancelled", "", now()
    row.leave = row.attempts > 0
    row.next_at, row.tried_at = (now() if row.leave else None), None
    await _queue_delivery(ctx, [row])
