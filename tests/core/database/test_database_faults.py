"""What the database cannot do right now is 503 and told in words; what is its own clash is tried again."""

import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import db as core_db
from lustra.core.context import Services
from lustra.core.errors import Code
from lustra.core.settings import Settings
from tests.clients import Console
from tests.core.conftest import HOLDING, MEETING

PASSING = ["57P01", "57P02", "57P03", "53300", "53100", "08006", "25006", "40001", "40P01"]


@pytest.mark.parametrize("path", ["/test/fault", "/test/hotFault"])
@pytest.mark.parametrize("state", PASSING)
async def test_a_database_that_starts_stops_or_is_full_is_503_and_no_fault_of_ours(
    user: Console, path: str, state: str
):
    answer = await user.http.post(f"/api{path}", json={"deviceId": 1, "note": state})
    assert (answer.status_code, answer.json()["message"]) == (
        503,
        {"code": Code.UNAVAILABLE, "message": "Service unavailable"},
    )
    assert int(answer.headers["retry-after"]) > 0


@pytest.mark.parametrize("state", ["42703", "22003"])
async def test_another_error_of_the_database_is_a_fault_of_ours(user: Console, state: str):
    answer = await user.http.post("/api/test/fault", json={"deviceId": 1, "note": state})
    assert (answer.status_code, answer.json()["message"]["code"]) == (500, Code.FAILED)


async def test_no_free_connection_is_503(
    user: Console, services: Services, settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    engine = core_db.engine(settings.database_url, size=1)
    monkeypatch.setattr(engine.pool, "_timeout", 0.05)
    monkeypatch.setattr(services, "sessions", core_db.sessions(engine))
    async with engine.connect(), engine.connect():
        answer = await user.http.post("/api/test/refuse", json={"deviceId": 1})
    await engine.dispose()
    assert (answer.status_code, answer.json()["message"]["code"]) == (503, Code.UNAVAILABLE)


async def test_a_server_that_refuses_connections_is_503(
    user: Console, services: Services, monkeypatch: pytest.MonkeyPatch
):
    engine = core_db.engine("postgresql://lustra:x@127.0.0.1:1/none", size=1)
    monkeypatch.setattr(services, "sessions", core_db.sessions(engine))
    answer = await user.http.post("/api/test/refuse", json={"deviceId": 1})
    assert (answer.status_code, answer.json()["message"]["code"]) == (503, Code.UNAVAILABLE)


async def test_of_two_calls_that_lock_each_other_out_both_succeed(user: Console, db: AsyncSession):
    MEETING.clear()
    HOLDING.clear()
    names = ["dealer", "sub"]
    ways = [names, names[::-1]]
    codes = await asyncio.gather(*(user.raw("/test/cross", deviceId=1, names=way) for way in ways))
    assert [code for code, _ in codes] == [0, 0]
    assert len(HOLDING) == 3  # one of the two was tried again
    phones = await db.scalars(text("SELECT phone FROM account WHERE account = ANY(:names)"), {"names": names})
    assert list(phones) == ["11", "11"]


async def test_a_snapshot_sees_one_moment_whatever_its_connection_did_before(services: Services):
    async with services.pool.acquire() as link:
        await link.prepare("select count(*) from account")
    async with core_db.snapshot(services.pool) as link:
        assert await link.fetchval("show transaction_isolation") == "repeatable read"
        assert await link.fetchval("show transaction_read_only") == "on"
