"""What tablets shall show, sent to a dealer's robots once more."""

from lustra.core import jobs
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.domains.delivery.api import reset, reset_failed
from lustra.domains.tablet import delivery
from lustra.domains.tablet.tables import TabletDelivery


async def send_again(ctx: Ctx, device_id: int | None) -> None:
    if device_id is None:
        await reset_failed(ctx, TabletDelivery)
    elif not await reset(ctx, TabletDelivery, device_id):
        raise Refusal(Code.NOT_FOUND, "deviceId")
    await jobs.later(ctx.db, delivery.DELIVER)
