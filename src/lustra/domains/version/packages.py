"""What robots would install of a version: packages of their parts, by type of robots, and which robots it is for.

Rules: only what is published. Software is for its range, firmware for its types; an app or a whole machine never for
its black list, and with a white list for that alone; internal test devices stand in every range and white list. A whole
machine is for the types of robots for which each of its parts is published.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Select, func, or_
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of, shared
from lustra.domains.device.api import Device, DeviceType
from lustra.domains.version.service import find_robot, load_row, lock_row, same_name
from lustra.domains.version.tables import (
    AppVersion,
    FirmwareVersion,
    SoftBuild,
    SoftVersion,
    VersionDevice,
    VersionFile,
    WholeVersion,
)
from lustra.protocol.updates import Part

VersionKind = Literal["soft", "firmware", "app", "whole"]
PARTS: dict[VersionKind, tuple[Part, ...]] = {
    "soft": ("software",),
    "firmware": ("firmware",),
    "app": ("app",),
    "whole": ("software", "firmware", "app"),
}
BY_NAME: Mapping[str, VersionKind] = {"firmware": "firmware", "app": "app", "whole": "whole"}  # as robots ask
TABLES: dict[VersionKind, Any] = {
    "soft": SoftBuild,
    "firmware": FirmwareVersion,
    "app": AppVersion,
    "whole": WholeVersion,
}


@dataclass(frozen=True, slots=True)
class Package:
    """`name`: under which signed metadata lists it."""

    part: Part
    name: str
    version: str
    file: VersionFile


@dataclass(frozen=True, slots=True)
class Offer:
    """A published version. `packages`: by type of robots, for those that it is for."""

    kind: VersionKind
    row: Any
    name: str
    version: str
    packages: dict[int, list[Package]]

    @property
    def target(self) -> str:
        return name_target(self.kind, self.row.id)


def name_target(kind: VersionKind, row_id: int) -> str:
    return f"{kind}/{row_id}"


async def load_offer(ctx: Ctx, kind: VersionKind, row_id: int, *, lock: bool = False) -> Offer:
    """`lock`: it stays published to the end of the transaction. Raises a refusal where it is not published."""
    table = TABLES[kind]
    row = await (lock_row if lock else load_row)(ctx, table, row_id)
    published = {"soft": "published", "firmware": "enabled"}.get(kind, "published_at")
    if not getattr(row, published):
        raise Refusal(Code.BAD_INPUT, "publicId", reason="version_unpublished")
    if isinstance(row, SoftBuild):
        return await _offer_soft(ctx.db, row)
    if isinstance(row, FirmwareVersion):
        package = await _package(ctx.db, "firmware", row, row.version, row.file_id)
        return Offer(kind, row, row.name, row.version, {type_id: [package] for type_id in row.type_ids})
    types = list(await ctx.db.scalars(shared.select(DeviceType.id)))
    if isinstance(row, AppVersion):
        package = await _package(ctx.db, "app", row, row.name, row.release_id)
        return Offer(kind, row, row.name, row.name, {type_id: [package] for type_id in types})
    return await _offer_whole(ctx.db, row, types)


async def _offer_soft(db: AsyncSession, build: SoftBuild) -> Offer:
    line = (await db.scalars(shared.select(SoftVersion).where(SoftVersion.id == build.version_id))).one()
    package = await _package(db, "software", build, build.version, build.file_id)
    return Offer("soft", build, f"{line.name} {build.name}", build.version, {line.type_id: [package]})


async def _offer_whole(db: AsyncSession, whole: WholeVersion, types: Sequence[int]) -> Offer:
    versions: dict[Part, str] = {"software": whole.soft_version, "firmware": whole.firmware_version}
    if whole.app_version:
        versions["app"] = whole.app_version
    packages = {type_id: await find_packages(db, type_id, versions) for type_id in types}
    complete = {type_id: parts for type_id, parts in packages.items() if parts}
    if not complete:
        raise Refusal(Code.BAD_INPUT, "publicId", reason="whole_incomplete")
    return Offer("whole", whole, whole.name, whole.version_number, complete)


async def _package(db: AsyncSession, part: Part, row: Any, version: str, file_id: int) -> Package:
    file = (await db.scalars(shared.select(VersionFile).where(VersionFile.id == file_id))).one()
    kind: VersionKind = "soft" if part == "software" else part
    return Package(part, name_target(kind, row.id), version, file)


async def find_packages(
    db: AsyncSession, type_id: int, versions: Mapping[Part, str], build_id: int | None = None
) -> list[Package]:
    """Of all these parts, each at its version, for a type of robots; none where one of them is not published.
    `build_id`: software is of the same line."""
    packages = [await _find_package(db, type_id, part, version, build_id) for part, version in versions.items()]
    return [package for package in packages if package] if all(packages) else []


async def _find_package(
    db: AsyncSession, type_id: int, part: Part, version: str, build_id: int | None
) -> Package | None:
    """The newest; software also where it was published before."""
    if part == "software":
        builds = shared.select(SoftBuild).join(SoftVersion, SoftVersion.id == SoftBuild.version_id)
        builds = builds.where(
            SoftVersion.type_id == type_id, SoftBuild.version == version, SoftBuild.published_at.is_not(None)
        )
        if build_id is not None:
            line = shared.select(SoftBuild.version_id).where(SoftBuild.id == build_id)
            builds = builds.where(SoftBuild.version_id.in_(line))
        build = await db.scalar(builds.order_by(SoftBuild.published.desc(), SoftBuild.id.desc()).limit(1))
        return build and await _package(db, part, build, version, build.file_id)
    if part == "firmware":
        rows = shared.select(FirmwareVersion).where(
            FirmwareVersion.enabled, FirmwareVersion.version == version, FirmwareVersion.type_ids.contains([type_id])
        )
        firmware = await db.scalar(rows.order_by(FirmwareVersion.id.desc()).limit(1))
        return firmware and await _package(db, part, firmware, version, firmware.file_id)
    app = await db.scalar(
        shared.select(AppVersion).where(AppVersion.name == version, AppVersion.published_at.is_not(None))
    )
    return app and await _package(db, part, app, version, app.release_id)


def _listed(offer: Offer, name: str) -> Select[int]:
    column = {"app": VersionDevice.app_id, "whole": VersionDevice.whole_id}[offer.kind]
    rows = rows_of(offer.row).select(VersionDevice.device_id)
    return rows.where(column == offer.row.id, VersionDevice.list == name)


async def list_robots(ctx: Ctx, offer: Offer) -> Sequence[Device]:
    """Those that it is for, of the robots that the actor may change."""
    rows = ctx.scope.changeable.select(Device).where(Device.type_id.in_(offer.packages))
    if offer.kind == "soft":
        chosen = ctx.scope.select(VersionDevice.device_id).where(VersionDevice.soft_id == offer.row.version_id)
        rows = rows.where(or_(Device.id.in_(chosen), Device.test_device))
    elif offer.kind != "firmware":
        rows = rows.where(Device.id.not_in(_listed(offer, "black")))
        if (await ctx.db.execute(_listed(offer, "white").limit(1))).first():
            rows = rows.where(or_(Device.id.in_(_listed(offer, "white")), Device.test_device))
    return (await ctx.db.scalars(rows)).all()


async def find_offer(ctx: Ctx, kind: VersionKind, robot: Device) -> Offer | None:
    """Of all that is published of a kind, the newest that is for this robot."""
    table = TABLES[kind]
    rows = shared.select(table.id)
    if kind == "firmware":
        rows = rows.where(table.enabled, table.type_ids.contains([robot.type_id])).order_by(table.id.desc())
    else:
        rows = rows.where(table.published_at.is_not(None)).order_by(table.published_at.desc())
    for row_id in list(await ctx.db.scalars(rows)):
        try:
            offer = await load_offer(ctx, kind, row_id)
        except Refusal:
            continue  # a whole machine of which a part is not published any more
        if robot.type_id in offer.packages and await _is_for(ctx, offer, robot):
            return offer
    return None


async def _is_for(ctx: Ctx, offer: Offer, robot: Device) -> bool:
    if offer.kind == "firmware":
        return True
    black, white = [set(await ctx.db.scalars(_listed(offer, name))) for name in ("black", "white")]
    return robot.id not in black and (not white or robot.id in white or robot.test_device)


async def find_for_robot(ctx: Ctx, name: str, serial_number: str) -> tuple[Offer, Device] | None:
    """What a robot asks for by the name of a kind; None: it means software of that name. Raises a refusal where nothing
    is for it."""
    kind = BY_NAME.get(name)
    lines = shared.select(func.count(SoftVersion.id)).where(same_name(SoftVersion.name, name))
    if kind is None or await ctx.db.scalar(lines):
        return None
    robot = await find_robot(ctx, serial_number)
    offer = await find_offer(ctx, kind, robot)
    if offer is None:
        raise Refusal(Code.NOT_FOUND, reason="version_none")
    return offer, robot
