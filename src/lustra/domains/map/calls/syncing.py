"""/map: maps that are sent to robots, and how far each robot is."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from lustra.core import jobs
from lustra.core.rpc import Ctx, Fast, Nothing, Wire, call
from lustra.core.wire import Id
from lustra.domains.map import courier, holdings, sync
from lustra.domains.map.calls.floors import OfMap

SYNC = "device/maplist/sync"
MOST_TARGETS = 200

State = Literal["waiting", "sending", "sent", "received", "send_failed", "receive_failed", "cancelled"]


class TargetRow(Wire):
    """`there`: what the robot has under the map's name: nothing, the same, an older one, or one that it changed since.
    `revision`: of that."""

    device_id: int
    device_code: str
    device_serial_number: str
    building: str
    floor: str
    online: bool
    revision: int
    there: Literal["none", "same", "older", "newer"]


class Targets(Wire):
    list: list[TargetRow]


class ToRobots(OfMap):
    """`replace`: also what robots have changed in their own map of that name."""

    device_ids: Annotated[list[Id], Field(min_length=1, max_length=MOST_TARGETS)]
    replace: bool = False


class Begun(Wire):
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
    state: State
    reason: str
    have: int
    size: int
    attempts: int
    until: datetime
    update_time: datetime


class Syncs(Wire):
    list: list[SyncRow]


class OfTarget(Wire):
    sync_id: Id
    device_id: Id


class Retried(OfTarget):
    replace: bool = False


@call("/map/syncTargets", needs=SYNC)
async def sync_targets(ctx: Ctx, wanted: OfMap) -> Fast[Targets]:
    """Robots that a map may be sent to."""
    return Fast({"list": await sync.targets(ctx, wanted.map_id)})


@call("/map/syncMap", needs=SYNC, changes=("map",), audit="map.sync")
async def sync_map(ctx: Ctx, wanted: ToRobots) -> Begun:
    """Send a map to robots. Those that are away get it when they are back."""
    wanted_ids = sorted(set(wanted.device_ids))
    return Begun(sync_id=await sync.start(ctx, wanted.map_id, wanted_ids, replace=wanted.replace))


@call("/map/selectSync", needs="device/maplist")
async def select_sync(ctx: Ctx, wanted: SyncFilter) -> Fast[Syncs]:
    """How far robots are with maps that were sent to them, the newest first."""
    return Fast({"list": await sync.listed(ctx, wanted.map_id, wanted.device_id)})


@call("/map/retrySync", needs=SYNC, changes=("map",), audit="map.sync_retry")
async def retry_sync(ctx: Ctx, wanted: Retried) -> Nothing:
    """Send a map once more to a robot that did not take it."""
    await sync.retry(ctx, wanted.sync_id, wanted.device_id, replace=wanted.replace)
    return Nothing()


@call("/map/cancelSync", needs=SYNC, changes=("map",), audit="map.sync_cancel")
async def cancel_sync(ctx: Ctx, wanted: OfTarget) -> Nothing:
    """A robot shall not take the map any more. What it has taken before it hears of this, it keeps."""
    await sync.cancel(ctx, wanted.sync_id, wanted.device_id)
    return Nothing()


jobs.job(courier.JOB)(courier.run)
jobs.job("map.sync_again", cron="* * * * *")(courier.again)
jobs.job("map.sync_purge", cron="51 3 * * *")(courier.purge)
jobs.job("map.holdings", cron="57 3 * * *")(holdings.count_uncounted)
