"""/map: maps that are sent to robots, and how far each robot is."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from lustra.core import jobs
from lustra.core.rpc import Ctx, Fast, Nothing, Wire, call
from lustra.core.wire import Id
from lustra.domains.map import courier, holdings, sync
from lustra.domains.map.calls.floors import MapRef

SYNC = "device/maplist/sync"
MOST_TARGETS = 200

SyncState = Literal["waiting", "sending", "sent", "received", "send_failed", "receive_failed", "cancelled"]


class SyncTargetRow(Wire):
    """`there`: what the robot has under the map's name: nothing, the same, an older one, or one that it changed since.
    `revision`: of that."""

    device_id: int
    device_code: str
    device_serial_number: str
    building: str
    floor: str
    online: bool
    revision: int
    present: Literal["none", "same", "older", "newer"] = Field(alias="there")


class SyncTargets(Wire):
    list: list[SyncTargetRow]


class MapSyncRequest(MapRef):
    """`replace`: also what robots have changed in their own map of that name."""

    device_ids: Annotated[list[Id], Field(min_length=1, max_length=MOST_TARGETS)]
    replace: bool = False


class MapSyncStarted(Wire):
    sync_id: int


class SyncFilter(Wire):
    map_id: Id | None = None
    device_id: Id | None = None


class SyncRow(Wire):
    """One robot. `sent`: it has all `size` bytes and waits for a task to end; `reason` is a key of the robots'
    refusals. `until`: has it not taken the map by then, it shall not."""

    sync_id: int
    map_id: int
    name: str
    revision: int
    create_time: datetime
    device_id: int
    device_code: str
    building: str
    floor: str
    online: bool
    state: SyncState
    reason: str
    have: int
    size: int
    attempts: int
    until: datetime
    update_time: datetime


class SyncList(Wire):
    list: list[SyncRow]


class SyncTargetRef(Wire):
    sync_id: Id
    device_id: Id


class SyncRetry(SyncTargetRef):
    replace: bool = False


@call("/map/syncTargets", needs=SYNC)
async def sync_targets(ctx: Ctx, payload: MapRef) -> Fast[SyncTargets]:
    """Robots that a map may be sent to."""
    return Fast({"list": await sync.list_targets(ctx, payload.map_id)})


@call("/map/syncMap", needs=SYNC, changes=("map",), audit="map.sync")
async def sync_map(ctx: Ctx, payload: MapSyncRequest) -> MapSyncStarted:
    """Send a map to robots. Those that are away get it when they are back."""
    device_ids = sorted(set(payload.device_ids))
    return MapSyncStarted(sync_id=await sync.start_sync(ctx, payload.map_id, device_ids, replace=payload.replace))


@call("/map/selectSync", needs="device/maplist")
async def select_sync(ctx: Ctx, payload: SyncFilter) -> Fast[SyncList]:
    """How far robots are with maps that were sent to them, the newest first."""
    return Fast({"list": await sync.list_syncs(ctx, payload.map_id, payload.device_id)})


@call("/map/retrySync", needs=SYNC, changes=("map",), audit="map.sync_retry")
async def retry_sync(ctx: Ctx, payload: SyncRetry) -> Nothing:
    """Send a map once more to a robot that did not take it."""
    await sync.retry_sync(ctx, payload.sync_id, payload.device_id, replace=payload.replace)
    return Nothing()


@call("/map/cancelSync", needs=SYNC, changes=("map",), audit="map.sync_cancel")
async def cancel_sync(ctx: Ctx, payload: SyncTargetRef) -> Nothing:
    """A robot shall not take the map any more. What it has taken before it hears of this, it keeps."""
    await sync.cancel_sync(ctx, payload.sync_id, payload.device_id)
    return Nothing()


jobs.job(courier.JOB)(courier.deliver)
jobs.job("map.sync_again", cron="* * * * *")(courier.deliver_due)
jobs.job("map.sync_purge", cron="51 3 * * *")(courier.purge)
jobs.job("map.holdings", cron="57 3 * * *")(holdings.count_uncounted)
