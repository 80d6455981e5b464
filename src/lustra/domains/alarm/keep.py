"""Alarms as robots tell them.

Rules: an alarm of a robot counts once, by its id; what is gone may come before what is there; a snapshot takes the
place of all that the robot had open. What is older than three days is taken to be of when it came.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import msgspec

from lustra.core.db import Connection
from lustra.core.scope import system
from lustra.domains.alarm import queries
from lustra.protocol.bus import Alarm
from lustra.protocol.flaws import LATEST_AT, Flawed, read_whole

OLDEST_MS = 72 * 3_600_000
READ = msgspec.json.Decoder(Alarm)
AS_ROBOTS = system("robots say what is wrong with them")


def read(data: bytes) -> Alarm:
    """The message. Raises Flawed where it never can be stored."""
    message = read_whole(READ, data)
    if not 0 < message.at < LATEST_AT:
        raise Flawed("at", "out_of_range")
    return message


def shift(message: Alarm, at: int, received: int) -> Alarm:
    """With the time that counts, `at`, in place of the robot's own; what is too old is of when it was received."""
    off = at - message.at

    def believed(moment: int) -> int:
        return moment if received - OLDEST_MS <= moment <= max(at, received) else received

    alarms = [msgspec.structs.replace(alarm, since=believed(alarm.since + off)) for alarm in message.alarms]
    return msgspec.structs.replace(message, at=believed(at), alarms=alarms)


async def keep(db: Connection, messages: Sequence[tuple[str, Alarm]]) -> dict[str, list[str]]:
    """In one transaction, the messages of a robot in their order. Whose messages stand now, by their ids: a robot that
    there is not gets no receipt."""
    stored: defaultdict[str, list[str]] = defaultdict(list)
    async with db.transaction():
        robots = await db.fetch(AS_ROBOTS.sql(queries.ROBOTS), [sn for sn, _ in messages])
        known = {row["sn"]: row["id"] for row in robots}
        for sn, message in messages:
            if sn not in known:
                continue
            stored[sn].append(message.id)
            keys = [alarm.id for alarm in message.alarms]
            if message.kind == "snapshot" and not await db.fetchval(
                AS_ROBOTS.sql(queries.RESYNC), known[sn], message.at, keys
            ):
                continue  # a newer one is there
            await db.execute(AS_ROBOTS.sql(queries.STORE), known[sn], _rows(message))
    return stored


def _rows(message: Alarm) -> str:
    cleared = message.kind == "cleared"
    rows: list[dict[str, Any]] = [
        {
            "place": place,
            "kind": "cleared" if cleared else "raised",
            "at": message.at if cleared else alarm.since,
            "id": alarm.id,
            "code": alarm.code,
            "level": alarm.level,
            "detail": alarm.detail,
        }
        for place, alarm in enumerate(message.alarms)
    ]
    return msgspec.json.encode(rows).decode()
