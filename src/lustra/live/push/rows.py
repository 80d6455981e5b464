"""The live part of a robot's row: from the database for a snapshot, from its own words after that."""

import time
from dataclasses import dataclass
from typing import Any

from lustra.core.db import Connection
from lustra.core.scope import Scope, robots_own
from lustra.domains.device.api import Where
from lustra.live.push import queries
from lustra.protocol.flaws import Reading
from lustra.protocol.telemetry import MODES, SHOWN

Row = dict[str, Any]


def now_ms() -> int:
    return int(time.time() * 1000)


@dataclass(frozen=True, slots=True)
class RobotRow:
    """A robot of a snapshot, and whose customer's it is. `stream`, `seq`: of its newest state."""

    sn: str
    name: str
    customer: int | None
    row: Row
    stream: str
    seq: int


async def snapshot(db: Connection, scope: Scope, ids: list[int]) -> list[RobotRow]:
    """Those of the robots that lie in the scope."""
    where = Where.of_robots(scope)
    where.add("d.id = any({}::bigint[])", ids)
    return [_row(dict(record)) for record in await db.fetch(where.sql(queries.SNAPSHOT), *where.values)]


def _row(record: Row) -> RobotRow:
    sn, name, customer = record.pop("sn"), record.pop("name"), record.pop("customer")
    stream, seq = record.pop("stream"), record.pop("seq")
    received_at, since = record.pop("heard"), record["offlineSince"]
    del record["owner_id"]
    record["offlineSince"] = round(since.timestamp() * 1000) if since else None
    record["ageMs"] = max(0, now_ms() - round(received_at.timestamp() * 1000)) if received_at else None
    return RobotRow(sn, name, customer, record, stream, seq)


def row_of_state(device_id: int, reading: Reading, map_id: int | None, clock_off: int, known: Row) -> Row:
    """What changes in the row of a robot that has just sent something."""
    state = reading.state
    values = {field.key: getattr(state, field.name) for field in SHOWN}
    silent = {field.key for field in SHOWN if field.name in reading.unknown}
    silent |= {field.key for field in SHOWN if field.lasting and not values[field.key]}
    change: Row = {key: value for key, value in values.items() if key not in silent} | {
        "id": device_id,
        "at": state.at,
        "online": 1,
        "offlineSince": None,
        "offlineReason": "",
        "mapId": map_id,
        "clockOff": clock_off,
        "ageMs": 0,
    }
    if state.help:
        return change | {"mode": "help", "modeName": ""}
    if "mode" in reading.unknown:
        return change | ({"mode": "idle"} if known["mode"] in {"help", "offline"} else {})
    is_listed = state.mode in MODES
    return change | {
        "mode": state.mode if is_listed else "idle",
        "modeName": "" if is_listed else state.mode,
        "charging": state.mode == "charging",
    }


async def maps(db: Connection, sn: str) -> dict[str, int]:
    """Ids of a robot's maps by their names."""
    return {row["name"]: row["id"] for row in await db.fetch(robots_own.sql(queries.MAPS), sn)}
