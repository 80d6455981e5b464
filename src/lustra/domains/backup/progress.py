"""What robots say of their backups, in the order of their own clocks. What leads nowhere from the present state is left
out."""

from collections import Counter

import msgspec

from lustra.core.db import Connection
from lustra.domains.backup import queries, rules
from lustra.domains.backup.queries import EVERY
from lustra.protocol.backups import BackupProgress, RestoreProgress
from lustra.protocol.bus import Event

STATES = {
    "loading": "sending",
    "waiting": "waiting",
    "restored": "restored",
    "failed": "failed",
    "dropped": "cancelled",
}


async def keep_backup(db: Connection, sn: str, event: Event) -> None:
    report = msgspec.convert(event.content, BackupProgress)
    row = (sn, report.number, event.at, report.attempt)
    if report.state == "packed":
        await db.execute(
            EVERY.sql(queries.STORE_PACKED),
            *row,
            report.size,
            report.sha256,
            report.format,
            dict(Counter(item.kind for item in report.items)),
            msgspec.to_builtins(report.items),
            report.versions,
            rules.before("packed"),
        )
    elif report.state == "uploading":
        await db.execute(EVERY.sql(queries.STORE_SENT), *row, report.have)
    elif report.state == "failed":
        reason = report.reason or "robot_failed"
        await db.execute(EVERY.sql(queries.STORE_FAILURE), *row, reason, rules.before("error"))


async def keep_restore(db: Connection, sn: str, event: Event) -> None:
    report = msgspec.convert(event.content, RestoreProgress)
    state = STATES[report.state]
    await db.execute(EVERY.sql(queries.STORE_RESTORE), sn, report.number, event.at, state, report.reason, report.have)
