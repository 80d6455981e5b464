"""/device: what a robot has said that was not stored."""

from datetime import datetime
from typing import Annotated, Literal

from lustra.core.calls.rpc import Ctx, Wire, call
from lustra.core.scope import rows_of
from lustra.core.wire import doc
from lustra.domains.device.api import DeviceRef, load_device
from lustra.domains.telemetry.tables import RobotRefusal
from lustra.protocol.flaws import Reason


class NewestRefusal(Wire):
    """The newest message of a robot that was not stored, or not whole."""

    time: Annotated[datetime | None, doc("When it was refused; null: nothing was.")] = None
    kind: Annotated[Literal["state", "report", "event"] | None, doc("What was refused; null: nothing.")] = None
    reference: Annotated[str, doc("Id of the report or event, or time of the state in ms; empty: nothing.")] = ""
    field: Annotated[str, doc("Path of the field that is wrong; empty: the message as a whole.")] = ""
    reason: Annotated[Reason | Literal["content_missing"] | None, doc("What is wrong with it; null: nothing.")] = None


@call("/device/selectRefusal", needs="device/index", reads=("refusal",))
async def select_refusal(ctx: Ctx, payload: DeviceRef) -> NewestRefusal:
    """Show the newest message of a robot that was not stored, and why."""
    robot = await load_device(ctx, payload.device_id)
    row = await ctx.db.scalar(rows_of(robot).select(RobotRefusal))
    if row is None:
        return NewestRefusal()
    return NewestRefusal.model_validate(
        {"time": row.at, "kind": row.kind, "reference": row.reference, "field": row.field, "reason": row.reason}
    )
