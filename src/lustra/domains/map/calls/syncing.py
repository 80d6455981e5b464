"""/map: maps that are sent to robots, and how far each robot is."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from lustra.core import jobs
from lustra.core.calls.rpc import Ctx, Fast, Nothing, Wire, call
from lustra.core.wire import BuildingName, CreateTime, DeviceId, DeviceName, FloorName, Id, SerialNumber, doc
from lustra.domains.map import courier, holdings, sync
from lustra.domains.map.calls.floors import MapId, MapRef, MapRevision

SYNC = "device/maplist/sync"
MOST_TARGETS = 200

SyncState = Literal["waiting", "sending", "sent", "received", "send_failed", "receive_failed", "cancelled"]


class SyncTargetRow(Wire):
    device_id: DeviceId
    device_code: DeviceName
    device_serial_number: SerialNumber
    building: BuildingName
    floor: FloorName
    online: Annotated[bool, doc("Whether it is connected now.")]
    revision: Annotated[int, doc("Revision that it has under the map's name; 0: none.")]
    present: Annotated[
        Literal["none", "same", "older", "newer"],
        doc("What it has under the map's name: nothing, the same, an older one, or one changed since."),
    ] = Field(alias="there")


class SyncTargets(Wire):
    list: Annotated[list[SyncTargetRow], doc("Robots that the map may be sent to.")]


class MapSyncRequest(MapRef):
    device_ids: Annotated[
        list[Id], Field(min_length=1, max_length=MOST_TARGETS), doc("Robots that get the map, 1 to 200.")
    ]
    replace: Annotated[bool, doc("True: also where the robot has changed its own map of that name.")] = False


class MapSyncStarted(Wire):
    sync_id: Annotated[int, doc("Number of the transfer.")]


class SyncFilter(Wire):
    map_id: Annotated[Id | None, doc("Only transfers of this map; null: all.")] = None
    device_id: Annotated[Id | None, doc("Only transfers to this robot; null: all.")] = None


class SyncRow(Wire):
    """How far one robot is with a transfer."""

    sync_id: Annotated[int, doc("Number of the transfer.")]
    map_id: MapId
    name: Annotated[str, doc("Name of the map.")]
    revision: MapRevision
    create_time: CreateTime
    device_id: DeviceId
    device_code: DeviceName
    building: BuildingName
    floor: FloorName
    online: Annotated[bool, doc("Whether it is connected now.")]
    state: Annotated[SyncState, doc("How far it is; `sent`: it has the whole file and waits for a task to end.")]
    reason: Annotated[str, doc("Why it failed, a key of the robots' catalogue of reasons; empty: it did not.")]
    have: Annotated[int, doc("Bytes of the file that the robot has.")]
    size: Annotated[int, doc("Bytes of the whole file.")]
    attempts: Annotated[int, doc("Number of attempts so far.")]
    until: Annotated[datetime, doc("If the robot has not taken the map by then, the transfer ends.")]
    update_time: Annotated[datetime, doc("When its state last changed.")]


class SyncList(Wire):
    list: Annotated[list[SyncRow], doc("The transfers, the newest first.")]


class SyncTargetRef(Wire):
    sync_id: Annotated[Id, doc("Number of the transfer.")]
    device_id: DeviceId


class SyncRetry(SyncTargetRef):
    replace: Annotated[bool, doc("True: also if the robot has changed its own map of that name.")] = False


@call("/map/syncTargets", needs=SYNC, reads=("map", "mapSync", "floor", "state"))
async def sync_targets(ctx: Ctx, payload: MapRef) -> Fast[SyncTargets]:
    """List the robots that a map may be sent to."""
    return Fast({"list": await sync.list_targets(ctx, payload.map_id)})


@call("/map/syncMap", needs=SYNC, changes=("map", "mapSync"), audit="map.sync")
async def sync_map(ctx: Ctx, payload: MapSyncRequest) -> MapSyncStarted:
    """Send a map to robots. Those that are not connected get it when they are back."""
    device_ids = sorted(set(payload.device_ids))
    return MapSyncStarted(sync_id=await sync.start_sync(ctx, payload.map_id, device_ids, replace=payload.replace))


@call("/map/selectSync", needs="device/maplist", reads=("mapSync", "state"))
async def select_sync(ctx: Ctx, payload: SyncFilter) -> Fast[SyncList]:
    """List how far robots are with maps that were sent to them, the newest first."""
    return Fast({"list": await sync.list_syncs(ctx, payload.map_id, payload.device_id)})


@call("/map/retrySync", needs=SYNC, changes=("map", "mapSync"), audit="map.sync_retry")
async def retry_sync(ctx: Ctx, payload: SyncRetry) -> Nothing:
    """Send a map once more to a robot that did not take it."""
    await sync.retry_sync(ctx, payload.sync_id, payload.device_id, replace=payload.replace)
    return Nothing()


@call("/map/cancelSync", needs=SYNC, changes=("map", "mapSync"), audit="map.sync_cancel")
async def cancel_sync(ctx: Ctx, payload: SyncTargetRef) -> Nothing:
    """Cancel the transfer of a map to a robot; what it took before, it keeps."""
    await sync.cancel_sync(ctx, payload.sync_id, payload.device_id)
    return Nothing()


jobs.job(courier.JOB)(courier.deliver)
jobs.job("map.sync_again", cron="* * * * *")(courier.deliver_due)
jobs.job("map.sync_purge", cron="51 3 * * *")(courier.purge)
jobs.job("map.holdings", cron="57 3 * * *")(holdings.count_uncounted)
