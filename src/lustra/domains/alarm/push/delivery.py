"""One attempt to push a message to a browser.

Rules: it carries an alarm's number, its level and a ticket, and nothing that the browser's service could make use of;
the text is asked for with the ticket. A browser that its service says is gone is removed.
"""

from http import HTTPStatus

import msgspec

from lustra.core import gateways
from lustra.core.context import Services
from lustra.core.db import now
from lustra.core.files.tickets import Tickets
from lustra.core.http import outbound_http, outbound_post
from lustra.core.http.outbound_post import Outcome
from lustra.core.security import web_push
from lustra.domains.alarm.push.tables import PushDevice
from lustra.domains.alarm.service import every

TICKET_S = 24 * 3600
ENDED = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
LATER = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)
PUSH_GONE = "push_gone"
PUSH_REFUSED = "push_refused"
FINAL = (PUSH_GONE, PUSH_REFUSED)  # another attempt would fail as well
CONTACT = "mailto:postmaster@localhost"  # where the installation has no address of its own


async def send(app: Services, account_id: int, label: str, alarm_id: int, level: int) -> str:
    """Why it is not delivered; empty: it is. `alarm_id` 0: a test."""
    async with app.sessions() as db:
        rows = every.select(PushDevice).where(PushDevice.account_id == account_id, PushDevice.label == label)
        device = await db.scalar(rows)
    if device is None:
        return PUSH_GONE
    ticket = Tickets(app.settings.secret, "push").sign({"alarm": alarm_id, "device": device.id}, TICKET_S)
    message = msgspec.json.encode({"id": alarm_id, "level": level, "ticket": ticket})
    reason = _judge(await _post(app, device, message))
    async with app.sessions.begin() as db:
        same = PushDevice.id == device.id
        if reason == PUSH_GONE:
            await db.execute(every.delete(PushDevice).where(same))
        else:
            await db.execute(every.update(PushDevice).where(same).values(sent_at=now(), reason=reason))
    return reason


async def _post(app: Services, device: PushDevice, message: bytes) -> Outcome:
    settings = app.settings
    contact = settings.public_url if settings.public_url.startswith("https:") else CONTACT
    headers = web_push.headers(settings.secret, device.endpoint, contact)
    body = web_push.encrypt(message, device.public, device.auth)
    networks = outbound_http.networks(settings.webhook_networks)
    return await outbound_post.send(device.endpoint, headers, body, networks)


def _judge(outcome: Outcome) -> str:
    if outcome.delivered:
        return ""
    if outcome.status is None:
        return gateways.REASONS[outcome.reason]
    if outcome.status in ENDED:
        return PUSH_GONE
    if outcome.status in LATER or outcome.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return gateways.REASONS[""]
    return PUSH_REFUSED
