"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.delivery.queries import EVERY
from lustra.domains.delivery.sending import Kind, Outcome, claim, keep_progress, link_to, send
from lustra.domains.delivery.service import State, count_by_state, load_page, reset, reset_failed

__all__ = [
    "EVERY",
    "Kind",
    "Outcome",
    "State",
    "claim",
    "count_by_state",
    "keep_progress",
    "link_to",
    "load_page",
    "reset",
    "reset_failed",
    "send",
]
