"""A forgotten password: who asks learns nothing, the link is good once and for half an hour, and all sessions end."""

import email
import email.policy
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import mail
from lustra.core.context import Services
from lustra.core.errors import Code
from lustra.domains.account.access import recovery
from tests.clients import Console, LogIn

OLD = "Lustra-demo-1"
NEW = "Quiet-corridor-7"
JOBS = text("select args from procrastinate_jobs where task_name = :name order by id")


async def deliver(services: Services, db: AsyncSession) -> None:
    """What the worker does with the jobs that stand there."""
    await db.rollback()
    for args in list(await db.scalars(JOBS, {"name": recovery.SEND_LINK})):
        await recovery.send_link(services, **args)
    await db.execute(text("delete from procrastinate_jobs where task_name = :name"), {"name": recovery.SEND_LINK})
    await db.commit()


def mails(folder: Path) -> list[Any]:
    files = sorted((folder / mail.FOLDER).glob("*.eml"))
    return [email.message_from_bytes(file.read_bytes(), policy=email.policy.default) for file in files]


def code_of(message: Any) -> str:
    link = re.search(r"/login#reset=([\w-]+)", message.get_content())
    assert link
    return link[1]


async def ask(anonymous: Console, services: Services, db: AsyncSession, folder: Path, name: str = "dealer") -> str:
    await anonymous("/forgotPassword", account=name)
    await deliver(services, db)
    return code_of(mails(folder)[-1])


async def enter(db: AsyncSession, mailboxes: str, account: str = "dealer", language: str = "") -> None:
    values = {"email": mailboxes, "account": account, "language": language}
    await db.execute(text("update account set email = :email, language = :language where account = :account"), values)
    await db.commit()


async def test_a_link_sets_a_new_password_once_and_ends_all_sessions(
    anonymous: Console, console: LogIn, services: Services, db: AsyncSession, tmp_path: Path
):
    before = await console("dealer")
    await enter(db, "ann@example.org,office@example.org", language="de")
    code = await ask(anonymous, services, db, tmp_path)
    [message] = mails(tmp_path)
    assert message["To"] == "ann@example.org"  # the others are for news
    assert message["Subject"] == "Lustra: Neues Passwort"
    assert "30" in message.get_content()
    await anonymous("/resetPassword", code=code, newPassword=NEW)
    assert (await before.raw("/user/preferences"))[0] == Code.SESSION_INVALID
    assert (await anonymous("/login", account="dealer", password=NEW))["mustChange"] is False
    assert (await anonymous.raw("/login", account="dealer", password=OLD))[0] == Code.LOGIN_REFUSED
    again = await anonymous.answer("/resetPassword", code=code, newPassword=NEW)
    assert again["message"]["message"] == "Code: This link was used already or is too old. Ask for a new one"


async def test_the_answer_is_the_same_whether_there_is_such_an_account(
    anonymous: Console, services: Services, db: AsyncSession, tmp_path: Path
):
    await enter(db, "ann@example.org")
    answers = [await anonymous.answer("/forgotPassword", account=name) for name in ("dealer", "rivaluser", "nobody7")]
    assert answers[0] == answers[1] == answers[2]
    rows = list(await db.scalars(JOBS, {"name": recovery.SEND_LINK}))
    assert len(rows) == 3
    assert "nobody7" not in str(rows)  # people type passwords into the field of the name
    await deliver(services, db)
    assert [message["To"] for message in mails(tmp_path)] == ["ann@example.org"]


async def test_only_the_newest_link_is_good_and_for_half_an_hour(
    anonymous: Console, services: Services, db: AsyncSession, tmp_path: Path
):
    await enter(db, "ann@example.org")
    first = await ask(anonymous, services, db, tmp_path)
    second = await ask(anonymous, services, db, tmp_path)
    assert (await anonymous.raw("/resetPassword", code=first, newPassword=NEW))[0] == Code.BAD_INPUT
    assert await db.scalar(text("select max(expires_at) - now() from one_time_code")) < timedelta(minutes=31)
    await db.execute(text("update one_time_code set expires_at = now() - interval '1 second'"))
    await db.commit()
    assert (await anonymous.raw("/resetPassword", code=second, newPassword=NEW))[0] == Code.BAD_INPUT


async def test_a_password_that_is_refused_leaves_the_link_as_it_was(
    anonymous: Console, services: Services, db: AsyncSession, tmp_path: Path
):
    await enter(db, "ann@example.org")
    code = await ask(anonymous, services, db, tmp_path)
    for password in ("password", "dealer-1", "short"):
        assert (await anonymous.raw("/resetPassword", code=code, newPassword=password))[0] == Code.BAD_INPUT
    await anonymous("/resetPassword", code=code, newPassword=NEW)


async def test_links_are_limited_by_name_whether_anybody_has_it_and_by_address(
    anonymous: Console, db: AsyncSession, monkeypatch: pytest.MonkeyPatch
):
    for name in ("dealer", "nobody7"):
        for _ in range(recovery.FREE_OF_NAME):
            await anonymous("/forgotPassword", account=name)
        # The first wait is but a second.
        await db.execute(text("update login_attempt set at = now() + interval '1 hour'"))
        await db.commit()
        assert (await anonymous.raw("/forgotPassword", account=name.upper()))[0] == Code.TOO_MANY_TRIES
    monkeypatch.setattr(recovery, "FREE_OF_ADDRESS", 1)
    assert (await anonymous.raw("/forgotPassword", account="user"))[0] == Code.TOO_MANY_TRIES


async def test_a_mailbox_that_a_session_entered_lately_gets_no_link(
    anonymous: Console, console: LogIn, services: Services, db: AsyncSession, tmp_path: Path
):
    me = await console("dealer")
    await me("/user/updateUserInfo", email="thief@example.org")
    await anonymous("/forgotPassword", account="dealer")
    await deliver(services, db)
    assert mails(tmp_path) == []
    await db.execute(text("update account set email_at = now() - interval '73 hours' where account = 'dealer'"))
    await db.commit()
    assert await ask(anonymous, services, db, tmp_path)
    boss = await console("admin")
    await boss("/user/updateUserInfo", targetUserId=me.id, email="ann@example.org")  # who may change it vouches for it
    assert await ask(anonymous, services, db, tmp_path)
    assert mails(tmp_path)[-1]["To"] == "ann@example.org"


async def test_say_at_once_that_no_mail_server_is_set(
    anonymous: Console, services: Services, monkeypatch: pytest.MonkeyPatch
):
    assert (await anonymous("/about"))["mails"] is True
    monkeypatch.setattr(services, "settings", replace(services.settings, demo=False, smtp_url=""))
    assert (await anonymous("/about"))["mails"] is False
    assert (await anonymous.raw("/forgotPassword", account="dealer"))[0] == Code.MAIL_OFF


async def test_a_link_of_an_account_that_was_deleted_meanwhile_sets_nothing(
    anonymous: Console, services: Services, db: AsyncSession, tmp_path: Path
):
    await enter(db, "ann@example.org", account="rivaluser")
    code = await ask(anonymous, services, db, tmp_path, "rivaluser")
    await db.execute(text("update account set deleted_at = now() where account = 'rivaluser'"))
    await db.commit()
    assert (await anonymous.raw("/resetPassword", code=code, newPassword=NEW))[0] == Code.BAD_INPUT
