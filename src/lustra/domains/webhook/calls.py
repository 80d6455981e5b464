"""/webhook: where an account has its changes sent."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.query import pages
from lustra.core.wire import ById, Change, Commas, CreateTime, Id, Page, PageOf, doc, optional_from
from lustra.domains.change.api import ChangeKind
from lustra.domains.webhook import rules, service
from lustra.domains.webhook.deliver import KEY
from lustra.domains.webhook.tables import Webhook, WebhookDelivery

TOPICS = ("webhook",)


class WebhookFields(Wire):
    """What is entered of a webhook."""

    url: Annotated[rules.Address, doc("https address that messages are posted to, at most 500 characters.")]
    description: Annotated[rules.Description, doc("What it is for, at most 200 characters.")] = ""
    kinds: Annotated[Commas[ChangeKind], doc("Kinds of changes that it is sent, at most 100; empty: all.")] = Field(
        [], max_length=100
    )


class NewWebhook(WebhookFields):
    pass


@optional_from(WebhookFields)
class WebhookChange(WebhookFields, Change):
    id: Annotated[Id, doc("Number of the webhook.")]
    active: Annotated[bool | None, doc("Whether it is sent anything. Left out: it stays.")] = None


class WebhookRow(Wire):
    """A webhook of one's own."""

    id: Annotated[int, doc("Number of the webhook.")]
    url: Annotated[str, doc("Address that messages are posted to.")]
    description: Annotated[str, doc("What it is for.")]
    kinds: Annotated[list[str], doc("Kinds of changes that it is sent; empty: all.")]
    active: Annotated[bool, doc("Whether it is sent anything.")]
    off_reason: Annotated[str, doc("Why the server switched it off: `failing`, `gone`, `behind`; empty: it did not.")]
    failing_time: Annotated[datetime | None, doc("Since when each attempt has failed; null: the last one did not.")]
    api_key: Annotated[str, doc("Name of the API key that made it and bounds it; empty: a person did.")]
    create_time: CreateTime


class WebhookList(Wire):
    list: Annotated[list[WebhookRow], doc("One's own webhooks, the oldest first.")]


class WebhookSecret(Wire):
    """`secret` is shown this once."""

    id: Annotated[int, doc("Number of the webhook.")]
    secret: Annotated[str, doc("`whsec_…`, which signs messages from now on; shown this once.")]
    former_until: Annotated[datetime | None, doc("Until when the former one signs too; null: there is none.")]


class DeliveryFilter(PageOf):
    webhook_id: Annotated[Id, doc("Number of the webhook.")]


class DeliveryRow(Wire):
    """A message and its last attempt."""

    id: Annotated[int, doc("Number of the delivery.")]
    message_id: Annotated[str, doc("Its `webhook-id`.")]
    kind: Annotated[str, doc("Kind of the change, or `webhook.test`.")]
    state: Annotated[str, doc("`waiting`, `delivered` or `failed`.")]
    attempts: Annotated[int, doc("How often it was sent.")]
    create_time: CreateTime
    send_time: Annotated[datetime | None, doc("When it was sent last; null: not yet.")]
    next_time: Annotated[datetime | None, doc("When it is sent again; null: at once, or never.")]
    status: Annotated[int | None, doc("HTTP status of the answer; null: none came.")]
    duration: Annotated[int | None, doc("How long it took, ms; null: not sent yet.")]
    answer: Annotated[str, doc("The first 1024 bytes of the answer.")]
    reason: Annotated[
        str,
        doc(
            "Why no answer came: `timeout`, `unreachable`, `unknown_host`, `certificate`, `inside`, `redirected`;"
            " `off`: the webhook is."
        ),
    ]
    body: Annotated[str, doc("What was sent, as JSON.")]


class DeliveryRef(Wire):
    delivery_id: Annotated[Id, doc("Number of the delivery.")]


def _row(hook: Webhook, api_keys: dict[str, str]) -> WebhookRow:
    return WebhookRow(
        id=hook.id,
        url=hook.url,
        description=hook.description,
        kinds=hook.kinds,
        active=hook.active,
        off_reason=hook.off_reason,
        failing_time=hook.failing_since,
        api_key=api_keys.get(hook.api_key_id or "", ""),
        create_time=hook.created_at,
    )


def _delivery(row: WebhookDelivery) -> DeliveryRow:
    return DeliveryRow(
        id=row.id,
        message_id=row.message_id,
        kind=row.kind,
        state=row.state,
        attempts=row.attempts,
        create_time=row.created_at,
        send_time=row.sent_at,
        next_time=row.next_at,
        status=row.status,
        duration=row.ms,
        answer=row.answer,
        reason=row.reason,
        body=row.body,
    )


@call("/webhook/list", needs=KEY)
async def list_hooks(ctx: Ctx, _: Nothing) -> WebhookList:
    """List one's own webhooks; asked with an API key, those that it made."""
    api_keys = await service.load_api_keys(ctx)
    return WebhookList(list=[_row(hook, api_keys) for hook in await service.list_hooks(ctx)])


@call("/webhook/insert", needs=KEY, changes=TOPICS, audit="webhook.insert")
async def create_hook(ctx: Ctx, payload: NewWebhook) -> WebhookSecret:
    """Create a webhook, whose messages are signed by Standard Webhooks."""
    hook, secret = await service.create_hook(ctx, payload.url, payload.description, list(payload.kinds))
    ctx.note(id=hook.id)
    return WebhookSecret(id=hook.id, secret=secret, former_until=None)


@call("/webhook/update", needs=KEY, changes=TOPICS, audit="webhook.update")
async def change_hook(ctx: Ctx, payload: WebhookChange) -> Nothing:
    """Change a webhook, or switch it on or off."""
    await service.change_hook(ctx, payload.id, payload.sent())
    return Nothing()


@call("/webhook/delete", needs=KEY, changes=TOPICS, audit="webhook.delete")
async def delete_hook(ctx: Ctx, payload: ById) -> Nothing:
    """Delete a webhook with its history."""
    await service.delete_hook(ctx, payload.id)
    return Nothing()


@call("/webhook/rotateSecret", needs=KEY, changes=TOPICS, audit="webhook.secret")
async def rotate_secret(ctx: Ctx, payload: ById) -> WebhookSecret:
    """Give a webhook another secret; the former one signs too for a day."""
    hook, secret = await service.rotate_secret(ctx, payload.id)
    return WebhookSecret(id=hook.id, secret=secret, former_until=hook.former_until)


@call("/webhook/test", needs=KEY, changes=("webhookDelivery",), audit="webhook.test")
async def send_test(ctx: Ctx, payload: ById) -> Nothing:
    """Send a message of the kind `webhook.test` now. At most 10 a minute by hand."""
    await service.send_test(ctx, payload.id)
    return Nothing()


@call("/webhook/resend", needs=KEY, changes=("webhookDelivery",), audit="webhook.resend")
async def send_again(ctx: Ctx, payload: DeliveryRef) -> Nothing:
    """Send a message once more, as it was. At most 10 a minute by hand."""
    await service.send_again(ctx, payload.delivery_id)
    return Nothing()


@call("/webhook/deliveries", needs=KEY, reads=("webhookDelivery",))
async def list_deliveries(ctx: Ctx, payload: DeliveryFilter) -> Page[DeliveryRow]:
    """List what was sent to a webhook, the newest first. It is kept for 14 days."""
    rows, total = await service.load_deliveries(ctx, payload.webhook_id, payload)
    return Page(list=[_delivery(row) for row in rows], page_num=pages(total, payload), total=total)
