"""The live part of a robot's row: from the database for a snapshot, from its own words after that."""

import time
from dataclasses import dataclass
from typing import Any

from lustra.core.db import Connection
from lustra.core.scope import Scope, Statement
from lustra.domains.device.api import Where
from lustra.domains.map.api import CURRENT_MAP
from lustra.domains.telemetry.api import LIVE
from lustra.protocol.flaws import Reading
from lustra.protocol.telemetry import MODES, SHOWN

Row = dict[str, Any]

SNAPSHOT = Statement(
    f"""
select d.id, d.serial_number as sn, d.name, d.owner_id, support_customer(d.owner_path) as customer, p.heard,
  coalesce(s.at, 0) as at, coalesce(s.stream, '') as stream, coalesce(s.seq, 0) as seq, {LIVE}
from device d left join robot_state s on s.robot = d.id left join presence p on p.robot = d.id {CURRENT_MAP}
where {{where}}""",
    where="true",
)

MAPS = """select m.name, m.id from floor_map m join device d on d.id = m.device_id and d.owner_id = m.owner_id
  where d.id = $1 and m.deleted_at is null"""


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
    return [_row(dict(record)) for record in await db.fetch(where.sql(SNAPSHOT), *where.values)]


def _row(record: Row) -> RobotRow:
    sn, name, customer = record.pop("sn"), record.pop("name"), record.pop("customer")
    stream, seq = record.pop("stream"), record.pop("seq")
    received_at, since = record.pop("heard"), record["offlineSince"]
    del record["owner_id"]
    record["offlineSince"] = round(since.timestamp() * 1000) if since else None
    record["ageMs"] = max(0, now_ms() - round(received_at.timestamp() * 1000)) if received_at else None
    return RobotRow(sn, name, customer, record, stream, seq)


def row_of_state(device_id: int, reading: Reading, map_id: int | None, clock_off: int, known: Row) -> Row:
    """What changes in the row of a robot that has just been heard."""
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


async def maps(db: Connection, device_id: int) -> dict[str, int]:
    return {row["name"]: row["id"] for row in await db.fetch(MAPS, device_id)}
