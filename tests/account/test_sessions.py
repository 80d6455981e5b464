"""One's own sessions and API keys: what they are, what ends them, what a key may never do."""

import asyncio
import time
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.bus import connect
from lustra.core.calls.registry import CALLS
from lustra.core.context import Services
from lustra.core.errors import Code
from lustra.core.security.permission import FIRST
from lustra.core.settings import Settings
from lustra.domains.account import api_keys
from lustra.domains.account.credentials import sessions
from tests.clients import Console, LogIn
from tests.world import until


async def keyed(me: Console, anonymous: Console, *keys: str, **more: Any) -> dict:
    """A key, sent by `anonymous` from now on."""
    api_key = await me("/user/apiKey/insert", name="Reports", keys=list(keys), **more)
    anonymous.http.headers["authorization"] = f"Bearer {api_key['secret']}"
    return api_key


async def test_ones_own_sessions_are_listed_and_the_present_one_is_marked(console: LogIn):
    first, second = await console("user"), await console("user", language="de")
    await console("dealer")
    sessions_listed = (await first("/user/sessions"))["list"]
    assert {row["uuid"] for row in sessions_listed} == {first.session["uuid"], second.session["uuid"]}
    [present] = [row for row in sessions_listed if row["present"]]
    assert (present["uuid"], present["address"], present["language"]) == (first.session["uuid"], "127.0.0.1", "en")
    assert present["beganTime"] <= present["lastTime"]


async def test_a_session_that_its_owner_ends_is_over_at_once(console: LogIn):
    first, second = await console("user"), await console("user")
    await first("/user/endSession", uuid=second.session["uuid"])
    assert (await second.raw("/user/sessions"))[0] == Code.SESSION_INVALID
    assert len((await first("/user/sessions"))["list"]) == 1


@pytest.mark.parametrize("other", ["admin", "dealer", "shadow", "rival"])
async def test_neither_show_nor_end_sessions_of_others(console: LogIn, other: str):
    user, asks = await console("user"), await console(other)
    assert user.session["uuid"] not in {row["uuid"] for row in (await asks("/user/sessions"))["list"]}
    assert (await asks.raw("/user/endSession", uuid=user.session["uuid"]))[0] == Code.NOT_FOUND
    await user("/user/sessions")


async def test_a_key_opens_what_it_is_limited_to_and_tells_when_it_was_used(console: LogIn, anonymous: Console):
    me = await console("dealer")
    api_key = await keyed(me, anonymous, "device/index")
    assert (await me("/user/apiKey/list"))["list"][0]["lastTime"] is None
    await anonymous("/device/selectDevicePc")
    assert (await anonymous.raw("/taskReport/list"))[0] == Code.FORBIDDEN
    [row] = (await me("/user/apiKey/list"))["list"]
    assert (row["id"], row["name"], row["keys"]) == (api_key["id"], "Reports", ["device/index"])
    assert row["lastTime"]
    assert row["expireTime"] == api_key["expireTime"]
    anonymous.http.headers = {"token": anonymous.http.headers["authorization"][7:]}
    await anonymous("/device/selectDevicePc")


async def waiting_look_ups(db: AsyncSession) -> int:
    """How many connections wait for the lock of the sessions' table."""
    return (
        await db.scalar(text("select count(*) from pg_locks where not granted and relation = 'login'::regclass")) or 0
    )


async def two_wait(db: AsyncSession) -> bool:
    return await waiting_look_ups(db) == 2


async def test_calls_that_come_at_once_share_one_look_up_of_their_session(
    console: LogIn, services: Services, db: AsyncSession
):
    token = (await console("user")).session["token"]
    logins = sessions.Logins(services.pool, services.bus, services.settings)
    await db.execute(text("lock table login in access exclusive mode"))
    calls = [asyncio.create_task(logins.of(token)) for _ in range(8)]
    await until(lambda: waiting_look_ups(db))
    assert len(logins.look_ups) == 1
    assert await waiting_look_ups(db) == 1
    await db.commit()
    results = await asyncio.gather(*calls)
    assert len({session.actor.session_id for session in results if session}) == 1
    assert not logins.look_ups


async def test_calls_before_the_first_password_is_changed_look_anew(
    console: LogIn, services: Services, db: AsyncSession
):
    token = (await console("user")).session["token"]
    await db.execute(text("update account set must_change = true where account = 'user'"))
    await db.commit()
    logins = sessions.Logins(services.pool, services.bus, services.settings)
    await db.execute(text("lock table login in access exclusive mode"))
    calls = [asyncio.create_task(logins.of(token)) for _ in range(2)]
    await until(lambda: waiting_look_ups(db))
    await db.commit()
    assert [session and session.must_change for session in await asyncio.gather(*calls)] == [True, True]
    assert not logins.cache


async def test_a_look_up_that_is_cancelled_is_joined_by_nobody(console: LogIn, services: Services, db: AsyncSession):
    token = (await console("user")).session["token"]
    logins = sessions.Logins(services.pool, services.bus, services.settings)
    await db.execute(text("lock table login in access exclusive mode"))
    call = asyncio.create_task(logins.of(token))
    await until(lambda: waiting_look_ups(db))
    [look_up] = logins.look_ups.values()
    look_up.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await db.commit()
    assert not logins.look_ups
    assert await logins.of(token)


async def test_a_note_of_the_bus_that_is_gone_revokes_nothing(console: LogIn, services: Services):
    token = (await console("user")).session["token"]
    logins = sessions.Logins(services.pool, services.bus, services.settings)
    session = await logins.of(token)
    assert session
    for at, revoked in ((None, False), (1, True)):
        logins.on_revoked(session.actor.session_id, at)
        assert logins.is_revoked(session.actor.session_id) is revoked
        assert bool(await logins.of(token)) is not revoked


async def test_a_call_after_a_change_of_rights_does_not_join_a_look_up_from_before(
    console: LogIn, services: Services, db: AsyncSession
):
    me = await console("user")
    logins = sessions.Logins(services.pool, services.bus, services.settings)
    await db.execute(text("lock table login in access exclusive mode"))
    before = asyncio.create_task(logins.of(me.session["token"]))
    await until(lambda: waiting_look_ups(db))
    logins.forget_account(me.id)
    after = asyncio.create_task(logins.of(me.session["token"]))
    await until(lambda: two_wait(db))
    await db.commit()
    assert await before
    assert await after


async def test_of_many_sessions_the_one_used_longest_ago_is_forgotten(console: LogIn, services: Services):
    tokens = [(await console(name)).session["token"] for name in ("user", "dealer", "sub")]
    logins = sessions.Logins(services.pool, services.bus, services.settings, most=2)
    for token in (*tokens[:2], tokens[0], tokens[2]):
        assert await logins.of(token)
    assert set(logins.cache) == {sessions.digest(tokens[0]), sessions.digest(tokens[2])}


async def test_a_key_never_holds_more_than_its_maker(console: LogIn, anonymous: Console):
    dealer, user = await console("dealer"), await console("user")
    code, data = await user.raw("/user/apiKey/insert", name="x", keys=["user/role"])
    assert (code, data["field"]) == (Code.FORBIDDEN, "keys")
    assert (await user.raw("/user/apiKey/insert", name="x", keys=["no/key"]))[0] == Code.BAD_INPUT
    assert (await user.raw("/user/apiKey/insert", name="x", keys=[]))[0] == Code.BAD_INPUT
    await keyed(user, anonymous, "device/index", "device/report")
    await dealer("/user/updateUserPermission", targetUserId=user.id, keys=["index", "device/report"])
    assert (await anonymous.raw("/device/selectDevicePc"))[0] == Code.FORBIDDEN
    await anonymous("/taskReport/list")


async def test_a_key_of_a_shadow_sees_as_the_shadow_does(console: LogIn, anonymous: Console):
    shadow = await console("shadow")
    await keyed(shadow, anonymous, "user/index")
    assert {row["account"] for row in (await anonymous("/user/selectUserList"))["list"]} == {"sub", "subsub"}


def test_refuse_api_keys_at_calls_about_log_ins_and_rights():
    people = {registered.path for registered in CALLS.values() if registered.person or registered.needs is FIRST}
    assert people >= {
        "/user/updatePassword",
        "/user/updateInitialPassword",
        "/user/insertUser",
        "/user/updateUserPermission",
        "/user/apiKey/insert",
        "/user/apiKey/list",
        "/user/apiKey/delete",
        "/user/sessions",
        "/user/endSession",
        "/user/cleanToken",
        "/user/role/update",
        "/user/role/group/update",
        "/logout",
    }


@pytest.mark.parametrize(
    ("path", "payload"),
    [
        ("/user/apiKey/insert", {"name": "Second", "keys": ["index"]}),
        ("/user/apiKey/list", {}),
        ("/user/updatePassword", {"password": "Lustra-demo-1", "newPassword": "a-better-one-1"}),
        ("/user/updateInitialPassword", {"targetUserId": 1}),
        ("/user/insertUser", {"account": "Robot2", "name": "x", "password": "a-better-one-1"}),
        ("/user/sessions", {}),
    ],
)
async def test_a_key_makes_no_keys_and_changes_no_passwords(
    console: LogIn, anonymous: Console, db: AsyncSession, path: str, payload: dict[str, Any]
):
    admin = await console("admin")
    await keyed(admin, anonymous, "index", "user/index", "user/index/add", "user/index/init_password")
    before = (await db.execute(text("select id, password from account order by id"))).all()
    answer = await anonymous.answer(path, **payload)
    assert answer["message"] == {"code": Code.FORBIDDEN, "message": "This cannot be done with an API key"}
    await db.rollback()
    assert (await db.execute(text("select id, password from account order by id"))).all() == before
    assert len((await admin("/user/apiKey/list"))["list"]) == 1


async def test_a_key_ends_when_its_maker_deletes_it(console: LogIn, anonymous: Console):
    me = await console("dealer")
    api_key = await keyed(me, anonymous, "device/index")
    await anonymous("/device/selectDevicePc")
    for other in ("admin", "user", "rival"):
        assert (await (await console(other)).raw("/user/apiKey/delete", keyId=api_key["id"]))[0] == Code.NOT_FOUND
    await me("/user/apiKey/delete", keyId=api_key["id"])
    assert (await anonymous.raw("/device/selectDevicePc"))[0] == Code.SESSION_INVALID
    assert (await me("/user/apiKey/list"))["list"] == []


async def test_a_key_ends_by_itself_and_is_shown_for_a_while(
    console: LogIn, anonymous: Console, services: Services, db: AsyncSession
):
    me = await console("dealer")
    await keyed(me, anonymous, "device/index", days=1)
    await db.execute(text("update api_key set expires_at = now() - interval '29 days'"))
    await db.commit()
    assert (await anonymous.raw("/device/selectDevicePc"))[0] == Code.SESSION_INVALID
    await sessions.purge(services)
    assert len((await me("/user/apiKey/list"))["list"]) == 1
    await db.execute(text("update api_key set expires_at = now() - interval '31 days'"))
    await db.commit()
    await sessions.purge(services)
    assert (await me("/user/apiKey/list"))["list"] == []
    for days in (0, 367):
        assert (await me.raw("/user/apiKey/insert", name="x", keys=["index"], days=days))[0] == Code.BAD_INPUT


@pytest.mark.parametrize(
    ("path", "how"),
    [
        ("/user/cleanToken", {}),
        ("/user/updateInitialPassword", {}),
        ("/user/deleteUserInfo", {}),
    ],
)
async def test_keys_end_with_the_sessions_that_others_end(
    console: LogIn, anonymous: Console, path: str, how: dict[str, Any]
):
    dealer, admin, rivaluser = await console("dealer"), await console("admin"), await console("rivaluser")
    await keyed(rivaluser, anonymous, "device/index")
    await anonymous("/device/selectDevicePc")
    await admin(path, targetUserId=rivaluser.id, **how)
    assert (await anonymous.raw("/device/selectDevicePc"))[0] == Code.SESSION_INVALID
    assert dealer.id


async def test_show_the_secret_once_and_store_only_its_hash(console: LogIn, anonymous: Console, db: AsyncSession):
    me = await console("dealer")
    api_key = await keyed(me, anonymous, "device/index")
    assert api_key["secret"].startswith(api_keys.PREFIX)
    stored = (
        await db.execute(text("select k::text || (select json_agg(a)::text from audit a) from api_key k"))
    ).scalar_one()
    assert api_key["secret"] not in stored
    assert api_key["secret"] not in str(await me("/user/apiKey/list"))
    [row] = (await (await console("admin"))("/log/list", action="api_key.insert"))["list"]
    assert row["detail"] == {"name": "Reports", "keys": ["device/index"], "id": api_key["id"]}


async def test_an_account_has_at_most_twenty_keys(console: LogIn):
    me = await console("dealer")
    for _ in range(20):
        await me("/user/apiKey/insert", name="x", keys=["index"])
    answer = await me.answer("/user/apiKey/insert", name="x", keys=["index"])
    assert answer["message"]["message"] == "Name: At most 20 API keys"


@pytest.mark.parametrize("deleted", ["shadow", "user"])
async def test_the_token_of_a_deleted_account_is_no_token(
    console: LogIn, services: Services, db: AsyncSession, deleted: str
):
    """Neither a shadow's own, nor one of a shadow whose account is gone."""
    token = (await console("shadow")).session["token"]
    logins = sessions.Logins(services.pool, services.bus, services.settings)
    await db.execute(text("update account set deleted_at = now() where account = :name"), {"name": deleted})
    await db.commit()
    assert await logins.of(token) is None


async def test_a_look_up_is_remembered_for_five_seconds(console: LogIn, services: Services):
    token = (await console("user")).session["token"]
    logins = sessions.Logins(services.pool, services.bus, services.settings)
    before = time.monotonic()
    assert await logins.of(token)
    after = time.monotonic()
    logins.cache.expire(before + 4.999)
    assert len(logins.cache) == 1
    logins.cache.expire(after + 5)
    assert len(logins.cache) == 0


async def test_while_the_bus_is_away_every_call_asks_the_database(
    console: LogIn, services: Services, settings: Settings, db: AsyncSession
):
    token = (await console("user")).session["token"]
    bus = await connect(settings.nats_url, "test")
    logins = sessions.Logins(services.pool, bus, services.settings)
    assert await logins.of(token)  # remembered
    await bus.close()  # from now on nobody hears what is revoked
    assert await logins.of(token)
    await db.execute(text("delete from login"))
    await db.commit()
    assert await logins.of(token) is None
