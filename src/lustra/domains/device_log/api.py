"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.device_log.mirror import keep_files, keep_upload

__all__ = ["keep_files", "keep_upload"]
