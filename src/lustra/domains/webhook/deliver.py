"""From the feed of changes to webhooks: each message at least once, with an id that stays.

Rules: a message is entered in the transaction in which its change gets its number, with the job that sends it; a worker
that is killed in between, or while it sends, sends it again. A failed one is tried again after ever longer waits, with
some chance in them, for TRIED. While a webhook fails one after the other, all its messages wait together, so that it
takes no worker's time. One that fails for OFF_AFTER, says that it is gone, or has MOST_WAITING messages waiting is
switched off, and its account gets a message.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import groupby

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import jobs
from lustra.core.context import NOBODY, Actor, Services
from lustra.core.db import now
from lustra.core.http import outbound_http, outbound_post
from lustra.core.http.outbound_post import Outcome
from lustra.core.jobs import job
from lustra.core.scope import rows_of, system
from lustra.core.security import sealed, webhook_signature
from lustra.domains.account.api import ApiKey, find_actor
from lustra.domains.change.api import ChangeEntry, ChangesNumbered, build_row, select_visible
from lustra.domains.message.api import notify
from lustra.domains.webhook.tables import Webhook, WebhookDelivery

DELIVER = "webhook.deliver"
KEY = "index/changes"
QUEUE = "webhooks"  # of its own, so that slow receivers hold up no other job
WAITS_S = (5, 300, 1800, 7200, 18_000, 36_000)  # after the first failure, the second …; then the last of them
CHANCE = 0.2  # of a wait, added to it
TRIED = timedelta(days=3)
OFF_AFTER = timedelta(days=5)
ENDED = 410  # HTTP: the address is given up for good
MOST_WAITING = 10_000  # messages of a webhook
HISTORY = timedelta(days=14)

every = system("messages to webhooks, each in the name of its account")


def wait_after(failures: int) -> timedelta:
    seconds = WAITS_S[min(failures, len(WAITS_S)) - 1]
    return timedelta(seconds=seconds * (1 + random.uniform(0, CHANCE)))  # noqa: S311  keeps retries apart, no secret


async def on_changes_numbered(db: AsyncSession, event: ChangesNumbered) -> None:
    """Queues changes for the webhooks of each account that may know of them at this moment."""
    active = every.select(Webhook).where(Webhook.active).order_by(Webhook.account_id, Webhook.id)
    for account_id, hooks in groupby((await db.scalars(active)).all(), lambda hook: hook.account_id):
        actor = await find_actor(db, account_id)
        if actor is None or KEY not in actor.keys:
            continue
        for hook in hooks:
            rows = select_visible(await _bound(db, actor, hook), hook.kinds)
            changes = await db.scalars(rows.where(ChangeEntry.number.between(event.first, event.last)))
            await _enter(db, hook, changes.all())


async def _bound(db: AsyncSession, actor: Actor, hook: Webhook) -> Actor:
    """The account, or what its API key leaves of it: nothing once that is over."""
    if hook.api_key_id is None:
        return actor
    api_key = await db.scalar(every.select(ApiKey).where(ApiKey.id == hook.api_key_id))
    valid = api_key is not None and api_key.expires_at > now() and KEY in api_key.keys
    return replace(actor, keys=actor.keys & frozenset(api_key.keys) if api_key and valid else frozenset())


async def _enter(db: AsyncSession, hook: Webhook, changes: Sequence[ChangeEntry]) -> None:
    if not changes:
        return
    waiting = rows_of(hook).select(func.count(WebhookDelivery.id)).where(WebhookDelivery.state == "waiting")
    if (await db.scalar(waiting) or 0) >= MOST_WAITING:
        switch_off(db, hook, "behind")
        return
    deliveries = [
        WebhookDelivery(
            webhook_id=hook.id,
            message_id=str(change.id),
            kind=change.kind,
            body=build_row(change).model_dump_json(by_alias=True),
        )
        for change in changes
    ]
    db.add_all(deliveries)
    await db.flush()
    for delivery in deliveries:
        await jobs.later(db, DELIVER, delivery=delivery.id)


def switch_off(db: AsyncSession, hook: Webhook, reason: str) -> None:
    hook.active, hook.off_reason, hook.updated_at = False, reason, now()
    notify(db, [hook.account_id], "webhook_off", NOBODY, url=hook.url)


@job(DELIVER, queue=QUEUE)
async def deliver(app: Services, *, delivery: int) -> None:
    async with app.sessions.begin() as db:
        pair = await _lock(db, delivery)
        if pair is None:
            return
        hook, message = pair
        if ready_at := _not_yet(hook, message):
            await jobs.later(db, DELIVER, at=ready_at, delivery=message.id)
            return
        if message.state != "waiting":
            return
    body, timestamp = message.body.encode(), round(now().timestamp())
    networks = outbound_http.networks(app.settings.webhook_networks)
    headers = webhook_signature.headers(_secrets(app, hook), message.message_id, timestamp, body)
    outcome = await outbound_post.send(hook.url, headers, body, networks)
    async with app.sessions.begin() as db:
        pair = await _lock(db, delivery)
        if pair is not None:
            await _record(db, *pair, outcome)


async def _lock(db: AsyncSession, delivery: int) -> tuple[Webhook, WebhookDelivery] | None:
    """The delivery and its webhook, locked; None where it is sent already or the webhook is deleted."""
    waiting = every.select(WebhookDelivery).where(WebhookDelivery.id == delivery, WebhookDelivery.state == "waiting")
    message = await db.scalar(waiting)
    if message is None:
        return None
    hook = await db.scalar(rows_of(message).select(Webhook).with_for_update())
    return None if hook is None else (hook, message)


def _not_yet(hook: Webhook, message: WebhookDelivery) -> datetime | None:
    """Until when it waits with the others. What has waited too long, or whose webhook is off, is given up."""
    if message.by_hand:
        return None
    if not hook.active or now() - message.created_at > TRIED:
        message.state, message.next_at, message.reason = "failed", None, message.reason or "off"
        return None
    if hook.retry_at is None or hook.retry_at <= now():
        return None
    message.next_at = hook.retry_at + (hook.retry_at - now()) * random.uniform(0, CHANCE)  # noqa: S311  as above
    return message.next_at


def _secrets(app: Services, hook: Webhook) -> list[str]:
    former = hook.former_secret if hook.former_until and hook.former_until > now() else None
    present = [data for data in (hook.secret, former) if data]
    return [sealed.unseal(app.settings, webhook_signature.SEALED_AS, hook.account_id, data) for data in present]


async def _record(db: AsyncSession, hook: Webhook, message: WebhookDelivery, outcome: Outcome) -> None:
    message.attempts += 1
    message.sent_at, message.next_at = now(), None
    message.status, message.ms = outcome.status, outcome.ms
    message.answer, message.reason = outcome.answer, outcome.reason
    if outcome.delivered:
        message.state = "delivered"
        hook.failures, hook.failing_since, hook.retry_at = 0, None, None
    elif message.by_hand:
        message.state = "failed"  # whoever sent it sees why, and sends it again
    else:
        await _plan_next(db, hook, message, outcome)


async def _plan_next(db: AsyncSession, hook: Webhook, message: WebhookDelivery, outcome: Outcome) -> None:
    hook.failures += 1
    since = hook.failing_since = hook.failing_since or now()
    hook.retry_at = now() + wait_after(hook.failures)
    next_at = now() + wait_after(message.attempts)
    if hook.active and (outcome.status == ENDED or now() - since > OFF_AFTER):
        switch_off(db, hook, "gone" if outcome.status == ENDED else "failing")
    if not hook.active or next_at - message.created_at > TRIED:
        message.state = "failed"
        return
    message.next_at = next_at
    await jobs.later(db, DELIVER, at=next_at, delivery=message.id)


@job("webhook.purge", cron="33 3 * * *")
async def purge(app: Services) -> None:
    async with app.sessions.begin() as db:
        await db.execute(every.delete(WebhookDelivery).where(WebhookDelivery.created_at < now() - HISTORY))
