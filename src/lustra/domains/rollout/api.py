"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.rollout.delegation import Line, delegate, draft, revoke, sign_draft, take
from lustra.domains.rollout.keys import KeyFault, make_key, make_root, rotate_root
from lustra.domains.rollout.progress import keep_update
from lustra.domains.rollout.trust import RoleEnd, load_ends, load_root

__all__ = [
    "KeyFault",
    "Line",
    "RoleEnd",
    "delegate",
    "draft",
    "keep_update",
    "load_ends",
    "load_root",
    "make_key",
    "make_root",
    "revoke",
    "rotate_root",
    "sign_draft",
    "take",
]
