"""/sso: single sign-on. /sso/login and /sso/callback are opened by the browser itself and send it on."""

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr
from pydantic_core import PydanticCustomError

from lustra.core import jobs, one_time, texts
from lustra.core.rpc import PUBLIC, SESSION, Ctx, Nothing, Raw, Wire, call
from lustra.core.wire import Id
from lustra.domains.account import sso, subjects
from lustra.domains.account.calls.session import LoginView, begun

LOGIN = "/login"  # the console's page
NO_STORE = {"cache-control": "no-store"}


def _own_page(told: str) -> str:
    """A path of our own console: no other host, whatever a browser takes for one."""
    if not told.startswith("/") or told.startswith("//") or "\\" in told or not told.isprintable():
        raise PydanticCustomError("path", "No path")
    return told


OwnPage = Annotated[str, Field(max_length=2048), AfterValidator(_own_page)]


class Leaving(Wire):
    """`redirect`: the page to come back to. `connect`: a code of /sso/ask."""

    redirect: OwnPage = "/index"
    connect: SecretStr = SecretStr("")


class Arriving(Wire):
    state: SecretStr = SecretStr("")
    code: SecretStr = SecretStr("")
    iss: str = Field("", max_length=1024)
    error: str = Field("", max_length=200)


class OfCode(Wire):
    code: SecretStr
    language: str = ""


class Asking(Wire):
    password: SecretStr = Field(min_length=1, max_length=256)
    redirect: OwnPage = "/index"


class Url(Wire):
    url: str


class Connection(Wire):
    """`lastTime`: of the last log-in by it."""

    issuer: str
    subject: str
    began_time: datetime
    last_time: datetime | None


class Connections(Wire):
    list: list[Connection]


class OfUser(Wire):
    target_user_id: Id | None = None


@call("/sso/login", method="GET", needs=PUBLIC, raw="text/plain", landing=LOGIN)
async def login(ctx: Ctx, told: Leaving) -> Raw:
    """To the provider's log-in page."""
    away = await sso.leave(ctx, told.redirect, told.connect.get_secret_value())
    secure = "; Secure" if ctx.app.settings.public_url.startswith("https:") else ""
    age = int(sso.AWAY.total_seconds())
    kept = f"{sso.COOKIE}={away.browser}; Path=/api/sso; Max-Age={age}; HttpOnly; SameSite=Lax{secure}"
    return Raw(b"", "text/plain", status=302, headers={"location": away.url, "set-cookie": kept, **NO_STORE})


@call("/sso/callback", method="GET", needs=PUBLIC, raw="text/plain", landing=LOGIN, audit="sso.arrive")
async def callback(ctx: Ctx, told: Arriving) -> Raw:
    """Where the provider sends the browser back to."""
    answer = sso.Answer(told.state.get_secret_value(), told.code.get_secret_value(), told.iss, told.error)
    return Raw(b"", "text/plain", status=302, headers={"location": await sso.arrive(ctx, answer), **NO_STORE})


@call("/sso/exchange", needs=PUBLIC, audit="login.sso")
async def exchange(ctx: Ctx, told: OfCode) -> LoginView:
    """Begin a session, with the code that the log-in page was opened with."""
    language = told.language if told.language in texts.LANGUAGES else ""
    account, token = await sso.enter(ctx, told.code.get_secret_value(), language)
    return await begun(ctx, account, token)


@call("/sso/mine", needs=SESSION, person=True)
async def mine(ctx: Ctx, _: Nothing) -> Connections:
    """Whom the own account is connected with."""
    return Connections(list=[
        Connection(issuer=one.issuer, subject=one.subject, began_time=one.began_at, last_time=one.seen_at)
        for one in await subjects.listed(ctx)
    ])  # fmt: skip


@call("/sso/ask", needs=SESSION, person=True, audit="sso.ask")
async def ask(ctx: Ctx, told: Asking) -> Url:
    """The way to connect the own account: good for a minute, once."""
    return Url(url=await sso.ask(ctx, told.password.get_secret_value(), told.redirect))


@call("/sso/connect", needs=SESSION, person=True, changes=("user",), audit="sso.connect")
async def connect(ctx: Ctx, told: OfCode) -> Nothing:
    """Connect the own account, with the code that the log-in page was opened with."""
    await sso.connect(ctx, told.code.get_secret_value())
    return Nothing()


@call("/sso/disconnect", needs=SESSION, person=True, changes=("user", "sso"), audit="sso.disconnect")
async def disconnect(ctx: Ctx, told: OfUser) -> Nothing:
    """The own account, or (key `user/index/init_password`) one below, whose sessions end."""
    await sso.disconnect(ctx, told.target_user_id)
    return Nothing()


jobs.job("one_time.purge", cron="37 3 * * *")(one_time.purge)
