"""Which account a person of the provider is connected with, who connects them, and what cuts the connection."""

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.errors import Code
from tests.account import provider as providers
from tests.account.sign_on import (
    PASSWORD,
    browser,
    connect_account,
    exchange_code,
    in_browser,
    prove_person,
    provider,
    query_of,
    return_from_provider,
    settings,
)
from tests.clients import Console, LogIn

__all__ = ["browser", "provider", "settings"]


async def test_connecting_wants_the_password_and_counts_wrong_ones(console: LogIn, browser: Console):
    me = await console("dealer")
    refused = await me.answer("/sso/ask", password="wrong")
    assert refused["message"]["message"] == "Password: Wrong password"
    codes = [(await me.raw("/sso/ask", password="wrong"))[0] for _ in range(6)]
    assert codes[-1] == Code.TOO_MANY_TRIES


async def test_connect_one_person_to_one_account(console: LogIn, browser: Console, provider: providers.Provider):
    me = await connect_account(console, browser, provider, "anna", "dealer")
    [connection] = (await me("/sso/mine"))["list"]
    assert (connection["issuer"], connection["subject"], connection["lastTime"]) == (provider.issuer, "anna", None)
    user = await console("user")
    code = await prove_person(user, browser, provider, "anna")
    assert (await in_browser(user, browser).raw("/sso/connect", code=code))[0] == Code.SSO_TAKEN
    me = await connect_account(console, browser, provider, "berta", "dealer")
    assert [connection["subject"] for connection in (await me("/sso/mine"))["list"]] == ["berta"]
    assert await exchange_code(browser, provider, "anna") == Code.SSO_UNKNOWN
    assert await exchange_code(browser, provider, "berta") == 0
    assert (await me("/sso/mine"))["list"][0]["lastTime"] is not None


async def test_a_shadow_logs_in_as_itself(console: LogIn, browser: Console, provider: providers.Provider):
    await connect_account(console, browser, provider, "sue", "shadow")
    session = await browser(
        "/sso/exchange", code=query_of(await return_from_provider(browser, provider, "sue"))["code"]
    )
    assert (session["account"], session["shadowId"] is not None) == ("shadow", True)


async def test_log_in_by_password_alone_after_disconnecting(
    console: LogIn, browser: Console, provider: providers.Provider
):
    me = await connect_account(console, browser, provider)
    await me("/sso/disconnect")
    assert (await me("/sso/mine"))["list"] == []
    assert await exchange_code(browser, provider, "anna") == Code.SSO_UNKNOWN
    assert (await me.raw("/getLanguage"))[0] == 0


async def test_let_an_administrator_see_and_cut_a_connection(
    console: LogIn, browser: Console, provider: providers.Provider, db: AsyncSession
):
    me = await connect_account(console, browser, provider, "uma", "user")
    dealer, rival = await console("dealer"), await console("rival")
    row = next(row for row in (await dealer("/user/selectUserList"))["list"] if row["userId"] == me.id)
    assert row["ssoTime"] is not None
    assert (await rival.raw("/sso/disconnect", targetUserId=me.id))[0] == Code.NOT_FOUND
    assert (await me.raw("/getLanguage"))[0] == 0
    await db.execute(text("UPDATE account SET keys = '{user/index}' WHERE account = 'dealer'"))
    await db.commit()
    keyless = await console("dealer")
    assert (await keyless.raw("/sso/disconnect", targetUserId=me.id))[0] == Code.FORBIDDEN
    await db.execute(text("UPDATE account SET keys = NULL WHERE account = 'dealer'"))
    await db.commit()
    await (await console("dealer"))("/sso/disconnect", targetUserId=me.id)
    assert (await me.raw("/getLanguage"))[0] == Code.SESSION_INVALID
    assert await exchange_code(browser, provider, "uma") == Code.SSO_UNKNOWN


@pytest.mark.parametrize("path", ["/user/updateInitialPassword", "/user/deleteUserInfo"])
async def test_a_new_initial_password_and_deletion_cut_the_connection(
    console: LogIn, browser: Console, provider: providers.Provider, path: str
):
    me = await connect_account(console, browser, provider, "rita", "rivaluser")
    await (await console("rival"))(path, targetUserId=me.id)
    assert await exchange_code(browser, provider, "rita") == Code.SSO_UNKNOWN
    await connect_account(console, browser, provider, "rita", "dealer")  # the person is free for another account


async def test_record_actions_of_single_sign_on_without_secrets(
    console: LogIn, browser: Console, provider: providers.Provider, db: AsyncSession
):
    me = await connect_account(console, browser, provider)
    landed = query_of(await return_from_provider(browser, provider))
    await browser("/sso/exchange", code=landed["code"])
    await me("/sso/disconnect")
    rows = (await db.execute(text("SELECT action, account_id, detail::text FROM audit ORDER BY id"))).all()
    assert [(row.action, row.account_id) for row in rows if "sso" in row.action] == [
        ("sso.ask", me.id),
        ("sso.arrive", 0),
        ("sso.connect", me.id),
        ("sso.arrive", 0),
        ("login.sso", me.id),
        ("sso.disconnect", me.id),
    ]
    everything = " ".join(row[2] for row in rows)
    assert "anna" in everything
    assert landed["code"] not in everything
    assert PASSWORD not in everything
    stored = await db.scalar(text("SELECT coalesce(string_agg(o::text, ''), '') FROM one_time_code o"))
    assert landed["code"] not in stored
