"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.version.events import VersionsInUse
from lustra.domains.version.packages import (
    PARTS,
    Offer,
    Package,
    VersionKind,
    find_packages,
    list_robots,
    load_offer,
    name_target,
)
from lustra.domains.version.rules import APP, ENABLE, FIRMWARE, PUBLISH_APP, PUBLISH_WHOLE, SOFT, WHOLE
from lustra.domains.version.tables import AppVersion, FirmwareVersion, SoftBuild, SoftVersion, VersionFile

__all__ = [
    "APP",
    "ENABLE",
    "FIRMWARE",
    "PARTS",
    "PUBLISH_APP",
    "PUBLISH_WHOLE",
    "SOFT",
    "WHOLE",
    "AppVersion",
    "FirmwareVersion",
    "Offer",
    "Package",
    "SoftBuild",
    "SoftVersion",
    "VersionFile",
    "VersionKind",
    "VersionsInUse",
    "find_packages",
    "list_robots",
    "load_offer",
    "name_target",
]
