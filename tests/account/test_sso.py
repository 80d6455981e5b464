"""Single sign-on by OpenID Connect, against a provider on a real socket: who gets in, and who does not."""

import asyncio
import dataclasses
import time
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.applications import Starlette

from lustra.core.context import Services
from lustra.core.errors import Code
from lustra.core.http.doors import Limit
from lustra.core.security import oidc, one_time
from lustra.core.settings import Settings
from lustra.domains.account.access import sso
from lustra.stack.place import LOOPBACK, free_port
from tests.account import provider as providers
from tests.account.sign_on import (
    PASSWORD,
    PUBLIC,
    browser,
    connect_account,
    follow_redirect,
    in_browser,
    prove_person,
    provider,
    query_of,
    return_from_provider,
    settings,
)
from tests.clients import Console, LogIn

__all__ = ["browser", "provider", "settings"]


async def test_log_in_by_a_connected_identity_with_no_token_in_a_url(
    console: LogIn, browser: Console, provider: providers.Provider, anonymous: Console
):
    await connect_account(console, browser, provider)
    landed = await return_from_provider(browser, provider, path="/device/index?tab=2%26x")
    assert landed.startswith("/login?")
    assert query_of(landed).keys() == {"code", "redirect"}
    assert query_of(landed)["redirect"] == "/device/index?tab=2&x"
    session = await browser("/sso/exchange", code=query_of(landed)["code"], language="de")
    assert (session["account"], session["levelDepth"], session["language"]) == ("dealer", 2, "de")
    by_password = await anonymous("/login", account="dealer", password=PASSWORD)
    assert (
        session["permissionBeans"]
        == (await anonymous("/login", account="dealer", password=PASSWORD, language="de"))["permissionBeans"]
    )
    assert session.keys() == by_password.keys()
    browser.http.headers["token"] = session["token"]
    assert (await browser("/getLanguage"))["language"] == "de"
    await browser("/logout")
    assert (await browser.raw("/getLanguage"))[0] == Code.SESSION_INVALID


async def test_refuse_a_person_without_an_account_whatever_the_mail_address(
    console: LogIn, browser: Console, provider: providers.Provider, db: AsyncSession
):
    await connect_account(console, browser, provider, subject="anna")
    accounts = await db.scalar(text("SELECT count(*) FROM account"))
    provider.claims = {"email": "dealer@example.org", "email_verified": True, "preferred_username": "dealer"}
    landed = await return_from_provider(browser, provider, subject="dealer")
    answer = await browser.answer("/sso/exchange", code=query_of(landed)["code"])
    assert answer["message"]["code"] == Code.SSO_UNKNOWN
    assert answer["message"]["message"].startswith("No account is connected")
    assert await db.scalar(text("SELECT count(*) FROM account")) == accounts
    refused = text("SELECT count(*) FROM anonymous_try WHERE action = 'login.sso' AND code = :code")
    assert await db.scalar(refused, {"code": Code.SSO_UNKNOWN}) == 1


async def test_of_a_hundred_uses_of_a_code_at_the_same_time_exactly_one_wins(
    console: LogIn, browser: Console, provider: providers.Provider, db: AsyncSession
):
    await connect_account(console, browser, provider)
    code = query_of(await return_from_provider(browser, provider))["code"]
    before = await db.scalar(text("SELECT count(*) FROM login"))
    answers = await asyncio.gather(*(browser.raw("/sso/exchange", code=code) for _ in range(100)))
    assert sorted(code for code, _ in answers) == [0] + [Code.SSO_OVER] * 99
    assert await db.scalar(text("SELECT count(*) FROM login")) == before + 1
    assert (await browser.raw("/sso/exchange", code=code))[0] == Code.SSO_OVER


async def test_a_code_counts_for_its_own_purpose_and_a_minute_only(
    console: LogIn, browser: Console, provider: providers.Provider, services: Services, db: AsyncSession
):
    me = await connect_account(console, browser, provider)
    code = query_of(await return_from_provider(browser, provider))["code"]
    await db.execute(text("UPDATE one_time_code SET expires_at = now() - interval '1 second'"))
    await db.commit()
    assert (await browser.raw("/sso/exchange", code=code))[0] == Code.SSO_OVER
    assert (await me.raw("/sso/connect", code=query_of(await return_from_provider(browser, provider))["code"]))[
        0
    ] == Code.SSO_OVER
    me = await console("dealer")
    assert (await browser.raw("/sso/exchange", code=await prove_person(me, browser, provider, "anna")))[
        0
    ] == Code.SSO_OVER
    lives = text(
        "SELECT max(expires_at) <= now() + interval '60 seconds' FROM one_time_code WHERE kind = 'sso.arrived'"
    )
    await return_from_provider(browser, provider)
    assert await db.scalar(lives)
    await db.execute(text("UPDATE one_time_code SET expires_at = now() - interval '1 second'"))
    await db.commit()
    left = await follow_redirect(browser, "/api/sso/login")
    await one_time.purge(services)
    stored = (await db.execute(text("SELECT kind, hash FROM one_time_code"))).all()
    assert [(row.kind, row.hash) for row in stored] == [(sso.DEPARTED, one_time.digest(query_of(left)["state"]))]


async def test_an_answer_of_the_provider_counts_once_and_in_the_browser_that_asked(
    web: Starlette, browser: Console, provider: providers.Provider
):
    arrived = provider.log_in(await follow_redirect(browser, "/api/sso/login"), "anna")
    assert "code" in query_of(await follow_redirect(browser, arrived))
    assert await follow_redirect(browser, arrived) == "/login?refused=SSO_OVER"
    arrived = provider.log_in(await follow_redirect(browser, "/api/sso/login"), "anna")
    async with AsyncClient(transport=ASGITransport(web), base_url=PUBLIC) as other:
        assert await follow_redirect(Console(other, {}), arrived) == "/login?refused=SSO_OVER"
        assert (
            await follow_redirect(Console(other, {}), "/api/sso/callback?state=guessed&code=x")
            == "/login?refused=SSO_OVER"
        )
    assert await follow_redirect(browser, arrived) == "/login?refused=SSO_OVER"  # whoever tried it used it up


async def test_refuse_a_log_in_that_another_browser_began(
    web: Starlette, console: LogIn, browser: Console, provider: providers.Provider
):
    await connect_account(console, browser, provider)
    code = query_of(await return_from_provider(browser, provider))["code"]
    async with AsyncClient(transport=ASGITransport(web), base_url=PUBLIC) as victim:
        assert (await Console(victim, {}).raw("/sso/exchange", code=code))[0] == Code.SSO_OVER


async def test_refuse_a_connection_that_another_session_began(
    console: LogIn, browser: Console, provider: providers.Provider
):
    attacker, victim = await console("dealer"), await console("user")
    code = await prove_person(attacker, browser, provider, "victim")
    assert (await in_browser(victim, browser).raw("/sso/connect", code=code))[0] == Code.SSO_OVER
    code = await prove_person(attacker, browser, provider, "victim")
    assert (await attacker.raw("/sso/connect", code=code))[0] == Code.SSO_OVER  # from elsewhere
    assert (await attacker("/sso/mine"))["list"] == (await victim("/sso/mine"))["list"] == []


BAD = {
    "another log-in's nonce": {"nonce": "other"},
    "no nonce": {"nonce": None},
    "another client's": {"aud": "somebody-else"},
    "another client's, by way of us": {"aud": "somebody-else", "azp": providers.CLIENT},
    "for others too, of another party": {"aud": [providers.CLIENT, "other"], "azp": "other"},
    "another issuer's": {"iss": "https://evil.example"},
    "over": {"exp": 1},
    "of tomorrow": {"iat": 4_000_000_000, "exp": 4_000_000_060},
    "nobody's": {"sub": None},
    "of an empty name": {"sub": ""},
}


@pytest.mark.parametrize("claims", BAD.values(), ids=BAD.keys())
async def test_an_id_token_that_proves_nothing_is_refused(browser: Console, provider: providers.Provider, claims: Any):
    provider.claims = claims
    assert await return_from_provider(browser, provider) == "/login?refused=SSO_REFUSED"


async def test_an_id_token_counts_only_when_signed_by_a_key_of_the_provider(
    browser: Console, provider: providers.Provider, db: AsyncSession
):
    foreign = providers.Provider(provider.issuer)
    foreign.keys[0] = type(foreign.keys[0]).import_key(
        foreign.keys[0].as_dict(private=True) | {"kid": provider.keys[0].kid}
    )
    for sign in (providers.unsigned, provider.by_public_key, foreign.signed, lambda _: "no.token.at-all"):
        provider.sign = sign
        assert await return_from_provider(browser, provider) == "/login?refused=SSO_REFUSED"
    rows = text("SELECT code, count(*) FROM anonymous_try WHERE action = 'sso.arrive' GROUP BY code")
    assert [tuple(row) for row in await db.execute(rows)] == [(Code.SSO_REFUSED, 4)]


async def test_a_provider_may_change_its_keys_and_is_asked_for_them_once(
    browser: Console, provider: providers.Provider
):
    assert "code" in query_of(await return_from_provider(browser, provider))
    assert "code" in query_of(await return_from_provider(browser, provider))
    assert (provider.requests.count("discovery"), provider.requests.count("jwks")) == (1, 1)
    provider.rotate()
    assert "code" in query_of(await return_from_provider(browser, provider))
    assert provider.requests.count("jwks") == 2


async def test_the_client_proves_itself_as_the_provider_wants_it(
    browser: Console, provider: providers.Provider, services: Services, settings: Settings
):
    provider.metadata = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
    assert "code" in query_of(await return_from_provider(browser, provider))
    services.settings = dataclasses.replace(settings, oidc_client_secret="wrong")
    assert await return_from_provider(browser, provider) == "/login?refused=SSO_REFUSED"


async def test_show_that_the_provider_refused_the_log_in(browser: Console, provider: providers.Provider):
    state = query_of(await follow_redirect(browser, "/api/sso/login"))["state"]
    assert (
        await follow_redirect(browser, f"/api/sso/callback?state={state}&error=access_denied")
        == "/login?refused=SSO_REFUSED"
    )
    arrived = provider.log_in(await follow_redirect(browser, "/api/sso/login"), "anna")
    assert await follow_redirect(browser, arrived.replace("iss=http", "iss=https")) == "/login?refused=SSO_REFUSED"
    arrived = provider.log_in(await follow_redirect(browser, "/api/sso/login"), "anna")
    provider.codes.clear()
    assert await follow_redirect(browser, arrived) == "/login?refused=SSO_REFUSED"


@pytest.mark.parametrize(
    "metadata",
    [
        {"token_endpoint": "http://169.254.169.254/latest"},
        {"jwks_uri": "http://127.0.0.1:5432/"},
        {"authorization_endpoint": "https://evil.example/"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"issuer": "https://evil.example"},
        {"jwks_uri": None},
    ],
)
async def test_a_provider_leads_to_no_other_host_than_the_operator_named(
    browser: Console, provider: providers.Provider, metadata: dict[str, Any]
):
    provider.metadata = metadata
    assert await follow_redirect(browser, "/api/sso/login") == "/login?refused=SSO_PROVIDER"
    assert provider.requests == ["discovery"]


async def test_a_host_that_the_operator_names_besides_the_issuers_counts_over_tls_alone(
    settings: Settings, provider: providers.Provider
):
    more = oidc.Provider(dataclasses.replace(settings, oidc_hosts="keys.example, tokens.example"))
    assert more.origins == [provider.issuer, "https://keys.example", "https://tokens.example"]


async def test_report_an_unreachable_provider_quickly_and_accept_passwords(
    web: Starlette, settings: Settings, services: Services, anonymous: Console
):
    unreachable = dataclasses.replace(settings, oidc_issuer=f"http://127.0.0.1:{free_port(LOOPBACK)}")
    services.settings = unreachable
    began = time.monotonic()
    assert await follow_redirect(anonymous, "/api/sso/login") == "/login?refused=SSO_PROVIDER"
    assert time.monotonic() - began < oidc.STEP_S
    assert (await anonymous.raw("/login", account="dealer", password=PASSWORD))[0] == 0


@pytest.mark.parametrize("path", ["//evil.example", "https://evil.example", "/\\evil.example", "evil", "/a\nb"])
async def test_a_log_in_leads_to_pages_of_the_console_only(browser: Console, path: str):
    answer = await browser.http.get("/api/sso/login", params={"redirect": path})
    assert answer.headers["location"] == "/login?refused=BAD_INPUT"


async def test_the_browsers_secret_is_kept_from_scripts_and_other_sites(browser: Console):
    answer = await browser.http.get("/api/sso/login")
    cookie = answer.headers["set-cookie"]
    assert cookie.split("; ")[1:] == ["Path=/api/sso", "Max-Age=600", "HttpOnly", "SameSite=Lax", "Secure"]
    assert cookie.split("=")[1].split(";")[0] not in answer.headers["location"]


async def test_without_a_provider_there_is_no_single_sign_on(
    services: Services, settings: Settings, anonymous: Console, console: LogIn
):
    services.settings = dataclasses.replace(settings, oidc_issuer="")
    assert (await anonymous("/about"))["sso"] is None
    assert await follow_redirect(anonymous, "/api/sso/login") == "/login?refused=SSO_OFF"
    me = await console("dealer")
    assert me.session["sso"] is None
    refused = await me.answer("/sso/ask", password=PASSWORD)
    assert refused["message"] == {"code": Code.SSO_OFF, "message": "Single sign-on is not configured here."}
    services.settings = settings
    assert (await anonymous("/about"))["sso"] == "Quay"


@pytest.mark.parametrize(
    "wrong",
    [
        {"oidc_issuer": "http://login.example.org"},
        {"oidc_issuer": "login.example.org"},
        {"oidc_client_id": ""},
        {"oidc_issuer": "https://login.example.org/?a=b"},
        {"oidc_issuer": "https://me:secret@login.example.org"},
    ],
)
def test_refuse_to_start_with_settings_that_cannot_work(wrong: dict[str, Any]):
    good = Settings(oidc_issuer="https://login.example.org/realm", oidc_client_id="lustra")
    oidc.check(good)
    with pytest.raises(oidc.Unfit, match="LUSTRA_OIDC_"):
        oidc.check(dataclasses.replace(good, **wrong))


async def test_an_address_begins_so_many_log_ins_and_has_to_wait_unless_they_end_well(
    console: LogIn, browser: Console, provider: providers.Provider, services: Services
):
    services.doors.each = Limit(burst=2, per_second=0.001)
    await connect_account(console, browser, provider)
    for _ in range(3):
        await browser("/sso/exchange", code=query_of(await return_from_provider(browser, provider))["code"])
    assert [await follow_redirect(browser, "/api/sso/login") for _ in range(3)][-1] == "/login?refused=TOO_MANY_TRIES"
