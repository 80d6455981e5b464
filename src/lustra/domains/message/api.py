"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.message.service import BOUND, UNBOUND, join_names, name_several, notify

__all__ = [
    "BOUND",
    "UNBOUND",
    "join_names",
    "name_several",
    "notify",
]
