"""Single sign-on: a person whom the provider knows acts as the account that this person connected, and as no other.

No account is made by itself, and none is found by a mail address. Each step hands over to the next by a one-time code,
and each code is worth something in one place only: the browser that began (a cookie), or the session that asked to
connect. So nobody can be logged in, or connected, by somebody else's link. The token is given to the console alone.
A session that the provider began ends there too: its id_token is sealed beside it, to be shown at the log-out.
"""

import hmac
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from cryptography.exceptions import InvalidTag
from pydantic import SecretStr

from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.security import oidc, one_time, sealed
from lustra.domains.account import granting, service, subjects, users
from lustra.domains.account.credentials import sessions
from lustra.domains.account.tables import Account, Login

COOKIE = "lustra_sso"
AWAY = timedelta(minutes=10)  # for the log-in at the provider
HANDED = timedelta(seconds=60)  # from one of our pages to the next
CONNECTING = "sso.asked"
DEPARTED = "sso.left"
ARRIVED = "sso.arrived"
PROVEN = "sso.proven"
SEALED_AS = "id token"
NOBODY_YET = 0  # whose an id_token is until the account is looked up


@dataclass(frozen=True, slots=True)
class Departure:
    """Where the browser goes, and the secret that it keeps."""

    url: str
    browser: str


@dataclass(frozen=True, slots=True)
class ProviderAnswer:
    """What the provider sent the browser back with."""

    state: str
    code: str
    issuer: str
    error: str


async def begin_connecting(ctx: Ctx, password: str, back: str) -> str:
    """Where to go to connect one's account. With the password: a stolen session must not make itself a way to stay."""
    oidc.provider(ctx.app.settings)
    account = await service.prove_own_password(ctx, password, "own_password_wrong")
    code = one_time.new()
    one_time.keep(ctx.db, CONNECTING, code, {"account": account.id}, HANDED)
    return "/api/sso/login?" + urlencode({"redirect": back, "connect": code})


async def send_to_provider(ctx: Ctx, back: str, connect_code: str) -> Departure:
    """Where the browser logs in; with a code of `ask_to_connect`, to connect the account that asked with the one it
    uses there."""
    provider, account = oidc.provider(ctx.app.settings), None
    if connect_code:
        account = (await _take_code(ctx, CONNECTING, connect_code))["account"]
    else:
        ctx.app.doors.spend(ctx.address)  # given back to whoever arrives
    state, nonce, verifier, browser = (one_time.new() for _ in range(4))
    url = await provider.leave(state, nonce, verifier)
    state_values = {"nonce": nonce, "verifier": verifier, "browser": _digest(browser), "back": back, "account": account}
    one_time.keep(ctx.db, DEPARTED, state, state_values, AWAY)
    return Departure(url, browser)


async def return_from_provider(ctx: Ctx, answer: ProviderAnswer) -> str:
    """Reads the provider's answer; the path of the console's page that goes on."""
    departure = await _take_code(ctx, DEPARTED, answer.state)
    _check_browser(ctx, departure)
    if answer.error or not answer.code:
        raise Refusal(Code.SSO_REFUSED)
    provider = oidc.provider(ctx.app.settings)
    person = await provider.person(answer.code, answer.issuer, departure["nonce"], departure["verifier"])
    ctx.note(issuer=person.issuer, subject=person.subject)
    code, account = one_time.new(), departure["account"]
    values = {
        "issuer": person.issuer,
        "subject": person.subject,
        "account": account,
        "browser": departure["browser"],
        "idToken": sealed.seal(ctx.app.settings, SEALED_AS, NOBODY_YET, person.id_token).hex(),
    }
    one_time.keep(ctx.db, PROVEN if account else ARRIVED, code, values, HANDED)
    return "/login?" + urlencode({"redirect": departure["back"], "connect" if account else "code": code})


async def log_in(ctx: Ctx, code: str, language: str) -> tuple[Account, str]:
    """The account that came back from the provider, and the token of its new session."""
    person = await _take_code(ctx, ARRIVED, code)
    _check_browser(ctx, person)
    account = await subjects.find_account(ctx.db, person["issuer"], person["subject"])
    if account is None:
        raise Refusal(Code.SSO_UNKNOWN)
    ctx.app.doors.spend(ctx.address, -1)
    ctx.note(issuer=person["issuer"], subject=person["subject"])
    id_token = sealed.unseal(ctx.app.settings, SEALED_AS, NOBODY_YET, bytes.fromhex(person["idToken"]))
    proof = sealed.seal(ctx.app.settings, SEALED_AS, account.id, id_token)
    return account, service.begin_session(ctx, account, language, proof)


async def log_out(ctx: Ctx) -> str | None:
    """Ends the session, whatever the provider says. Answers where the browser logs out there, for a session that was
    begun there."""
    own_session = ctx.scope.select(Login.id_token).where(Login.id == ctx.actor.session_id)
    async with ctx.app.sessions() as db:  # no connection is held while the provider is asked
        proof = await db.scalar(own_session)
    url = await _find_provider_log_out(ctx, proof) if proof else None
    await sessions.end_sessions(ctx, ctx.actor.session_id)
    return url


async def _find_provider_log_out(ctx: Ctx, proof: bytes) -> str | None:
    """None too where the provider is away or off, or the secret is another by now."""
    try:
        id_token = sealed.unseal(ctx.app.settings, SEALED_AS, ctx.actor.real_id, proof)
        return await oidc.provider(ctx.app.settings).log_out(id_token)
    except (Refusal, InvalidTag):
        return None


async def connect(ctx: Ctx, code: str) -> None:
    """One's own account with the person who came back from the provider."""
    person = await _take_code(ctx, PROVEN, code)
    _check_browser(ctx, person)
    if person["account"] != ctx.actor.real_id:
        raise Refusal(Code.SSO_OVER)
    await subjects.connect(ctx, person["issuer"], person["subject"])


async def disconnect(ctx: Ctx, user_id: int | None, password: SecretStr | None) -> None:
    """One's own, or that of an account below, whose sessions end: any of them may have been begun by it."""
    if user_id in (None, ctx.actor.real_id):
        await service.confirm_identity(ctx, password)
        account = await service.own(ctx.db, ctx.actor)
    else:
        granting.demand_key(ctx, "user/index/init_password")
        account = await users.find_other(ctx, user_id, lock=True)
        await users.end_sessions(ctx, account)
    ctx.note(before=await subjects.disconnect(ctx.db, account))


async def _take_code(ctx: Ctx, kind: str, code: str) -> dict[str, Any]:
    values = await one_time.take(ctx.app.sessions, kind, code)
    if values is None:
        raise Refusal(Code.SSO_OVER)
    return values


def _check_browser(ctx: Ctx, values: dict[str, Any]) -> None:
    if not hmac.compare_digest(values["browser"], _digest(ctx.cookies.get(COOKIE, ""))):
        raise Refusal(Code.SSO_OVER)


def _digest(browser: str) -> str:
    return one_time.digest(browser).hex()
