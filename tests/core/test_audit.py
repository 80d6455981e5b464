"""Each change and each denied try leaves a row."""

import math
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.audit_trail import audit
from lustra.core.audit_trail.anonymous import AnonymousTry
from lustra.core.audit_trail.audit import Audit
from lustra.core.context import NOBODY
from lustra.core.errors import Code
from tests.clients import Console, LogIn


async def rows(db: AsyncSession, action: Any):
    return list(await db.scalars(select(Audit).where(Audit.action == action).order_by(Audit.id)))


async def test_a_done_change_is_recorded_with_who_what_and_whence_but_no_secret(console: LogIn, db: AsyncSession):
    admin = await console("admin")
    await admin("/test/drive", deviceId=3, secret="do not keep")
    (row,) = await rows(db, "test.drive")
    assert (row.account_id, row.name, row.code, row.address) == (admin.id, "admin", 0, "127.0.0.1")
    assert row.detail["deviceId"] == 3
    assert "do not keep" not in str(row.detail)


async def test_a_denied_try_is_recorded_though_nothing_was_changed(user: Console, db: AsyncSession):
    await user.raw("/test/drive", deviceId=1)
    await user.raw("/test/refuse", deviceId=1)
    assert [row.code for row in await rows(db, "test.drive")] == [Code.FORBIDDEN]
    assert [row.code for row in await rows(db, "test.refuse")] == [Code.LOCKED]


async def test_a_failed_login_is_recorded_without_its_password(anonymous: Console, db: AsyncSession):
    await anonymous.raw("/login", account="admin", password="guessed-it")
    (row,) = await db.scalars(select(AnonymousTry))
    assert (row.code, row.detail["account"]) == (Code.LOGIN_REFUSED, "admin")
    assert "guessed-it" not in str(row.detail)


async def test_a_text_that_cannot_be_stored_hides_no_try(user: Console, console: LogIn, db: AsyncSession):
    """What the field held is not told, but that it was tried, by whom and at what."""
    code, data = await user.raw("/test/refuse", deviceId=1, note="\0")
    assert (code, data) == (Code.BAD_INPUT, {"field": "note"})
    (row,) = await rows(db, "test.refuse")
    assert (row.code, row.account_id, row.detail) == (
        Code.BAD_INPUT,
        user.id,
        {"field": "note", "reason": "characters"},
    )


@pytest.mark.parametrize(
    "text", [{"names": "a,\0"}, {"names": ["a", "\0"]}, {"beans": '["\\u0000"]'}, {"x": {"\0": 1}}]
)
async def test_unstorable_text_is_refused_wherever_it_stands(console: LogIn, text: dict[str, Any]):
    admin = await console("admin")
    assert (await admin.raw("/test/echo", deviceId=1, **text))[0] == Code.BAD_INPUT


async def test_a_detail_is_stored_whatever_it_holds(db: AsyncSession):
    audit.write(db, NOBODY, "test", detail={"a\0": ["\ud800", math.nan, {"b": (1, None)}], "c": object})
    await db.commit()
    (row,) = await rows(db, "test")
    assert row.detail["a\ufffd"] == ["\ufffd", "nan", {"b": [1, None]}]
