"""Mail, by the server that the settings name; the demo without one keeps the newest mails in its data folder.

`smtp_url`: smtps://user:password@host:465, smtp+starttls://user:password@host:587, or smtp://host:25 for a server of
one's own network. A password goes over TLS only, and the certificate is checked. No settings: refused, never dropped.
"""

import asyncio
import contextlib
import smtplib
import ssl
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from pathlib import Path
from types import MappingProxyType
from typing import Literal
from urllib.parse import unquote, urlsplit

from lustra.core.errors import Code, Refusal
from lustra.core.files.private_files import write_private
from lustra.core.settings import Settings

TIMEOUT_S = 10
MOST_MAILS = 50  # mails in the demo's folder
FOLDER = "mail"
DEMO_SENDER = "Lustra <lustra@localhost>"
NO_DOCUMENTS: Mapping[str, bytes] = MappingProxyType({})
PORTS = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}


@dataclass(frozen=True, slots=True)
class Server:
    kind: Literal["smtp", "smtp+starttls", "smtps"]
    host: str
    port: int
    user: str
    password: str
    sender: str


class Unfit(Exception):
    """The settings of the mail server cannot be used."""


def server(settings: Settings) -> Server | None:
    """The mail server of the settings; None where none is set. Raises Unfit."""
    if not settings.smtp_url:
        return None
    url = urlsplit(settings.smtp_url)
    kind = url.scheme
    if kind not in ("smtp", "smtp+starttls", "smtps") or not url.hostname:
        raise Unfit("LUSTRA_SMTP_URL begins with smtps://, smtp+starttls:// or smtp://, and names a host")
    if url.password and kind == "smtp":
        raise Unfit("LUSTRA_SMTP_URL: a password goes over smtps:// or smtp+starttls:// only")
    if "@" not in parseaddr(settings.mail_from)[1]:
        raise Unfit("LUSTRA_MAIL_FROM is the mailbox that mails come from")
    user, password = unquote(url.username or ""), unquote(url.password or "")
    return Server(kind, url.hostname, url.port or PORTS[kind], user, password, settings.mail_from)


def is_set(settings: Settings) -> bool:
    """Whether mails are sent at all."""
    return settings.demo or bool(settings.smtp_url)


def _ascii_domain(mailbox: str) -> str:
    """As servers that know no other letters take it. Raises `Refusal` where a domain is none."""
    local, _, domain = mailbox.rpartition("@")
    try:
        return f"{local}@{domain.encode('idna').decode()}"
    except UnicodeError:
        raise Refusal(Code.BAD_INPUT, "email", reason="mailbox") from None


async def send(
    settings: Settings,
    to: Sequence[str],
    subject: str,
    text: str,
    *,
    key: str = "",
    documents: Mapping[str, bytes] = NO_DOCUMENTS,
) -> None:
    """Comes back when the server has taken it for every mailbox. A mail of the same `key` has the same Message-ID: a
    repeated one is known as such. `documents`: PDFs that are attached, by name."""
    at = server(settings)
    if at is None and not settings.demo:
        raise Refusal(Code.MAIL_OFF)
    mail = EmailMessage()
    mail["From"] = at.sender if at else DEMO_SENDER
    boxes = [_ascii_domain(box) for box in to]
    mail["To"], mail["Subject"], mail["Date"] = ", ".join(boxes), subject, formatdate()
    domain = parseaddr(mail["From"])[1].rpartition("@")[2]
    mail["Message-ID"] = f"<{key}@{domain}>" if key else make_msgid(domain=domain)
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(text)
    for name, content in documents.items():
        mail.add_attachment(content, maintype="application", subtype="pdf", filename=name)
    if at is None:
        await asyncio.to_thread(_keep, settings.folder / FOLDER, mail)
        return
    with _refusals():
        try:
            refused = await asyncio.to_thread(_deliver, at, mail)
        except smtplib.SMTPRecipientsRefused as why:
            refused = list(why.recipients)
    if refused:
        raise Refusal(Code.MAIL_FAILED, "email", reason="mail_recipient", mailbox=", ".join(refused))


async def demand_server(settings: Settings) -> None:
    """Refused as a mail would be, where the server cannot be reached or does not let us in. None is sent."""
    if at := server(settings):
        with _refusals():
            await asyncio.to_thread(_log_in, at)


@contextlib.contextmanager
def _refusals() -> Generator[None]:
    try:
        yield
    except (smtplib.SMTPNotSupportedError, ssl.SSLError):
        raise Refusal(Code.MAIL_FAILED, "email", reason="mail_tls") from None
    except smtplib.SMTPAuthenticationError:
        raise Refusal(Code.MAIL_FAILED, "email", reason="mail_login") from None
    except smtplib.SMTPResponseException:
        raise Refusal(Code.MAIL_FAILED, "email", reason="mail_refused") from None
    except (OSError, smtplib.SMTPException):
        raise Refusal(Code.MAIL_FAILED, "email", reason="mail_unreachable") from None


@contextlib.contextmanager
def _connect(at: Server) -> Generator[smtplib.SMTP]:
    if at.kind == "smtps":
        link: smtplib.SMTP = smtplib.SMTP_SSL(at.host, at.port, timeout=TIMEOUT_S, context=ssl.create_default_context())
    else:
        link = smtplib.SMTP(at.host, at.port, timeout=TIMEOUT_S)
    with link:
        if at.kind == "smtp+starttls":
            link.starttls(context=ssl.create_default_context())
        if at.user:
            link.login(at.user, at.password)
        yield link


def _log_in(at: Server) -> None:
    with _connect(at) as link:
        link.noop()


def _deliver(at: Server, mail: EmailMessage) -> list[str]:
    """Sends a mail; the addresses that the server refused."""
    with _connect(at) as link:
        return list(link.send_message(mail))


def _keep(folder: Path, mail: EmailMessage) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_private(folder / f"{time.time_ns()}.eml", mail.as_string())
    for old in sorted(folder.glob("*.eml"))[:-MOST_MAILS]:
        old.unlink(missing_ok=True)
