"""What others reach us by, and whom we reach: certificates of the public addresses, and the mail server."""

import asyncio
import ssl
from collections.abc import AsyncGenerator
from datetime import datetime, timezone
from http import HTTPStatus
from urllib.parse import urlsplit

import aiohttp

from lustra.app.doctor.finding import Finding, Installation
from lustra.core import mail
from lustra.core.db import now
from lustra.core.errors import Refusal
from lustra.core.settings import Settings, split_urls
from lustra.stack.certificates import trusting

HTTPS = 443
PATIENCE_S = 8.0
WARNING_DAYS = 14  # an authority that renews by itself has done so by then


async def look_at_public_address(at: Installation) -> AsyncGenerator[Finding]:
    """Whether the address that browsers know leads here, through whatever stands in front, and at its path."""
    url, base = at.settings.public_url.rstrip("/"), at.settings.base_path
    if at.stopped or url == Settings().public_url:
        return
    try:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(PATIENCE_S)) as http:
            answer = await http.get(f"{url}/login", ssl=trusting(at.folder))
            page = await answer.text()
    except (aiohttp.ClientError, TimeoutError) as why:
        text = f"{url} cannot be reached from here: {why or type(why).__name__}"
        yield Finding("public address", "warning", text, "See the proxy, and what the name leads to on this machine.")
        return
    if answer.status != HTTPStatus.OK or 'id="root"' not in page:
        advice = f"The proxy hands paths on as they come, {base or '/'} included (docs/operate.md)."
        yield Finding("public address", "fault", f"{url} shows no console: status {answer.status}", advice)
    elif base and f'data-base="{base}"' not in page:
        text = f"the console at {url} does not know that it lies below {base}"
        yield Finding("public address", "fault", text, "Start `lustra server` with this LUSTRA_PUBLIC_URL.")
    else:
        yield Finding("public address", "ok", f"{url} leads to the console")


async def look_at_certificates(at: Installation) -> AsyncGenerator[Finding]:
    """Each public address by https, as a browser sees it from here."""
    settings = at.settings
    urls = [settings.public_url, *settings.relays, *split_urls(settings.video_url), *at.run.values()]
    for host, port in dict.fromkeys(
        (each.hostname or "", each.port or HTTPS) for each in map(urlsplit, urls) if each.scheme == "https"
    ):
        try:
            end = await read_end(host, port, trusting(at.folder))
        except ssl.SSLCertVerificationError as why:
            text = f"browsers refuse {host}:{port}: {why.verify_message}"
            yield Finding("certificate", "fault", text, "Renew it, or see that the proxy sends the whole chain.")
        except (OSError, TimeoutError) as why:
            text = f"{host}:{port} cannot be reached from here: {why or 'no answer'}"
            yield Finding("certificate", "warning", text, "See the proxy, and what the name leads to on this machine.")
        else:
            text = f"that of {host}:{port} ends on {end:%Y-%m-%d}"
            if (end - now()).days < WARNING_DAYS:
                yield Finding("certificate", "warning", text, "Renew it, and see why it was not renewed by itself.")
            else:
                yield Finding("certificate", "ok", text)


async def read_end(host: str, port: int, trusted: ssl.SSLContext) -> datetime:
    async with asyncio.timeout(PATIENCE_S):
        _, write = await asyncio.open_connection(host, port, ssl=trusted)
    try:
        certificate = write.get_extra_info("peercert")
        return datetime.fromtimestamp(ssl.cert_time_to_seconds(certificate["notAfter"]), timezone.utc)
    finally:
        write.transport.abort()


async def look_at_mail(at: Installation) -> AsyncGenerator[Finding]:
    """Whether the mail server takes our log-in. No mail is sent."""
    settings = at.settings
    if not mail.is_set(settings):
        text = "no mails: forgotten passwords are reset by an administrator, and alarms come by other channels"
        yield Finding("mail", "ok", text)
        return
    try:
        await mail.demand_server(settings)
    except mail.Unfit as why:
        yield Finding("mail", "fault", str(why), "Correct it, and start the processes again.")
    except Refusal as why:
        yield Finding("mail", "fault", why.text("en"), "See LUSTRA_SMTP_URL, and the mail server's own log.")
    else:
        yield Finding("mail", "ok", f"{urlsplit(settings.smtp_url).hostname or 'the demo'} takes mails")
