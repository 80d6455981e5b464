"""What gate and relays must know of every robot, in the bus' buckets.

Rules: a change is written after its commit; at start everything is compared with the database once, so that what was
lost between commit and bus is made good.
"""

from typing import Any

from lustra.core.context import Services
from lustra.core.db import Connection

DEVICES = """
select d.serial_number as sn, d.id, coalesce(d.frp_port, 0) as port, d.frp_host as node, d.protocol,
  c.password, c.ssh_key
from device d join device_credential c on c.device_id = d.id where d.deleted_at is null"""
LOCKS = """
select d.serial_number as sn, l.number, l.until > now() as held, l.holder, coalesce(l.holder_id, 0) as holder_id,
  (extract(epoch from l.until) * 1000)::bigint as until, l.reason, l.asker,
  coalesce((extract(epoch from l.asked_at) * 1000)::bigint, 0) as asked_at
from control_lock l join device d on d.id = l.device_id where d.deleted_at is null"""


async def load_devices(db: Connection) -> dict[str, Any]:
    """Unscoped: gate and relays must know every robot."""
    return {row["sn"]: device_entry(row) for row in await db.fetch(DEVICES)}


async def publish_device(app: Services, sn: str) -> None:
    """What stands of one robot now, to the bus. Unscoped: see above."""
    async with app.pool.acquire() as db:
        row = await db.fetchrow(f"{DEVICES} and d.serial_number = $1", sn)
    if row is None:
        await app.bus.drop("devices", sn)
    else:
        await app.bus.put("devices", sn, device_entry(row))


def device_entry(row: Any) -> dict[str, Any]:
    return {
        "deviceId": row["id"],
        "port": row["port"],
        "node": row["node"],
        "protocol": row["protocol"],
        "sshKey": row["ssh_key"],
        "password": row["password"],
    }


async def load_locks(db: Connection) -> dict[str, Any]:
    """Unscoped: relays must know every lock."""
    free = {"owner": "", "ownerId": 0, "until": 0, "reason": "", "asker": "", "askedAt": 0}
    rows = await db.fetch(LOCKS)
    return {row["sn"]: {"number": row["number"]} | (_holder_entry(row) if row["held"] else free) for row in rows}


def _holder_entry(row: Any) -> dict[str, Any]:
    return {
        "owner": row["holder"],
        "ownerId": row["holder_id"],
        "until": row["until"],
        "reason": row["reason"],
        "asker": row["asker"],
        "askedAt": row["asked_at"],
    }


async def sync(app: Services) -> None:
    """At the start of a server."""
    async with app.pool.acquire() as db:
        entries, lock_entries = await load_devices(db), await load_locks(db)
    await app.bus.sync("devices", entries)
    await app.bus.sync("control", lock_entries)
