"""Whoever wants it gets each run by mail, sealed; and nobody else does."""

import base64
import dataclasses
import re
from email.message import EmailMessage
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from lustra.app.processes import worker
from lustra.core.errors import Code, Refusal
from lustra.domains.proof import document, mails, records
from tests.account.test_mail import stored_mails
from tests.report.test_cleaned_rooms import keep_rooms, swept
from tests.report.test_not_cleaned import MISSED, keep_run
from tests.world import World

WISHES = """
update account set email = $2, email_to_task_report = $3, email_to_task = $4, language = $5 where account = $1"""
DUE = "select exists (select from procrastinate_jobs where status in ('todo', 'doing') and task_name like 'report.%')"


async def wish(
    world: World, account: str = "user", to: str = "a@b.com", *, language: str = "en", **wishes: bool
) -> None:
    reports, tasks = wishes.get("reports", False), wishes.get("tasks", False)
    await world.pool.execute(WISHES, account, to, reports, tasks, language)


async def run(world: World, **fields: Any) -> tuple[int, list[EmailMessage]]:
    """A run ends; its number, and all mails once no job is left."""
    await keep_rooms(world)
    number = await keep_run(world, swept(MISSED), cells=None, **fields)
    await drain(world)
    return number, all_mails(world)


async def drain(world: World) -> None:
    """Until no job of reports is left."""
    while await world.pool.fetchval(DUE):
        await worker.run_worker(world.services.settings, until_empty=True)


def all_mails(world: World) -> list[EmailMessage]:
    return stored_mails(Path(world.services.settings.data))  # type: ignore[return-value]  # by the default policy


def recipients(mails_: list[EmailMessage]) -> list[str]:
    return sorted(mail["To"] for mail in mails_)


@pytest.mark.spec("ent.user.emailToTaskReport")
async def test_each_run_goes_to_each_mailbox_with_its_sealed_report(world: World):
    await wish(world, to="a@b.com,c@d.org", reports=True)
    number, sent = await run(world)
    assert recipients(sent) == ["a@b.com", "c@d.org"]
    mail = sent[0]
    assert mail["Subject"].endswith("· Finished")
    body = mail.get_body(("plain",))
    assert body is not None
    assert f"/device/report/{number}" in body.get_content()
    [attached] = mail.iter_attachments()
    assert attached.get_filename() == f"report-{number}.pdf"
    content = base64.b64encode(attached.get_payload(decode=True)).decode()  # type: ignore[arg-type]  # bytes of a part
    verified = await world.call("user", "/taskReport/verifyProof", content=content)
    assert (verified["intact"], verified["known"]) == (True, True)


@pytest.mark.spec("ent.user.emailToTask", "q.email_flags")
async def test_a_run_that_did_not_finish_goes_to_whoever_wants_those(world: World):
    await wish(world, tasks=True)
    assert (await run(world))[1] == []
    _, [mail] = await run(world, id="cut", end="interrupted")
    assert mail["Subject"].endswith("· Interrupted")


async def test_a_mail_is_in_the_language_of_its_reader(world: World):
    await wish(world, reports=True, language="zh-CN")
    _, [mail] = await run(world)
    assert re.search(r"· 已完成$", mail["Subject"])


async def test_mail_a_proof_to_nobody_else(world: World):
    for account in ("user", "rivaluser", "rival", "dealer", "admin"):
        await wish(world, account, f"{account}@b.com", reports=True, tasks=True)
    _, sent = await run(world)
    assert recipients(sent) == ["user@b.com"]


async def test_mail_no_entered_or_late_runs(world: World):
    await wish(world, reports=True)
    assert (await run(world, days=2))[1] == []
    await world.pool.execute("update task_report set by_hand = 'edited', provisional = true, ended = now()")
    await world.pool.execute("update task_report set provisional = false")
    assert not await world.pool.fetchval(DUE)


async def test_a_repeated_mail_is_known_as_such_and_of_what_is_gone_there_is_none(world: World):
    await wish(world, reports=True)
    number, [mail] = await run(world)
    user = await world.pool.fetchval("select id from account where account = 'user'")
    again = {"report": number, "account": user, "mailbox": "a@b.com"}
    await mails.send_report(world.services, **again)
    assert [each["Message-ID"] for each in all_mails(world)] == [mail["Message-ID"]] * 2
    await world.pool.execute("delete from task_report")
    await mails.enter_mails(world.services, report=number)
    await mails.send_report(world.services, **again)
    await world.pool.execute("update account set deleted_at = now() where id = $1", user)
    await mails.send_report(world.services, **again)
    assert len(all_mails(world)) == 2


async def test_enter_no_mail_where_none_are_sent(world: World):
    await wish(world, reports=True)
    services = world.services
    services.settings = dataclasses.replace(services.settings, demo=False, smtp_url="")
    assert (await run(world))[1] == []


@pytest.mark.parametrize(("module", "step"), [(records, "seal"), (document, "write")])
async def test_a_mail_that_fails_otherwise_is_not_taken_for_sent(
    world: World, monkeypatch: pytest.MonkeyPatch, module: ModuleType, step: str
):
    await wish(world, reports=True)
    number, _ = await run(world)

    async def refuse(*_: object) -> bytes:
        raise Refusal(Code.SUPPORT_CLOSED)

    monkeypatch.setattr(module, step, refuse)
    with pytest.raises(Refusal):
        await mails.send_report(world.services, report=number, account=world.accounts["user"], mailbox="a@b.com")


async def test_send_the_mail_without_a_pdf_that_cannot_be_written(world: World, monkeypatch: pytest.MonkeyPatch):
    async def refuse(*_: object) -> bytes:
        raise Refusal(Code.BAD_INPUT, "form", reason="documents_missing", names="typst")

    monkeypatch.setattr(document, "write", refuse)
    await wish(world, reports=True)
    _, [mail] = await run(world)
    assert list(mail.iter_attachments()) == []
