"""Mails that an account asks for itself."""

from lustra.core import mail, query, texts
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.domains.account import granting
from lustra.domains.account.credentials import attempts
from lustra.domains.account.service import own
from lustra.domains.account.tables import Account

FREE_TEST_MAILS = 5  # test mails, before each next one must wait
MOST_MAILBOXES = 10  # mailboxes at once


async def send_test_mail(ctx: Ctx, user_id: int | None, mailboxes: str) -> str:
    """A person decides where to, so the number of mails is limited, whether they arrive or not."""
    email = mailboxes or await _account_mailboxes(ctx, user_id)
    if not email:
        raise Refusal(Code.BAD_INPUT, "email", reason="required")
    boxes = email.split(",")
    if len(boxes) > MOST_MAILBOXES:
        raise Refusal(Code.BAD_INPUT, "email", reason="too_many", limit=MOST_MAILBOXES)
    await attempts.count_use(ctx.app.sessions, f"mail:{ctx.actor.real_id}", FREE_TEST_MAILS)
    subject = texts.say(ctx.language, "mail.test_subject")
    text = texts.say(ctx.language, "mail.test", account=ctx.actor.name, url=ctx.app.settings.public_url)
    await mail.send(ctx.app.settings, boxes, subject, text)
    return email


async def _account_mailboxes(ctx: Ctx, user_id: int | None) -> str:
    """In a session of its own: the call's holds no connection while the mail server thinks."""
    async with ctx.app.sessions() as db:
        if user_id in (None, ctx.actor.real_id):
            return (await own(db, ctx.actor)).email
        granting.demand_key(ctx, "user/index")
        return (await query.fetch_one(db, ctx.scope.select(Account).where(Account.id == user_id))).email
