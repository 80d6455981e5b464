"""Test mails: to whom, how many, and what is said when the mail server is missing, silent or refuses."""

import asyncio
import contextlib
import email
import email.message
import email.policy
import ssl
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.x509.oid import NameOID
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import mail
from lustra.core.errors import Code, Refusal
from lustra.core.settings import Settings
from lustra.domains.account import mails
from tests.clients import LogIn


class Post:
    """A mail server that takes what it is sent; `answers` says otherwise."""

    def __init__(self) -> None:
        self.port, self.sent, self.commands = 0, b"", []
        self.taken: list[bytes] = []
        self.answers: dict[str, str] = {}
        self.connections: set[asyncio.Task[None] | None] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections.add(asyncio.current_task())
        with contextlib.closing(writer):
            await self.answer(reader, writer)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 post\r\n")
        while line := (await reader.readline()).decode().strip():
            self.commands.append(line)
            word = line.split(":")[0].split()[0].upper()
            usual = {"EHLO": "250 post", "DATA": "354 go on", "QUIT": "221 bye"}.get(word, "250 ok")
            writer.write(f"{self.answers.get(line, self.answers.get(word, usual))}\r\n".encode())
            if word == "DATA":
                self.sent = (await reader.readuntil(b"\r\n.\r\n"))[:-5]
                self.taken.append(self.sent)
                writer.write(b"250 taken\r\n")
            if word == "QUIT":
                break


@contextlib.asynccontextmanager
async def open_post(secure: ssl.SSLContext | None = None) -> AsyncIterator[Post]:
    """Its connections end with it: one that is left open fails whichever test runs as it is collected."""
    post = Post()
    server = await asyncio.start_server(post.serve, "127.0.0.1", 0, ssl=secure)
    post.port = server.sockets[0].getsockname()[1]
    try:
        yield post
    finally:
        server.close()
        tasks = [task for task in post.connections if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture
async def post() -> AsyncIterator[Post]:
    async with open_post() as mailbox:
        yield mailbox


def by(post: Post, kind: str = "smtp", user: str = "") -> Settings:
    return Settings(smtp_url=f"{kind}://{user}127.0.0.1:{post.port}", mail_from="Lustra <lustra@example.org>")


async def refusal(settings: Settings, *to: str) -> str:
    with pytest.raises(Refusal) as caught:
        await mail.send(settings, to or ("a@b.com",), "Hello", "Text")
    return caught.value.text("en")


def stored_mails(tmp_path: Path) -> list[email.message.EmailMessage]:
    files = sorted((tmp_path / mail.FOLDER).glob("*.eml"))
    return [email.message_from_bytes(file.read_bytes(), policy=email.policy.default) for file in files]


@pytest.mark.spec("call.user.testMail")
async def test_a_test_mail_goes_to_ones_own_list_or_to_the_one_given(console: LogIn, tmp_path: Path):
    me = await console("dealer", language="de")
    await me("/user/updateUserInfo", email="a@b.com,c@d.org")
    assert await me("/user/testMail") == {"email": "a@b.com,c@d.org"}
    assert await me("/user/testMail", email="x@y.net") == {"email": "x@y.net"}
    first, second = stored_mails(tmp_path)
    assert (first["To"], second["To"]) == ("a@b.com, c@d.org", "x@y.net")
    assert first["Subject"] == "Lustra: Test-E-Mail"
    await me("/user/testMail", email="info@müller.de")
    assert stored_mails(tmp_path)[2]["To"] == "info@xn--mller-kva.de"
    assert "dealer" in first.get_content()
    assert (tmp_path / mail.FOLDER).stat().st_mode & 0o077 == 0


async def test_to_the_list_of_an_account_below_but_of_no_other(console: LogIn, db: AsyncSession):
    dealer, user = await console("dealer"), await console("user")
    await user("/user/updateUserInfo", email="u@b.com")
    assert await dealer("/user/testMail", userId=user.id) == {"email": "u@b.com"}
    rival = await console("rival")
    assert (await rival.raw("/user/testMail", userId=user.id))[0] == Code.NOT_FOUND


@pytest.mark.parametrize("bad", ["a@b", "a@b.com,", "a@b.com\r\nBcc: c@d.org", "<a@b.com>"])
async def test_only_mailboxes_are_written_to(console: LogIn, tmp_path: Path, bad: str):
    code, data = await (await console("dealer")).raw("/user/testMail", email=bad)
    assert (code, data["field"]) == (Code.BAD_INPUT, "email")
    assert stored_mails(tmp_path) == []


async def test_without_any_mailbox_or_with_too_many_nothing_is_sent(console: LogIn, tmp_path: Path):
    me = await console("dealer")
    many = ",".join(f"a{n}@b.com" for n in range(mails.MOST_MAILBOXES + 1))
    for payload in ({}, {"email": many}):
        assert (await me.raw("/user/testMail", **payload))[0] == Code.BAD_INPUT
    assert stored_mails(tmp_path) == []


async def test_test_mails_are_limited_by_account(console: LogIn):
    me, other = await console("dealer"), await console("rival")
    codes = [(await me.raw("/user/testMail", email="a@b.com"))[0] for _ in range(mails.FREE_TEST_MAILS + 2)]
    assert codes[: mails.FREE_TEST_MAILS] == [0] * mails.FREE_TEST_MAILS
    assert Code.TOO_MANY_TRIES in codes
    await other("/user/testMail", email="a@b.com")


async def test_the_demo_keeps_the_newest_mails_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(mail, "MOST_MAILS", 3)
    for number in range(5):
        await mail.send(Settings(demo=True, data=str(tmp_path)), ["a@b.com"], f"Mail {number}", "Text")
    assert [mail_sent["Subject"] for mail_sent in stored_mails(tmp_path)] == ["Mail 2", "Mail 3", "Mail 4"]


async def test_a_mail_goes_through_the_server_of_the_settings(post: Post):
    await mail.send(by(post), ["a@b.com", "c@d.org"], "Grüße", "Text, 文本")
    parsed = email.message_from_bytes(post.sent, policy=email.policy.default)
    assert (parsed["Subject"], parsed.get_content().strip(), parsed["From"]) == (
        "Grüße",
        "Text, 文本",
        "Lustra <lustra@example.org>",
    )
    assert [line.split(":")[1] for line in post.commands if line.startswith("rcpt")] == ["<a@b.com>", "<c@d.org>"]


async def test_say_why_a_mail_cannot_be_sent(post: Post):
    assert await refusal(Settings()) == "No mail server is configured"
    failed = "The email could not be sent: the mail server "
    unreachable = replace(by(post), smtp_url="smtp://127.0.0.1:1")
    assert await refusal(unreachable) == f"{failed}is not responding"
    assert await refusal(by(post, "smtp+starttls")) == f"{failed}offers no trusted encryption"
    post.answers = {"rcpt TO:<a@b.com>": "550 unknown"}
    assert await refusal(by(post), "a@b.com", "c@d.org") == f"{failed}does not accept a@b.com"
    assert await refusal(by(post)) == f"{failed}does not accept a@b.com"
    post.answers = {"MAIL": "554 no"}
    assert await refusal(by(post)) == f"{failed}rejected it"


async def test_a_certificate_that_nobody_vouches_for_is_not_trusted(tmp_path: Path):
    key = Ed25519PrivateKey.generate()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(timezone.utc)
    certificate = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=1)).sign(key, None)
    file = tmp_path / "own.pem"
    secret = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    file.write_bytes(certificate.public_bytes(form.Encoding.PEM) + secret)
    secure = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    secure.load_cert_chain(file)
    async with open_post(secure) as post:
        reason = await refusal(by(post, "smtps", "user:secret@"))
    assert reason == "The email could not be sent: the mail server offers no trusted encryption"
    assert post.commands == []


@pytest.mark.parametrize(
    "settings",
    [
        {"smtp_url": "mail.example.org", "mail_from": "a@b.com"},
        {"smtp_url": "smtp://user:secret@mail.example.org", "mail_from": "a@b.com"},
        {"smtp_url": "smtps://mail.example.org", "mail_from": "Lustra"},
    ],
)
def test_settings_that_cannot_work_are_refused_at_the_start(settings: dict[str, Any]):
    with pytest.raises(mail.Unfit):
        mail.server(Settings(**settings))
