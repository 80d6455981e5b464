"""New passwords, own passwords that are guessed, first passwords that nobody changes, and sessions without an end."""

from dataclasses import replace
from typing import Any

import pytest
import structlog
from httpx import ASGITransport, AsyncClient
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.applications import Starlette

from lustra.app.processes import server
from lustra.core.calls import rpc
from lustra.core.context import Services
from lustra.core.errors import Code
from lustra.domains.account import service, users
from lustra.domains.account.credentials import passwords, sessions
from tests.clients import Console, LogIn
from tests.world import forget_logins

OLD = "Lustra-demo-1"
COMMON = "This password is too common. Choose another one"
NAME = "Too similar to the login name"
SPACES = "A password cannot be only spaces"


@pytest.mark.parametrize(
    ("password", "says"),
    [
        ("12345678", COMMON),
        ("PassWord", COMMON),
        ("iloveyou", COMMON),
        ("ｐａｓｓｗｏｒｄ", COMMON),
        ("rivaluser", NAME),
        ("RivalUser12", NAME),
        ("1rivaluser!", NAME),
        (" " * 8, SPACES),
        (" \u3000" * 5, SPACES),
        (OLD, "Choose a password different from the current one"),
    ],
)
async def test_refuse_a_new_password_that_is_easy_to_guess(console: LogIn, password: Any, says: Any):
    me = await console("rivaluser")
    answer = await me.answer("/user/updatePassword", password=OLD, newPassword=password)
    assert answer["message"] == {"code": Code.BAD_INPUT, "message": f"Password: {says}"}
    assert answer["data"]["field"] == "newPassword"


async def test_apply_the_same_rules_to_first_passwords_chosen_for_others(console: LogIn):
    dealer = await console("dealer")
    for password, says in (("qwertyuiop", COMMON), ("cleaner7!", NAME)):
        answer = await dealer.answer("/user/insertUser", account="cleaner7", name="Ann", password=password)
        assert answer["message"]["message"] == f"Password: {says}"


def test_the_list_of_common_passwords_is_long_and_without_short_ones():
    assert len(passwords.common_passwords()) > 10_000
    assert all(len(password) >= 8 and password == password.casefold() for password in passwords.common_passwords())
    passwords.check_new_password("newPassword", "Better-one-2", "dealer")
    passwords.check_new_password("newPassword", OLD, "dealer")


async def test_outside_the_demo_its_password_opens_no_account_and_the_start_says_so(services: Services):
    outside = replace(services, settings=replace(services.settings, demo=False))

    async def log_in(used: Services) -> int:
        app = Starlette(routes=[rpc.CallRoute(used)])
        async with AsyncClient(transport=ASGITransport(app), base_url="http://test") as http:
            return (await http.post("/api/login", json={"account": "dealer", "password": OLD})).json()["message"][
                "code"
            ]

    assert await log_in(services) == 0
    assert await log_in(outside) == Code.LOGIN_REFUSED
    with structlog.testing.capture_logs() as lines:
        await server.warn_of_demo_passwords(services)
        assert lines == []
        await server.warn_of_demo_passwords(outside)
    assert lines[0]["event"] == "demo_password.refused"
    assert {"admin", "dealer", "user"} <= set(lines[0]["accounts"])


async def wait_over(db: AsyncSession) -> None:
    await db.execute(text("UPDATE login_attempt SET at = at - interval '16 minutes'"))
    await db.commit()


async def test_a_session_that_guesses_its_own_password_must_wait_and_ends(console: LogIn, db: AsyncSession):
    me, other = await console("dealer"), await console("dealer")
    guess = {"password": "wrong", "newPassword": "Better-one-2"}
    codes = [(await me.raw("/user/updatePassword", **guess))[0] for _ in range(service.OWN_FREE)]
    assert codes == [Code.BAD_INPUT] * service.OWN_FREE
    assert (await me.raw("/user/updatePassword", **guess))[0] == Code.TOO_MANY_TRIES
    right = {"password": OLD, "newPassword": "Better-one-2"}
    assert (await me.raw("/user/updatePassword", **right))[0] == Code.TOO_MANY_TRIES
    for _ in range(service.OWN_MOST - service.OWN_FREE - 1):
        await wait_over(db)
        assert (await me.raw("/user/updatePassword", **guess))[0] == Code.BAD_INPUT
    await wait_over(db)
    assert (await me.raw("/user/updatePassword", **guess))[0] == Code.SESSION_INVALID
    assert (await me.raw("/getLanguage"))[0] == Code.SESSION_INVALID
    await wait_over(db)
    await other("/user/updatePassword", **right)
    assert (await console("dealer", password="Better-one-2")).id == me.id


async def test_wrong_own_passwords_count_wherever_they_are_asked_for(console: LogIn, services: Services):
    object.__setattr__(services.settings, "oidc_issuer", "https://login.example.org")
    object.__setattr__(services.settings, "oidc_client_id", "lustra")
    me = await console("dealer")
    for _ in range(service.OWN_FREE):
        assert (await me.raw("/sso/ask", password="wrong"))[0] == Code.BAD_INPUT
    changed = await me.raw("/user/updatePassword", password=OLD, newPassword="Better-one-2")
    assert changed[0] == Code.TOO_MANY_TRIES


async def test_a_first_password_that_nobody_changed_in_time_opens_nothing(
    console: LogIn, anonymous: Console, db: AsyncSession
):
    dealer = await console("dealer")
    account = await dealer("/user/insertUser", account="newcomer7", name="Ann")
    payload = {"account": "newcomer7", "password": account["password"]}
    assert (await anonymous.raw("/login", **payload))[0] == 0
    age = text("UPDATE account SET password_at = now() - interval '14 days 1 minute' WHERE account = :name")
    await db.execute(age, {"name": "newcomer7"})
    await db.commit()
    answer = await anonymous.answer("/login", **payload)
    assert answer["message"]["code"] == Code.FIRST_PASSWORD_OVER
    assert answer["message"]["message"].startswith("This initial password has expired.")
    assert (await anonymous.raw("/login", **payload | {"password": "wrong"}))[0] == Code.LOGIN_REFUSED
    again = await dealer("/user/updateInitialPassword", targetUserId=account["userId"])
    assert (await anonymous.raw("/login", **payload | again))[0] == 0


async def test_the_first_administrators_password_and_chosen_ones_do_not_run_out(anonymous: Console, db: AsyncSession):
    await db.execute(text("UPDATE account SET password_at = now() - interval '400 days', must_change = level = 1"))
    await db.commit()
    for name in ("admin", "dealer"):
        assert (await anonymous.raw("/login", account=name, password=OLD))[0] == 0


async def test_a_session_ends_after_thirty_days_however_much_it_is_used(
    console: LogIn, services: Services, db: AsyncSession
):
    old, young = await console("dealer"), await console("dealer")
    for session, age in ((old, "30 days 1 minute"), (young, "29 days 23 hours")):
        began = text(f"UPDATE login SET began_at = now() - interval '{age}', seen_at = now() WHERE id = :id")
        await db.execute(began, {"id": session.session["uuid"]})
    await db.commit()
    forget_logins(services)
    assert (await old.raw("/getLanguage"))[0] == Code.SESSION_INVALID
    assert [row["uuid"] for row in (await young("/user/sessions"))["list"]] == [young.session["uuid"]]
    await sessions.purge(services)
    assert list(await db.scalars(text("SELECT id FROM login"))) == [young.session["uuid"]]


async def test_slow_down_and_record_who_tries_many_login_names(console: LogIn):
    dealer, admin = await console("dealer"), await console("admin")
    for _ in range(users.NAMES_FREE):
        assert (await dealer.raw("/user/insertUser", account="RIVAL", name="x"))[0] == Code.EXISTS
    assert (await dealer.raw("/user/insertUser", account="rivaluser", name="x"))[0] == Code.TOO_MANY_TRIES
    rows = (await admin("/log/list", action="user.insert", refused=1, pageSize=100))["list"]
    assert len(rows) == users.NAMES_FREE + 1
    assert {row["account"] for row in rows} == {"dealer"}
