"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.storage import privacy
from lustra.domains.storage.events import DiskMeasured
from lustra.domains.storage.service import check_names, find_own_file, mark_deleted, share_file, sign_url
from lustra.domains.storage.tables import StoredFile

__all__ = [
    "DiskMeasured",
    "StoredFile",
    "check_names",
    "find_own_file",
    "mark_deleted",
    "privacy",
    "share_file",
    "sign_url",
]
