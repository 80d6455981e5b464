"""What the robots of a group have in common.

Rule: robots of a group of one project have the same customer, those of one map a map of the same name, those of one
building the same building. Nothing in common is no common thing: robots without a building are not in one.
"""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import events
from lustra.core.errors import Code, Refusal
from lustra.core.scope import system
from lustra.domains.device.api import CommonMaps
from lustra.domains.group import queries


class Kind(IntEnum):
    ORDINARY = 0
    PROJECT = 1
    MAP = 2
    BUILDING = 3


REASONS = {Kind.PROJECT: "group_project", Kind.MAP: "group_map", Kind.BUILDING: "group_building"}


async def common_values(db: AsyncSession, members: Mapping[int, Sequence[int]]) -> dict[int, dict[Kind, str]]:
    """By group and kind, of robots that the caller found in scope."""
    pairs = [(group, device) for group, devices in members.items() for device in devices]
    values: dict[str, Any] = {"groups": [group for group, _ in pairs], "devices": [device for _, device in pairs]}
    maps = CommonMaps(members)
    await events.emit(db, maps)
    return {
        row.grp: {Kind.PROJECT: row.project, Kind.MAP: maps.names.get(row.grp, ""), Kind.BUILDING: row.building}
        for row in await db.execute(system("of robots that were found in scope").text(queries.COMMON_VALUES), values)
    }


async def are_alike(db: AsyncSession, kind: Kind, devices: Sequence[int]) -> bool:
    """Whether they may stand in one group of that kind."""
    if kind not in REASONS or not devices:
        return True
    values = await common_values(db, {0: devices})
    return bool(values[0][kind])


async def refuse_unlike(db: AsyncSession, kind: Kind, devices: Sequence[int]) -> None:
    if not await are_alike(db, kind, devices):
        raise Refusal(Code.BAD_INPUT, "deviceIds", reason=REASONS[kind])
