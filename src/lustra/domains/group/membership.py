"""What the robots of a group have in common.

Rule: robots of a group of one project have the same customer, those of one map a map of the same name, those of one
building the same building. Nothing in common is no common thing: robots without a building are not in one.
"""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.errors import Code, Refusal


class Kind(IntEnum):
    ORDINARY = 0
    PROJECT = 1
    MAP = 2
    BUILDING = 3


REASONS = {Kind.PROJECT: "group_project", Kind.MAP: "group_map", Kind.BUILDING: "group_building"}
MEMBERS = "unnest(cast(:groups as bigint[]), cast(:devices as bigint[])) m(grp, device)"
COMMON = text(
    f"""select m.grp,
      case when count(distinct d.customer_name) = 1 then min(d.customer_name) else '' end as project,
      case when count(distinct d.address) = 1 then min(d.address) else '' end as building
    from {MEMBERS} join device d on d.id = m.device group by m.grp"""  # noqa: S608  the members are values
)
MAPS = text(
    f"""select grp, min(name) as map from (
      select m.grp, f.name, count(distinct d.id) as having_it
      from {MEMBERS} join device d on d.id = m.device
        join floor_map f on f.device_id = d.id and f.owner_id = d.owner_id and f.deleted_at is null
      group by m.grp, f.name
    ) named where having_it = (select count(*) from {MEMBERS} where m.grp = named.grp) group by grp"""  # noqa: S608  the members are values
)


async def common_values(db: AsyncSession, members: Mapping[int, Sequence[int]]) -> dict[int, dict[Kind, str]]:
    """By group and kind. Unscoped: of robots that the caller found in scope."""
    pairs = [(group, device) for group, devices in members.items() for device in devices]
    values: dict[str, Any] = {"groups": [group for group, _ in pairs], "devices": [device for _, device in pairs]}
    maps = {row.grp: row.map for row in await db.execute(MAPS, values)}
    return {
        row.grp: {Kind.PROJECT: row.project, Kind.MAP: maps.get(row.grp, ""), Kind.BUILDING: row.building}
        for row in await db.execute(COMMON, values)
    }


async def refuse_unlike(db: AsyncSession, kind: Kind, devices: Sequence[int]) -> None:
    if kind in REASONS and devices:
        values = await common_values(db, {0: devices})
        if not values[0][kind]:
            raise Refusal(Code.BAD_INPUT, "deviceIds", reason=REASONS[kind])
