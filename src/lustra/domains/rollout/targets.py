"""What signed metadata says of published versions: of each its size, SHA-256, number, part of the robot and types.

Rules: a package is listed once for each type of robots that it is for, so that a role may be given the types of one
maker alone. Each build that is published, or once was, is listed, for robots may go back to it; firmware that is
enabled, and published apps.
"""

# tuf documents these names where they are imported from here:
# pyright: reportPrivateImportUsage=false
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession
from tuf.api.metadata import TargetFile

from lustra.core.scope import shared
from lustra.domains.device.api import DeviceType
from lustra.domains.version.api import AppVersion, FirmwareVersion, SoftBuild, SoftVersion, VersionFile, name_target
from lustra.protocol.updates import target_path


@dataclass(frozen=True, slots=True)
class Listed:
    """A package with the types of robots that it is for. `formerly`: what was said of it when its name named none."""

    name: str
    file: VersionFile
    about: dict[str, Any]
    types: Sequence[str]
    formerly: dict[str, Any]

    def of_type(self, type_name: str) -> TargetFile:
        kind, number = self.name.split("/")
        return self._target(target_path(kind, type_name, number), {"types": [type_name]})

    def of_before(self) -> TargetFile:
        return self._target(self.name, self.formerly)

    def _target(self, path: str, types: dict[str, Any]) -> TargetFile:
        return TargetFile(self.file.size, {"sha256": self.file.sha256}, path, {"custom": self.about | types})


async def list_packages(db: AsyncSession) -> list[Listed]:
    types = {row.id: row.name for row in await db.scalars(shared.select(DeviceType))}
    builds = await db.execute(
        shared.select(SoftBuild, VersionFile, SoftVersion.type_id)
        .join(VersionFile, VersionFile.id == SoftBuild.file_id)
        .join(SoftVersion, SoftVersion.id == SoftBuild.version_id)
        .where(SoftBuild.published_at.is_not(None))
    )
    firmware = await db.execute(
        shared.select(FirmwareVersion, VersionFile)
        .join(VersionFile, VersionFile.id == FirmwareVersion.file_id)
        .where(FirmwareVersion.enabled)
    )
    apps = await db.execute(
        shared.select(AppVersion, VersionFile)
        .join(VersionFile, VersionFile.id == AppVersion.release_id)
        .where(AppVersion.published_at.is_not(None))
    )
    packages = [_software(build, file, types[type_id]) for build, file, type_id in builds]
    packages += [_firmware(row, file, sorted(types[type_id] for type_id in row.type_ids)) for row, file in firmware]
    return packages + [_app(row, file, sorted(types.values())) for row, file in apps]


def _software(build: SoftBuild, file: VersionFile, type_name: str) -> Listed:
    """Without a part it is software, as robots of before take it."""
    about = {"version": build.version, "name": build.name}
    return Listed(name_target("soft", build.id), file, about, [type_name], {"type": type_name})


def _firmware(row: FirmwareVersion, file: VersionFile, types: list[str]) -> Listed:
    about = {"version": row.version, "name": row.name, "part": "firmware"}
    return Listed(name_target("firmware", row.id), file, about, types, {"types": types})


def _app(row: AppVersion, file: VersionFile, types: list[str]) -> Listed:
    about = {"version": row.name, "name": row.name, "part": "app"}
    return Listed(name_target("app", row.id), file, about, types, {})


def by_path(packages: Sequence[Listed]) -> dict[str, TargetFile]:
    targets = [package.of_type(name) for package in packages for name in package.types]
    return {target.path: target for target in targets}


def of_before(packages: Sequence[Listed]) -> dict[str, TargetFile]:
    """By the names that robots were ordered before names contained the type."""
    return {package.name: package.of_before() for package in packages}
