"""What calls about robots have in common: which account asks, and of which robot."""

from lustra.core.context import Ctx
from lustra.core.wire import DeviceId, ScopeAccountId, Wire
from lustra.domains.account.api import narrow_scope
from lustra.domains.device.scope import Where


class AccountFilter(Wire):
    user_id: ScopeAccountId = None


class DeviceRef(AccountFilter):
    device_id: DeviceId


async def where_in_scope(ctx: Ctx, user_id: int | None) -> Where:
    return Where.of_robots(await narrow_scope(ctx, user_id))
