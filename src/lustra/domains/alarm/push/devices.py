"""A person's browsers that alarms are pushed to.

Rules: each is entered by the browser itself; the same one again, or for another account, is in place of what it was.
Its address is judged as any that somebody types. An account has MOST at most, each under a label of its own.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.http import outbound_entry, outbound_http
from lustra.core.security import web_push
from lustra.core.security.web_push import AUTH, Unfit
from lustra.domains.account.api import own
from lustra.domains.alarm.push.tables import PushDevice
from lustra.domains.alarm.service import every

MOST = 10


async def load_own(ctx: Ctx) -> Sequence[PushDevice]:
    """The first first."""
    return (await ctx.db.scalars(ctx.scope.select(PushDevice).order_by(PushDevice.id))).all()


async def subscribe(ctx: Ctx, endpoint: str, public: str, auth: str, label: str) -> PushDevice:
    networks = outbound_http.networks(ctx.app.settings.webhook_networks)
    await outbound_entry.refuse_unreachable(endpoint, networks, "endpoint")
    _demand_keys(public, auth)
    account = await own(ctx.db, ctx.actor, lock=True)
    await ctx.db.execute(every.delete(PushDevice).where(PushDevice.endpoint == endpoint))
    others = await load_own(ctx)
    if len(others) >= MOST:
        raise Refusal(Code.BAD_INPUT, "endpoint", reason="push_devices", number=MOST)
    named = _name_apart(label.strip(), {other.label for other in others})
    device = PushDevice(account_id=account.id, label=named, endpoint=endpoint, public=public, auth=auth)
    ctx.db.add(device)
    await ctx.db.flush()
    return device


def _demand_keys(public: str, auth: str) -> None:
    try:
        web_push.read_public(public)
        fits = len(web_push.decode(auth)) == AUTH
    except Unfit:
        fits = False
    if not fits:
        raise Refusal(Code.BAD_INPUT, "public", reason="push_keys")


def _name_apart(label: str, taken: Collection[str]) -> str:
    names = [label, *(f"{label} {number}" for number in range(2, MOST + 2))]
    return next(name for name in names if name not in taken)


async def remove(ctx: Ctx, device_id: int) -> None:
    """Raises NOT_FOUND for one that is not one's own."""
    device = await query.fetch_one(ctx.db, ctx.scope.select(PushDevice).where(PushDevice.id == device_id))
    await ctx.db.delete(device)


async def load_labels(db: AsyncSession, account_ids: Collection[int]) -> dict[int, list[str]]:
    """By account."""
    rows = every.select(PushDevice.account_id, PushDevice.label).where(PushDevice.account_id.in_(account_ids))
    labels: defaultdict[int, list[str]] = defaultdict(list)
    for account_id, label in await db.execute(rows.order_by(PushDevice.id)):
        labels[account_id].append(label)
    return labels
