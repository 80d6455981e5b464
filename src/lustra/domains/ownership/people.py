"""Whose business a robot is: its owner of a time, accounts that are bound to it, and whoever acts for either."""

from collections.abc import Collection

from sqlalchemy import ColumnElement, or_
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.scope import system
from lustra.domains.account.api import Account, find_actor
from lustra.domains.device.api import Device, DeviceAccount

every = system("people whom the server itself notifies of a robot")


async def load_people(db: AsyncSession, device_id: int, owner_id: int, keys: Collection[str]) -> list[Account]:
    """Of them those that hold one of the keys. Bound accounts count while the robot is that owner's."""
    bound = every.select(DeviceAccount.account_id).join(Device, Device.id == DeviceAccount.device_id)
    bound = bound.where(Device.id == device_id, Device.owner_id == owner_id)
    return await load_holders(db, or_(Account.id == owner_id, Account.id.in_(bound)), keys)


async def load_holders(db: AsyncSession, which: ColumnElement[bool], keys: Collection[str]) -> list[Account]:
    """Of these accounts and their shadows those that hold one of the keys, by id."""
    first = every.select(Account.id).where(which)
    rows = every.select(Account).where(or_(Account.id.in_(first), Account.shadow_of.in_(first)))
    accounts = await db.scalars(rows.where(Account.deleted_at.is_(None)).order_by(Account.id))
    return [account for account in accounts if await _holds(db, account, keys)]


async def _holds(db: AsyncSession, account: Account, keys: Collection[str]) -> bool:
    actor = await find_actor(db, account.id)
    return actor is not None and not actor.keys.isdisjoint(keys)
