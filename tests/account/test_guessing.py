"""What guessing costs whoever guesses, and nobody else: log-ins from many places, of many at once, of many names."""

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.applications import Starlette

from lustra.core.context import Services
from lustra.core.errors import Code
from lustra.domains.account.credentials import passwords
from lustra.domains.account.credentials.attempts import FREE
from lustra.domains.account.seed import DEMO
from tests.clients import ENGLISH, Console, LogIn

PASSWORD = "Lustra-demo-1"
NAMES = [row[0] for row in DEMO]


@pytest.fixture
async def at(web: Starlette) -> AsyncIterator[Callable[[str], Console]]:
    """`at("10.0.0.1")`: somebody at that address."""
    clients: list[AsyncClient] = []

    def client(address: str) -> Console:
        clients.append(
            AsyncClient(transport=ASGITransport(web, client=(address, 1)), base_url="http://test", headers=ENGLISH)
        )
        return Console(clients[-1], {})

    yield client
    for each in clients:
        await each.aclose()


async def log_in(somebody: Console, account: str, password: str = PASSWORD) -> int:
    return (await somebody.raw("/login", account=account, password=password))[0]


async def use_up_names(somebody: Console) -> None:
    for number in range(FREE["address"]):
        assert await log_in(somebody, f"guess{number}", "Winter2026!") == Code.LOGIN_REFUSED


async def test_let_many_right_log_ins_of_one_address_in_without_delay_to_others(
    services: Services, console: LogIn, at: Callable[[str], Console]
):
    other, office, go = await console("rival"), at("192.0.2.1"), threading.Event()
    for _ in range(passwords.THREADS):
        passwords._pool.submit(go.wait)  # nothing is hashed meanwhile
    try:
        entering = [asyncio.create_task(log_in(office, NAMES[number % len(NAMES)])) for number in range(60)]
        queue = passwords._queues[asyncio.get_running_loop()]
        async with asyncio.timeout(30):
            while queue.count + passwords.THREADS < len(entering):  # noqa: ASYNC110  any condition
                await asyncio.sleep(0.01)
        pool: Any = services.engine.pool
        assert pool.checkedout() == 0
        assert await other("/user/preferences") == {}
    finally:
        go.set()
    assert Counter(await asyncio.gather(*entering)) == {0: 60}


async def test_refuse_log_ins_beyond_the_capacity_until_later(
    at: Callable[[str], Console], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(passwords, "QUEUE_LIMIT", 4)
    passwords._queues.clear()
    office, go = at("192.0.2.1"), threading.Event()
    payload = {"account": "dealer", "password": PASSWORD}
    for _ in range(passwords.THREADS):
        passwords._pool.submit(go.wait)  # nothing is hashed meanwhile
    try:
        entering = [asyncio.create_task(office.http.post("/api/login", json=payload)) for _ in range(30)]
        await asyncio.wait(
            entering, return_when=asyncio.FIRST_COMPLETED, timeout=30
        )  # those without a place in the queue
    finally:
        go.set()
    answers = await asyncio.gather(*entering)
    assert {answer.status_code for answer in answers} == {200, 503}
    busy = next(answer for answer in answers if answer.status_code == 503)
    assert int(busy.headers["retry-after"]) >= 1
    assert busy.json()["message"] == {
        "code": Code.LOGIN_BUSY,
        "message": "Too many people are logging in. Try again in 5 s.",
    }
    assert {answer.json()["message"]["code"] for answer in answers} == {0, Code.LOGIN_BUSY}
    passwords._queues.clear()


async def test_own_log_ins_between_do_not_let_an_address_try_more_names(at: Callable[[str], Console]):
    sprayer = at("203.0.113.9")
    codes: list[int] = []
    for number in range(40):
        if number % 5 == 0:
            await log_in(sprayer, "rival", "wrong once")
            await log_in(sprayer, "rival")
        codes.append(await log_in(sprayer, f"guess{number}", "Winter2026!"))
    assert Counter(codes) == {Code.LOGIN_REFUSED: FREE["address"], Code.TOO_MANY_TRIES: 40 - FREE["address"]}
    assert await log_in(at("203.0.113.10"), "rivaluser") == 0


async def test_failures_of_others_do_not_lock_an_account_out_of_its_own_address(
    at: Callable[[str], Console],
):
    office = at("192.0.2.1")
    assert await log_in(office, "dealer") == 0
    await use_up_names(office)
    assert await log_in(office, "dealer") == 0
    assert await log_in(office, "user") == Code.TOO_MANY_TRIES
    assert await log_in(at("192.0.2.2"), "user") == 0


async def test_an_address_gets_one_more_name_each_ten_minutes(at: Callable[[str], Console], db: AsyncSession):
    office = at("192.0.2.1")
    await use_up_names(office)
    code, data = await office.raw("/login", account="late", password="x")
    assert code == Code.TOO_MANY_TRIES
    assert 500 < data["seconds"] <= 600
    await db.execute(text("UPDATE login_attempt SET at = at - interval '20 minutes' WHERE key LIKE 'address:%'"))
    await db.commit()
    assert [await log_in(office, name, "x") for name in ("late1", "late2", "late3")] == [
        Code.LOGIN_REFUSED,
        Code.LOGIN_REFUSED,
        Code.TOO_MANY_TRIES,
    ]


async def test_an_account_that_is_guessed_from_everywhere_is_open_where_it_is_at_home(at: Callable[[str], Console]):
    home, abroad = at("192.0.2.1"), at("198.51.100.250")
    assert await log_in(home, "dealer") == 0
    for number in range(FREE["account"]):
        assert await log_in(at(f"198.51.100.{number % 25}"), "dealer", "wrong") == Code.LOGIN_REFUSED
    assert await log_in(abroad, "dealer") == Code.TOO_MANY_TRIES
    assert await log_in(home, "dealer") == 0
    assert await log_in(abroad, "dealer") == 0  # which forgave the account


async def test_a_right_log_in_forgives_what_its_account_did_from_there_alone(
    at: Callable[[str], Console], db: AsyncSession
):
    office = at("192.0.2.1")
    for account in ("dealer", "user", "rival"):
        assert await log_in(office, account, "wrong") == Code.LOGIN_REFUSED
    assert await log_in(office, "dealer") == 0
    rows = (await db.execute(text("SELECT left(key, 4) AS kind, failures FROM login_attempt"))).all()
    assert Counter((row.kind, row.failures) for row in rows) == {
        ("pair", 0): 1,
        ("pair", 1): 2,
        ("acco", 0): 1,
        ("acco", 1): 2,
        ("addr", 2): 1,
    }


async def test_all_of_a_networks_ipv6_addresses_count_as_one(at: Callable[[str], Console]):
    for number in range(FREE["address"]):
        assert await log_in(at(f"2001:db8:1:2::{number:x}"), f"guess{number}", "x") == Code.LOGIN_REFUSED
    assert await log_in(at("2001:db8:1:2:ffff::1"), "other", "x") == Code.TOO_MANY_TRIES
    assert await log_in(at("2001:db8:1:3::1"), "other", "x") == Code.LOGIN_REFUSED


async def test_a_name_that_is_no_account_is_recorded_as_a_digest_alone(at: Callable[[str], Console], db: AsyncSession):
    somebody = at("192.0.2.1")
    for typed in ("Dealer", "MySecret#Pass1", "mysecret#pass1", "other"):
        await log_in(somebody, typed, "wrong")
    rows = (await db.execute(text("SELECT detail->>'account' AS account, detail::text FROM anonymous_try"))).all()
    recorded = [row.account for row in rows]
    assert recorded[0] == "dealer"
    assert recorded[1] == recorded[2] != recorded[3]
    assert all(account.startswith("#") and len(account) == 25 for account in recorded[1:])
    tables = ("audit", "anonymous_try", "login_attempt")
    rows = [await db.scalar(text(f"SELECT string_agg(t::text, ' ') FROM {table} t")) or "" for table in tables]
    everything = " ".join(rows)
    assert "pass1" not in everything.lower()
