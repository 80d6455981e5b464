"""A log-out leads on to the provider that began the session, and ends the session whatever the provider says."""

import dataclasses
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.context import Services
from lustra.core.errors import Code
from lustra.core.settings import Settings
from lustra.domains.account.access import sso
from lustra.stack.place import LOOPBACK, free_port
from tests.account import provider as providers
from tests.account.sign_on import (
    PUBLIC,
    browser,
    connect_account,
    provider,
    query_of,
    return_from_provider,
    settings,
)
from tests.clients import Console, LogIn

__all__ = ["browser", "provider", "settings"]


@pytest.fixture
async def signed_on(console: LogIn, browser: Console, provider: providers.Provider) -> Console:
    """A session that the provider began."""
    await connect_account(console, browser, provider)
    code = query_of(await return_from_provider(browser, provider))["code"]
    browser.http.headers["token"] = (await browser("/sso/exchange", code=code))["token"]
    return browser


async def test_log_out_at_the_provider_and_come_back_to_the_log_in_page(
    signed_on: Console, provider: providers.Provider
):
    url = (await signed_on("/logout"))["ssoUrl"]
    assert provider.log_out(url) == f"{PUBLIC}/login"
    assert provider.logged_out == ["anna"]
    assert (await signed_on.raw("/getLanguage"))[0] == Code.SESSION_INVALID


async def test_log_out_only_here_after_a_log_in_by_password(console: LogIn):
    assert await (await console("dealer"))("/logout") == {"ssoUrl": None}


@pytest.mark.parametrize("endpoint", ["", "https://evil.example/leave", "javascript:alert(1)"])
async def test_a_provider_without_a_log_out_of_its_own_is_not_visited(
    signed_on: Console, provider: providers.Provider, services: Services, endpoint: str
):
    provider.metadata = {"end_session_endpoint": endpoint}
    services.settings = dataclasses.replace(services.settings, oidc_name="Again")  # discovers anew
    assert await signed_on("/logout") == {"ssoUrl": None}
    assert (await signed_on.raw("/getLanguage"))[0] == Code.SESSION_INVALID


@pytest.mark.parametrize(
    "later", [{"oidc_issuer": f"http://127.0.0.1:{free_port(LOOPBACK)}"}, {"oidc_issuer": ""}, {"secret": "another"}]
)
async def test_end_the_session_also_where_the_provider_does_not_answer(
    signed_on: Console, services: Services, settings: Settings, later: dict[str, Any]
):
    services.settings = dataclasses.replace(settings, **later)
    assert await signed_on("/logout") == {"ssoUrl": None}
    assert (await signed_on.raw("/getLanguage"))[0] == Code.SESSION_INVALID


async def test_the_providers_token_stands_nowhere_in_plain_and_goes_with_the_session(
    signed_on: Console, provider: providers.Provider, db: AsyncSession
):
    await return_from_provider(signed_on, provider)
    (stored,) = await db.scalars(text("SELECT id_token FROM login WHERE id_token IS NOT NULL"))
    (waiting,) = await db.scalars(
        text("SELECT told::text FROM one_time_code WHERE kind = :kind"), {"kind": sso.ARRIVED}
    )
    assert b"eyJ" not in stored  # as each token begins that is not sealed
    assert "eyJ" not in waiting
    await db.rollback()
    await signed_on("/logout")
    assert await db.scalar(text("SELECT count(*) FROM login WHERE id_token IS NOT NULL")) == 0
