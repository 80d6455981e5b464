"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.ownership.handover import change_owner, hand_over_mirrors
from lustra.domains.ownership.people import load_holders, load_people

__all__ = [
    "change_owner",
    "hand_over_mirrors",
    "load_holders",
    "load_people",
]
