"""A sign of life to another system, whose absence means that Lustra is down: a web-hook each minute, a mail each hour.

Rules: it goes the way that alarms go: database, queue, worker, and out; so where it stops, alarms stop too. While
robots are online and none of them sent anything for SILENT, ingest is taken to be down, and it stops as well. One that
does not arrive is not tried again: the next one comes.
"""

from uuid import uuid4

import msgspec
import structlog

from lustra.core import gateways, mail, texts
from lustra.core.context import Services
from lustra.core.db import now
from lustra.core.errors import Refusal
from lustra.core.jobs import job
from lustra.domains.alarm import queries
from lustra.domains.alarm.notify import QUEUE
from lustra.domains.alarm.service import every

SILENT = "3 minutes"
SUBJECT = "notification.heartbeat_title"
TEXT = "notification.heartbeat"

log = structlog.get_logger(__name__)


@job("alarm.heartbeat", cron="* * * * *", queue=QUEUE)
async def post(app: Services) -> None:
    url = app.settings.heartbeat_url
    if not url or not await _is_well(app):
        return
    key = str(uuid4())
    body = {"id": key, "kind": "heartbeat", "time": now(), "url": app.settings.public_url}
    outcome = await gateways.post(app.settings, url, key, msgspec.json.encode(body))
    if not outcome.delivered:
        log.warning("heartbeat", status=outcome.status, reason=outcome.reason)


@job("alarm.heartbeat_mail", cron="0 * * * *", queue=QUEUE)
async def send_mail(app: Services) -> None:
    mailbox = app.settings.heartbeat_mailbox
    if not mailbox or not await _is_well(app):
        return
    text = texts.say(texts.DEFAULT, TEXT, time=f"{now():%Y-%m-%d %H:%M} UTC", url=app.settings.public_url)
    try:
        await mail.send(app.settings, [mailbox], texts.say(texts.DEFAULT, SUBJECT), text, key=str(uuid4()))
    except Refusal as why:
        log.warning("heartbeat", reason=why.reason)


async def _is_well(app: Services) -> bool:
    well = bool(await app.pool.fetchval(every.sql(queries.INGEST_HEARS, silent=SILENT)))
    if not well:
        log.warning("heartbeat", reason="ingest_silent")
    return well
