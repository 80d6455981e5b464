"""How many calls of one account are answered at a time, tried through the wire."""

import asyncio
from collections import Counter
from collections.abc import Iterator

import pytest
from httpx import Response

from lustra.core.context import Services
from lustra.core.errors import Code
from lustra.core.http import turns
from tests.clients import Console, LogIn
from tests.core.conftest import GATE
from tests.world import until


@pytest.fixture
def small(services: Services, monkeypatch: pytest.MonkeyPatch) -> Iterator[turns.Turns]:
    """Two calls of an account at a time, three that wait."""
    GATE.close()
    services.turns = turns.Turns(at_once=2)
    monkeypatch.setattr(turns, "WAITING", 3)
    yield services.turns
    GATE.opened.set()


def send(client: Console, count: int) -> list[asyncio.Task[Response]]:
    payload = {"deviceId": 1}
    return [asyncio.create_task(client.http.post("/api/test/gate", json=payload)) for _ in range(count)]


async def fill(client: Console, small: turns.Turns) -> list[asyncio.Task[Response]]:
    """As many calls of the account as find a place."""
    tasks = send(client, 5)

    async def full() -> bool:
        return client.id in small.accounts and small.accounts[client.id].calls == len(tasks)

    await until(full)
    return tasks


async def test_an_account_has_its_turns_and_leaves_others_theirs(console: LogIn, small: turns.Turns):
    crowd, alone = await console("user"), await console("dealer")
    waiting = await fill(crowd, small)
    other = send(alone, 1)

    async def arrived() -> bool:
        return alone.id in GATE.accounts

    await until(arrived)
    assert Counter(GATE.accounts) == {crowd.id: 2, alone.id: 1}
    GATE.opened.set()
    answers = await asyncio.gather(*waiting, *other)
    assert {answer.json()["message"]["code"] for answer in answers} == {0}
    assert Counter(GATE.accounts) == {crowd.id: 5, alone.id: 1}
    assert small.accounts == {}


async def test_a_call_behind_too_many_others_is_refused_at_once(console: LogIn, small: turns.Turns):
    crowd = await console("user")
    waiting = await fill(crowd, small)
    refused = await crowd.http.post("/api/test/gate", json={"deviceId": 1})
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "2"
    assert refused.json()["message"] == {
        "code": Code.TOO_MANY_CALLS,
        "message": "Too many calls of this account are waiting. Try again in 2 s.",
    }
    GATE.opened.set()
    await asyncio.gather(*waiting)
    assert await crowd("/test/echo", deviceId=1, names=[], beans=[])


async def test_a_call_whose_caller_left_gives_its_turn_back(small: turns.Turns):
    entered = asyncio.Event()

    async def hold() -> None:
        async with small.take(7):
            entered.set()
            await asyncio.Event().wait()

    holding = [asyncio.create_task(hold()) for _ in range(4)]
    await entered.wait()
    for task in holding:
        task.cancel()
    await asyncio.gather(*holding, return_exceptions=True)
    assert small.accounts == {}


async def test_uploads_take_no_turn_of_their_account(console: LogIn, small: turns.Turns):
    crowd = await console("user")
    waiting = await fill(crowd, small)
    answer = await crowd.http.post("/api/test/sizes", files={"file": ("a", b"1234")})
    assert answer.json()["data"]["sizes"] == [4]
    GATE.opened.set()
    await asyncio.gather(*waiting)
