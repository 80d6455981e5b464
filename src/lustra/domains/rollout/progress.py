"""What robots say of updates, in the order of their own clocks."""

import msgspec

from lustra.core.db import Connection
from lustra.domains.rollout import queries, rules
from lustra.domains.rollout.queries import EVERY
from lustra.protocol.bus import Event
from lustra.protocol.updates import UpdateProgress


async def keep_update(db: Connection, sn: str, event: Event) -> None:
    """That a robot has dropped it follows from what was decided here, and changes nothing."""
    report = msgspec.convert(event.content, UpdateProgress)
    row = (sn, report.number, event.at, report.attempt)
    if report.state == "failed" and report.reason in rules.AGAIN:
        await db.execute(EVERY.sql(queries.STORE_AGAIN), *row, report.reason, list(rules.OPEN))
    elif report.state != "dropped":
        before = [*rules.HELD_BACK, "installing"]
        versions = msgspec.json.encode(report.versions or {"software": report.version}).decode()
        values = (report.state, report.reason, report.have, list(rules.OPEN), before, report.version, versions)
        await db.execute(EVERY.sql(queries.STORE_STATE), *row, *values)
        if report.state in {"confirmed", "fell_back"}:
            await db.execute(EVERY.sql(queries.STORE_VERSIONS), sn, versions)
