"""/login and what an account does for itself."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, SecretStr

from lustra.core import jobs, texts
from lustra.core.audit_trail import anonymous
from lustra.core.calls.rpc import FIRST, PUBLIC, SESSION, Ctx, Nothing, Wire, call
from lustra.core.errors import Code, Refusal
from lustra.core.security import oidc
from lustra.core.wire import Id, doc
from lustra.domains.account import service
from lustra.domains.account.access import sso
from lustra.domains.account.credentials import sessions
from lustra.domains.account.keys import Key, catalogue
from lustra.domains.account.rules import PasswordAgain
from lustra.domains.account.tables import Account


class Credentials(Wire):
    """`account` is left out of what is recorded: see service.recorded_name."""

    account: Annotated[str, doc("Login name, 1 to 64 characters.")] = Field(min_length=1, max_length=64, exclude=True)
    password: Annotated[SecretStr, doc("Password, 1 to 256 characters.")] = Field(min_length=1, max_length=256)
    type: Annotated[Literal["user"], doc("Always `user`: who logs in is a person.")] = "user"
    language: Annotated[str, doc("Language of the session, as zh-CN; unknown or empty: the account's own.")] = ""


class PermissionBean(Wire):
    key: Annotated[str, doc("Permission key: the path of a page, or of a button of it.")]
    name: Annotated[str, doc("What the key opens, in the reader's language.")]
    description: Annotated[str, doc("What an account may do with the key, in the reader's language.")]
    sort: Annotated[int, doc("Place in the catalogue of keys, from 1.")]


class LoginView(Wire):
    user_id: Annotated[int, doc("Number of the account.")]
    token: Annotated[str, doc("Secret of the session, for the header `Authorization: Bearer`.")]
    uuid: Annotated[str, doc("Number of the session; no secret.")]
    permission_beans: Annotated[list[PermissionBean], doc("What the account may do.")]
    level_depth: Annotated[
        int, doc("Level of the account: 1 administrator, 2 dealer, 3 user, 4 sub-user, 5 sub-sub-user.")
    ]
    shadow_id: Annotated[int | None, doc("Account in whose name a shadow account acts; null: it acts in its own.")]
    account: Annotated[str, doc("Login name.")]
    name: Annotated[str, doc("Name of the account.")]
    url: Annotated[str, doc("Address of the profile picture; empty: none.")]
    language: Annotated[str, doc("Language of the session, as zh-CN.")]
    must_change: Annotated[bool, doc("Whether the first password must be changed before anything else.")]
    brands_tablets: Annotated[
        bool, doc("Whether the account says what tablets of its robots look like: a dealer, who is of level 2.")
    ]
    sso: Annotated[
        str | None,
        doc("Name of the provider of single sign-on, empty if it has none; null: there is no single sign-on."),
    ]


class LogOutView(Wire):
    sso_url: Annotated[
        str | None,
        doc("Address to open in the browser to log out at the provider that began the session; null: nothing to do."),
    ]


class LanguageChange(Wire):
    user_id: Annotated[Id | None, doc("Ignored: the language is that of one's own session.")] = None
    language: Annotated[str, doc("Code of the language, one of `languages` in /about.")]


class LanguageView(Wire):
    language: Annotated[str, doc("Code of the session's language, as zh-CN.")]


class Preferences(Wire):
    set: Annotated[
        dict[str, Any] | None, doc("Values to merge, by key; a value null removes its key; null: nothing is changed.")
    ] = Field(None, max_length=100)


class SessionRow(Wire):
    uuid: Annotated[str, doc("Number of the session.")]
    address: Annotated[str, doc("Network address that it was begun from.")]
    language: Annotated[str, doc("Code of its language.")]
    began_time: Annotated[datetime, doc("When it was begun.")]
    last_time: Annotated[datetime, doc("When it was last used.")]
    present: Annotated[bool, doc("Whether it is the session that asks.")]


class SessionList(Wire):
    list: Annotated[list[SessionRow], doc("The sessions of one's own account.")]


class SessionEnd(Wire):
    """`password`: for a session other than the one that asks."""

    uuid: Annotated[str, doc("Number of the session.")] = Field(max_length=64)
    password: PasswordAgain = None


class PasswordChange(Wire):
    user_id: Annotated[Id | None, doc("One's own account; any other is refused. Null: one's own.")] = None
    account: Annotated[str, doc("Ignored: the session names the account. Sent by the specification's console.")] = ""
    password: Annotated[SecretStr, doc("Present password, 1 to 256 characters.")] = Field(min_length=1, max_length=256)
    new_password: Annotated[SecretStr, doc("New password, 8 to 256 characters.")] = Field(min_length=8, max_length=256)


@call("/login", needs=PUBLIC, audit="login")
async def log_in(ctx: Ctx, payload: Credentials) -> LoginView:
    """Log in with an account's name and password: begin a session."""
    language = payload.language if payload.language in texts.LANGUAGES else ""
    account, token = await service.log_in(ctx, payload.account, payload.password.get_secret_value(), language)
    return await login_view(ctx, account, token)


async def login_view(ctx: Ctx, account: Account, token: str) -> LoginView:
    """However it was begun."""
    keys = catalogue()
    beans = [_describe_key(keys[key], ctx.language) for key in await service.keys_of(ctx.db, account)]
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
        brands_tablets=service.brands_tablets(account),
        sso=oidc.name(ctx.app.settings),
    )


def _describe_key(key: Key, language: str) -> PermissionBean:
    name = texts.say(language, f"key.{key.key}")
    description = texts.say(language, f"key_description.{key.kind}", name=name)
    return PermissionBean(key=key.key, name=name, description=description, sort=key.sort)


@call("/logout", needs=FIRST, audit="logout")
async def log_out(ctx: Ctx) -> LogOutView:
    """Log out: end the session, everywhere within a second."""
    return LogOutView(sso_url=await sso.log_out(ctx))


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


@call("/user/sessions", needs=SESSION, person=True, reads=("session",))
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
async def end_session(ctx: Ctx, payload: SessionEnd) -> Nothing:
    """End one of one's own sessions, everywhere within a second."""
    if payload.uuid != ctx.actor.session_id:
        await service.confirm_identity(ctx, payload.password)
    await sessions.end_own_session(ctx, payload.uuid)
    return Nothing()


jobs.job("account.purge", cron="7 3 * * *")(sessions.purge)
jobs.job("anonymous.purge", cron="17 3 * * *")(anonymous.purge)
