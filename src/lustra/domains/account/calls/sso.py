"""/sso: single sign-on. /sso/login and /sso/callback are opened by the browser itself and send it on."""

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr
from pydantic_core import PydanticCustomError

from lustra.core import jobs, texts
from lustra.core.calls.rpc import PUBLIC, SESSION, Ctx, Nothing, Raw, Wire, call
from lustra.core.security import one_time
from lustra.core.wire import Id, doc
from lustra.domains.account import subjects
from lustra.domains.account.access import sso
from lustra.domains.account.calls.session import LoginView, login_view
from lustra.domains.account.rules import PasswordAgain

LOGIN = "/login"  # the console's page
NO_STORE = {"cache-control": "no-store"}


def _check_own_page(path: str) -> str:
    """A path of our own console: no other host, whatever a browser takes for one."""
    if not path.startswith("/") or path.startswith("//") or "\\" in path or not path.isprintable():
        raise PydanticCustomError("path", "No path")
    return path


OwnPage = Annotated[str, Field(max_length=2048), AfterValidator(_check_own_page)]


class SsoDeparture(Wire):
    redirect: Annotated[OwnPage, doc("Page of the console to open afterwards, at most 2048 characters.")] = "/index"
    connect: Annotated[SecretStr, doc("Code from /sso/ask to connect one's own account; empty: to log in.")] = (
        SecretStr("")
    )


class SsoArrival(Wire):
    state: Annotated[SecretStr, doc("Value that the log-in was begun with, as the provider returns it.")] = SecretStr(
        ""
    )
    code: Annotated[
        SecretStr, doc("Code of the provider, to be exchanged for the person's identity; empty on an error.")
    ] = SecretStr("")
    iss: Annotated[
        str, doc("Issuer that answers (RFC 9207), at most 1024 characters; empty: the provider does not say.")
    ] = Field("", max_length=1024)
    error: Annotated[str, doc("Error of the provider, as `access_denied`; empty: none.")] = Field("", max_length=200)


class SsoCode(Wire):
    code: Annotated[SecretStr, doc("Code that the log-in page was opened with; good for a minute and once.")]
    language: Annotated[str, doc("Language of the session, as zh-CN; unknown or empty: the account's own.")] = ""


class SsoConnectRequest(Wire):
    password: Annotated[SecretStr, doc("Present password of one's own account, 1 to 256 characters.")] = Field(
        min_length=1, max_length=256
    )
    redirect: Annotated[OwnPage, doc("Page of the console to open afterwards, at most 2048 characters.")] = "/index"


class SsoUrl(Wire):
    url: Annotated[str, doc("Address to open in the browser.")]


class SsoConnection(Wire):
    issuer: Annotated[str, doc("Address that names the provider.")]
    subject: Annotated[str, doc("The person's identifier at the provider.")]
    began_time: Annotated[datetime, doc("When the account was connected.")]
    last_time: Annotated[datetime | None, doc("When it was last used to log in; null: never.")]


class SsoConnectionList(Wire):
    list: Annotated[list[SsoConnection], doc("The connections of one's own account.")]


class SsoAccountRef(Wire):
    """`password`: for one's own account."""

    target_user_id: Annotated[Id | None, doc("The account, one's own or one below; null: one's own.")] = None
    password: PasswordAgain = None


@call("/sso/login", method="GET", needs=PUBLIC, raw="text/plain", landing=LOGIN)
async def send_to_provider(ctx: Ctx, payload: SsoDeparture) -> Raw:
    """Send the browser to the provider's log-in page."""
    departure = await sso.send_to_provider(ctx, payload.redirect, payload.connect.get_secret_value())
    secure = "; Secure" if ctx.app.settings.public_url.startswith("https:") else ""
    age = int(sso.AWAY.total_seconds())
    path = f"{ctx.app.settings.base_path}/api/sso"
    cookie = f"{sso.COOKIE}={departure.browser}; Path={path}; Max-Age={age}; HttpOnly; SameSite=Lax{secure}"
    return Raw(b"", "text/plain", status=302, headers={"location": departure.url, "set-cookie": cookie, **NO_STORE})


@call("/sso/callback", method="GET", needs=PUBLIC, raw="text/plain", landing=LOGIN, audit="sso.arrive")
async def return_from_provider(ctx: Ctx, payload: SsoArrival) -> Raw:
    """Take the browser back from the provider and send it on to the console's log-in page."""
    answer = sso.ProviderAnswer(
        payload.state.get_secret_value(), payload.code.get_secret_value(), payload.iss, payload.error
    )
    return Raw(
        b"", "text/plain", status=302, headers={"location": await sso.return_from_provider(ctx, answer), **NO_STORE}
    )


@call("/sso/exchange", needs=PUBLIC, audit="login.sso")
async def log_in(ctx: Ctx, payload: SsoCode) -> LoginView:
    """Begin a session, with the code that the log-in page was opened with."""
    language = payload.language if payload.language in texts.LANGUAGES else ""
    account, token = await sso.log_in(ctx, payload.code.get_secret_value(), language)
    return await login_view(ctx, account, token)


@call("/sso/mine", needs=SESSION, person=True)
async def list_connections(ctx: Ctx, _: Nothing) -> SsoConnectionList:
    """List the persons of the provider that one's own account is connected with."""
    return SsoConnectionList(
        list=[
            SsoConnection(
                issuer=connection.issuer,
                subject=connection.subject,
                began_time=connection.began_at,
                last_time=connection.seen_at,
            )
            for connection in await subjects.list_subjects(ctx)
        ]
    )


@call("/sso/ask", needs=SESSION, person=True, audit="sso.ask")
async def begin_connecting(ctx: Ctx, payload: SsoConnectRequest) -> SsoUrl:
    """Begin to connect one's own account: answer the address to open, good for a minute and once."""
    return SsoUrl(url=await sso.begin_connecting(ctx, payload.password.get_secret_value(), payload.redirect))


@call("/sso/connect", needs=SESSION, person=True, changes=("user",), audit="sso.connect")
async def connect(ctx: Ctx, payload: SsoCode) -> Nothing:
    """Connect one's own account, with the code that the log-in page was opened with."""
    await sso.connect(ctx, payload.code.get_secret_value())
    return Nothing()


@call("/sso/disconnect", needs=SESSION, person=True, changes=("user", "sso"), audit="sso.disconnect")
async def disconnect(ctx: Ctx, payload: SsoAccountRef) -> Nothing:
    """Disconnect one's own account, or (key `user/index/init_password`) one below, whose sessions end."""
    await sso.disconnect(ctx, payload.target_user_id, payload.password)
    return Nothing()


jobs.job("one_time.purge", cron="37 3 * * *")(one_time.purge)
