"""Whether a channel works: a notification to oneself, or to a robot, at once.

Rules: it goes the way that alarms go, and what fails is said at once. The tests of a person are limited, whether they
arrive or not.
"""

from collections.abc import Sequence
from uuid import uuid4

from lustra.core import query, texts
from lustra.core.context import NOBODY, Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of
from lustra.domains.account.api import Account, count_use, own
from lustra.domains.alarm import channels, queries, recipients
from lustra.domains.alarm.channels import MESSAGE_CENTRE, Draft, Failed
from lustra.domains.alarm.push import devices
from lustra.domains.device.api import Device
from lustra.domains.message.api import notify

FREE_TESTS = 10  # of a person, before each next one must wait
TEST = "test"


async def send(ctx: Ctx, channel: str, device_id: int | None) -> None:
    """In a session of its own: the call's holds no connection while others think."""
    await count_use(ctx.app.sessions, f"channel:{ctx.actor.real_id}", FREE_TESTS)
    async with ctx.app.sessions.begin() as db:
        account = await own(db, ctx.actor)
        if channel in MESSAGE_CENTRE:
            notify(db, [account.id], "channel_test", NOBODY)
            return
        if channel == "terminal":
            if device_id is None:
                raise Refusal(Code.BAD_INPUT, "deviceId", reason="required")
            robot = await query.fetch_one(db, ctx.scope.select(Device).where(Device.id == device_id))
            if not await db.scalar(rows_of(robot).text(queries.ONLINE), {"id": robot.id}):
                raise Refusal(Code.OFFLINE)
            targets = [robot.serial_number]
        else:
            browsers = await devices.load_labels(db, [account.id])
            targets = _list_targets(account, channel, browsers.get(account.id, []))
    for target in targets:
        try:
            await channels.send(ctx.app, _write(ctx, account, channel, target))
        except Failed as why:
            raise Refusal(Code.CHANNEL_FAILED, "channel", reason=why.reason, mailbox=target) from None


def _list_targets(account: Account, channel: str, browsers: Sequence[str]) -> list[str]:
    """A test of mails goes to all mailboxes, also where the person wants no mails of alarms."""
    return account.email.split(",") if channel == "email" else recipients.list_targets(account, channel, browsers)


def _write(ctx: Ctx, account: Account, channel: str, target: str) -> Draft:
    return Draft(
        key=str(uuid4()),
        channel=channel,
        target=target,
        language=ctx.language,
        title=texts.say(ctx.language, "notification.test_title"),
        text=texts.say(ctx.language, "notification.test", account=account.name),
        url=ctx.app.settings.public_url,
        code=TEST,
        level=1,
        facts={"userId": account.id, "account": account.account},
    )
