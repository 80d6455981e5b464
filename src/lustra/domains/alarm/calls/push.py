"""/webPush: browsers that alarms are pushed to, and what they may do with a message's ticket."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from lustra.core.calls.rpc import PUBLIC, Ctx, Nothing, Wire, call
from lustra.core.http.addresses import POSTED
from lustra.core.security import web_push
from lustra.core.wire import Id, doc
from lustra.domains.alarm.notifications import say_reason
from lustra.domains.alarm.phone import answers, trial
from lustra.domains.alarm.push import devices
from lustra.domains.alarm.service import LISTS

Ticket = Annotated[str, Field(max_length=1000)]


class PushDeviceRow(Wire):
    id: Annotated[int, doc("Number of the browser.")]
    label: Annotated[str, doc("What it is called.")]
    create_time: Annotated[datetime, doc("When it was entered.")]
    sent_time: Annotated[datetime | None, doc("When something was last pushed to it; null: never.")]
    reason: Annotated[str, doc("Why that did not arrive, a word; empty: it was taken over.")]
    reason_text: Annotated[str, doc("The same in the session's language.")]


class PushDevices(Wire):
    key: Annotated[str, doc("Public key of this server that a browser subscribes with, in base64url.")]
    list: Annotated[list[PushDeviceRow], doc("One's own browsers, the first first.")]


class PushSubscription(Wire):
    endpoint: Annotated[str, Field(min_length=1, max_length=1000), POSTED, doc("Address that the browser gave, https.")]
    public: Annotated[str, Field(max_length=200), doc("The browser's key `p256dh`, in base64url.")]
    auth: Annotated[str, Field(max_length=100), doc("The browser's secret `auth`, in base64url.")]
    label: Annotated[str, Field(min_length=1, max_length=60), doc("What it is called, 1 to 60 characters.")]


class PushDeviceId(Wire):
    id: Annotated[Id, doc("Number of the browser.")]


class PushTicket(Wire):
    ticket: Annotated[Ticket, doc("The ticket of a pushed message.")]


class PushAction(PushTicket):
    action: Annotated[Literal["take", "snooze"], doc("`take`: its person is on it; `snooze`: put off for 15 minutes.")]


class PushText(Wire):
    title: Annotated[str, doc("What the alarm is, in its person's language.")]
    text: Annotated[str, doc("The robot and its place.")]
    path: Annotated[str, doc("Page that says more.")]
    acts: Annotated[bool, doc("Whether its person may take the alarm and put it off.")]
    take: Annotated[str, doc("Label of the button that takes it.")]
    snooze: Annotated[str, doc("Label of the button that puts it off for 15 minutes.")]


@call("/webPush/list", needs=LISTS, reads=("webPush",))
async def list_push_devices(ctx: Ctx) -> PushDevices:
    """List one's own browsers that alarms are pushed to."""
    rows = [
        PushDeviceRow(
            id=row.id,
            label=row.label,
            create_time=row.created_at,
            sent_time=row.sent_at,
            reason=row.reason,
            reason_text=say_reason(ctx.language, row.reason, ""),
        )
        for row in await devices.load_own(ctx)
    ]
    return PushDevices(key=web_push.public_key(ctx.app.settings.secret), list=rows)


@call("/webPush/subscribe", needs=LISTS, changes=("webPush",), audit="warn.push")
async def subscribe_push(ctx: Ctx, payload: PushSubscription) -> PushDeviceId:
    """Add a browser that one's own alarms are pushed to."""
    device = await devices.subscribe(ctx, payload.endpoint, payload.public, payload.auth, payload.label)
    return PushDeviceId(id=device.id)


@call("/webPush/unsubscribe", needs=LISTS, changes=("webPush",), audit="warn.push_off")
async def unsubscribe_push(ctx: Ctx, payload: PushDeviceId) -> Nothing:
    """Delete a browser, so that nothing more is pushed to it."""
    await devices.remove(ctx, payload.id)
    return Nothing()


@call("/webPush/test", needs=LISTS, changes=("webPush",), audit="warn.test")
async def test_push(ctx: Ctx, payload: PushDeviceId) -> Nothing:
    """Send a test to one of one's own browsers at once."""
    await trial.send(ctx, payload.id)
    return Nothing()


@call("/webPush/read", needs=PUBLIC, reads=())
async def read_push(ctx: Ctx, payload: PushTicket) -> PushText:
    """Show what a pushed message is about, to the browser that it went to."""
    return PushText.model_validate(await answers.read(ctx, payload.ticket))


@call("/webPush/act", needs=PUBLIC, changes=("warn",), audit="warn.push_act")
async def act_by_push(ctx: Ctx, payload: PushAction) -> Nothing:
    """Take the alarm of a pushed message, or put it off for 15 minutes."""
    await answers.act(ctx, payload.ticket, payload.action)
    return Nothing()
