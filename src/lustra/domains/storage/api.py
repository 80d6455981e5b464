"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.storage import privacy
from lustra.domains.storage.events import DiskMeasured

__all__ = [
    "DiskMeasured",
    "privacy",
]
