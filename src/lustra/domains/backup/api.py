"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.backup.before_updates import begin_backups
from lustra.domains.backup.progress import keep_backup, keep_restore
from lustra.domains.backup.queries import UNSAVED

__all__ = ["UNSAVED", "begin_backups", "keep_backup", "keep_restore"]
