"""The list of robots, in plain SQL: it is asked for most.

OFFSET counts over thin rows in a sub-select; only the page's robots are read whole. Names are the wire's.
"""

from dataclasses import dataclass, field
from typing import Any

from lustra.core.db import Connection
from lustra.core.errors import Code, Refusal
from lustra.domains.device.scope import Where

# Who needs somebody first.
ORDER = ("help", "emergency", "paused", "manual", "cleaning", "moving", "riding", "charging", "idle", "offline")
MODE = (
    "case when not coalesce(p.online, false) then 'offline' when s.help <> '' then 'help'"
    " else coalesce(s.mode, 'idle') end"
)
THIN = "device d left join robot_state s on s.robot = d.id left join presence p on p.robot = d.id"
LIVE = f"""
  coalesce(s.at, 0) as at, {MODE} as mode, coalesce(p.online, false) as online,
  case when not p.online then p.since end as "offlineSince",
  case when not p.online then p.reason else '' end as "offlineReason",
  coalesce(s.x, 0) as x, coalesce(s.y, 0) as y, coalesce(s.yaw, 0) as yaw, coalesce(s.uncertainty, 0) as uncertainty,
  coalesce(s.battery, 0) as battery, coalesce(s.mode = 'charging', false) as charging, coalesce(s.liquid, 0) as liquid,
  coalesce(s.speed, 0) as speed, m.id as "mapId", coalesce(s.map, '') as "mapName",
  coalesce(s.map_revision, 0) as "mapRevision", coalesce(s.task, '') as "taskName", coalesce(s.run, '') as run,
  coalesce(s.progress, 0) as progress, coalesce(s.cleaned, 0) as cleaned, coalesce(s.planned, 0) as planned,
  coalesce(s.remaining_s, 0) as "remainingS", coalesce(s.help, '') as help, coalesce(s.banners, '{{}}') as banners,
  coalesce(s.simulated, 0) as simulated"""
# What its type can do, and what it told of itself beside.
ABILITIES = "array(select unnest(t.abilities) union select unnest(d.abilities) order by 1)"
WITH_MAP = """left join floor_map m
  on m.device_id = d.id and m.owner_id = d.owner_id and m.name = s.map and m.deleted_at is null"""
WHOLE = f"""
select d.id as "deviceId", d.serial_number as "deviceSerialNumber", d.name as "deviceCode", d.type_id as "deviceType",
  t.name as "typeName", t.url as "typeUrl", d.customer_name as "customerName", d.owner_id as "ownerUserId", d.address,
  d.address1, d.area, d.province, d.zone, d.latitude, d.longitude, d.customer_address as "customerAddress",
  d.protocol as "protocolVersion", {ABILITIES} as abilities, d.rack_number as "rackNumber", d.sim_no as "simNo",
  d.sim_support as "simSupport", d.boot_time as "bootTime", d.created_at as "createTime",
  d.frp_host as "frpHost", d.frp_port as "frpPort", d.ssh_port as "sshPort", d.web_port as "webPort",
  d.elevator_id as "elevatorId", d.firmware_version, d.soft_version, d.pad_version, d.test_device as "testDevice",
  p.heard as "heartbeatTime", d.updated_at as "updateTime",
  coalesce(s.at, 0) as "stateAt", nullif(s.mode_since, 0) as "modeSince", {LIVE}
from device d join device_type t on t.id = d.type_id
  left join robot_state s on s.robot = d.id left join presence p on p.robot = d.id {WITH_MAP}"""
RANK = "array_position('{" + ",".join(ORDER) + "}'::text[], " + MODE + ")"


@dataclass(slots=True)
class Found:
    rows: list[dict[str, Any]]
    total: int
    counts: dict[str, int] = field(default_factory=dict[str, int])


def whole(row: Any) -> dict[str, Any]:
    told = dict(row)
    told["online"] = int(told["online"])
    del told["at"]
    return told


async def counts(db: Connection, where: Where) -> dict[str, int]:
    found = await db.fetch(f"select {MODE} as mode, count(*) as n from {THIN} where {where} group by 1", *where.values)
    told = {row["mode"]: row["n"] for row in found}
    return {mode: told[mode] for mode in ORDER if mode in told}


async def listed(db: Connection, where: Where, mode: str | None, size: int, page: int) -> Found:
    by_mode = await counts(db, where)
    total = by_mode.get(mode, 0) if mode else sum(by_mode.values())
    if mode:
        where.add(MODE + " = {}", mode)
    limit, offset = where.value(size), where.value((page - 1) * size)
    thin = f"select d.id, {RANK} as rank from {THIN} where {where}"
    keys = f"{thin} order by rank, d.name, d.id limit {limit} offset {offset}"
    query = f"{WHOLE} join ({keys}) k on k.id = d.id order by k.rank, d.name, d.id"
    return Found([whole(row) for row in await db.fetch(query, *where.values)], total, by_mode)


async def one(db: Connection, path: str, device_id: int) -> dict[str, Any]:
    where = Where()
    where.seen(path)
    where.add("d.id = {}", device_id)
    row = await db.fetchrow(f"{WHOLE} where {where}", *where.values)
    if row is None:
        raise Refusal(Code.NOT_FOUND, "deviceId")
    return whole(row)


async def short(db: Connection, where: Where) -> list[dict[str, Any]]:
    found = await db.fetch(
        'select d.id as "deviceId", d.serial_number as "deviceSerialNumber", d.name as "deviceCode",'
        ' d.type_id as "typeId", coalesce(p.online, false)::int as online'
        f" from {THIN} where {where} order by d.name, d.id",
        *where.values,
    )
    return [dict(row) for row in found]


async def places(db: Connection, where: Where) -> list[dict[str, Any]]:
    found = await db.fetch(
        f"""select d.id as "deviceId", d.name as "deviceCode", d.serial_number as "deviceSerialNumber",
          d.protocol as "protocolVersion", d.address, d.area, d.latitude, d.longitude, {MODE} as mode
        from {THIN} where {where} order by {RANK}, d.id""",
        *where.values,
    )
    return [dict(row) for row in found]
