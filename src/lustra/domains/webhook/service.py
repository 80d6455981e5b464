"""Webhooks of one's own: making, changing, trying.

Rules: a webhook is its account's alone, and is sent what that account may know at that moment, by its scope and keys.
A program sees and makes webhooks of its own API key alone: by those of its account it could learn more than its key
may know.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import uuid4

from sqlalchemy import Select, func

from lustra.core import jobs, query
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.http import outbound_entry, outbound_http
from lustra.core.security import sealed, webhook_signature
from lustra.core.wire import PageOf
from lustra.domains.account.api import ApiKey, own
from lustra.domains.change.api import ChangeRow
from lustra.domains.webhook.deliver import DELIVER
from lustra.domains.webhook.tables import Webhook, WebhookDelivery

MOST_HOOKS = 10  # of an account
MOST_BY_HAND = 10  # tests and repetitions of an account in a minute
MINUTE = timedelta(minutes=1)
TEST = "webhook.test"


async def load_api_keys(ctx: Ctx) -> dict[str, str]:
    """Names of the account's API keys, by their ids."""
    rows = await ctx.db.execute(ctx.scope.select(ApiKey.id, ApiKey.name))
    return {row.id: row.name for row in rows}


async def select_hooks(ctx: Ctx) -> Select[Webhook]:
    """A person's: all of the account; a program's: those of its API key."""
    hooks = ctx.scope.select(Webhook)
    api_key = ctx.actor.session_id
    return hooks.where(Webhook.api_key_id == api_key) if api_key in await load_api_keys(ctx) else hooks


async def list_hooks(ctx: Ctx) -> Sequence[Webhook]:
    return (await ctx.db.scalars((await select_hooks(ctx)).order_by(Webhook.id))).all()


async def find_hook(ctx: Ctx, hook_id: int, *, lock: bool = False) -> Webhook:
    rows = (await select_hooks(ctx)).where(Webhook.id == hook_id)
    return await query.fetch_one(ctx.db, rows.with_for_update() if lock else rows)


async def create_hook(ctx: Ctx, url: str, description: str, kinds: list[str]) -> tuple[Webhook, str]:
    """The webhook and its secret, which is shown this once."""
    await refuse_unreachable(ctx, url)
    await own(ctx.db, ctx.actor, lock=True)  # two makers wait for each other
    if (await ctx.db.scalar(ctx.scope.select(func.count(Webhook.id))) or 0) >= MOST_HOOKS:
        raise Refusal(Code.BAD_INPUT, "url", reason="hooks_many", limit=MOST_HOOKS)
    secret = webhook_signature.create_secret()
    hook = Webhook(
        account_id=ctx.actor.real_id,
        url=url,
        description=description,
        kinds=sorted(set(kinds)),
        secret=seal(ctx, secret),
        api_key_id=ctx.actor.session_id if ctx.actor.session_id in await load_api_keys(ctx) else None,
    )
    ctx.db.add(hook)
    await ctx.db.flush()
    return hook, secret


async def change_hook(ctx: Ctx, hook_id: int, values: dict[str, Any]) -> None:
    """Switched on again, it begins anew; what waited meanwhile was given up."""
    hook = await find_hook(ctx, hook_id, lock=True)
    if "url" in values and values["url"] != hook.url:
        await refuse_unreachable(ctx, values["url"])
    for name, value in values.items():
        setattr(hook, name, sorted(set(value)) if name == "kinds" else value)
    if values.get("active"):
        hook.failures, hook.failing_since, hook.retry_at, hook.off_reason = 0, None, None, ""
    hook.updated_at = now()


async def delete_hook(ctx: Ctx, hook_id: int) -> None:
    await ctx.db.delete(await find_hook(ctx, hook_id, lock=True))


async def rotate_secret(ctx: Ctx, hook_id: int) -> tuple[Webhook, str]:
    hook, secret = await find_hook(ctx, hook_id, lock=True), webhook_signature.create_secret()
    hook.former_secret, hook.former_until = hook.secret, now() + webhook_signature.OVERLAP
    hook.secret, hook.updated_at = seal(ctx, secret), now()
    return hook, secret


def seal(ctx: Ctx, secret: str) -> bytes:
    return sealed.seal(ctx.app.settings, webhook_signature.SEALED_AS, ctx.actor.real_id, secret)


async def refuse_unreachable(ctx: Ctx, url: str) -> None:
    await outbound_entry.refuse_unreachable(url, outbound_http.networks(ctx.app.settings.webhook_networks))


async def send_test(ctx: Ctx, hook_id: int) -> None:
    row = ChangeRow(id=str(uuid4()), kind=TEST, time=now(), device_id=None, device_serial_number="", data={})
    await _send_by_hand(ctx, hook_id, row.id, TEST, row.model_dump_json(by_alias=True))


async def send_again(ctx: Ctx, delivery_id: int) -> None:
    """The same message, with its id: a receiver that had it knows it."""
    rows = ctx.scope.select(WebhookDelivery).where(WebhookDelivery.id == delivery_id)
    former = await query.fetch_one(ctx.db, rows)
    await _send_by_hand(ctx, former.webhook_id, former.message_id, former.kind, former.body)


async def _send_by_hand(ctx: Ctx, hook_id: int, message_id: str, kind: str, body: str) -> None:
    hook = await find_hook(ctx, hook_id, lock=True)
    recent = ctx.scope.select(func.count(WebhookDelivery.id)).where(
        WebhookDelivery.by_hand, WebhookDelivery.created_at > now() - MINUTE
    )
    if (await ctx.db.scalar(recent) or 0) >= MOST_BY_HAND:
        raise Refusal(Code.TOO_MANY_TRIES, seconds=round(MINUTE.total_seconds()))
    delivery = WebhookDelivery(webhook_id=hook.id, message_id=message_id, kind=kind, body=body, by_hand=True)
    ctx.db.add(delivery)
    await ctx.db.flush()
    await jobs.later(ctx.db, DELIVER, delivery=delivery.id)


async def load_deliveries(ctx: Ctx, hook_id: int, paging: PageOf) -> tuple[Sequence[WebhookDelivery], int]:
    """The newest first."""
    await find_hook(ctx, hook_id)
    rows = ctx.scope.select(WebhookDelivery).where(WebhookDelivery.webhook_id == hook_id)
    return await query.paginate(ctx.db, rows.order_by(WebhookDelivery.id.desc()), paging)
