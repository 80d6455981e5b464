"""How many bytes recordings and clips take of what their owner may hold (core/quota).

Rules: they count for the owner of the recording as soon as they are stored. Who has no room more begins no recording
and no clip, and what is being made ends; the owner and the administrators are notified once a day. What was deleted
goes earlier than it would when its owner needs the room.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lustra.core import quota
from lustra.core.context import NOBODY, Ctx, Services
from lustra.core.errors import Code, Refusal
from lustra.domains.account.api import Account
from lustra.domains.device_log.api import EVERY, OF_EVENT
from lustra.domains.message.api import load_administrators, notify_daily
from lustra.domains.video import queries

FULL = "recordings_full"  # kind of the message


@dataclass(frozen=True, slots=True)
class Space:
    """Bytes. `limit` 0: as much as there is."""

    used: int
    limit: int

    @property
    def full(self) -> bool:
        return 0 < self.limit <= self.used


async def load_space(app: Services, owners: Mapping[int, int]) -> dict[int, Space]:
    """Of these accounts. `owners`: with the bytes of each account's recordings that are being made."""
    limit = quota.read_limits(app.settings.quota_gb)["recordings"]
    used = await _sum_up(app, list(owners))
    if limit and (over := [owner for owner in owners if used[owner] + owners[owner] >= limit]):
        await app.pool.execute(EVERY.sql(queries.FORGET_DELETED_OF), over)
        await app.pool.execute(EVERY.sql(queries.RELEASE_UNUSED), over)
        used |= await _sum_up(app, over)
    return {owner: Space(used[owner] + growing, limit) for owner, growing in owners.items()}


async def _sum_up(app: Services, owners: Sequence[int]) -> dict[int, int]:
    rows = await app.pool.fetch(EVERY.sql(queries.USED_SPACE), owners)
    return {row["account_id"]: int(row["used"]) for row in rows}


async def demand_space(ctx: Ctx, owner: int, field: str) -> None:
    """Refused when the account has no room for another recording or clip."""
    space = (await load_space(ctx.app, {owner: 0}))[owner]
    if space.full:
        used, limit = quota.size_text(space.used), quota.size_text(space.limit)
        raise Refusal(Code.QUOTA, field, used=used, limit=limit)


async def notify_full(app: Services, spaces: Mapping[int, Space]) -> None:
    """Of the accounts that have no room more, themselves and the administrators."""
    full = {owner: space for owner, space in spaces.items() if space.full}
    if not full:
        return
    async with app.sessions.begin() as db:
        administrators = await load_administrators(db)
        accounts = await db.scalars(OF_EVENT.select(Account).where(Account.id.in_(full), Account.deleted_at.is_(None)))
        for account in accounts:
            used, limit = quota.size_text(full[account.id].used), quota.size_text(full[account.id].limit)
            values = {"owner": account.name, "used": used, "limit": limit, "accountId": account.id}
            await notify_daily(db, {account.id, *administrators}, FULL, NOBODY, "accountId", **values)
