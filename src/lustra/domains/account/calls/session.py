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


class LanguageChange(Wire):
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


class SessionList(Wire):
    list: list[SessionRow]


class SessionId(Wire):
    uuid: str = Field(max_length=64)


class PasswordChange(Wire):
    user_id: Id | None = None
    account: str = ""
    password: SecretStr = Field(min_length=1, max_length=256)
    new_password: SecretStr = Field(min_length=8, max_length=256)


@call("/login", needs=PUBLIC, audit="login")
async def log_in(ctx: Ctx, payload: Credentials) -> LoginView:
    """Log in with an account's name and password: begin a session."""
    language = payload.language if payload.language in texts.LANGUAGES else ""
    account, token = await service.log_in(ctx, payload.account, payload.password.get_secret_value(), language)
    return await login_view(ctx, account, token)


async def login_view(ctx: Ctx, account: Account, token: str) -> LoginView:
    """However it was begun."""
    keys = catalogue()
    beans = [
        PermissionBean(
            key=key, name=texts.say(ctx.language, f"key.{key}"), description=keys[key].kind, sort=keys[key].sort
        )
        for key in await service.keys_of(ctx.db, account)
    ]
    return LoginView(
        user_id=account.id,
        token=token,
        uuid=ctx.actor.session_id,
        permission_beans=beans,
        level_depth=account.level,
        shadow_id=account.shadow_of,
        account=account.account,
        name=account.name,
        url=account.url,
        language=ctx.language,
        must_change=account.must_change,
        sso=oidc.name(ctx.app.settings),
    )


@call("/logout", needs=FIRST, audit="logout")
async def log_out(ctx: Ctx) -> Nothing:
    """Log out: end the session, everywhere within a second."""
    await service.log_out(ctx)
    return Nothing()


@call("/setLanguage", needs=FIRST)
async def set_language(ctx: Ctx, payload: LanguageChange) -> Nothing:
    """Set the language of this session's refusals, and of mails to the account."""
    await service.set_language(ctx, payload.language)
    return Nothing()


@call("/getLanguage", needs=FIRST)
async def get_language(ctx: Ctx) -> LanguageView:
    """Get the session's language."""
    return LanguageView(language=ctx.language)


@call("/user/preferences", needs=SESSION)
async def merge_preferences(ctx: Ctx, payload: Preferences) -> dict[str, Any]:
    """Read the account's preferences; what is in `set` is merged first."""
    return await service.merge_preferences(ctx, payload.set)


@call("/user/updatePassword", needs=FIRST, audit="user.updatePassword")
async def update_password(ctx: Ctx, payload: PasswordChange) -> Nothing:
    """Change one's own password; the account's other sessions end."""
    if payload.user_id not in (None, ctx.actor.real_id):
        raise Refusal(Code.FORBIDDEN)
    await service.change_password(ctx, payload.password.get_secret_value(), payload.new_password.get_secret_value())
    return Nothing()


@call("/user/sessions", needs=SESSION, person=True)
async def list_sessions(ctx: Ctx, _: Nothing) -> SessionList:
    """List the sessions in which one's own account is logged in."""
    return SessionList(
        list=[
            SessionRow(
                uuid=login.id,
                address=login.address,
                language=login.language,
                began_time=login.began_at,
                last_time=login.seen_at,
                present=login.id == ctx.actor.session_id,
            )
            for login in await sessions.list_sessions(ctx)
        ]
    )


@call("/user/endSession", needs=SESSION, person=True, changes=("session",), audit="user.end_session")
async def end_session(ctx: Ctx, payload: SessionId) -> Nothing:
    """End one of one's own sessions, everywhere within a second."""
    await sessions.end_own_session(ctx, payload.uuid)
    return Nothing()


jobs.job("account.purge", cron="7 3 * * *")(sessions.purge)
jobs.job("anonymous.purge", cron="17 3 * * *")(anonymous.purge)
