"""/about: what the login page may tell anybody. Accounts and their password in demo mode only."""

from typing import Annotated

from lustra.app.demo.queries import DEMO_ROWS, SEEN
from lustra.core import mail, texts
from lustra.core.calls.rpc import PUBLIC, Ctx, Wire, call
from lustra.core.security import oidc
from lustra.core.settings import VERSION
from lustra.core.wire import doc
from lustra.domains.account.api import DEMO, DEMO_PASSWORD, STAFF


class DemoAccount(Wire):
    account: Annotated[str, doc("Login name of a demo account.")]
    role: Annotated[str, doc("Name of its role, in the reader's language.")]
    robots: Annotated[int, doc("Number of robots in its scope.")]


class About(Wire):
    """What the log-in page shows to anybody, without a session."""

    version: Annotated[str, doc("Version of the server, as 1.20.0.")]
    demo: Annotated[bool, doc("Whether the installation runs in demo mode.")]
    languages: Annotated[list[str], doc("Codes of the languages that the server answers in, as zh-CN.")]
    sso: Annotated[
        str | None,
        doc("Name of the provider of single sign-on, empty if it has none; null: there is no single sign-on."),
    ]
    mails: Annotated[bool, doc("Whether mails are sent: who forgot a password gets a link by mail.")]
    password: Annotated[str | None, doc("Password of all demo accounts; null outside demo mode.")] = None
    accounts: Annotated[list[DemoAccount] | None, doc("The demo accounts; null outside demo mode.")] = None
    robots: Annotated[
        int | None, doc("Number of robots that the demo account with the widest scope sees; null outside demo mode.")
    ] = None


@call("/about", needs=PUBLIC)
async def about(ctx: Ctx) -> About:
    """Show version and languages, and in demo mode who may log in."""
    settings = ctx.app.settings
    answer = About(
        version=VERSION,
        demo=settings.demo,
        languages=list(texts.LANGUAGES),
        sso=oidc.name(settings),
        mails=mail.is_set(settings),
    )
    if answer.demo:
        names = [name for name, *_ in DEMO]
        rows = (await ctx.db.execute(DEMO_ROWS.text(SEEN), {"staff": list(STAFF), "names": names})).all()
        answer.password = DEMO_PASSWORD
        answer.accounts = [
            DemoAccount(account=row.account, role=texts.say(ctx.language, f"role.{row.role}"), robots=row.robots)
            for row in rows
        ]
        answer.robots = max((row.robots for row in rows), default=0)
    return answer
