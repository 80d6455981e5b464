"""/device: tokens by which robots ask for updates through hawkBit's device API."""

from datetime import datetime
from typing import Annotated

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import doc
from lustra.domains.device.api import DeviceRef
from lustra.domains.rollout import ddi
from lustra.domains.version.api import SOFT

TOPIC = "updateToken"


class UpdateTokenView(Wire):
    exists: Annotated[bool, doc("Whether the robot has a token, and so asks for updates itself.")]
    create_time: Annotated[datetime | None, doc("When the token was made; null: there is none.")]
    seen_time: Annotated[datetime | None, doc("When the robot last asked; null: never.")]
    message: Annotated[str, doc("What its updater said at the end of the last update.")]
    attributes: Annotated[dict[str, str], doc("What it says of itself.")]
    url: Annotated[str, doc("Address that its updater is given, without tenant and serial number.")]


class NewUpdateToken(Wire):
    token: Annotated[str, doc("The token, shown this once.")]


@call("/device/selectUpdateToken", needs=SOFT, reads=(TOPIC,))
async def select_update_token(ctx: Ctx, payload: DeviceRef) -> UpdateTokenView:
    """Show whether a robot asks for updates itself, and what it says."""
    _, token = await ddi.load_token(ctx, payload.device_id)
    return UpdateTokenView(
        exists=token is not None,
        create_time=token.created_at if token else None,
        seen_time=token.seen_at if token else None,
        message=token.message if token else "",
        attributes=token.attributes if token else {},
        url=f"{ctx.app.settings.public_url.rstrip('/')}/api/ddi",
    )


@call("/device/createUpdateToken", needs=SOFT, person=True, changes=(TOPIC,), audit="device.update_token")
async def create_update_token(ctx: Ctx, payload: DeviceRef) -> NewUpdateToken:
    """Make a robot's token for hawkBit's device API, in place of a former one."""
    _, token = await ddi.create_token(ctx, payload.device_id)
    return NewUpdateToken(token=token)


@call("/device/deleteUpdateToken", needs=SOFT, person=True, changes=(TOPIC,), audit="device.update_token_end")
async def delete_update_token(ctx: Ctx, payload: DeviceRef) -> Nothing:
    """Delete a robot's token: it takes orders over the bus again."""
    await ddi.delete_token(ctx, payload.device_id)
    return Nothing()
