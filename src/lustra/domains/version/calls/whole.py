"""/wmWholeVersion: versions of a whole machine, and the robots that get or never get one."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.query import pages
from lustra.core.wire import (
    ById,
    Change,
    CreateTime,
    Id,
    Page,
    PageOf,
    SeenUpdateTime,
    Title,
    UpdateTime,
    doc,
    optional_from,
)
from lustra.domains.device.api import Blank
from lustra.domains.version import soft, whole
from lustra.domains.version.calls.rows import RobotsInRange, robots_view
from lustra.domains.version.calls.soft import SoftBuilds, build_row
from lustra.domains.version.rules import (
    MOST_ROBOTS,
    PUBLISH_WHOLE,
    WHOLE,
    FirmwareNumber,
    Number,
    Robots,
    Short,
    SoftNumber,
)


class WholeFilter(PageOf):
    name: Annotated[str, doc("A part of its name; empty: all.")] = Field("", max_length=100)


class NewWhole(Wire):
    name: Annotated[Title, doc("Name of the version, 1 to 100 characters; once in the installation.")]
    version_number: Annotated[Number, doc("Version number, 1 to 64 characters, as 20240501.")]
    firmware_version: Annotated[FirmwareNumber, doc("Firmware that belongs to it, 1 to 64 characters.")]
    soft_version: Annotated[SoftNumber, doc("Software that belongs to it, 1 to 64 characters.")]
    app_version: Annotated[
        Short | None, doc("App of the pad that belongs to it, at most 64 characters; null or empty: none.")
    ] = None


@optional_from(NewWhole)
class WholeChange(NewWhole, Change):
    identity = Change.identity | {"id"}

    id: Annotated[Id, doc("The version.")]
    published: Annotated[
        bool | None, doc("True publishes it, false unpublishes it; null or left out: it stays as it is.")
    ] = None
    update_time: SeenUpdateTime = None


class SoftChoice(Wire):
    type_id: Annotated[Annotated[Id | None, Blank], doc("Only builds for this type of robots.")] = None


class RobotsOfWhole(Wire):
    whole_version_id: Annotated[Id, doc("The version.")]
    device_serial_numbers: Annotated[
        Robots, doc(f"Serial numbers of the robots that stand in the list and no others, at most {MOST_ROBOTS:,}.")
    ] = Field(max_length=MOST_ROBOTS)


class WholeRow(Wire):
    id: Annotated[int, doc("The version.")]
    name: Annotated[str, doc("Its name.")]
    version_number: Annotated[str, doc("Version number.")]
    app_version: Annotated[str, doc("App of the pad that belongs to it; empty: none.")]
    firmware_version: Annotated[str, doc("Firmware that belongs to it.")]
    soft_version: Annotated[str, doc("Software that belongs to it.")]
    black_list: Annotated[list[str], doc("Robots in scope that never get it, by serial number.")]
    white_list: Annotated[list[str], doc("Robots in scope that alone get it, by serial number.")]
    published: Annotated[bool, doc("Whether it is published.")]
    publish_time: Annotated[datetime | None, doc("When it was published; null: it is not.")]
    create_time: CreateTime
    update_time: UpdateTime


def _values(payload: NewWhole) -> dict[str, Any]:
    values = payload.sent() if isinstance(payload, Change) else payload.model_dump()
    values.pop("published", None)
    if "app_version" in values:
        values["app_version"] = values["app_version"] or ""
    return values


def _row(view: whole.WholeView) -> WholeRow:
    row = view.whole
    return WholeRow(
        id=row.id,
        name=row.name,
        version_number=row.version_number,
        app_version=row.app_version,
        firmware_version=row.firmware_version,
        soft_version=row.soft_version,
        black_list=list(view.black),
        white_list=list(view.white),
        published=row.published_at is not None,
        publish_time=row.published_at,
        create_time=row.created_at,
        update_time=row.updated_at,
    )


@call("/wmWholeVersion/queryByPage", needs=WHOLE, reads=("wmWholeVersion", "device"))
async def list_whole_versions(ctx: Ctx, payload: WholeFilter) -> Page[WholeRow]:
    """List the versions of whole machines, the newest first."""
    views, total = await whole.load_page(ctx, payload.name.strip(), payload)
    return Page(list=[_row(view) for view in views], page_num=pages(total, payload), total=total)


@call("/wmWholeVersion/add", needs=WHOLE, changes=("wmWholeVersion",), audit="whole_version.insert")
async def add_whole_version(ctx: Ctx, payload: NewWhole) -> ById:
    """Add a version of a whole machine."""
    return ById(id=(await whole.add(ctx, _values(payload))).id)


@call("/wmWholeVersion/edit", needs=PUBLISH_WHOLE, changes=("wmWholeVersion",), audit="whole_version.update")
async def change_whole_version(ctx: Ctx, payload: WholeChange) -> Nothing:
    """Change, publish or unpublish a version of a whole machine; the server says when it was published."""
    await whole.change(ctx, payload.id, _values(payload), payload.update_time, published=payload.published)
    return Nothing()


@call("/wmWholeVersion/deleteById", needs=WHOLE, changes=("wmWholeVersion",), audit="whole_version.delete")
async def delete_whole_version(ctx: Ctx, payload: ById) -> Nothing:
    """Delete a version of a whole machine. Refused while it is published."""
    await whole.delete(ctx, payload.id)
    return Nothing()


@call("/wmWholeVersion/querySoftVersionList", needs=WHOLE, reads=("version",))
async def list_soft_choices(ctx: Ctx, payload: SoftChoice) -> SoftBuilds:
    """List the builds of software that a whole machine may have, the newest first."""
    return SoftBuilds(list=[build_row(view) for view in await soft.list_builds(ctx, None, payload.type_id)])


@call("/wmWholeVersion/selectDeviceRange", needs=WHOLE, reads=("wmWholeVersion", "device"))
async def list_black_robots(ctx: Ctx, payload: ById) -> RobotsInRange:
    """List the robots in scope; selected are those that never get the version."""
    return robots_view(await whole.list_robots(ctx, payload.id, "black"))


@call("/wmWholeVersion/selectDeviceWhiteRange", needs=WHOLE, reads=("wmWholeVersion", "device"))
async def list_white_robots(ctx: Ctx, payload: ById) -> RobotsInRange:
    """List the robots in scope; selected are those that alone get the version."""
    return robots_view(await whole.list_robots(ctx, payload.id, "white"))


@call("/wmWholeVersionWhiteBlack/add", needs=WHOLE, changes=("wmWholeVersion",), audit="whole_version.black_list")
async def set_black_robots(ctx: Ctx, payload: RobotsOfWhole) -> Nothing:
    """Set which robots in scope never get a version of a whole machine."""
    await whole.set_robots(ctx, payload.whole_version_id, "black", payload.device_serial_numbers)
    return Nothing()


@call("/wmWholeVersionWhiteBlack/addWhite", needs=WHOLE, changes=("wmWholeVersion",), audit="whole_version.white_list")
async def set_white_robots(ctx: Ctx, payload: RobotsOfWhole) -> Nothing:
    """Set which robots in scope alone get a version of a whole machine."""
    await whole.set_robots(ctx, payload.whole_version_id, "white", payload.device_serial_numbers)
    return Nothing()
