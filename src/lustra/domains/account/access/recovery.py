"""A forgotten password: a link by mail, good once and for half an hour, by which the account gets a new one.

Whoever asks learns nothing: the answer is the same and takes as long whether there is such an account and whether it
has a mailbox; the worker finds that out. The link goes to the account's first mailbox alone, the others are for news.
A mailbox that the account itself entered lately gets none: a stolen session must not make itself a way to stay.
"""

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import jobs, mail, texts
from lustra.core.context import Actor, Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.http.peers import limit_key
from lustra.core.security import one_time
from lustra.domains.account import service, users
from lustra.domains.account.credentials import attempts, passwords
from lustra.domains.account.tables import Account

KIND = "password.forgotten"
LIFE = timedelta(minutes=30)
MAILBOX_HOLDS = timedelta(days=3)  # before a link goes to a mailbox that the account entered itself
FREE_OF_NAME = 3  # links asked for one login name, before each next one must wait
FREE_OF_ADDRESS = 20
SEND_LINK = "account.password_link"
NOBODY = 0


async def request_link(ctx: Ctx, name: str) -> None:
    """Counted by address and by login name, one that nobody has too."""
    if not mail.is_set(ctx.app.settings):
        raise Refusal(Code.MAIL_OFF)
    await attempts.count_use(ctx.app.sessions, f"forgotten:{limit_key(ctx.address)}", FREE_OF_ADDRESS)
    digest = attempts.digest(ctx.app.settings, name)
    await attempts.count_use(ctx.app.sessions, f"forgotten:{digest}", FREE_OF_NAME)
    known = await service.find_by_name(ctx.db, name)
    ctx.note(account=service.recorded_name(ctx.app.settings, name, known))
    await jobs.later(ctx.db, SEND_LINK, account_id=known.id if known else NOBODY, language=ctx.language)


async def send_link(app: Services, account_id: int, language: str) -> None:
    """The job that mails a link to reset a password; former links of the account end."""
    async with app.sessions.begin() as db:
        account = await service.find_account(db, Account.id == account_id, lock=True)
        mailbox = _mailbox_of(account) if account else ""
        if account is None or not mailbox:
            return
        code = one_time.new()
        await one_time.forget(db, KIND, {"account": account.id})
        one_time.keep(db, KIND, code, {"account": account.id}, LIFE)
    language = account.language or language
    link = f"{app.settings.public_url}/login#reset={code}"  # what follows # is sent to no server, and logged by none
    minutes = LIFE // timedelta(minutes=1)
    text = texts.say(language, "mail.password", account=account.account, url=link, minutes=minutes)
    await mail.send(app.settings, [mailbox], texts.say(language, "mail.password_subject"), text)


async def reset_password(ctx: Ctx, code: str, password: str) -> None:
    """All sessions of the account end. A password that is refused leaves the link as it was."""
    async with ctx.app.sessions() as db:  # never committed: no connection is held while the password is hashed
        known = await _find_account_by_code(db, code)
    passwords.check_new_password("newPassword", password, known.account)
    fresh = await passwords.hash_password(password, ctx.address)
    account = await _find_account_by_code(ctx.db, code)
    ctx.actor = Actor(account.id, account.id, account.path, account.level, frozenset(), "", account.account)
    account.password, account.must_change, account.updated_at = fresh, False, now()
    account.password_at = now()
    await users.end_sessions(ctx, account)


async def _find_account_by_code(db: AsyncSession, code: str) -> Account:
    values = await one_time.use(db, KIND, code)
    account = await service.find_account(db, Account.id == values["account"], lock=True) if values else None
    if account is None:
        raise Refusal(Code.BAD_INPUT, "code", reason="link_over")
    return account


def _mailbox_of(account: Account) -> str:
    """The address that a link may be sent to; empty where the account has none."""
    held = account.email_at is None or account.email_at < now() - MAILBOX_HOLDS
    return account.email.split(",")[0].strip() if held else ""


jobs.job(SEND_LINK)(send_link)
