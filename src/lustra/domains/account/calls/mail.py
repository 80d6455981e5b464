"""/user/testMail."""

from lustra.core.rpc import SESSION, Ctx, Wire, call
from lustra.core.wire import Id
from lustra.domains.account import mails
from lustra.domains.account.rules import Mailboxes


class TestMail(Wire):
    """To `email`, else to the mailboxes of `userId`, else to one's own."""

    user_id: Id | None = None
    email: Mailboxes = ""


class Sent(Wire):
    """To whom."""

    email: str


@call("/user/testMail", needs=SESSION, audit="user.test_mail")
async def test_mail(ctx: Ctx, told: TestMail) -> Sent:
    """Whether mails arrive."""
    return Sent(email=await mails.test(ctx, told.user_id, told.email))
