"""Logging in and out: tokens, attempts, expiry, revocation, language."""

import asyncio
import time
from collections import Counter
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.applications import Starlette

from lustra.app.opening import opened
from lustra.core.calls.registry import CALLS
from lustra.core.context import Services
from lustra.core.errors import Code
from lustra.core.security.permission import FIRST, PUBLIC
from lustra.core.settings import Settings
from lustra.domains.account.credentials import passwords, sessions
from lustra.domains.account.credentials.attempts import FREE
from lustra.domains.account.credentials.sessions import digest
from tests.clients import Console, LogIn
from tests.world import forget_logins, until


@pytest.mark.spec(
    "state.session.logged_in",
    "state.session.t01",
    "call.login",
    "ent.login_response",
    "prule.login",
    "const.x.login_type",
    "ent.permission",
)
async def test_a_right_password_begins_a_session_with_the_accounts_keys(console: LogIn):
    me = (await console("dealer")).session
    assert (me["account"], me["levelDepth"], me["shadowId"], me["mustChange"], me["language"]) == (
        "dealer",
        2,
        None,
        False,
        "en",
    )
    beans = {bean["key"]: bean for bean in me["permissionBeans"]}
    assert {"index", "device/index", "user/index"} <= beans.keys()
    assert "index/clear_data" not in beans
    assert beans["device/index"] == {"key": "device/index", "name": "Devices"} | {
        "description": "Opens the page “Devices” and its contents",
        "sort": 4,
    }
    assert len(me["token"]) >= 40


@pytest.mark.spec("call.login")
async def test_answer_alike_to_a_wrong_password_and_an_unknown_account(anonymous: Console):
    wrong = await anonymous.answer("/login", account="dealer", password="wrong")
    unknown = await anonymous.answer("/login", account="nobody", password="wrong")
    assert wrong == unknown
    assert wrong["message"] == {"code": Code.LOGIN_REFUSED, "message": "Wrong login name or password"}
    code, _ = await anonymous.raw("/login", account="dealer", password="Lustra-demo-1", type="robot")
    assert code == Code.BAD_INPUT


async def test_a_deleted_account_cannot_log_in(anonymous: Console, db: AsyncSession):
    await db.execute(text("UPDATE account SET deleted_at = now() WHERE account = 'sub'"))
    await db.commit()
    assert (await anonymous.raw("/login", account="sub", password="Lustra-demo-1"))[0] == Code.LOGIN_REFUSED


async def test_the_login_page_speaks_the_browsers_language(anonymous: Console):
    anonymous.http.headers["accept-language"] = "ja,en;q=0.5"
    answer = await anonymous.answer("/login", account="dealer", password="wrong")
    assert answer["message"]["message"] == "ログインIDまたはパスワードが正しくありません"


async def test_passwords_and_tokens_are_kept_as_hashes_only(console: LogIn, db: AsyncSession):
    me = await console("dealer")
    password = await db.scalar(text("SELECT password FROM account WHERE account = 'dealer'"))
    assert password.startswith("$argon2id$v=19$")
    assert (passwords.ROUNDS, passwords.MEMORY_KIB) == (2, 19456)  # OWASP's least; in tests it is less
    assert await db.scalar(text("SELECT token FROM login")) == digest(me.session["token"])
    everything = await db.scalar(text("SELECT string_agg(l::text, '') FROM login l"))
    assert me.session["token"] not in everything


async def test_wait_longer_after_each_failure_beyond_the_free_tries(anonymous: Console, db: AsyncSession):
    answers = [await anonymous.answer("/login", account="dealer", password="wrong") for _ in range(FREE["pair"] + 1)]
    assert [answer["message"]["code"] for answer in answers] == [Code.LOGIN_REFUSED] * FREE["pair"] + [
        Code.TOO_MANY_TRIES
    ]
    assert answers[-1]["data"]["seconds"] >= 1
    right = await anonymous.raw("/login", account="dealer", password="Lustra-demo-1")
    assert right[0] == Code.TOO_MANY_TRIES
    assert (await anonymous.raw("/login", account="user", password="Lustra-demo-1"))[0] == 0
    wrong = "UPDATE login_attempt SET failures = 30, at = now() - interval '14 minutes' WHERE key LIKE 'pair:%'"
    await db.execute(text(wrong))
    await db.commit()
    assert 50 <= (await anonymous.raw("/login", account="dealer", password="wrong"))[1]["seconds"] <= 60
    await db.execute(text("UPDATE login_attempt SET at = now() - interval '16 minutes'"))
    await db.commit()
    assert (await anonymous.raw("/login", account="dealer", password="Lustra-demo-1"))[0] == 0
    assert await db.scalar(text("SELECT count(*) FROM login_attempt WHERE key LIKE '%dealer%'")) == 0  # only digests


async def test_tries_are_counted_by_the_peers_address_whatever_a_header_claims(anonymous: Console):
    for number in range(FREE["address"]):
        claimed = {"x-forwarded-for": f"10.0.0.{number}", "forwarded": f"for=10.0.0.{number}"}
        payload = {"account": f"guess{number}", "password": "wrong"}
        await anonymous.http.post("/api/login", json=payload, headers=claimed)
    assert (await anonymous.raw("/login", account="other", password="wrong"))[0] == Code.TOO_MANY_TRIES


async def test_tries_at_the_same_time_count_too(anonymous: Console):
    tries = [anonymous.raw("/login", account="dealer", password="wrong") for _ in range(100)]
    codes = Counter([code for code, _ in await asyncio.gather(*tries)])
    assert codes == {Code.LOGIN_REFUSED: FREE["pair"], Code.TOO_MANY_TRIES: 100 - FREE["pair"]}


@pytest.mark.spec("state.session", "state.session.anonymous", "state.session.t02", "call.logout", "err.env.10003")
async def test_logging_out_ends_the_token(console: LogIn):
    me = await console("dealer")
    await me("/logout")
    assert (await me.raw("/getLanguage"))[0] == Code.SESSION_INVALID
    assert (await me.raw("/logout"))[0] == Code.SESSION_INVALID


async def test_a_revoked_session_ends_on_every_server_within_a_second(
    console: LogIn, settings: Settings, services: Services
):
    me = await console("dealer")
    async with opened(settings, "other") as other:
        assert await other.logins.of(me.session["token"])
        await me("/logout")
        began = time.monotonic()
        while await other.logins.of(me.session["token"]):
            assert time.monotonic() - began < 1
            await asyncio.sleep(0.01)
    assert await services.bus.get("revoked", me.session["uuid"]) > 0


async def test_a_session_idle_for_twelve_hours_is_over_and_a_used_one_is_not(
    console: LogIn, services: Services, db: AsyncSession
):
    idle, used = await console("dealer"), await console("user")
    ages = {idle.session["uuid"]: "12 hours 1 second", used.session["uuid"]: "11 hours"}
    for session, age in ages.items():
        await db.execute(text(f"UPDATE login SET seen_at = now() - interval '{age}' WHERE id = :id"), {"id": session})
    await db.commit()
    forget_logins(services)
    assert (await idle.raw("/getLanguage"))[0] == Code.SESSION_INVALID
    assert (await used.raw("/getLanguage"))[0] == 0
    seen = text("SELECT now() - seen_at < interval '1 minute' FROM login WHERE id = :id")
    assert await db.scalar(seen, {"id": used.session["uuid"]})


async def test_a_change_of_roles_counts_at_the_next_call_not_the_next_login(
    console: LogIn, services: Services, db: AsyncSession
):
    me = await console("admin")
    await db.execute(text("UPDATE account SET roles = '{11}' WHERE account = 'admin'"))
    await db.commit()
    services.logins.forget_account(me.id)
    session = await services.logins.of(me.session["token"])
    assert "index/clear_data" not in session.actor.keys


@pytest.mark.spec("call.setLanguage", "call.getLanguage")
async def test_the_language_is_the_sessions_and_the_accounts_for_the_next_one(console: LogIn, web: Starlette):
    me, before = await console("dealer"), await console("dealer", language="de")
    await me("/setLanguage", userId=me.id, language="fr")
    assert (await me("/getLanguage"))["language"] == "fr"
    assert (await before("/getLanguage"))["language"] == "de"
    assert (await me.answer("/setLanguage", language="xx"))["message"]["message"] == (
        "Langue\u00a0: Choisissez l’une des options"
    )
    async with AsyncClient(transport=ASGITransport(web), base_url="http://test") as http:
        payload = {"account": "dealer", "password": "Lustra-demo-1"}
        assert (await http.post("/api/login", json=payload)).json()["data"]["language"] == "fr"


@pytest.mark.spec("rule.password.required", "call.user.updatePassword")
async def test_a_new_password_needs_the_old_one_and_ends_the_other_sessions(console: LogIn, anonymous: Console):
    me, other = await console("dealer"), await console("dealer")
    refused = await me.answer("/user/updatePassword", password="wrong", newPassword="Better-one-2")
    assert refused["message"]["message"] == "Password: The current password is wrong"
    assert (await me.raw("/user/updatePassword", password="Lustra-demo-1", newPassword=""))[0] == Code.BAD_INPUT
    changed = {"password": "Lustra-demo-1", "newPassword": "Better-one-2"}
    assert (await me.raw("/user/updatePassword", userId=me.id + 1, **changed))[0] == Code.FORBIDDEN
    await me("/user/updatePassword", userId=me.id, **changed)
    assert (await me.raw("/getLanguage"))[0] == 0
    assert (await other.raw("/getLanguage"))[0] == Code.SESSION_INVALID
    assert (await anonymous.raw("/login", account="dealer", password="Better-one-2"))[0] == 0


async def test_of_two_new_passwords_at_once_one_alone_is_kept(
    console: LogIn, anonymous: Console, services: Services, db: AsyncSession
):
    me = await console("dealer")
    await db.execute(text("select from account where account = 'dealer' for update"))  # so both are proven before

    def change(new: str) -> asyncio.Task[dict[str, Any]]:
        return asyncio.create_task(me.answer("/user/updatePassword", password="Lustra-demo-1", newPassword=new))

    async def both_wait() -> bool:
        waiting = (
            "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
        )
        return await services.pool.fetchval(waiting) == 2

    changes = [change("Better-one-2"), change("Better-one-3")]
    await until(both_wait)
    await db.rollback()
    codes = [answer["message"]["code"] for answer in await asyncio.gather(*changes)]
    assert sorted(codes) == [0, Code.BAD_INPUT]
    password = f"Better-one-{2 + codes.index(0)}"
    assert (await anonymous.raw("/login", account="dealer", password=password))[0] == 0


async def test_sessions_that_have_expired_and_tries_that_count_no_more_are_purged(
    console: LogIn, services: Services, db: AsyncSession
):
    me, _ = await console("dealer"), await console("user")
    await db.execute(
        text("UPDATE login SET seen_at = now() - interval '13 hours' WHERE id <> :id"), {"id": me.session["uuid"]}
    )
    await db.execute(
        text(
            "INSERT INTO login_attempt (key, failures, at, known_at) VALUES"
            " ('old', 9, now() - interval '25 hours', null), ('new', 9, now(), null),"
            " ('at home', 0, now() - interval '29 days', now() - interval '29 days'),"
            " ('moved', 0, now() - interval '31 days', now() - interval '31 days')"
        )
    )
    await db.commit()
    await sessions.purge(services)
    assert await db.scalar(text("SELECT array_agg(id) FROM login")) == [me.session["uuid"]]
    named = text("SELECT array_agg(key ORDER BY key) FROM login_attempt WHERE key NOT LIKE '%:%'")
    assert await db.scalar(named) == ["at home", "new"]


@pytest.mark.spec("call.login", "call.user.updatePassword")
async def test_a_first_password_opens_nothing_before_it_is_changed(console: LogIn, db: AsyncSession):
    await db.execute(text("UPDATE account SET must_change = true WHERE account = 'dealer'"))
    await db.commit()
    me = await console("dealer")
    assert me.session["mustChange"] is True
    closed = [registered for registered in CALLS.values() if registered.needs not in (FIRST, PUBLIC)]
    assert {"/device/relayGrant", "/device/selectDevicePc", "/oss/upload"} <= {registered.path for registered in closed}
    for registered in closed:
        message = (await me.http.request(registered.method, f"/api{registered.path}")).json()["message"]
        assert message == {"code": Code.PASSWORD_FIRST, "message": "Choose a new password to continue."}, (
            registered.path
        )
    await me("/setLanguage", language="en")
    assert await me("/getLanguage") == {"language": "en"}
    same = await me.answer("/user/updatePassword", password="Lustra-demo-1", newPassword="Lustra-demo-1")
    assert same["message"]["message"] == "Password: Choose a password different from the current one"
    await me("/user/updatePassword", password="Lustra-demo-1", newPassword="Better-one-2")
    assert (await me.raw("/user/preferences"))[0] == 0
    await db.execute(text("UPDATE account SET must_change = true WHERE account = 'user'"))
    await db.commit()
    await (await console("user"))("/logout")


@pytest.mark.spec("rule.theme.color")
async def test_a_theme_colour_is_one_of_the_seven_or_the_default(console: LogIn):
    me = await console("dealer")
    for colour in ("default", "deep-blue", "sky-blue", "blue", "green", "purple", "red", "yellow"):
        assert (await me("/user/preferences", set={"colour": colour}))["colour"] == colour
    for wrong in ("mauve", "#017465", 7, ""):
        assert (await me.raw("/user/preferences", set={"colour": wrong}))[0] == Code.BAD_INPUT
    assert (await me("/user/preferences"))["colour"] == "yellow"
    assert "colour" not in await me("/user/preferences", set={"colour": None})


async def test_preferences_are_merged_by_key_and_belong_to_the_account(console: LogIn):
    me = await console("dealer")
    assert await me("/user/preferences") == {}
    assert await me("/user/preferences", set={"theme": "dark", "tabs": ["/index"]}) == {
        "theme": "dark",
        "tabs": ["/index"],
    }
    assert await me("/user/preferences", set={"theme": None, "zone": "UTC"}) == {"tabs": ["/index"], "zone": "UTC"}
    assert await (await console("dealer"))("/user/preferences") == {"tabs": ["/index"], "zone": "UTC"}
    assert await (await console("user"))("/user/preferences") == {}
    refused = await me.answer("/user/preferences", set={"tabs": "x" * 70_000})
    assert refused["message"]["message"] == "set: Too many preferences"


async def test_about_tells_accounts_and_password_in_the_demo_only(anonymous: Console, services: Services):
    about = await anonymous("/about")
    assert (about["version"], about["demo"], about["password"]) == ("1.20.0", True, "Lustra-demo-1")
    assert {"account": "shadow", "role": "Ordinary user", "robots": 0} in about["accounts"]
    assert len(about["accounts"]) == 13
    assert len(about["languages"]) == 9
    object.__setattr__(services.settings, "demo", False)
    about = await anonymous("/about")
    assert (about["demo"], about["password"], about["accounts"], about["robots"]) == (False, None, None, None)
