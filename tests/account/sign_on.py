"""A browser on its way through a provider on a real socket: what tests of single sign-on start from."""

import dataclasses
from urllib.parse import parse_qs, urlsplit

import pytest
from httpx import ASGITransport, AsyncClient
from starlette.applications import Starlette

from lustra.core.settings import Settings
from lustra.stack.place import LOOPBACK, free_port
from tests.account import provider as providers
from tests.clients import ENGLISH, Console, LogIn

PASSWORD = "Lustra-demo-1"
PUBLIC = "https://console.example.org"


@pytest.fixture
async def provider():
    async with providers.running(free_port(LOOPBACK)) as running:
        yield running


@pytest.fixture
def settings(settings: Settings, provider: providers.Provider) -> Settings:
    return dataclasses.replace(
        settings,
        oidc_issuer=provider.issuer,
        oidc_client_id=providers.CLIENT,
        oidc_client_secret=providers.SECRET,
        oidc_name="Quay",
        public_url=PUBLIC,
    )


@pytest.fixture
async def browser(web: Starlette):
    """Keeps cookies, as a browser does; it is nobody's yet."""
    async with AsyncClient(transport=ASGITransport(web), base_url=PUBLIC, headers=ENGLISH) as http:
        yield Console(http, {})


def query_of(url: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}


async def follow_redirect(browser: Console, url: str) -> str:
    """Where the browser is sent on to."""
    answer = await browser.http.get(url)
    assert (answer.status_code, answer.headers["cache-control"]) == (302, "no-store")
    return answer.headers["location"]


async def return_from_provider(
    browser: Console, provider: providers.Provider, subject: str = "anna", path: str = "/index"
) -> str:
    """Through the provider, and to where its answer leads."""
    away = await follow_redirect(browser, f"/api/sso/login?redirect={path}")
    return await follow_redirect(browser, provider.log_in(away, subject))


async def exchange_code(browser: Console, provider: providers.Provider, subject: str = "anna") -> int:
    """The code of the answer to who logs in."""
    return (
        await browser.raw(
            "/sso/exchange", code=query_of(await return_from_provider(browser, provider, subject))["code"]
        )
    )[0]


def in_browser(me: Console, browser: Console) -> Console:
    """Logged in in that browser: with its cookies."""
    me.http.base_url, me.http.cookies = PUBLIC, browser.http.cookies
    return me


async def connect_account(
    console: LogIn, browser: Console, provider: providers.Provider, subject: str = "anna", account: str = "dealer"
) -> Console:
    """That account, connected in this browser with this person."""
    me = await console(account)
    code = await prove_person(me, browser, provider, subject)
    await in_browser(me, browser)("/sso/connect", code=code)
    return me


async def prove_person(me: Console, browser: Console, provider: providers.Provider, subject: str) -> str:
    """The code that this browser comes back with, after that session asked to connect its account."""
    away = await follow_redirect(browser, (await me("/sso/ask", password=PASSWORD))["url"])
    return query_of(await follow_redirect(browser, provider.log_in(away, subject)))["connect"]
