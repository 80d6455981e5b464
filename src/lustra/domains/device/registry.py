"""What gate and relays must know of every robot, in the bus' buckets.

Rules: a change is written after its commit; at start everything is compared with the database once, so that what was
lost between commit and bus is made good.
"""

from typing import Any

from lustra.core.context import Services
from lustra.core.db import Connection
from lustra.core.scope import system
from lustra.domains.device import queries

EVERY_ROBOT = system("gate and relays must know every robot")


async def load_devices(db: Connection) -> dict[str, Any]:
    statement = EVERY_ROBOT.sql(queries.DEVICES, condition="true")
    return {row["sn"]: device_entry(row) for row in await db.fetch(statement)}


async def publish_device(app: Services, sn: str) -> None:
    """Writes what the database holds of one robot into the bus."""
    statement = EVERY_ROBOT.sql(queries.DEVICES, condition="d.serial_number = $1")
    async with app.pool.acquire() as db:
        row = await db.fetchrow(statement, sn)
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


async def sync(app: Services) -> None:
    """Writes all robots into the bus, at the start of a server."""
    async with app.pool.acquire() as db:
        entries = await load_devices(db)
    await app.bus.sync("devices", entries)
