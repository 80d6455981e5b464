"""Which robots a version is for, and which never: sets of robots of the actor's scope.

Rules: whoever sets one says it whole, and touches robots of the own scope alone; those of others stay as they are. A
robot stands in one list of a version at most.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from sqlalchemy import Delete, Select, func

from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of
from lustra.domains.device.api import Device
from lustra.domains.version.tables import SoftBuild, SoftVersion, VersionDevice

Name = Literal["range", "black", "white"]
Key = Literal["soft_id", "build_id", "app_id", "whole_id"]


@dataclass(frozen=True, slots=True)
class RangeRow:
    device: Device
    selected: bool


def _column(key: Key) -> Any:
    return getattr(VersionDevice, key)


W = TypeVar("W", Select[Any], Delete)


@dataclass(frozen=True, slots=True)
class RobotList:
    """One list of a version: `key` is the column that refers to the version, by `row_id`. `type_id`: the only type of
    robots that may stand in it; None: any."""

    key: Key
    row_id: int
    name: Name
    type_id: int | None = None

    def within(self, statement: W) -> W:
        return statement.where(_column(self.key) == self.row_id, VersionDevice.list == self.name)


async def list_range(ctx: Ctx, of: RobotList) -> list[RangeRow]:
    """All robots in sight, of its type; whether each stands in the list."""
    selected = set(await ctx.db.scalars(of.within(ctx.scope.select(VersionDevice.device_id))))
    robots = ctx.scope.select(Device).order_by(func.lower(Device.name), Device.id)
    if of.type_id is not None:
        robots = robots.where(Device.type_id == of.type_id)
    return [RangeRow(robot, robot.id in selected) for robot in await ctx.db.scalars(robots)]


async def set_range(ctx: Ctx, of: RobotList, serial_numbers: Sequence[str]) -> None:
    """These robots and no others of the actor's stand in the list from now on."""
    robots = await _find_robots(ctx, serial_numbers)
    if of.type_id is not None and any(robot.type_id != of.type_id for robot in robots):
        raise Refusal(Code.BAD_INPUT, "deviceSerialNumbers", reason="model_not_valid")
    ids = [robot.id for robot in robots]
    await ctx.db.execute(of.within(ctx.scope.delete(VersionDevice)).where(VersionDevice.device_id.not_in(ids)))
    if ids:
        new = (
            rows_of(*robots)
            .insert(VersionDevice)
            .values([{"device_id": robot, "list": of.name, of.key: of.row_id} for robot in ids])
        )
        moved = new.on_conflict_do_update(
            index_elements=[of.key, "device_id"],
            index_where=_column(of.key).is_not(None),
            set_={"list": new.excluded.list},
        )
        await ctx.db.execute(moved)
    ctx.note(robots=len(ids))


async def _find_robots(ctx: Ctx, serial_numbers: Sequence[str]) -> Sequence[Device]:
    """Those that the actor may change; one that is unknown or another's is refused by its number."""
    rows = ctx.scope.changeable.select(Device).where(Device.serial_number.in_(serial_numbers))
    robots = (await ctx.db.scalars(rows)).all()
    if unknown := sorted(set(serial_numbers) - {robot.serial_number for robot in robots}):
        raise Refusal(Code.NOT_FOUND, "deviceSerialNumbers", reason="robot_unknown", name=unknown[0])
    return robots


async def list_serials(ctx: Ctx, key: Key, ids: Sequence[int], name: Name) -> dict[int, list[str]]:
    """By version: the robots in sight that stand in its list, by serial number."""
    columns = ctx.scope.select(_column(key), Device.serial_number)
    rows = columns.join(Device, Device.id == VersionDevice.device_id).where(
        _column(key).in_(ids), VersionDevice.list == name
    )
    serials: dict[int, list[str]] = {}
    for row_id, serial_number in await ctx.db.execute(rows.order_by(Device.serial_number)):
        serials.setdefault(row_id, []).append(serial_number)
    return serials


async def freeze_range(ctx: Ctx, line: SoftVersion, build: SoftBuild) -> None:
    """The build that is published no longer keeps the robots that had it: they have it until a newer is for them."""
    rows = rows_of(line).select(VersionDevice.device_id)
    ctx.db.add_all(
        VersionDevice(device_id=device_id, list="range", build_id=build.id) for device_id in await ctx.db.scalars(rows)
    )


async def clear_range(ctx: Ctx, build: SoftBuild) -> None:
    await ctx.db.execute(rows_of(build).delete(VersionDevice))
