"""Software of robots: a line for each name and type of robots, and its builds.

Rules: of a line one build at most is published, and robots in its range take it. One that is published in its place
leaves the former to the robots that had it, until they are chosen for the new one. Robots that test for us take what is
published without being chosen. What is published is not deleted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, func

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.database import edits
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of, shared
from lustra.core.wire import PageOf
from lustra.domains.device.api import Device, DeviceType
from lustra.domains.version import files, ranges
from lustra.domains.version.events import refuse_if_rolled_out
from lustra.domains.version.packages import name_target
from lustra.domains.version.service import (
    find_robot,
    load_row,
    lock_row,
    refuse_if_published,
    refuse_taken,
    refuse_unknown_types,
    same_name,
)
from lustra.domains.version.tables import SoftBuild, SoftVersion, VersionDevice, VersionFile

NAMES = {"type_id": "typeId"}


@dataclass(frozen=True, slots=True)
class LineView:
    line: SoftVersion
    device_type: str
    builds: int
    published: SoftBuild | None


@dataclass(frozen=True, slots=True)
class BuildView:
    build: SoftBuild
    file: VersionFile


@dataclass(frozen=True, slots=True)
class NewBuild:
    version_id: int
    name: str
    version: str
    log: str
    file: str


@dataclass(frozen=True, slots=True)
class RobotVersion:
    """What a robot is to have: its line, the build for it, and the robot."""

    line: SoftVersion
    build: SoftBuild
    file: VersionFile
    robot: Device


async def load_page(ctx: Ctx, name: str, type_id: int | None, paging: PageOf) -> tuple[Sequence[LineView], int]:
    rows = shared.select(SoftVersion)
    if name:
        rows = rows.where(func.strpos(func.lower(SoftVersion.name), func.lower(name)) > 0)
    if type_id is not None:
        rows = rows.where(SoftVersion.type_id == type_id)
    lines, total = await query.paginate(ctx.db, rows.order_by(func.lower(SoftVersion.name), SoftVersion.id), paging)
    return await _with_builds(ctx, lines), total


async def _with_builds(ctx: Ctx, lines: Sequence[SoftVersion]) -> list[LineView]:
    ids = [line.id for line in lines]
    types = {
        row.id: row.name
        for row in await ctx.db.scalars(
            shared.select(DeviceType).where(DeviceType.id.in_({line.type_id for line in lines}))
        )
    }
    of_lines = shared.select(SoftBuild).where(SoftBuild.version_id.in_(ids))
    builds = list(await ctx.db.scalars(of_lines))
    published = {build.version_id: build for build in builds if build.published}
    counts = {line_id: sum(build.version_id == line_id for build in builds) for line_id in ids}
    return [LineView(line, types[line.type_id], counts[line.id], published.get(line.id)) for line in lines]


async def list_builds(ctx: Ctx, version_id: int | None, type_id: int | None = None) -> list[BuildView]:
    """Of a line, or of all those for a type of robots: the newest first."""
    rows = shared.select(SoftBuild)
    if version_id is not None:
        rows = rows.where(SoftBuild.version_id == version_id)
    if type_id is not None:
        rows = rows.join(SoftVersion, SoftVersion.id == SoftBuild.version_id).where(SoftVersion.type_id == type_id)
    builds = (await ctx.db.scalars(rows.order_by(SoftBuild.id.desc()))).all()
    of_builds = await files.load_files(ctx, [build.file_id for build in builds])
    return [BuildView(build, of_builds[build.file_id]) for build in builds]


async def add_line(ctx: Ctx, name: str, type_id: int) -> SoftVersion:
    await _refuse_bad_line(ctx, name, type_id, None)
    line = SoftVersion(name=name, type_id=type_id)
    ctx.db.add(line)
    await ctx.db.flush()
    ctx.note(versionId=line.id)
    return line


async def _refuse_bad_line(ctx: Ctx, name: str, type_id: int, own: int | None) -> None:
    await refuse_unknown_types(ctx, [type_id], "typeId")
    taken = shared.select(SoftVersion.id).where(SoftVersion.type_id == type_id, same_name(SoftVersion.name, name))
    await refuse_taken(ctx, taken, own, "typeName")


async def move_line(ctx: Ctx, version_id: int, type_id: int) -> None:
    """To another type of robots. Not while robots of the former are chosen for it."""
    await _move(ctx, await lock_row(ctx, SoftVersion, version_id), type_id)


async def _move(ctx: Ctx, line: SoftVersion, type_id: int) -> None:
    if type_id == line.type_id:
        return
    await _refuse_bad_line(ctx, line.name, type_id, line.id)
    refuse_if_published(await _lock_published(ctx, line.id))
    chosen = rows_of(line).select(func.count(VersionDevice.id))
    if await ctx.db.scalar(chosen):
        raise Refusal(Code.BAD_INPUT, "typeId", reason="model_not_valid")
    ctx.note(typeName=line.name, before=edits.apply(line, {"type_id": type_id}, None, NAMES))


async def delete_line(ctx: Ctx, version_id: int) -> None:
    line = await lock_row(ctx, SoftVersion, version_id)
    refuse_if_published(await _lock_published(ctx, line.id))
    ctx.note(typeName=line.name)
    builds = [view.build for view in await list_builds(ctx, line.id)]
    await _refuse_if_rolled_out(ctx, *builds)
    file_ids = [build.file_id for build in builds]
    await ctx.db.delete(line)
    await files.drop_files(ctx, file_ids)


async def add_build(ctx: Ctx, new: NewBuild) -> SoftBuild:
    line = await lock_row(ctx, SoftVersion, new.version_id)
    taken = shared.select(SoftBuild.id).where(SoftBuild.version_id == line.id, same_name(SoftBuild.name, new.name))
    await refuse_taken(ctx, taken, None, "name", "duplicate_version_name")
    file = await files.take_file(ctx, new.file, "file")
    build = SoftBuild(version_id=line.id, name=new.name, version=new.version, log=new.log, file_id=file.id)
    ctx.db.add(build)
    await ctx.db.flush()
    ctx.note(publicId=build.id, typeName=line.name)
    return build


async def delete_build(ctx: Ctx, build_id: int) -> None:
    build = await _lock_build(ctx, build_id)
    refuse_if_published(build.published)
    await _refuse_if_rolled_out(ctx, build)
    ctx.note(name=build.name)
    await ctx.db.delete(build)
    await files.drop_files(ctx, [build.file_id])


async def _lock_build(ctx: Ctx, build_id: int) -> SoftBuild:
    return await lock_row(ctx, SoftBuild, build_id)


async def _lock_published(ctx: Ctx, version_id: int) -> SoftBuild | None:
    return await ctx.db.scalar(_published(version_id).with_for_update())


def _published(version_id: int) -> Select[Any]:
    return shared.select(SoftBuild).where(SoftBuild.version_id == version_id, SoftBuild.published)


async def publish(
    ctx: Ctx, version_id: int, build_id: int, type_id: int | None, serial_numbers: Sequence[str] | None
) -> None:
    """`type_id`: the type of robots that the line is for from now on; `serial_numbers`: the robots that take the build,
    None: those that were chosen."""
    line = await lock_row(ctx, SoftVersion, version_id)
    if type_id is not None:
        await _move(ctx, line, type_id)
    build = await _lock_build(ctx, build_id)
    if build.version_id != line.id:
        raise Refusal(Code.NOT_FOUND, "publicId")
    if (former := await _lock_published(ctx, line.id)) is not None and former.id != build.id:
        await ranges.freeze_range(ctx, line, former)
        former.published = False
        await ctx.db.flush()
    if serial_numbers is not None:
        await ranges.set_range(ctx, _range_of(line), serial_numbers)
    await ranges.clear_range(ctx, build)
    build.published, build.published_at = True, now()
    ctx.note(typeName=line.name, name=build.name, version=build.version)


async def unpublish(ctx: Ctx, version_id: int) -> None:
    line = await lock_row(ctx, SoftVersion, version_id)
    build = await _lock_published(ctx, line.id)
    if build is None:
        raise Refusal(Code.BAD_INPUT, reason="version_unpublished")
    await _refuse_if_rolled_out(ctx, build)
    build.published = False
    ctx.note(typeName=line.name, name=build.name)


async def _refuse_if_rolled_out(ctx: Ctx, *builds: SoftBuild) -> None:
    await refuse_if_rolled_out(ctx.db, *(name_target("soft", build.id) for build in builds))


def _range_of(line: SoftVersion) -> ranges.RobotList:
    return ranges.RobotList("soft_id", line.id, "range", line.type_id)


async def list_range(ctx: Ctx, version_id: int) -> list[ranges.RangeRow]:
    line = await load_row(ctx, SoftVersion, version_id)
    return await ranges.list_range(ctx, _range_of(line))


async def set_range(ctx: Ctx, version_id: int, serial_numbers: Sequence[str]) -> None:
    line = await lock_row(ctx, SoftVersion, version_id)
    ctx.note(typeName=line.name)
    await ranges.set_range(ctx, _range_of(line), serial_numbers)


async def list_history_range(ctx: Ctx, build_id: int) -> list[ranges.RangeRow]:
    """The robots that have a build which was published: those of its line while it is."""
    build = await load_row(ctx, SoftBuild, build_id)
    return await ranges.list_range(ctx, _history_of(await load_row(ctx, SoftVersion, build.version_id), build))


async def set_history_range(ctx: Ctx, build_id: int, serial_numbers: Sequence[str]) -> None:
    build = await _lock_build(ctx, build_id)
    line = await lock_row(ctx, SoftVersion, build.version_id)
    ctx.note(typeName=line.name, name=build.name)
    await ranges.set_range(ctx, _history_of(line, build), serial_numbers)


def _history_of(line: SoftVersion, build: SoftBuild) -> ranges.RobotList:
    if build.published_at is None:
        raise Refusal(Code.BAD_INPUT, reason="version_unpublished")
    return _range_of(line) if build.published else ranges.RobotList("build_id", build.id, "range", line.type_id)


async def find_for_robot(ctx: Ctx, name: str, serial_number: str) -> RobotVersion:
    """The build that this robot is to have, of the line of that name for its type; of those that it stands in the range
    of, the one that is published, else the one that last was."""
    robot = await find_robot(ctx, serial_number)
    lines = (await ctx.db.scalars(shared.select(SoftVersion).where(same_name(SoftVersion.name, name)))).all()
    line = next((line for line in lines if line.type_id == robot.type_id), None)
    if line is None:
        raise Refusal(
            Code.BAD_INPUT if lines else Code.NOT_FOUND, "typeName", reason="model_not_valid" if lines else ""
        )
    build = await _find_build(ctx, line, robot)
    if build is None:
        raise Refusal(Code.NOT_FOUND, reason="version_none")
    return RobotVersion(line, build, await files.load_file(ctx, build.file_id), robot)


async def _find_build(ctx: Ctx, line: SoftVersion, robot: Device) -> SoftBuild | None:
    published = await ctx.db.scalar(_published(line.id))
    if published is None or robot.test_device:
        return published
    chosen = ctx.scope.select(VersionDevice).where(VersionDevice.device_id == robot.id)
    if await ctx.db.scalar(chosen.where(VersionDevice.soft_id == line.id)):
        return published
    former = (
        shared.select(SoftBuild)
        .join(VersionDevice, VersionDevice.build_id == SoftBuild.id)
        .where(SoftBuild.version_id == line.id, VersionDevice.device_id == robot.id)
    )
    return await ctx.db.scalar(former.order_by(SoftBuild.published_at.desc()).limit(1))
