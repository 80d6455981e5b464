"""/login and what an account does for itself."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field, SecretStr

from lustra.core import anonymous, jobs, oidc, texts
from lustra.core.errors import Code, Refusal
from lustra.core.rpc import FIRST, PUBLIC, SESSION, Ctx, Nothing, Wire, call
from lustra.core.wire import Id
from lustra.domains.account import service, sessions
from lustra.domains.account.keys import catalogue
from lustra.domains.account.tables import Account


class Credentials(Wire):
    """`account` is left out of what is recorded: see service.recorded_name."""

    account: str = Field(min_length=1, max_length=64, exclude=True)
    password: SecretStr = Field(min_length=1, max_length=256)
    type: Literal["user"] = "user"
    language: str = ""


class PermissionBean(Wire):
    key: str
    name: str
    description: str
    sort: int


class LoginView(Wire):
    """`sso` as in /about."""

    user_id: int
    token: str
    uuid: str
    permission_beans: list[PermissionBean]
    level_depth: int
    shadow_id: int | None
    account: str
    name: str
    url: str
    language: str
    must_change: bool
    sso: str | None


class OfLanguage(Wire):
    user_id: Id | None = None
    language: str


class LanguageView(Wire):
    language: str


class Preferences(Wire):
    set: dict[str, Any] | None = Field(None, max_length=100)


class SessionRow(Wire):
    """`present`: the one that asks."""

    uuid: str
    address: str
    language: str
    began_time: datetime
    last_time: datetime
    present: bool


class SessionRows(Wire):
    list: list[SessionRow]


class OfSession(Wire):
    uuid: str = Field(max_length=64)


class NewPassword(Wire):
    user_id: Id | None = None
    account: str = ""
    password: SecretStr = Field(min_length=1, max_length=256)
    new_password: SecretStr = Field(min_length=8, max_length=256)


@call("/login", needs=PUBLIC, audit="login")
async def login(ctx: Ctx, told: Credentials) -> LoginView:
    """Begin a session."""
    language = told.language if told.language in texts.LANGUAGES else ""
    account, token = await service.log_in(ctx, told.account, told.password.get_secret_value(), language)
    return await begun(ctx, account, token)


async def begun(ctx: Ctx, account: Account, token: str) -> LoginView:
    """However it was begun."""
    keys = catalogue()
    beans = [
        PermissionBean(
            key=key, name=texts.say(ctx.language, f"key.{key}"), description=keys[key].kind, sort=keys[key].sort
        )
        for key in await service.keys_of(ctx.db, account)
    ]
    return LoginView(
        user_id=account.id, token=token, uuid=ctx.actor.session_id, permission_beans=beans, level_depth=account.level,
        shadow_id=account.shadow_of, account=account.account, name=account.name, url=account.url,
        language=ctx.language, must_change=account.must_change, sso=oidc.name(ctx.app.settings),
    )  # fmt: skip


@call("/logout", needs=FIRST, audit="logout")
async def logout(ctx: Ctx) -> Nothing:
    """End the session, everywhere within a second."""
    await service.log_out(ctx)
    return Nothing()


@call("/setLanguage", needs=FIRST)
async def set_language(ctx: Ctx, told: OfLanguage) -> Nothing:
    """The language of this session's refusals, and of mails to the account."""
    await service.speak(ctx, told.language)
    return Nothing()


@call("/getLanguage", needs=FIRST)
async def get_language(ctx: Ctx) -> LanguageView:
    """The session's language."""
    return LanguageView(language=ctx.language)


@call("/user/preferences", needs=SESSION)
async def preferences(ctx: Ctx, told: Preferences) -> dict[str, Any]:
    """Read the account's preferences; what is in `set` is merged first."""
    return await service.preferences(ctx, told.set)


@call("/user/updatePassword", needs=FIRST, audit="user.updatePassword")
async def update_password(ctx: Ctx, told: NewPassword) -> Nothing:
    """Change the own password; the account's other sessions end."""
    if told.user_id not in (None, ctx.actor.real_id):
        raise Refusal(Code.FORBIDDEN)
    await service.change_password(ctx, told.password.get_secret_value(), told.new_password.get_secret_value())
    return Nothing()


@call("/user/sessions", needs=SESSION, person=True)
async def own_sessions(ctx: Ctx, _: Nothing) -> SessionRows:
    """Where the account is logged in."""
    return SessionRows(list=[
        SessionRow(
            uuid=one.id, address=one.address, language=one.language, began_time=one.began_at, last_time=one.seen_at,
            present=one.id == ctx.actor.session_id,
        )
        for one in await sessions.listed(ctx)
    ])  # fmt: skip


@call("/user/endSession", needs=SESSION, person=True, changes=("session",), audit="user.end_session")
async def end_session(ctx: Ctx, told: OfSession) -> Nothing:
    """End one of one's own sessions, everywhere within a second."""
    await sessions.end_own(ctx, told.uuid)
    return Nothing()


jobs.job("account.purge", cron="7 3 * * *")(sessions.purge)
jobs.job("anonymous.purge", cron="17 3 * * *")(anonymous.purge)
