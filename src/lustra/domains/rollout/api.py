"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.rollout.keys import KeyFault, make_root, rotate_root
from lustra.domains.rollout.progress import keep_update
from lustra.domains.rollout.trust import load_ends, load_root

__all__ = ["KeyFault", "keep_update", "load_ends", "load_root", "make_root", "rotate_root"]
