"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.backup.progress import keep_backup, keep_restore

__all__ = ["keep_backup", "keep_restore"]
