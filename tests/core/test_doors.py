"""What nobody costs who is not logged in: one limit for all doors, few rows, and a queue that is fair."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from httpx import AsyncClient
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.audit_trail import anonymous, chain, chain_check
from lustra.core.calls.registry import CALLS
from lustra.core.context import Services
from lustra.core.db import now
from lustra.core.errors import Code
from lustra.core.http.doors import Doors, Limit
from lustra.core.http.fair_queue import FairQueue, Full
from tests.clients import LogIn


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_an_address_has_so_many_refusals_and_then_some_each_second():
    clock = Clock()
    doors = Doors(Limit(3, 0.5), Limit(100, 10), clock)
    for _ in range(3):
        assert doors.closed("192.0.2.1") is None
        doors.spend("192.0.2.1")
    refusal = doors.closed("192.0.2.1")
    assert refusal
    assert (refusal.code, refusal.values) == (Code.TOO_MANY_TRIES, {"seconds": 2})
    assert doors.closed("192.0.2.2") is None
    clock.now = 2.0
    assert doors.closed("192.0.2.1") is None
    doors.spend("192.0.2.1")
    assert doors.closed("192.0.2.1")
    doors.spend("192.0.2.1", -1)
    assert doors.closed("192.0.2.1") is None


def test_all_addresses_together_have_a_limit_too():
    doors = Doors(Limit(3, 1), Limit(5, 1), Clock())
    for number in range(5):
        doors.spend(f"192.0.2.{number}")
    refusal = doors.closed("198.51.100.1")
    assert refusal
    assert refusal.code is Code.LOGIN_BUSY


def test_bound_the_memory_of_addresses(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("lustra.core.http.doors.MOST_ADDRESSES", 100)
    doors = Doors()
    for number in range(1000):
        doors.spend(f"10.0.{number // 250}.{number % 250}")
    assert len(doors.spent) <= 100


async def test_every_door_is_closed_to_an_address_that_has_used_them_up(plain: AsyncClient, services: Services):
    services.doors = Doors(Limit(3, 0.001))
    device = {"code": "x" * 8, "deviceSerialNumber": "SC9999", "sshKey": "ssh-ed25519 x"}
    for path, payload in (
        ("/sso/exchange", {"code": "x"}),
        ("/device/enrol", device),
        ("/sso/exchange", {"code": "y"}),
    ):
        answer = await plain.post(f"/api{path}", json=payload)
        assert answer.json()["message"]["code"] not in (0, Code.TOO_MANY_TRIES)
    for entry in (each for each in CALLS.values() if each.door):
        answer = await plain.request(
            entry.method, f"/api{entry.path}", json={"account": "user", "password": "Lustra-demo-1"}
        )
        if entry.landing:
            assert answer.headers["location"].endswith("?refused=TOO_MANY_TRIES")
        else:
            assert answer.json()["message"]["code"] == Code.TOO_MANY_TRIES
    by_password = {"/login", "/forgotPassword", "/resetPassword"}
    assert by_password | {"/sso/login", "/sso/callback", "/sso/exchange", "/device/enrol", "/webPush/act"} == {
        each.path for each in CALLS.values() if each.door
    }


async def test_refused_tries_of_nobody_are_few_rows_whose_rest_is_counted(
    plain: AsyncClient, services: Services, db: AsyncSession, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(anonymous, "MOST_OF_ADDRESS", 5)
    for number in range(30):
        await plain.post("/api/sso/exchange", json={"code": f"{number}"})
    rows = (await db.execute(text("SELECT summed, tries, address FROM anonymous_try ORDER BY id"))).all()
    assert [tuple(row) for row in rows] == [(False, 1, "127.0.0.1")] * 5 + [(True, 25, "127.0.0.1")]
    assert await db.scalar(text("SELECT count(*) FROM audit")) == 0


async def test_tries_from_ever_new_addresses_are_bounded_too(db: AsyncSession, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(anonymous, "MOST_OF_HOUR", 10)
    for number in range(60):
        await anonymous.record(db, "login", f"10.0.0.{number}", 40020, {})
    rows = (await db.execute(text("SELECT address, tries FROM anonymous_try WHERE summed"))).all()
    assert [tuple(row) for row in rows] == [("", 50)]


async def test_a_row_of_nobodys_is_short_whatever_was_sent(db: AsyncSession):
    detail = {"account": "x" * 5000, "nul": "a\0b", "more": {"deep": ["y" * 5000]}} | {f"f{n}": "z" for n in range(99)}
    await anonymous.record(db, "a" * 500, "not an address " * 99, 40000, detail)
    await anonymous.record(db, "login", "10.0.0.1", 40000, {"nul": "a\0b"})
    sizes = (await db.execute(text("SELECT octet_length(t::text) FROM anonymous_try t"))).scalars()
    assert max(sizes) < 900


async def test_show_anonymous_refusals_to_the_top_account_until_they_expire(
    console: LogIn, plain: AsyncClient, services: Services, db: AsyncSession
):
    await plain.post("/api/login", json={"account": "user", "password": "wrong"})
    await plain.post("/api/user/insertUser", json={"account": "x"})
    admin = await console("admin")
    rows = (await admin("/log/list", refused=1))["list"]
    assert [(row["action"], row["userId"], row["account"]) for row in rows] == [
        ("user.insert", 0, ""),
        ("login", 0, ""),
    ]
    assert len({row["id"] for row in rows}) == 2
    dealer = await console("dealer")
    await db.execute(text("UPDATE account SET keys = '{index,log}' WHERE account = 'dealer'"))
    await db.commit()
    services.logins.forget_account(dealer.id)
    assert (await dealer("/log/list", refused=1))["total"] == 0
    age = text("UPDATE anonymous_try SET created_at = :at WHERE action = 'login'")
    await db.execute(age, {"at": now() - timedelta(days=91)})
    await db.commit()
    await anonymous.purge(services)
    assert [row["action"] for row in (await admin("/log/list", refused=1))["list"]] == ["user.insert"]
    async with services.sessions.begin() as sealing:
        await chain.seal(sealing, chain.key_of(services.settings))
    assert (await chain_check.check(services, whole=True)).broken is None


async def test_those_who_wait_take_turns_by_address():
    done: list[str] = []
    with ThreadPoolExecutor(1) as pool:
        queue = FairQueue(pool, 1, 100)
        names = [f"crowd{number}" for number in range(6)] + ["alone"]
        await asyncio.gather(
            *(queue.run(name.rstrip("0123456789"), lambda name=name: done.append(name)) for name in names)
        )
    assert done.index("alone") <= 2
    assert [name for name in done if name != "alone"] == names[:-1]
    assert (queue.count, queue.free, queue.waiting) == (0, 1, {})


async def test_a_full_queue_takes_the_newest_place_of_whoever_fills_it():
    with ThreadPoolExecutor(1) as pool:
        queue = FairQueue(pool, 1, 3)
        crowd = [asyncio.create_task(queue.run("crowd", lambda: "done")) for _ in range(4)]
        await asyncio.sleep(0)
        more = asyncio.create_task(queue.run("crowd", lambda: "done"))
        alone = asyncio.create_task(queue.run("alone", lambda: "done"))
        results = await asyncio.gather(*crowd, more, alone, return_exceptions=True)
    assert [isinstance(result, Full) for result in results] == [False, False, False, True, True, False]


async def test_skip_a_cancelled_task_of_the_queue():
    with ThreadPoolExecutor(1) as pool:
        queue = FairQueue(pool, 1, 3)
        first, second, third = (asyncio.create_task(queue.run(name, lambda: "done")) for name in "abc")
        await asyncio.sleep(0)
        second.cancel()
        assert [await first, await third] == ["done", "done"]
        with pytest.raises(asyncio.CancelledError):
            await second
    assert (queue.count, queue.free, queue.waiting) == (0, 1, {})
