"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.control.bus_entries import sync as sync_locks
from lustra.domains.control.lock import free as free_control

__all__ = [
    "free_control",
    "sync_locks",
]
