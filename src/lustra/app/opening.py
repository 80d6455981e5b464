"""What a process of ours opens: database, bus, files, log-ins and readers. `lustra video`, which answers no calls,
needs no more: to load app/wiring would take as long again.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from lustra.core import db, gateways, mail, query, quota
from lustra.core.bus import connect
from lustra.core.context import Services
from lustra.core.files.intake import Intake
from lustra.core.files.objects import Objects
from lustra.core.http import outbound_http
from lustra.core.process.tasks import cancel_all
from lustra.core.security import oidc
from lustra.core.settings import Settings
from lustra.domains.account.credentials.sessions import Logins
from lustra.domains.account.data_protection import retention
from lustra.domains.speech import gateway as speech_gateway
from lustra.domains.video import ice

READERS = (
    "lustra.core.files.pictures",
    "lustra.domains.device.sheet_rows",
    "openpyxl",  # which sheet_rows loads when it reads: a server has no need of it
    "lustra.domains.map.formats.rooms",
    "lustra.domains.map.reading",
    "lustra.domains.speech.espeak",
)  # modules that read what people hand in


def open_objects(settings: Settings) -> Objects:
    return Objects(settings.objects_url, settings.secret, settings.disk_reserve_mb)


@asynccontextmanager
async def opened(settings: Settings, name: str, *, size: int = 8) -> AsyncGenerator[Services]:
    """Everything a process of ours has open, closed in the other order."""
    query.limit_rows(settings.rows_most)
    mail.server(settings)  # what cannot work is refused at the start, not at the first use
    oidc.check(settings)
    outbound_http.networks(settings.webhook_networks)
    gateways.read_urls(settings)
    gateways.check_heartbeat(settings)
    speech_gateway.demand_settings(settings)
    ice.demand_settings(settings)
    retention.parse_installation_days(settings.retention)
    quota.read_limits(settings.quota_gb)
    engine, bus = db.engine(settings.database_url, size=size), await connect(settings.nats_url, name)
    pool = await db.pool(settings.database_url, size=size)
    logins = Logins(pool, bus, settings)
    revoked = asyncio.create_task(bus.follow("revoked", logins.on_revoked).run(), name="revoked")
    objects, intake = open_objects(settings), Intake(READERS)
    try:
        yield Services(settings, bus, objects, engine, db.sessions(engine), pool, logins, intake)
    finally:
        intake.close()
        await cancel_all(revoked)
        await bus.close()
        await pool.close()
        await engine.dispose()
