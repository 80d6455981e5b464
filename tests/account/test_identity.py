"""What lets somebody into an account later, or shuts its owner out, takes the password once a session is not fresh."""

from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.errors import Code
from lustra.domains.account.rules import FRESH_MINUTES
from lustra.domains.account.seed import DEMO_PASSWORD
from tests.clients import Console, LogIn

AGED = text("update login set began_at = now() - make_interval(mins => :minutes, secs => 1) where id = :id")
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("/user/updateUserInfo", {"email": "thief@example.org"}),
    ("/user/updateUserInfo", {"phone": "13800138000"}),
    ("/user/cleanToken", {}),
    ("/user/apiKey/insert", {"name": "Reports", "keys": ["device/index"]}),
    ("/sso/disconnect", {}),
]
sensitive = pytest.mark.parametrize(
    ("path", "payload"), CALLS, ids=[f"{path} {' '.join(sent)}" for path, sent in CALLS]
)


async def log_in_long_ago(console: LogIn, db: AsyncSession, account: str = "admin") -> Console:
    me = await console(account)
    await db.execute(AGED, {"minutes": FRESH_MINUTES, "id": me.session["uuid"]})
    await db.commit()
    return me


@sensitive
async def test_ask_an_old_session_for_its_password(
    console: LogIn, db: AsyncSession, path: str, payload: dict[str, Any]
):
    me = await log_in_long_ago(console, db)
    before = await me("/user/me")
    refusal = {"field": "password", "minutes": FRESH_MINUTES}
    assert await me.raw(path, **payload) == (Code.BAD_INPUT, refusal)
    assert await me.raw(path, **payload, password="wrong") == (Code.BAD_INPUT, {"field": "password"})
    assert await me("/user/me") == before
    assert (await me("/user/apiKey/list"))["list"] == []
    await me(path, **payload, password=DEMO_PASSWORD)
    assert await me.raw("/user/updateUserInfo", email="other@example.org") == (Code.BAD_INPUT, refusal)  # once


@sensitive
async def test_ask_a_fresh_session_for_no_password(console: LogIn, path: str, payload: dict[str, Any]):
    await (await console("admin"))(path, **payload)


async def test_an_old_session_ends_itself_and_others_by_the_password(console: LogIn, db: AsyncSession):
    other, me = await console("admin"), await log_in_long_ago(console, db)
    code, _ = await me.raw("/user/endSession", uuid=other.session["uuid"])
    assert code == Code.BAD_INPUT
    await other("/user/preferences")
    await me("/user/endSession", uuid=other.session["uuid"], password=DEMO_PASSWORD)
    assert (await other.raw("/user/preferences"))[0] == Code.SESSION_INVALID
    await me("/user/endSession", uuid=me.session["uuid"])  # a log-out
    assert (await me.raw("/user/preferences"))[0] == Code.SESSION_INVALID


async def test_an_old_session_changes_a_name_and_data_of_others(console: LogIn, db: AsyncSession):
    me, user = await log_in_long_ago(console, db), await console("user")
    await me("/user/updateUserInfo", name="Headquarters", email="", phone="")  # as they are
    await me("/user/updateUserInfo", targetUserId=user.id, email="floors@example.org")
    await me("/user/cleanToken", targetUserId=user.id)


async def test_guesses_at_the_password_of_a_session_are_counted(console: LogIn, db: AsyncSession):
    me = await log_in_long_ago(console, db)
    codes = [(await me.raw("/user/cleanToken", password=f"guess {turn}"))[0] for turn in range(7)]
    assert codes[-1] == Code.TOO_MANY_TRIES


async def test_a_password_alone_changes_nothing(console: LogIn):
    me = await console("dealer")
    assert (await me.raw("/user/updateUserInfo", password=DEMO_PASSWORD))[0] == Code.BAD_INPUT
