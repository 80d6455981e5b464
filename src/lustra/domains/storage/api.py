"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.storage import privacy
from lustra.domains.storage.events import DiskMeasured, RobotFileStored
from lustra.domains.storage.robot_files import folder_of, upload_url
from lustra.domains.storage.service import check_names, find_own_file, mark_deleted, share_file, sign_place, sign_url
from lustra.domains.storage.tables import StoredFile

__all__ = [
    "DiskMeasured",
    "RobotFileStored",
    "StoredFile",
    "check_names",
    "find_own_file",
    "folder_of",
    "mark_deleted",
    "privacy",
    "share_file",
    "sign_place",
    "sign_url",
    "upload_url",
]
