"""Who is notified of an alarm: the owner of the robot, accounts that are bound to it, and whoever acts for either; of
one that nobody takes, who is above the owner.

Rules: only who may see alarms; of those who stand in the owner's rota, who is on duty. Mails go to accounts that want
them, one to each mailbox, so that one that is broken keeps no other from its own. A channel that lacks an address is
entered all the same, and says so.
"""

from collections.abc import Iterator, Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.db import now
from lustra.domains.account.api import Account
from lustra.domains.alarm.duty import rota
from lustra.domains.alarm.service import LISTS
from lustra.domains.alarm.settings import CHANNELS
from lustra.domains.alarm.tables import Alarm, AlarmSetting
from lustra.domains.ownership.api import load_holders, load_people

PUSH = "off_site_push"


async def load_accounts(db: AsyncSession, alarm: Alarm) -> list[Account]:
    people = await load_people(db, alarm.device_id, alarm.owner_id, LISTS)
    return await rota.keep_on_duty(db, alarm.owner_id, people, now())


async def load_above(db: AsyncSession, path: str, step: int) -> list[Account]:
    """The account so many steps above that of a path; nobody beyond the top."""
    above = path.split(".")[:-1]
    return await load_holders(db, Account.id == int(above[-step]), LISTS) if step <= len(above) else []


def list_targets(account: Account, channel: str, browsers: Sequence[str]) -> list[str]:
    """None: the person does not want this channel. Who has entered browsers is pushed there, else by the gateway."""
    if channel == PUSH and browsers:
        return list(browsers)
    if channel == "email":
        return (account.email.split(",") if account.email else [""]) if account.email_to_warn else []
    return [account.phone if channel == "sms" else ""]


def list_personal(setting: AlarmSetting, account: Account, browsers: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Channels that are on, and their targets. `browsers`: labels of those of the account."""
    for channel in CHANNELS:
        if channel != "terminal" and getattr(setting, channel):
            for target in list_targets(account, channel, browsers):
                yield channel, target
