"""Runs that have ended, by mail: a summary with the sealed report.

Rules: the database enqueues `report.mail` with the report of a robot; none with one that a person enters or that comes
a day late. `email_to_task_report`: each run; `email_to_task`: those that did not finish. To the people whose business
the robot was, as far as they may see reports, in their language and the time of the site. Each mailbox has a job of
its own, so that one that is broken keeps no other from its mail; a repeated mail has the same Message-ID.
"""

import json
from uuid import NAMESPACE_URL, uuid5

from lustra.core import jobs, mail, texts
from lustra.core.context import Ctx, Services
from lustra.core.errors import Code, Refusal
from lustra.domains.account.api import Account, find_actor
from lustra.domains.ownership.api import load_people
from lustra.domains.proof import document, records
from lustra.domains.proof.queries import EVERY
from lustra.domains.proof.records import VIEW, Sealed
from lustra.domains.report.api import TaskReport

MAIL = "report.mail"
SEND = "report.send"
NOT_INSTALLED = {"documents_missing", "fonts_missing"}  # why there is no PDF: the mail goes without


async def enter_mails(app: Services, *, report: int) -> None:
    if not mail.is_set(app.settings):
        return
    async with app.sessions.begin() as db:
        row = await db.scalar(EVERY.select(TaskReport).where(TaskReport.id == report))
        if row is None:
            return
        for account in await load_people(db, row.device_id, row.owner_id, {VIEW}):
            for mailbox in _list_mailboxes(account, row.end):
                await jobs.later(db, SEND, report=report, account=account.id, mailbox=mailbox)


def _list_mailboxes(account: Account, end: str) -> list[str]:
    wishes = account.email_to_task_report or (account.email_to_task and end != "finished")
    return account.email.split(",") if wishes and account.email else []


async def send_report(app: Services, *, report: int, account: int, mailbox: str) -> None:
    async with app.sessions.begin() as db:
        reader = await db.scalar(EVERY.select(Account).where(Account.id == account))
        actor = await find_actor(db, account)
        if reader is None or actor is None:
            return
        ctx = Ctx(db, actor, app, "", reader.language or texts.DEFAULT, {})
        try:
            sealed = await records.seal(ctx, report)
        except Refusal as why:
            if why.code is not Code.NOT_FOUND:
                raise
            return  # it was deleted meanwhile, or the person may not see it any more
        subject, text = _write(ctx, sealed, report)
        documents = await _write_documents(ctx, sealed, report)
    key = str(uuid5(NAMESPACE_URL, f"report {report} of {account} to {mailbox}"))
    await mail.send(app.settings, [mailbox], subject, text, key=key, documents=documents)


def _write(ctx: Ctx, sealed: Sealed, report: int) -> tuple[str, str]:
    """Subject and text of the mail with a proof."""
    run = json.loads(sealed.record.record)["report"]
    pages = document.describe(sealed.record, sealed.key, ctx.language)
    subject = " · ".join((pages["title"], run["deviceCode"], texts.say(ctx.language, f"end.{run['end']}")))
    lines = [f"{title}: {value}" for title, value in pages["figures"]]
    address = f"{ctx.app.settings.public_url.rstrip('/')}/device/report/{report}"
    reason = texts.say(ctx.language, "mail.report_reason")
    return subject, "\n".join((pages["title"], pages["subtitle"], "", *lines, "", address, "", reason))


async def _write_documents(ctx: Ctx, sealed: Sealed, report: int) -> dict[str, bytes]:
    try:
        return {f"report-{report}.pdf": await document.write(ctx, sealed)}
    except Refusal as why:
        if why.reason not in NOT_INSTALLED:
            raise
        return {}
