"""/device/selectHistory: whose a robot was."""

from datetime import datetime
from typing import Annotated

from lustra.core.calls.rpc import Ctx, Wire, call
from lustra.core.wire import doc
from lustra.domains.device.api import DeviceRef, Things
from lustra.domains.ownership import history
from lustra.domains.telemetry.api import load_device_row

LIST = "device/index"


class FormerOwnerRow(Wire):
    at: Annotated[datetime, doc("When the robot changed its owner.")]
    from_name: Annotated[str | None, doc("Former owner; null: outside the asker's scope.")]
    to_name: Annotated[str | None, doc("New owner; null: outside the asker's scope.")]
    things: Annotated[Things, doc("What became of the former owner's maps, tasks, recordings and password.")]
    erasing: Annotated[bool, doc("Whether the robot still has to erase them.")]


class WorkResetRow(Wire):
    at: Annotated[datetime, doc("When the work was reset.")]
    reason: Annotated[str, doc("Why it was reset.")]
    area: Annotated[float, doc("Area cleaned until then, in m².")]
    seconds: Annotated[float, doc("Time of tasks until then, in seconds.")]
    count: Annotated[int, doc("Number of tasks until then.")]
    by: Annotated[str | None, doc("Name of who reset it; null: outside the asker's scope.")]


class DeviceHistory(Wire):
    owners: Annotated[list[FormerOwnerRow], doc("Changes of the owner, the newest first, at most 100.")]
    resets: Annotated[list[WorkResetRow], doc("Resets of its work, the newest first, at most 100.")]


@call("/device/selectHistory", needs=LIST)
async def select_history(ctx: Ctx, payload: DeviceRef) -> DeviceHistory:
    """List a robot's former owners and the resets of its work; accounts out of scope stay unnamed."""
    async with ctx.app.pool.acquire() as db:
        await load_device_row(db, ctx.scope, payload.device_id)
        return DeviceHistory.model_validate(await history.load_history(db, ctx.scope, payload.device_id))
