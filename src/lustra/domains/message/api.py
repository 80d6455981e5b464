"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.message.service import (
    BOUND,
    UNBOUND,
    join_names,
    load_administrators,
    name_several,
    notify,
    notify_daily,
)

__all__ = [
    "BOUND",
    "UNBOUND",
    "join_names",
    "load_administrators",
    "name_several",
    "notify",
    "notify_daily",
]
