"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.version.events import BuildsInUse
from lustra.domains.version.rules import SOFT
from lustra.domains.version.tables import SoftBuild, SoftVersion, VersionDevice, VersionFile

__all__ = ["SOFT", "BuildsInUse", "SoftBuild", "SoftVersion", "VersionDevice", "VersionFile"]
