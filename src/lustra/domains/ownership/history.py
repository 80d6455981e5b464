"""What became of a robot: whose it was, and when its work was set back.

Rule: who sees the robot sees of its past what was done by or for accounts in its own scope; other accounts stay
unnamed, and what was counted for them untold.
"""

from typing import Any

from lustra.core.db import Connection
from lustra.domains.device.api import Where

MOST = 100
OWNERS = """
select f.created_at as at, f.things, case when a.path <@ $1::text::ltree then a.name end as from_name,
  case when b.path <@ $1::text::ltree then b.name end as to_name, f.until is null as erasing
from device d join former_owner f on f.device_id = d.id join account a on a.id = f.owner_id
  join account b on b.id = f.to_id
where {} order by f.id desc limit {}"""
RESETS = """
select w.created_at as at, w.reason, w.area, w.seconds, w.count,
  case when b.path <@ $1::text::ltree then b.name end as by
from device d join work_reset w on w.device_id = d.id join account a on a.id = w.owner_id
  join account b on b.id = w.by_id
where {} and (a.path <@ $1::text::ltree or w.owner_id = d.owner_id) order by w.id desc limit {}"""


async def load_history(db: Connection, path: str, device_id: int) -> dict[str, list[dict[str, Any]]]:
    where = Where()
    where.seen(path)
    where.add("d.id = {}", device_id)
    owners = await db.fetch(OWNERS.format(where, MOST), *where.values)
    resets = await db.fetch(RESETS.format(where, MOST), *where.values)
    return {"owners": [dict(row) for row in owners], "resets": [dict(row) for row in resets]}
