"""Whether a browser is reached: a test to one of one's own, at once.

Rules: it goes the way that alarms go, counts among the tests of channels, and what fails is said at once.
"""

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.domains.account.api import count_use
from lustra.domains.alarm.channel_test import FREE_TESTS
from lustra.domains.alarm.push import delivery
from lustra.domains.alarm.push.tables import PushDevice

LEVEL = 1


async def send(ctx: Ctx, device_id: int) -> None:
    """In a session of its own: the call's holds no connection while others think."""
    async with ctx.app.sessions() as db:
        device = await query.fetch_one(db, ctx.scope.select(PushDevice).where(PushDevice.id == device_id))
    await count_use(ctx.app.sessions, f"channel:{ctx.actor.real_id}", FREE_TESTS)
    if reason := await delivery.send(ctx.app, device.account_id, device.label, 0, LEVEL):
        raise Refusal(Code.CHANNEL_FAILED, "id", reason=reason)
