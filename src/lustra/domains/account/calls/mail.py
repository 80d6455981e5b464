"""/user/testMail."""

from lustra.core.rpc import SESSION, Ctx, Wire, call
from lustra.core.wire import Id
from lustra.domains.account import mails
from lustra.domains.account.rules import Mailboxes


class TestMail(Wire):
    """To `email`, else to the mailboxes of `userId`, else to one's own."""

    user_id: Id | None = None
    email: Mailboxes = ""


class TestMailResult(Wire):
    """To whom."""

    email: str


@call("/user/testMail", needs=SESSION, audit="user.test_mail")
async def send_test_mail(ctx: Ctx, payload: TestMail) -> TestMailResult:
    """Send a mail that tests whether mails arrive."""
    return TestMailResult(email=await mails.send_test_mail(ctx, payload.user_id, payload.email))
