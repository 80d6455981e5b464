"""Who is notified of an alarm: the owner of the robot, accounts that are bound to it, and whoever acts for either.

Rules: only who may see alarms. Mails go to accounts that want them, one to each mailbox, so that one that is broken
keeps no other from its own. A channel that lacks an address is entered all the same, and says so.
"""

from collections.abc import Iterator

from sqlalchemy import or_
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.account.api import Account, find_actor
from lustra.domains.alarm.service import LISTS, every
from lustra.domains.alarm.settings import CHANNELS
from lustra.domains.alarm.tables import Alarm, AlarmSetting
from lustra.domains.device.api import Device, DeviceAccount


async def load_accounts(db: AsyncSession, alarm: Alarm) -> list[Account]:
    bound = every.select(DeviceAccount.account_id).join(Device, Device.id == DeviceAccount.device_id)
    bound = bound.where(Device.id == alarm.device_id, Device.owner_id == alarm.owner_id)
    first = every.select(Account.id).where(or_(Account.id == alarm.owner_id, Account.id.in_(bound)))
    rows = every.select(Account).where(or_(Account.id.in_(first), Account.shadow_of.in_(first)))
    accounts = await db.scalars(rows.where(Account.deleted_at.is_(None)).order_by(Account.id))
    return [account for account in accounts if await _may_see(db, account)]


async def _may_see(db: AsyncSession, account: Account) -> bool:
    actor = await find_actor(db, account.id)
    return actor is not None and not actor.keys.isdisjoint(LISTS)


def list_targets(account: Account, channel: str) -> list[str]:
    """None: the person does not want this channel."""
    if channel == "email":
        return (account.email.split(",") if account.email else [""]) if account.email_to_warn else []
    return [account.phone if channel == "sms" else ""]


def list_personal(setting: AlarmSetting, account: Account) -> Iterator[tuple[str, str]]:
    """Channels that are on, and their targets."""
    for channel in CHANNELS:
        if channel != "terminal" and getattr(setting, channel):
            for target in list_targets(account, channel):
                yield channel, target
