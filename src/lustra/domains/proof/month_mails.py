"""A customer's month by mail, to whom its letterhead says so.

Rules: on the first at noon UTC, when the month is over at every site; where the worker was down then, as soon as it is
back. Each mailbox has a job of its own; a month without a run is not mailed, nor to who may not see reports.
"""

from uuid import NAMESPACE_URL, uuid5

from lustra.core import jobs, mail, texts
from lustra.core.context import Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Refusal
from lustra.domains.account.api import Account, find_actor
from lustra.domains.proof import letterhead, month_document, months, queries
from lustra.domains.proof.mails import NOT_INSTALLED
from lustra.domains.proof.months import SealedMonth
from lustra.domains.proof.queries import EVERY
from lustra.domains.proof.records import VIEW

SEND = "report.send_month"


async def enter_mails(app: Services) -> None:
    if not mail.is_set(app.settings):
        return
    month = letterhead.month_before(now())
    async with app.sessions.begin() as db:
        for account, email in await db.execute(EVERY.text(queries.DUE), {"month": month}):
            for mailbox in email.split(","):
                await jobs.later(db, SEND, month=month, account=account, mailbox=mailbox)


async def send_month(app: Services, *, month: str, account: int, mailbox: str) -> None:
    async with app.sessions.begin() as db:
        reader = await db.scalar(EVERY.select(Account).where(Account.id == account))
        actor = await find_actor(db, account)
        if reader is None or actor is None or VIEW not in actor.keys:
            return
        ctx = Ctx(db, actor, app, "", reader.language or texts.DEFAULT, {})
        sealed = await months.seal_month(ctx, month, None)
        if not sealed.values["runs"]:
            return
        pages = month_document.describe(sealed, month_document.list_runs(sealed.values), ctx.language)
        documents = await _write_documents(ctx, sealed)
    lines = [f"{title}: {value}" for title, value in pages["figures"]]
    address = f"{app.settings.public_url.rstrip('/')}/device/report"
    text = "\n".join(
        (pages["author"], pages["subtitle"], "", *lines, "", address, "", texts.say(ctx.language, "mail.month_reason"))
    )
    key = str(uuid5(NAMESPACE_URL, f"month {month} of {account} to {mailbox}"))
    await mail.send(app.settings, [mailbox], pages["title"], text, key=key, documents=documents)


async def _write_documents(ctx: Ctx, sealed: SealedMonth) -> dict[str, bytes]:
    try:
        return {f"report-{sealed.values['month']}.pdf": await month_document.write(ctx, sealed)}
    except Refusal as why:
        if why.reason not in NOT_INSTALLED:
            raise
        return {}
