"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.change.kinds import KINDS
from lustra.domains.change.service import AT_ONCE, order

__all__ = [
    "AT_ONCE",
    "KINDS",
    "order",
]
