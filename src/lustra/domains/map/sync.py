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

from lustra.core import jobs, query
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of, system
from lustra.domains.device.api import Where
from lustra.domains.map import courier, queries, service
from lustra.domains.map.tables import MapSync, MapSyncTarget

LIFETIME = timedelta(days=7)
MOST_ROWS = 500
OPEN = ("waiting", "sending", "sent")
TARGETS = system("to robots that were found in scope")


async def list_devices(ctx: Ctx, map_id: int, device_ids: Sequence[int] | None = None) -> list[dict[str, Any]]:
    """Robots in scope, and what each has of a map's name."""
    await service.load_version(ctx, map_id, None)  # it is seen, and not closed
    where = Where.of_robots(ctx.scope)
    where.add("m.id = {} and m.deleted_at is null", map_id)
    where.add(queries.NOT_ERASING)
    if device_ids is not None:
        where.add("d.id = any({}::bigint[])", list(device_ids))
    rows = await ctx.app.pool.fetch(where.sql(queries.SYNC_ROBOTS), *where.values)
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
    await ctx.db.execute(
        TARGETS.text(queries.CANCEL_OLDER),
        {"name": sync.name, "robots": list(device_ids)},
    )
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
    where = Where.of_robots(ctx.scope)
    if map_id is not None:
        await service.load_version(ctx, map_id, None)  # it is seen, and not closed
        where.add("s.map_id = {}", map_id)
    if device_id is not None:
        where.add("g.device_id = {}", device_id)
    rows = await ctx.app.pool.fetch(where.sql(queries.SYNC_ROWS, most=MOST_ROWS), *where.values)
    return [dict(row) for row in rows]


async def _load_target(ctx: Ctx, sync_id: int, device_id: int) -> MapSyncTarget:
    rows = ctx.scope.select(MapSyncTarget).where(MapSyncTarget.sync_id == sync_id, MapSyncTarget.device_id == device_id)
    return await query.fetch_one(ctx.db, rows.with_for_update())


async def retry_sync(ctx: Ctx, sync_id: int, device_id: int, *, replace: bool) -> None:
    """Sends a map once more to a robot that did not take it."""
    row = await _load_target(ctx, sync_id, device_id)
    if row.state in OPEN or row.state == "received":
        raise Refusal(Code.MAP_REFUSED, reason="sync_not_over")
    sync = await query.fetch_one(ctx.db, rows_of(row).select(MapSync))
    devices = await list_devices(ctx, sync.map_id, [device_id])
    if not devices:
        raise Refusal(Code.NOT_FOUND, "deviceId")
    _refuse_forbidden(devices)
    if devices[0]["there"] == "newer" and not replace:
        raise Refusal(Code.MAP_REFUSED, reason="sync_conflict")
    if not await ctx.app.objects.exists(sync.place):
        await pack_file(ctx, sync.map_id, sync.revision)
    await ctx.db.execute(
        TARGETS.text(queries.CANCEL_OLDER),
        {"name": sync.name, "robots": [device_id]},
    )
    row.state, row.reason, row.leave, row.attempts, row.tried_at = "waiting", "", False, 0, None
    row.base, row.replace, row.next_at = devices[0]["revision"], replace, now()
    row.until, row.updated_at = now() + LIFETIME, now()
    await _queue_delivery(ctx, [row])


async def cancel_sync(ctx: Ctx, sync_id: int, device_id: int) -> None:
    """The robot may have it already, or be away: it gets the order, and what it answers in the end counts."""
    row = await _load_target(ctx, sync_id, device_id)
    if row.state not in OPEN:
        raise Refusal(Code.MAP_REFUSED, reason="sync_over")
    row.state, row.reason, row.updated_at = "cancelled", "", now()
    row.leave = row.attempts > 0
    row.next_at, row.tried_at = (now() if row.leave else None), None
    await _queue_delivery(ctx, [row])
