"""/version: software of robots, a line for each name and type of robots, and its builds; files of all versions."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from lustra.core import jobs
from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.query import pages
from lustra.core.wire import ById, CreateTime, Id, Page, PageOf, Title, UpdateTime, doc
from lustra.domains.device.api import Blank, Device, Serial
from lustra.domains.version import files, packages, soft
from lustra.domains.version.calls.rows import FileOfVersion, RobotsInRange, file_view, robots_view
from lustra.domains.version.packages import Offer, VersionKind
from lustra.domains.version.rules import APP, FIRMWARE, MOST_ROBOTS, SOFT, WHOLE, Log, Path, Robots, SoftNumber
from lustra.protocol.updates import Part

VersionId = Annotated[Id, doc("The line of software.")]
PublicId = Annotated[Id, doc("The build.")]
TypeId = Annotated[Id, doc("Type of robots that the line is for.")]
Chosen = Annotated[Robots, doc(f"Serial numbers of the robots that get it and no others, at most {MOST_ROBOTS:,}.")]


class SoftFilter(PageOf):
    type_name: Annotated[str, doc("A part of the line's name; empty: all.")] = Field("", max_length=100)
    type_id: Annotated[Annotated[Id | None, Blank], doc("Only lines for this type of robots.")] = None


class SoftVersionRef(Wire):
    version_id: VersionId


class SoftBuildRef(Wire):
    public_id: PublicId


class NewSoftVersion(Wire):
    type_name: Annotated[Title, doc("Name of the software, 1 to 100 characters; once for a type of robots.")]
    type_id: TypeId


class SoftVersionMove(Wire):
    version_id: VersionId
    type_id: TypeId


class NewSoftBuild(Wire):
    version_id: VersionId
    name: Annotated[Title, doc("Name of the build, 1 to 100 characters; once in its line.")]
    version: Annotated[SoftNumber, doc("Software version, 1 to 64 characters, as 2.0.0.")]
    file: Annotated[Path, doc("Path of the caller's own file, as /oss/upload stored it.")]
    log: Annotated[Log, doc("What is new, at most 10,000 characters.")] = ""


class SoftPublication(Wire):
    version_id: VersionId
    public_id: PublicId
    type_id: Annotated[
        Annotated[Id | None, Blank], doc("Type of robots that the line is for from now on; null: it stays.")
    ] = None
    device_serial_numbers: Annotated[
        Robots | None,
        doc(f"Serial numbers of the robots that get it, at most {MOST_ROBOTS:,}; null: those that were chosen."),
    ] = Field(None, max_length=MOST_ROBOTS)


class SoftRange(Wire):
    version_id: VersionId
    device_serial_numbers: Chosen = Field(max_length=MOST_ROBOTS)


class SoftHistoryRange(Wire):
    public_id: PublicId
    device_serial_numbers: Chosen = Field(max_length=MOST_ROBOTS)


class SoftOfRobot(Wire):
    type_name: Annotated[
        Title, doc("Name of the software; where none is called so `firmware`, `app` or `whole` for these.")
    ]
    device_serial_number: Annotated[Serial, doc("Serial number of the robot that asks.")]


class SoftVersionRow(Wire):
    version_id: VersionId
    type_id: TypeId
    type_name: Annotated[str, doc("Name of the software.")]
    device_type_name: Annotated[str, doc("Name of the type of robots.")]
    public_id: Annotated[int | None, doc("The build that is published; null: none.")]
    name: Annotated[str, doc("Name of the published build; empty: none.")]
    version: Annotated[str, doc("Software version of the published build; empty: none.")]
    publish_time: Annotated[datetime | None, doc("When it was published; null: none is.")]
    builds: Annotated[int, doc("Number of its builds.")]
    update_time: UpdateTime


class SoftBuildRow(Wire):
    public_id: PublicId
    version_id: VersionId
    name: Annotated[str, doc("Name of the build.")]
    version: Annotated[str, doc("Software version.")]
    log: Annotated[str, doc("What is new.")]
    file: Annotated[str, doc("Path by which its file was uploaded.")]
    stored: Annotated[FileOfVersion, doc("Its file.")]
    published: Annotated[bool, doc("Whether it is the one that is published.")]
    publish_time: Annotated[datetime | None, doc("When it last was published; null: never.")]
    create_time: CreateTime


class SoftBuilds(Wire):
    list: Annotated[list[SoftBuildRow], doc("The builds, the newest first.")]


class RobotPackage(Wire):
    part: Annotated[Part, doc("The part of the robot; `app`: that of its tablet.")]
    version: Annotated[str, doc("Its version.")]
    stored: Annotated[FileOfVersion, doc("Its file.")]


class SoftRecord(SoftBuildRow):
    version_kind: Annotated[VersionKind, doc("What it is; only of `soft` the fields about a build have a meaning.")]
    packages: Annotated[list[RobotPackage], doc("What the robot installs, all together.")]
    type_id: TypeId
    type_name: Annotated[str, doc("Name of the software.")]
    device_serial_number: Annotated[str, doc("Serial number of the robot that it is for.")]


def build_row(view: soft.BuildView) -> SoftBuildRow:
    build = view.build
    return SoftBuildRow(
        public_id=build.id,
        version_id=build.version_id,
        name=build.name,
        version=build.version,
        log=build.log,
        file=view.file.path,
        stored=file_view(view.file),
        published=build.published,
        publish_time=build.published_at,
        create_time=build.created_at,
    )


def offer_row(offer: Offer, robot: Device) -> SoftRecord:
    parts = offer.packages[robot.type_id]
    return SoftRecord(
        public_id=offer.row.id,
        version_id=offer.row.id,
        name=offer.name,
        version=offer.version,
        log=getattr(offer.row, "log", ""),
        file=parts[0].file.path,
        stored=file_view(parts[0].file),
        published=True,
        publish_time=getattr(offer.row, "published_at", None),
        create_time=offer.row.created_at,
        version_kind=offer.kind,
        packages=[RobotPackage(part=each.part, version=each.version, stored=file_view(each.file)) for each in parts],
        type_id=robot.type_id,
        type_name=offer.kind,
        device_serial_number=robot.serial_number,
    )


def _line_row(view: soft.LineView) -> SoftVersionRow:
    line, build = view.line, view.published
    return SoftVersionRow(
        version_id=line.id,
        type_id=line.type_id,
        type_name=line.name,
        device_type_name=view.device_type,
        public_id=build and build.id,
        name=build.name if build else "",
        version=build.version if build else "",
        publish_time=build and build.published_at,
        builds=view.builds,
        update_time=line.updated_at,
    )


@call("/version/selectVersion", needs=SOFT)
async def list_soft_versions(ctx: Ctx, payload: SoftFilter) -> Page[SoftVersionRow]:
    """List the lines of software, by name, each with the build that is published."""
    views, total = await soft.load_page(ctx, payload.type_name.strip(), payload.type_id, payload)
    return Page(list=[_line_row(view) for view in views], page_num=pages(total, payload), total=total)


@call("/version/selectVersionPublic", needs=SOFT)
async def list_soft_builds(ctx: Ctx, payload: SoftVersionRef) -> SoftBuilds:
    """List the builds of a line of software."""
    return SoftBuilds(list=[build_row(view) for view in await soft.list_builds(ctx, payload.version_id)])


@call("/version/insertVersion", needs=SOFT, changes=("version",), audit="soft_version.insert")
async def add_soft_version(ctx: Ctx, payload: NewSoftVersion) -> SoftVersionRef:
    """Begin a line of software for a type of robots."""
    return SoftVersionRef(version_id=(await soft.add_line(ctx, payload.type_name, payload.type_id)).id)


@call("/version/updateVersion", needs=SOFT, changes=("version",), audit="soft_version.update")
async def move_soft_version(ctx: Ctx, payload: SoftVersionMove) -> Nothing:
    """Change the type of robots that a line of software is for. Refused while robots are chosen for it."""
    await soft.move_line(ctx, payload.version_id, payload.type_id)
    return Nothing()


@call("/version/deleteVersion", needs=SOFT, changes=("version",), audit="soft_version.delete")
async def delete_soft_version(ctx: Ctx, payload: SoftVersionRef) -> Nothing:
    """Delete a line of software with its builds. Refused while one is published."""
    await soft.delete_line(ctx, payload.version_id)
    return Nothing()


@call("/version/insertVersionPublic", needs=SOFT, changes=("version", "oss"), audit="soft_build.insert")
async def add_soft_build(ctx: Ctx, payload: NewSoftBuild) -> SoftBuildRef:
    """Add a build to a line of software; its file becomes the installation's own."""
    return SoftBuildRef(public_id=(await soft.add_build(ctx, soft.NewBuild(**payload.model_dump()))).id)


@call("/version/deleteVersionPublic", needs=SOFT, changes=("version",), audit="soft_build.delete")
async def delete_soft_build(ctx: Ctx, payload: SoftBuildRef) -> Nothing:
    """Delete a build. Refused while it is published."""
    await soft.delete_build(ctx, payload.public_id)
    return Nothing()


@call("/version/updateVersionTypeAndPublish", needs=SOFT, changes=("version",), audit="soft_version.publish")
async def publish_soft_version(ctx: Ctx, payload: SoftPublication) -> Nothing:
    """Make a build of a line available; robots keep the former until they are chosen for the new one."""
    serials = payload.device_serial_numbers
    await soft.publish(ctx, payload.version_id, payload.public_id, payload.type_id, serials)
    return Nothing()


@call("/version/updateVersionTypeAndPublishDel", needs=SOFT, changes=("version",), audit="soft_version.unpublish")
async def unpublish_soft_version(ctx: Ctx, payload: SoftVersionRef) -> Nothing:
    """Take back what is published of a line of software: no robot gets it any more."""
    await soft.unpublish(ctx, payload.version_id)
    return Nothing()


@call("/version/selectDeviceRange", needs=SOFT, reads=("version", "device"))
async def list_soft_range(ctx: Ctx, payload: SoftVersionRef) -> RobotsInRange:
    """List the robots of the line's type in scope; selected are those that get what is published."""
    return robots_view(await soft.list_range(ctx, payload.version_id))


@call("/version/updateVersionSelectedRange", needs=SOFT, changes=("version",), audit="soft_version.range")
async def set_soft_range(ctx: Ctx, payload: SoftRange) -> Nothing:
    """Set which robots in scope get what is published of a line of software."""
    await soft.set_range(ctx, payload.version_id, payload.device_serial_numbers)
    return Nothing()


@call("/version/selectHistoryDeviceRange", needs=SOFT, reads=("version", "device"))
async def list_soft_history_range(ctx: Ctx, payload: SoftBuildRef) -> RobotsInRange:
    """List the robots of the line's type in scope; selected are those that have this once published build."""
    return robots_view(await soft.list_history_range(ctx, payload.public_id))


@call("/version/updateHistoryVersionSelectedRange", needs=SOFT, changes=("version",), audit="soft_build.range")
async def set_soft_history_range(ctx: Ctx, payload: SoftHistoryRange) -> Nothing:
    """Set which robots in scope have a build that once was published."""
    await soft.set_history_range(ctx, payload.public_id, payload.device_serial_numbers)
    return Nothing()


@call("/version/selectVersionByTypeName", needs=SOFT, reads=("version", "device"))
async def find_soft_of_robot(ctx: Ctx, payload: SoftOfRobot) -> SoftRecord:
    """Answer the version that a robot is to have, of software by its name, else of a kind."""
    if (answer := await packages.find_for_robot(ctx, payload.type_name, payload.device_serial_number)) is not None:
        return offer_row(*answer)
    of_robot = await soft.find_for_robot(ctx, payload.type_name, payload.device_serial_number)
    row = build_row(soft.BuildView(of_robot.build, of_robot.file))
    return SoftRecord(
        **row.model_dump(),
        version_kind="soft",
        packages=[RobotPackage(part="software", version=row.version, stored=row.stored)],
        type_id=of_robot.line.type_id,
        type_name=of_robot.line.name,
        device_serial_number=of_robot.robot.serial_number,
    )


@call("/version/downloadUrl", needs=(SOFT, FIRMWARE, APP, WHOLE))
async def sign_version_url(ctx: Ctx, payload: ById) -> str:
    """Answer a URL that opens a file of a version for a minute."""
    return await files.find_url(ctx, payload.id)


jobs.job("version.purge", cron="43 3 * * *")(files.purge)
