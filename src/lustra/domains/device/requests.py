"""What calls about robots have in common: which account asks, and of which robot."""

from lustra.core.context import Ctx
from lustra.core.wire import DeviceId, ScopeAccountId, Wire
from lustra.domains.account.api import narrowed
from lustra.domains.device.scope import Where


class AccountFilter(Wire):
    user_id: ScopeAccountId = None


class DeviceRef(AccountFilter):
    device_id: DeviceId


async def where_visible(ctx: Ctx, user_id: int | None) -> Where:
    where = Where()
    where.seen(await narrowed(ctx.db, ctx.actor, user_id))
    return where
