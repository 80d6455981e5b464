"""/user/testMail."""

from typing import Annotated

from lustra.core.calls.rpc import SESSION, Ctx, Wire, call
from lustra.core.wire import Id, doc
from lustra.domains.account import mails
from lustra.domains.account.rules import Mailboxes


class TestMail(Wire):
    user_id: Annotated[
        Id | None, doc("Account whose mailboxes get the mail; null: one's own. Unused where `email` is given.")
    ] = None
    email: Annotated[
        Mailboxes, doc("Mailboxes that get the mail, separated by commas, at most 10; empty: those of the account.")
    ] = ""


class TestMailResult(Wire):
    email: Annotated[str, doc("Mailboxes that the mail was sent to, separated by commas.")]


@call("/user/testMail", needs=SESSION, audit="user.test_mail")
async def send_test_mail(ctx: Ctx, payload: TestMail) -> TestMailResult:
    """Send a mail that tests whether mails arrive."""
    return TestMailResult(email=await mails.send_test_mail(ctx, payload.user_id, payload.email))
