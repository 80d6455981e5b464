"""Each change and each denied try leaves a row; the rows are chained in the background."""

import pytest
from sqlalchemy import select, text

from lustra.core import audit
from lustra.core.anonymous import AnonymousTry
from lustra.core.audit import Audit
from lustra.core.errors import Code


async def rows(db, action):
    return list(await db.scalars(select(Audit).where(Audit.action == action).order_by(Audit.id)))


async def test_a_done_change_is_recorded_with_who_what_and_whence_but_no_secret(console, db):
    admin = await console("admin")
    await admin("/test/drive", deviceId=3, secret="do not keep")
    (row,) = await rows(db, "test.drive")
    assert (row.account_id, row.name, row.code, row.address) == (admin.id, "admin", 0, "127.0.0.1")
    assert row.detail["deviceId"] == 3
    assert "do not keep" not in str(row.detail)


async def test_a_denied_try_is_recorded_though_nothing_was_changed(user, db):
    await user.raw("/test/drive", deviceId=1)
    await user.raw("/test/refuse", deviceId=1)
    assert [row.code for row in await rows(db, "test.drive")] == [Code.FORBIDDEN]
    assert [row.code for row in await rows(db, "test.refuse")] == [Code.LOCKED]


async def test_a_failed_login_is_recorded_without_its_password(anonymous, db):
    await anonymous.raw("/login", account="admin", password="guessed-it")
    (row,) = await db.scalars(select(AnonymousTry))
    assert (row.code, row.detail["account"]) == (Code.LOGIN_REFUSED, "admin")
    assert "guessed-it" not in str(row.detail)


async def sealed(services) -> int:
    async with services.sessions.begin() as db:
        return await audit.seal(db)


async def whole(services):
    async with services.sessions() as db:
        return await audit.broken(db)


@pytest.mark.parametrize(
    "spoil",
    [
        "UPDATE audit SET code = 1 WHERE id = (SELECT audit_id FROM audit_seal WHERE position = 2)",
        "UPDATE audit SET detail = '{\"deviceId\": 2}' WHERE id = (SELECT audit_id FROM audit_seal WHERE position = 2)",
        "DELETE FROM audit_seal WHERE position = 2",
    ],
)
async def test_a_changed_or_missing_row_breaks_the_chain(services, console, db, spoil):
    admin = await console("admin")
    for number in range(3):
        await admin("/test/drive", deviceId=number)
    assert await sealed(services) == 4  # the login too
    assert await sealed(services) == 0
    assert await whole(services) is None
    await db.execute(text(spoil))
    await db.commit()
    assert await whole(services) in (2, 3)


async def test_one_seals_at_a_time(services, console):
    await console("admin")
    async with services.sessions.begin() as db:
        await db.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": audit.LOCK})
        assert await sealed(services) == 0
    assert await sealed(services) == 1
