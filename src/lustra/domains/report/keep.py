"""Reports of runs as robots tell them, and what is known of a run before its report.

Rules: a run counts once, by robot and run id; it belongs to who owned the robot when the run began; a run that is
under way stands as `running`, one whose robot went silent as `interrupted`, with what its states contained; the robot's
report replaces that, whenever it comes.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from lustra.core.db import Connection
from lustra.core.scope import robots_own
from lustra.domains.report import queries
from lustra.protocol.bus import Report
from lustra.protocol.flaws import LATEST_AT, Flawed, read_whole

LONGEST = 256
LARGEST_M2 = 1_000_000_000
AREAS = ("planned", "reachable", "cleaned")
READ = msgspec.json.Decoder(Report)


def read(data: bytes) -> Report:
    """The report. Raises Flawed where it never can be stored."""
    report = read_whole(READ, data)
    if not report.id:
        raise Flawed("id", "missing")
    for name in ("id", "task", "map", "gid"):
        if len(getattr(report, name)) > LONGEST:
            raise Flawed(name, "out_of_range")
    for name in AREAS:
        if not 0 <= getattr(report, name) <= LARGEST_M2:
            raise Flawed(name, "out_of_range")
    if not 0 < report.started < LATEST_AT:
        raise Flawed("started", "out_of_range")
    if not report.started <= report.ended < LATEST_AT:
        raise Flawed("ended", "out_of_range")
    return report


def shifted(report: Report, ended: int) -> Report:
    """With another end, where the robot's clock was wrong; it took as long as the robot says."""
    if ended == report.ended:
        return report
    return msgspec.structs.replace(report, started=report.started + ended - report.ended, ended=ended)


async def keep(db: Connection, reports: Sequence[tuple[str, Report]]) -> dict[str, list[str]]:
    """One statement for all; a report that is there already stays as it is. Whose reports stand now, by their ids."""
    if not reports:
        return {}
    rows = msgspec.json.encode([{"sn": sn, **_whole(report)} for sn, report in reports]).decode()
    return {row["sn"]: row["ids"] for row in await db.fetch(robots_own.sql(queries.STORE_REPORTS), rows)}


def _whole(report: Report) -> dict[str, Any]:
    """Fields that stand at their default are left out on the wire; a row has them all."""
    return {name: msgspec.to_builtins(getattr(report, name)) for name in report.__struct_fields__}


async def follow(db: Connection) -> None:
    """Keeps what is known of runs whose report has not come."""
    await db.execute(queries.EVERY.sql(queries.BEGIN_RUNS))
    await db.execute(queries.EVERY.sql(queries.FOLLOW_RUNS))
    await db.execute(queries.EVERY.sql(queries.END_LEFT_RUNS))
